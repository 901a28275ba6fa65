# SPDX-License-Identifier: Apache-2.0
"""Files that pin how records are judged: docs/protocol.md sections 8 to 11 and 19."""

from scribes import (
    Draft, Scribe, certificate, contract, moved, pair, place, proof, signed_again, terms, unknown,
    yes)
from second_reader import Entry, encode, sha256

OTHER = sha256(b"another flight")


def spoiled(data):
    """The same entry with a bit of its signature changed."""
    return data[:-1] + bytes([data[-1] ^ 1])


def certificates():
    """bo logs one commit after another: none is a certificate but the last"""
    ada, bo, cy, dee = (Scribe(name) for name in ("ada", "bo", "cy", "dee"))
    a, a2, b, c = ada.claim("1A"), ada.claim("2A"), bo.claim("1B"), cy.claim("1C")
    everybody, name = (ada, bo, cy), (ada.rename().id,) * 2

    def signed(made, changed=lambda votes, claims: (votes, claims), parties=None):
        parties = parties or [who for who in everybody if who.key in made.parties]
        votes = [who.stray(9, sha256(who.key), 4, yes(made, who)).bytes for who in parties]
        claims = certificate(made, [], everybody)[2]
        return bo.next(5, [made.bytes, *changed(votes, claims)])

    good, other = pair(ada, a, bo, b), pair(ada, a, bo, b, nonce=1)
    strange = bo.stray(9, sha256(b""), 4, [good.cid, True, [[b[0], sha256(b"")]]]).bytes
    elsewhere = bo.stray(9, sha256(b""), 4, yes(other, bo)).bytes
    later = pair(ada, (a[0], good.cid), bo, (b[0], good.cid))
    extra = [one.bytes for who in everybody for one in who.log if one.id in (a[0], b[0])]
    ring = [(a, ada, bo), (b, bo, cy), (c, cy, ada)]
    yield from (entry.bytes for who in everybody for entry in who.log)
    yield signed(good, lambda votes, claims: (votes[::-1], claims))
    yield signed(good, lambda votes, claims: ([votes[0], strange], claims))
    yield signed(good, lambda votes, claims: ([votes[0], elsewhere], claims))
    yield signed(good, lambda votes, claims: (votes[:1], claims))
    yield signed(good, lambda votes, claims: (votes, []))
    yield signed(good, lambda votes, claims: (votes, claims[:1]))
    yield signed(good, lambda votes, claims: ([votes[0], spoiled(votes[1])], claims))
    yield signed(later, lambda votes, claims: (votes, sorted(extra)))
    yield signed(Draft((c, ada, bo), (b, bo, ada)))
    yield signed(Draft((a, ada, bo), (b, bo, ada), flight=OTHER))
    yield signed(Draft((a, ada, bo), (a2, ada, bo), (b, bo, ada)))
    yield signed(Draft((a, ada, bo), (a2, ada, cy), (b, bo, ada), (c, cy, bo)))
    yield signed(Draft((a, ada, bo), (a2, ada, ada), (b, bo, ada)))
    yield signed(Draft((name, ada, bo), (b, bo, ada)))
    yield signed(Draft((a, ada, bo), ((a[0], sha256(b"")), bo, ada)))
    yield signed(Draft(*ring, parties=[ada.key, bo.key]), parties=[ada, bo])
    yield signed(Draft((a, ada, bo), (b, bo, ada), parties=[bo.key, ada.key]), parties=[bo, ada])
    yield signed(Draft((a, ada, bo), (b, bo, ada), coordinator=cy.key))
    sure = dee.stray(9, sha256(b""), 4, [good.cid, True, [list(a)]])
    yield bo.next(6, [good.cid, sure.bytes])
    yield bo.next(6, [other.cid, dee.stray(9, sha256(b""), 4, [good.cid, False, []]).bytes])
    yield bo.next(6, [good.cid, dee.sign(9, sha256(b""), 4, [good.cid, False, []], OTHER)])
    whole = [good.bytes, [who.stray(9, sha256(who.key), 4, yes(good, who)).bytes
                          for who in (ada, bo)], certificate(good, [], everybody)[2]]
    yield cy.next(5, whole)
    yield bo.next(5, whole)


