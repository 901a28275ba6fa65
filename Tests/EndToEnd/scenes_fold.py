# SPDX-License-Identifier: Apache-2.0
"""Files that pin the fold: docs/protocol.md sections 12 to 14."""

from scribes import Scribe, certificate, contract, moved, pair, proof, unknown, yes
from second_reader import sha256

FAR = sha256(b"an entry that nobody knows")


class Liar(Scribe):
    """Forked behind their first entry: what they sign is settled and not in their log."""

    def __init__(self, name):
        super().__init__(name)
        self.said = 2

    def fork(self):
        return [self.log[0].bytes,
                proof(self.branch(1).rename("one"), self.branch(1).rename("two"))]

    def aside(self, kind, body):
        self.said += 1
        return self.stray(self.said, FAR, kind, body)

    def swap(self, other, slot, nonce=0):
        """A contract of `other` with this liar, and the liar's claim and yes for it."""
        claim = self.aside(2, [[9, nonce], 0])
        made = pair(other, slot, self, (claim.id, claim.id), nonce)
        return made, claim, self.aside(4, yes(made, self))

    def refusal(self, made):
        return self.aside(4, [made.cid, False, []])


class Deal:
    """A swap with a liar, of which `who` logs the certificate whenever a story wants."""

    def __init__(self, liar, who, slot, nonce=0):
        self.liar, self.who = liar, who
        self.made, self.claim, self.answer = liar.swap(who, slot, nonce)

    def agree(self):
        self.vote = self.who.yes(self.made)

    def leave(self):
        self.who.abandon(self.liar.refusal(self.made))

    def commit(self, author=None, vote=None):
        holder = type("Log", (), {"log": [self.claim]})
        (author or self.who).commit(
            self.made, [vote or self.vote, self.answer], self.who, holder)


def logs(*people):
    for who in people:
        yield from (entry.bytes for entry in who.log)


def hearsay():
    """a certificate of people of whom nothing else is known: their claims count, nothing moves"""
    ada, zed = Scribe("ada"), Scribe("zed")
    a, z = ada.claim("1A"), zed.claim("1Z")
    made = pair(ada, a, zed, z)
    votes = [ada.yes(made), zed.yes(made)]
    ada.commit(made, votes, ada, zed)
    yield from logs(ada)


def forks_and_votes():
    """a yes at the fork of its author is settled; one before it, behind a gap, is not"""
    ada, mal, zed = Scribe("ada"), Scribe("mal"), Scribe("zed")
    a, a2, m, z = ada.claim("1A"), ada.claim("2A"), mal.claim("1M"), zed.claim("1Z")
    first, second = pair(ada, a, mal, m), pair(ada, a2, zed, z)
    hidden = zed.branch(2)
    hidden.rename()
    ada.commit(first, [ada.yes(first), mal.branch(2).yes(first)], ada, mal)
    ada.commit(second, [ada.yes(second), hidden.yes(second)], ada, zed)
    mal.rename()
    yield from logs(ada, mal, zed)
    yield proof(hidden.branch(4).rename("one"), hidden.branch(4).rename("two"))


def chains():
    """five certificates end a log: one goes on from its end, four seem to"""
    ada, bo, cy, dee, eve, zed = (
        Scribe(name) for name in ("ada", "bo", "cy", "dee", "eve", "zed"))
    mal = Liar("mal")
    own = [ada.claim(seat) for seat in ("1A", "2A", "3A", "4A", "6A")]

    def claim(who, seq, prev, row):
        entry = who.stray(seq, prev, 2, [[row, 0], 0])
        return type("Log", (), {"log": [entry]}), (entry.id, entry.id), entry.id

    # zed's yes follows two claims that follow zed's log.
    one, z, last = claim(zed, 2, zed.log[0].id, 10)
    two, z2, last = claim(zed, 3, last, 11)
    made = contract((own[0], ada, zed), (z, zed, ada), (own[1], ada, zed), (z2, zed, ada))
    vote = zed.stray(4, last, 4, yes(made, zed))
    ada.commit(made, [ada.yes(made), vote], ada, one, two)
    # bo's names a claim three places before it.
    log, b, last = claim(bo, 2, bo.log[0].id, 12)
    made = pair(ada, own[2], bo, b)
    ada.commit(made, [ada.yes(made), bo.stray(5, last, 4, yes(made, bo))], ada, log)
    # cy's stands behind a claim, and names another entry.
    log, c, last = claim(cy, 2, cy.log[0].id, 13)
    made = pair(ada, own[3], cy, c)
    ada.commit(made, [ada.yes(made), cy.stray(3, FAR, 4, yes(made, cy))], ada, log)
    # eve's stands right behind the log, and names another entry.
    made = pair(ada, own[4], eve, eve.claim("1E"))
    ada.commit(made, [ada.yes(made), eve.stray(3, FAR, 4, yes(made, eve))], ada, eve)
    # dee's names a claim of mal's, which names the end of dee's log.
    d, e = dee.claim("1D"), ada.claim("5A")
    log, m, last = claim(mal, 3, dee.log[-1].id, 14)
    made = contract((e, ada, dee), (d, dee, mal), (m, mal, ada))
    votes = [ada.yes(made), dee.stray(4, last, 4, yes(made, dee)), mal.aside(4, yes(made, mal))]
    ada.commit(made, votes, ada, dee, log)
    yield from logs(ada, bo, cy, dee, eve, zed)
    yield from mal.fork()


def said_twice():
    """bo says yes to ada, to cy, to ada again: the smallest yes of all commits counts"""
    ada, bo, cy = Scribe("ada"), Scribe("bo"), Scribe("cy")
    a, b, c = ada.claim("1A"), bo.claim("1B"), cy.claim("1C")
    first, second = pair(ada, a, bo, b), pair(cy, c, bo, b)
    early, late = bo.yes(first), bo.yes(second)
    again, mine = bo.yes(first), ada.yes(first)
    for vote in (again, early):
        ada.commit(first, [mine, vote], ada, bo)
    bo.commit(first, [mine, again], ada, bo)
    cy.commit(second, [late, cy.yes(second)], bo, cy)
    yield from logs(ada, bo, cy)


def said_twice_unsettled():
    """the same, but the commit with the first yes is not settled: cy's contract came first"""
    ada, bo, cy = Scribe("ada"), Scribe("bo"), Scribe("cy")
    a, b, c = ada.claim("1A"), bo.claim("1B"), cy.claim("1C")
    first, second = pair(ada, a, bo, b), pair(cy, c, bo, b)
    early, late = bo.yes(first), bo.yes(second)
    again, mine = bo.yes(first), ada.yes(first)
    ada.commit(first, [mine, again], ada, bo)
    bo.commit(first, [ada.stray(9, FAR, 4, yes(first, ada)), early], ada, bo)
    cy.commit(second, [late, cy.yes(second)], bo, cy)
    yield from logs(ada, bo, cy)


def parties():
    """a certificate that is not settled still shows the parties: a no of, or to, others is none"""
    ada, bo, cy = Scribe("ada"), Scribe("bo"), Scribe("cy")
    a, b = ada.claim("1A"), bo.claim("1B")
    first, second = pair(ada, a, bo, b), pair(ada, a, bo, b, nonce=1)
    for seq, made in ((8, first), (9, second)):
        bo.commit(made, [bo.yes(made), ada.stray(seq, FAR, 4, yes(made, ada))], ada, bo)
    ada.abandon(cy.no(first))
    no = ada.no(first)
    cy.abandon(no)
    bo.abandon(ada.no(second))
    yield from logs(ada, bo, cy)


def walk():
    """which noes are clean: the walk goes along prev, to the same author, one seq lower"""
    ada, bo, cy, dee, eve, mal, zed = (
        Scribe(name) for name in ("ada", "bo", "cy", "dee", "eve", "mal", "zed"))
    some = [unknown(number) for number in range(9)]

    def agree(who, made):
        return who.write(4, [made.cid, True, [[who.log[0].id, who.log[0].id]]])

    def refuse(who, seq, prev, made):
        ada.abandon(who.stray(seq, prev, 4, [made.cid, False, []]))
        return ada.log[-1].no

    # bo's no names a yes three places before it: a gap.
    refuse(bo, 5, agree(bo, some[1]).id, some[1])
    # cy's no names an entry of mal's that names cy's yes.
    before = refuse(mal, 3, agree(cy, some[2]).id, some[3])
    refuse(cy, 4, before.id, some[2])
    # What eve's no names is not what stands at that place of eve's log.
    agree(eve, some[4])
    eve.rename()
    refuse(eve, 4, FAR, some[4])
    # dee says yes, no, no; zed says yes, leaves, says no.
    agree(dee, some[5])
    dee.no(some[5])
    ada.abandon(dee.no(some[5]))
    agree(zed, some[6])
    zed.abandon(mal.stray(9, FAR, 4, [some[6].cid, False, []]))
    ada.abandon(zed.no(some[6]))
    # bo's yes comes after two noes; dee said yes to something else.
    bo.no(some[7])
    ada.abandon(bo.no(some[7]))
    agree(bo, some[7])
    agree(dee, some[0])
    ada.abandon(dee.no(some[8]))
    yield from logs(ada, bo, cy, dee, eve, zed)