def places():
    """second entries at a place, entries that follow something else, and gaps"""
    ada, bo, cy, dee, eve = (Scribe(name) for name in ("ada", "bo", "cy", "dee", "eve"))
    for who in (ada, bo, cy, dee, eve):
        who.claim("1A")
        who.rename()
        yield from (entry.bytes for entry in who.log)
    # No fork: nobody signed it.
    yield spoiled(bo.sign(2, bo.log[0].id, 2, [place("2A"), 0]))
    # A fork, whatever it says that it follows.
    yield cy.sign(3, sha256(b"nothing known"), 1, ["cy"])
    yield dee.sign(4, dee.log[0].id, 1, ["dee"])
    yield eve.sign(5, eve.log[2].id, 1, ["eve"])
    slots = [[sha256(b"1"), bytes(32)], [sha256(b"2"), bytes(32)]]
    slots.sort(reverse=True)
    yield ada.next(4, [unknown().cid, True, slots])
    yield ada.next(4, [unknown().cid, False, slots[:1]])
    yield ada.rename().bytes


def caps():
    """the 33rd claim, the tenth live one, and what comes behind an end"""
    ada, bo, cy = Scribe("ada"), Scribe("bo"), Scribe("cy")
    for _ in range(32):
        ada.retract(ada.claim("1A"))
    for row, who in ((2, bo), (3, cy)):
        slots = [who.claim(f"{row}{letter}") for letter in "ABCDEFGHJ"]
        # Of a later tenure: the token is as live as before.
        who.retract((slots[0][0], unknown().cid))
    cy.retract(slots[0])
    cy.claim("3K")
    cy.write(15, [])
    for who in (ada, bo, cy):
        yield from (entry.bytes for entry in who.log)
    yield ada.next(2, [place("1A"), 0])
    yield bo.next(2, [place("2K"), 0])
    yield cy.next(1, ["cy"])


def behind_a_fork():
    """two abandons carry two noes of mal at one place: of her log what stands before counts"""
    ada, mal = Scribe("ada"), Scribe("mal")
    mal.claim("1A")
    first, second = sorted((unknown(1), unknown(2)), key=lambda one: one.cid)
    noes = [mal.branch(2).no(one) for one in (second, first)]
    later = [mal.stray(4, no.id, 4, [first.cid, False, []]) for no in noes]
    for no in noes + later:
        ada.abandon(no)
    ada.no(unknown(3))
    mal.rename()
    mal.rename()
    yield from (entry.bytes for who in (ada, mal) for entry in who.log)
    yield noes[0].bytes


def crowd(people, moves):
    """The body of a commit in which a token of its own makes each of these moves."""
    claims = [people[giver].stray(40 + number, bytes(32), 2, [[number + 1, 0], 0])
              for number, (giver, _) in enumerate(moves)]
    # The last of many was swapped before, so that no more than 16 claims are needed.
    made = Draft(*(((claim.id, bytes(32) if number == 16 else claim.id), people[giver],
                    people[taker])
                   for number, (claim, (giver, taker)) in enumerate(zip(claims, moves))))
    votes = [who.stray(99, bytes(32), 4, yes(made, who)) for who in people]
    return certificate(made, votes, [type("Log", (), {"log": claims})])


def limits():
    """what is as long or as large as may be, and each time one more or another shape"""
    ada = Scribe("ada")
    people = [ada] + [Scribe(f"p{number}", 40 + number) for number in range(8)]
    refused = []

    def write(kind, good, *bad):
        refused.extend(ada.next(kind, body) for body in bad)
        return ada.write(kind, good)

    write(1, ["x" * 48], ["x" * 49], [""], ["x", "y"], [None], [b"x"])
    write(2, [[255, 25], 1], [[256, 0], 0], [[0, 0], 0], [[1, 26], 0], [[1, 0], 2],
          [[1, 0, 0], 0], [[1], 0])
    slots = [[bytes([number]) * 32, bytes(32)] for number in range(17)]
    write(4, [bytes(32), True, slots[:16]], [bytes(32), True, slots], [bytes(32), 1, slots[:1]],
          [bytes(31), True, slots[:1]], [bytes(32), True, [slots[0][:1]]])
    write(3, [bytes(32), bytes(32)], [bytes(32), bytes(33)], [bytes(32)])
    write(9, [bytes(32), [255, 25]], [bytes(32), [256, 0]], [bytes(33), [1, 0]])
    # Eight parties and sixteen legs; then nine, one with itself, and seventeen.
    ring = [(number, (number + 1) % 8) for number in range(8)]
    write(5, crowd(people[:8], ring * 2),
          crowd(people, [(number, (number + 1) % 9) for number in range(9)]),
          crowd(people[:3], [(0, 1), (1, 2), (2, 0)] + [(0, 1), (1, 0)] * 7))
    ada.retract((ada.log[2].id,) * 2)
    write(15, [], [0])
    yield from (entry.bytes for entry in ada.log)
    yield from refused


def later_types():
    """entries of types that nobody knows yet are kept, up to their limits, and say nothing"""
    ada = Scribe("ada")
    ada.write(18, [])
    refused = [ada.next(kind, body) for kind, body in (
        (31, {}), (31, 1), (31, None), (32, []), (10, []), (14, []))]
    ada.write(31, [[[[[[[1]]]]]], "x", None, {1: True}])
    size = 16384 - len(ada.next(19, [bytes(16000)])) + 16000
    refused.append(ada.next(19, [bytes(size + 1)]))
    ada.write(19, [bytes(size)])
    ada.claim("1A")
    yield from (entry.bytes for entry in ada.log)
    yield from refused


def who_sits():
    """marks of who sits after a swap: the last of each party counts, once the swap is applied"""
    ada, bo, cy, dee, eve, mal = (
        Scribe(name) for name in ("ada", "bo", "cy", "dee", "eve", "mal"))
    a, b, c, m, d, e = (who.claim(f"1{seat}") for who, seat in (
        (ada, "A"), (bo, "B"), (cy, "C"), (mal, "M"), (dee, "D"), (eve, "E")))
    ring = contract((a, ada, bo), (b, bo, cy), (c, cy, mal), (m, mal, ada))
    ada.commit(ring, [who.yes(ring) for who in (ada, bo, cy, mal)], ada, bo, cy, mal)
    # ada sits; bo does not after all; nobody asks dee; mal's stands behind a fork.
    for who, sits in ((ada, False), (ada, True), (bo, True), (bo, False), (dee, True)):
        who.mark(ring, sits)
    # What is no mark says nothing, and takes nothing back.
    cy.mark(ring)
    for body in ([], [ring.cid], [ring.cid, 0], [ring.cid[1:], False], [ring.cid, False, 0],
                 [ring.cid, None], [[ring.cid, False]]):
        cy.write(18, body)
    cy.write(19, [ring.cid, False])
    mal.mark(ring)
    fork = proof(mal.log[3], mal.branch(3).rename())
    # A swap that waits for a yes puts nobody anywhere; eve gets no seat by the ring.
    open_one = pair(dee, d, eve, e)
    dee.yes(open_one)
    dee.mark(open_one)
    eve.mark(open_one)
    # The way back is another swap.
    back = contract((moved(ring, a), bo, ada), (moved(ring, b), cy, bo), (moved(ring, c), mal, cy),
                    (moved(ring, m), ada, mal), nonce=1)
    bo.yes(back)
    bo.mark(back)
    yield from (entry.bytes for who in (ada, bo, cy, dee, eve, mal) for entry in who.log)
    yield fork