def walk_outside():
    """mal's yes and, two entries later, no stand on a branch of which anchors alone tell"""
    ada, mal, zed = Scribe("ada"), Scribe("mal"), Scribe("zed")
    m, z = mal.claim("1M"), zed.claim("1Z")
    made = pair(mal, m, zed, z)
    hidden = mal.branch(2)
    zed.commit(made, [hidden.yes(made), zed.yes(made)], mal, zed)
    ada.abandon(hidden.no(unknown()))
    zed.abandon(hidden.no(made))
    mal.rename()
    yield from logs(ada, mal, zed)


def owners():
    """bo gives twice what an unsettled contract brought: the second yes is beaten, both wait"""
    ada, bo = Scribe("ada"), Scribe("bo")
    mal, zed = Liar("mal"), Liar("zed")
    a, b = ada.claim("1A"), bo.claim("1B")
    first = pair(ada, a, bo, b)
    ada.commit(first, [ada.yes(first), bo.stray(9, FAR, 4, yes(first, bo))], ada, bo)
    deals = [Deal(mal, bo, moved(first, a)), Deal(zed, bo, moved(first, a))]
    for deal in deals:
        deal.agree()
    for deal in deals:
        deal.commit()
    yield from logs(ada, bo)
    yield from mal.fork() + zed.fork()


def abandons_that_help():
    """the first is left between two yes votes: no rival, even of a second behind a fork"""
    ada, bo, cy = Scribe("ada"), Scribe("bo"), Scribe("cy")
    mal, zed = Liar("mal"), Liar("zed")
    a, b, c = ada.claim("1A"), bo.claim("1B"), cy.claim("1C")
    for row, (who, slot) in enumerate(((ada, a), (bo, b))):
        first = Deal(mal, who, slot, row)
        first.leave()
        first.agree()
        first.leave()
        first.commit()
    second = Deal(zed, ada, a)
    second.agree()
    second.commit()
    made = pair(cy, c, bo, b)
    cy.commit(made, [cy.yes(made), bo.branch(6).yes(made)], bo, cy)
    bo.rename()
    yield from logs(ada, bo, cy)
    yield from mal.fork() + zed.fork()


def abandons_that_do_not():
    """before both, after both, of something else, of somebody else: the second yes is beaten"""
    ada, bo, cy, dee = (Scribe(name) for name in ("ada", "bo", "cy", "dee"))
    mal, zed = Liar("mal"), Liar("zed")
    deals = []
    for row, who in enumerate((ada, bo, cy)):
        slot = who.claim(f"{row + 1}A")
        deals.append((Deal(mal, who, slot, row), Deal(zed, who, slot, row)))
    (before, one), (after, two), (other, three) = deals
    before.leave()
    before.agree()
    one.agree()
    after.agree()
    bo.abandon(mal.refusal(unknown()))
    two.agree()
    after.leave()
    # cy and dee are in one contract; it is dee who leaves it.
    d = dee.claim("1D")
    c = other.made.slots(cy.key)[0]
    claim, slot = other.claim, (other.claim.id, other.claim.id)
    ring = contract((c, cy, dee), (d, dee, mal), (slot, mal, cy))
    votes = [cy.yes(ring), dee.yes(ring), mal.aside(4, yes(ring, mal))]
    dee.abandon(mal.refusal(ring))
    cy.rename()
    three.agree()
    holder = type("Log", (), {"log": [claim]})
    cy.write(5, certificate(ring, votes, (cy, dee, holder)))
    for deal in (before, one, after, two, three):
        deal.commit()
    yield from logs(ada, bo, cy, dee)
    yield from mal.fork() + zed.fork()