def who_hosts():
    """hosts and guests: a guest is one whom a host names, and who names that host last"""
    names = ("ada", "bo", "cy", "dee", "eve", "finn", "gus", "hal", "ida", "jo", "kim", "mal")
    ada, bo, cy, dee, eve, finn, gus, hal, ida, jo, kim, mal = (
        Scribe(name, 40 + place) for place, name in enumerate(names))
    # Both say so of bo; cy and dee are named by one side alone.
    for guest in (bo, cy, finn, gus, hal, ida, jo, mal):
        ada.hosts(guest)
    for guest in (bo, dee, finn, gus, hal, ida, jo, mal):
        guest.guest_of(ada)
    # A host who is their own guest is none. eve has the roles the wrong way round.
    cy.hosts(cy)
    cy.guest_of(cy)
    ada.guest_of(eve)
    eve.guest_of(ada)
    # finn was taken out and let in again; gus was taken out; hal went and named another host.
    for guest, holds in ((finn, False), (finn, True), (gus, False)):
        ada.hosts(guest, holds)
    hal.guest_of(eve)
    # ida took it back; jo took back what she never said, and said what takes nothing back.
    ida.guest_of(ada, False)
    jo.guest_of(eve, False)
    for body in ([], [1, ada.key], [1, ada.key, 0], [1, ada.key[1:], True],
                 [1, ada.key, False, 0], [2, ada.key, False], [False, ada.key, False]):
        jo.write(19, body)
    jo.write(20, [1, ada.key, False])
    jo.write(18, [1, ada.key, False])
    # kim is named by a host who takes back another one; mal's word stands behind a fork.
    eve.hosts(kim)
    eve.hosts(hal, False)
    kim.guest_of(eve)
    fork = proof(mal.log[1], mal.branch(1).rename())
    yield from (entry.bytes for who in (ada, bo, cy, dee, eve, finn, gus, hal, ida, jo, kim, mal)
                for entry in who.log)
    yield fork


def three_at_one_place():
    """three abandons carry noes of mal at one place: of the proofs the smallest pair is kept"""
    ada, mal = Scribe("ada"), Scribe("mal")
    noes = sorted((mal.branch(1).no(unknown(number)) for number in range(3)),
                  key=lambda one: one.id)
    for no in (noes[0], noes[2], noes[1]):
        ada.abandon(no)
    yield from (entry.bytes for entry in ada.log + mal.log + noes)


def three_at_one_place_in_another_order():
    """the first no is of no smaller pair: the two after it are compared with it, and not with each
    other, so the pair of the first and the smallest is kept"""
    ada, mal = Scribe("ada"), Scribe("mal")
    noes = sorted((mal.branch(1).no(unknown(number)) for number in range(3)),
                  key=lambda one: one.id)
    for no in (noes[2], noes[0], noes[1]):
        ada.abandon(no)
    yield from (entry.bytes for entry in ada.log + mal.log + noes)


def one_anchor():
    """a certificate shows the forks of two of its parties, of one of them at two places"""
    bo, cy, zed = Scribe("bo"), Scribe("cy"), Scribe("zed")
    b, z = bo.claim("1B"), zed.claim("1Z")
    hidden = cy.branch(1)
    c = hidden.claim("1C")
    made = contract((b, bo, cy), (c, cy, zed), (z, zed, bo))
    votes = [bo.branch(2).yes(made), hidden.yes(made), zed.yes(made)]
    zed.commit(made, votes, bo, hidden, zed)
    cy.claim("2C")
    for who in (bo, cy):
        who.rename()
        who.rename()
    yield from (entry.bytes for who in (bo, cy, zed) for entry in who.log)


def one_anchor_alone():
    """a certificate holds two claims that zed signed for one place"""
    ada, zed = Scribe("ada"), Scribe("zed")
    a, a2 = ada.claim("1A"), ada.claim("2A")
    other = zed.branch(1)
    z, z2 = zed.claim("1Z"), other.claim("2Z")
    made = contract((a, ada, zed), (a2, ada, zed), (z, zed, ada), (z2, zed, ada))
    ada.commit(made, [ada.yes(made), zed.yes(made)], ada, zed, other)
    yield from (entry.bytes for entry in ada.log)


def signed_twice():
    """whoever signs the same again has not forked, in a log or inside a commit"""
    ada, bo = Scribe("ada"), Scribe("bo")
    a, b = ada.claim("1A", care=1), bo.claim("1B")
    made = pair(ada, a, bo, b)
    votes = [ada.yes(made), bo.yes(made)]
    again = Entry(signed_again(votes[0].bytes, ada.seed))
    bo.commit(made, [again, votes[1]], ada, bo)
    yield from (entry.bytes for who in (ada, bo) for entry in who.log)
    yield again.bytes
    yield proof(votes[0], again)


def dropped_anchor():
    """what an abandon behind a gap carries is no evidence"""
    ada, bo = Scribe("ada"), Scribe("bo")
    ada.claim("1A")
    no = ada.branch(1).no(unknown())
    bo.rename()
    bo.abandon(no)
    yield from (entry.bytes for entry in ada.log + [bo.log[0], bo.log[2]])