def three_on_one_slot():
    """each of three is compared with each, not only with its neighbour or with the first"""
    ada, bo = Scribe("ada"), Scribe("bo")
    mal, zed, eve = Liar("mal"), Liar("zed"), Liar("eve")
    for row, who in enumerate((ada, bo)):
        slot = who.claim(f"{row + 1}A")
        first, second, third = (Deal(liar, who, slot, row) for liar in (mal, zed, eve))
        first.agree()
        if who is ada:
            first.leave()
        second.agree()
        if who is bo:
            second.leave()
        third.agree()
        for deal in (first, second, third):
            deal.commit()
    yield from logs(ada, bo)
    for liar in (eve, mal, zed):
        yield from liar.fork()


def fork_between():
    """bo forks between two yes votes: the first stands, the second is beaten"""
    bo, cy, dee = Scribe("bo"), Scribe("cy"), Scribe("dee")
    b, c, d = bo.claim("1B"), cy.claim("1C"), dee.claim("1D")
    first, second = pair(cy, c, bo, b), pair(dee, d, bo, b)
    cy.commit(first, [cy.yes(first), bo.yes(first)], bo, cy)
    dee.commit(second, [dee.yes(second), bo.branch(3).yes(second)], bo, dee)
    bo.rename()
    yield from logs(bo, cy, dee)


def chain_of_beaten():
    """what is beaten beats, and what never applies beats; the owner's own order decides"""
    ada, bo, cy = Scribe("ada"), Scribe("bo"), Scribe("cy")
    mal, zed = Liar("mal"), Liar("zed")
    a, b, c = ada.claim("1A"), bo.claim("1B"), cy.claim("1C")
    first, last, mine = Deal(mal, ada, a), Deal(zed, bo, b), pair(ada, a, bo, b)
    first.agree()
    votes = [ada.yes(mine), bo.yes(mine)]
    last.agree()
    first.commit()
    ada.commit(mine, votes, ada, bo)
    last.commit()
    # cy's second yes goes to somebody who said theirs long before.
    late, early = Deal(zed, cy, c, 1), Deal(mal, cy, c, 1)
    early.agree()
    late.agree()
    late.answer = zed.stray(2, FAR, 4, yes(late.made, zed))
    early.commit()
    late.commit()
    yield from logs(ada, bo, cy)
    yield from mal.fork() + zed.fork()


def not_the_owner():
    """cy gives away what bo holds: complete, and never applied"""
    ada, bo, cy, dee = (Scribe(name) for name in ("ada", "bo", "cy", "dee"))
    a, b, d = ada.claim("1A"), bo.claim("1B"), dee.claim("1D")
    first = pair(ada, a, bo, b)
    ada.commit(first, [ada.yes(first), bo.yes(first)], ada, bo)
    second = pair(cy, moved(first, a), dee, d)
    cy.commit(second, [cy.yes(second), dee.yes(second)], dee)
    yield from logs(ada, bo, cy, dee)


def retracts():
    """which retracts end a token, and which make a later claim a re-mint"""
    ada, bo, cy, dee, eve, zed = (
        Scribe(name) for name in ("ada", "bo", "cy", "dee", "eve", "zed"))
    a, b, z = ada.claim("1A"), bo.claim("1B"), zed.claim("1Z")
    first = pair(ada, a, bo, b)
    bo.commit(first, [ada.yes(first), bo.yes(first)], ada, bo)
    # bo holds 1A, gives it back and claims it; ada holds 1B and retracts bo's tenure of it.
    bo.retract(moved(first, a))
    bo.claim("1A")
    ada.retract(b)
    # cy claims anew, swaps with zed, and claims another seat.
    cy.retract(cy.claim("5C"))
    again = cy.claim("5C")
    cy.claim("6C")
    second = pair(cy, again, zed, z)
    cy.commit(second, [cy.yes(second), zed.yes(second)], cy, zed)
    # dee retracts what is not dee's and claims that seat; eve only claims it, later in her log.
    dee.retract(again)
    dee.claim("5C")
    for _ in range(9):
        eve.rename()
    eve.retract((FAR, FAR))
    eve.claim("5C")
    yield from logs(ada, bo, cy, dee, eve, zed)