def cut_anchor():
    """cy shows that bo forked: of bo only what stood before counts, yet mal's fork stays known"""
    bo, cy, dee, mal = (Scribe(name) for name in ("bo", "cy", "dee", "mal"))
    b, d = bo.claim("1B"), dee.claim("1D")
    bo.rename()
    bo.abandon(mal.branch(1).no(unknown(1)))
    made = pair(bo, b, dee, d)
    votes = [bo.stray(20, sha256(b""), 4, yes(made, bo)), dee.yes(made)]
    bo.commit(made, votes, bo, dee)
    bo.retract(b)
    bo.claim("2B")
    cy.abandon(bo.branch(3).no(unknown(2)))
    mal.rename()
    yield from (entry.bytes for who in (bo, cy, mal) for entry in who.log)


def proofs():
    """proofs that prove nothing, and of those that do, the one of the smallest pair"""
    ada, bo, cy, dee, eve, mal, zed = (
        Scribe(name) for name in ("ada", "bo", "cy", "dee", "eve", "mal", "zed"))
    ada.claim("1A")
    ada.rename()
    bo.claim("1B")
    yield from (entry.bytes for entry in ada.log)
    yield proof(ada.log[1], bo.log[1])
    yield proof(ada.log[1], ada.log[2])
    yield proof(ada.log[1], ada.log[1])
    yield encode([cy.next(1, ["one"]), spoiled(cy.next(1, ["two"]))])
    yield encode([spoiled(cy.next(1, ["one"])), cy.next(1, ["two"])])
    for who, start, order in ((eve, 0, ("bc", "ad")), (zed, 20, ("bc", "da", "ca", "bd"))):
        said = [who.branch(1).no(unknown(start + number)) for number in range(4)]
        said.sort(key=lambda one: one.id)
        for first, second in order:
            yield proof(said["abcd".index(first)], said["abcd".index(second)])
    # No news beside two entries, so that nobody looks at its signatures.
    said = [mal.branch(1).no(unknown(10 + number)) for number in range(3)]
    said.sort(key=lambda one: one.id)
    yield from (one.bytes for one in (mal.log[0], said[0], said[1]))
    yield encode([said[1].bytes, spoiled(said[2].bytes)])
    # What the anchors of a proof carry is named by nobody.
    yield proof(dee.branch(1).abandon(bo.no(unknown(5))), dee.branch(1).rename())
    bo = bo.branch(1)
    yield proof(bo.log[0], bo.stray(1, None, 0, ["bo", "2"]))


def proofs_alone():
    """nothing but proofs: the flight is that of most whose two entries have their form"""
    ada, bo = Scribe("ada"), Scribe("bo")
    yield encode([ada.next(1, ["ada"], OTHER), ada.next(1, [""], OTHER)])
    for who in (bo, ada):
        yield proof(who.branch(1).no(unknown(1)), who.branch(1).rename())


def two_flights():
    """the flight is that of most entries; what is of another is not accepted"""
    ada, bo, cy = Scribe("ada"), Scribe("bo"), Scribe("cy")
    bo.rename()
    # Not an entry: names are not empty.
    yield ada.sign(1, None, 0, ["", ""], OTHER)
    yield ada.sign(1, None, 0, ["ada", ""], OTHER)
    yield bo.log[0].bytes
    yield ada.log[0].bytes
    yield encode([cy.sign(2, cy.log[0].id, 1, [name], OTHER) for name in ("one", "two")])
    yield encode([cy.next(1, ["one"], OTHER), cy.next(1, ["two"])])
    yield encode([cy.next(1, ["one"]), cy.next(1, ["two"], OTHER)])
    yield bo.log[1].bytes


def late_proof():
    """proofs come after all entries: none is refused, all from the fork on are cut"""
    ada, mal = Scribe("ada"), Scribe("mal")
    mal.claim("1A")
    mal.rename()
    mal.claim("2A")
    yield proof(mal.log[2], mal.branch(2).no(unknown()))
    yield from (entry.bytes for who in (ada, mal) for entry in who.log)
