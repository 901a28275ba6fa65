# SPDX-License-Identifier: Apache-2.0
"""The fold of docs/protocol.md sections 12 to 14, for the second reader."""

from second_reader import (
    ABANDON, CLAIM, COMMIT, INFINITE, RETRACT, VOTE, encode, sha256)


SEATED = 18
HOSTING = 19


def mark(entry):
    """What an entry says of where its author sits: a contract, and yes or no. Most say nothing."""
    body = entry.body
    cid, sits = body if type(body) is list and len(body) == 2 else (None, None)
    fits = type(cid) is bytes and len(cid) == 32 and type(sits) is bool
    return (cid, sits) if entry.type == SEATED and fits else None


def hosting(entry):
    """What an entry says of hosts and guests: a role, a key, and yes or no. Most say nothing."""
    body = entry.body
    role, key, holds = body if type(body) is list and len(body) == 3 else (None, None, None)
    fits = type(role) is int and role in (0, 1) and type(key) is bytes and len(key) == 32
    return (role, key, holds) if entry.type == HOSTING and fits and type(holds) is bool else None


class Fold:
    def __init__(self, logs):
        self.logs = logs
        entries = [entry for author in sorted(logs.logs) for entry in logs.logs[author]]
        self.inner = [one for entry in entries for one in entry.inner]
        self.known = {one.id: one for one in self.inner + entries}
        self.k = {author: proof[0].seq for author, proof in logs.proofs.items()}
        entries = [entry for entry in entries if entry.seq < self.fork(entry.author)]
        self.commits = [entry for entry in entries if entry.type == COMMIT]
        self.abandons = [entry for entry in entries if entry.type == ABANDON]
        self.retracts = [entry for entry in entries if entry.type == RETRACT]
        self.marks = [(entry.author, *mark(entry)) for entry in entries if mark(entry)]
        self.hostings = [(entry.author, *hosting(entry)) for entry in entries if hosting(entry)]
        self.claims = {one.id: one for one in entries if one.type == CLAIM}
        for commit in self.commits:
            self.claims.update({one.id: one for one in commit.claims})
        self.contracts = {commit.contract.cid: commit.contract for commit in self.commits}
        proven = [one for proof in logs.proofs.values() for one in proof]
        votes = [one.cid for one in entries + self.inner + proven if one.type == VOTE]
        self.named = sorted(
            set(votes) | set(self.contracts) | {one.cid for one in self.abandons})
        self.complete()
        self.bury()
        self.beat()
        self.applied = {}
        for cid in self.named:
            self.applies(cid)
        self.tokens = [self.token(self.claims[token]) for token in sorted(self.claims)]

    def fork(self, author):
        return self.k.get(author, INFINITE)

    # Steps 3 and 4

    def settled(self, vote, commit):
        if self.fork(vote.author) <= vote.seq:
            return True
        log = self.logs.logs.get(vote.author)
        if log is None:
            return False
        while vote.seq > len(log):
            if vote.seq == len(log) + 1:
                return bool(log) and vote.prev == log[-1].id
            before = [one for one in commit.inner
                      if (one.id, one.author, one.seq) == (vote.prev, vote.author, vote.seq - 1)]
            if not before:
                return False
            vote = before[0]
        return log[vote.seq - 1].id == vote.id

    def complete(self):
        self.yes = {}
        for commit in self.commits:
            if all(self.settled(vote, commit) for vote in commit.votes):
                seqs = self.yes.setdefault(commit.contract.cid, {})
                for vote in commit.votes:
                    seqs[vote.author] = min(vote.seq, seqs.get(vote.author, INFINITE))

    # Step 5

    def before(self, entry):
        """The entry that `entry` names, if it is of the same author and one seq lower."""
        one = self.known.get(entry.prev)
        return one if one and (one.author, one.seq) == (entry.author, entry.seq - 1) else None

    def clean(self, no):
        one = self.before(no)
        while one is not None:
            if one.type == VOTE and one.yes and one.cid == no.cid:
                return False
            one = self.before(one)
        return True

    def bury(self):
        self.dead, self.departures = set(), []
        for abandon in self.abandons:
            if abandon.no.author == abandon.author or not self.clean(abandon.no):
                continue
            contract = self.contracts.get(abandon.cid)
            if contract:
                if not {abandon.author, abandon.no.author} <= set(contract.parties):
                    continue
                self.dead.add(abandon.cid)
            self.departures.append((abandon.author, abandon.cid, abandon.seq))
        self.departures.sort()

    # Step 6

    def owner(self, slot):
        token, producer = slot
        if token == producer:
            return self.claims[token].author if token in self.claims else None
        contract = self.contracts.get(producer)
        return next((leg[3] for leg in contract.legs if leg[0] == token), None) \
            if contract else None

    def beat(self):
        self.beaten, rivals = set(), {}
        for cid, seqs in self.yes.items():
            for leg in self.contracts[cid].legs:
                if self.owner(leg[:2]) == leg[2]:
                    rivals.setdefault(leg[:2], []).append((seqs[leg[2]], cid, leg[2]))
        for group in rivals.values():
            group.sort()
            for place, (first, a, owner) in enumerate(group):
                for second, b, _ in group[place + 1:]:
                    if first >= self.fork(owner):
                        self.beaten |= {a, b}
                    elif not any(who == owner and cid == a and first < seq < second
                                 for who, cid, seq in self.departures):
                        self.beaten.add(b)

    # Steps 7 and 8

    def applies(self, cid):
        if cid not in self.applied:
            self.applied[cid] = False
            self.applied[cid] = cid in self.yes and cid not in self.dead | self.beaten and all(
                self.owner(leg[:2]) == leg[2] and (leg[0] == leg[1] or self.applies(leg[1]))
                for leg in self.contracts[cid].legs)
        return self.applied[cid]

    def token(self, claim):
        holder, slot = claim.author, (claim.id, claim.id)
        while True:
            moves = [(cid, leg[3]) for cid in self.named if self.applied[cid]
                     for leg in self.contracts[cid].legs if leg[:2] == slot]
            if not moves:
                break
            slot, holder = (claim.id, moves[0][0]), moves[0][1]
        minted = any(
            one.author == claim.author and one.seq < claim.seq and one.slot[0] in self.claims
            and self.claims[one.slot[0]].seat == claim.seat for one in self.retracts)
        ended = any(one.author == holder and one.slot == slot for one in self.retracts)
        return claim.id, claim.seat, holder, slot[1], ended, minted

    def status(self, cid):
        for word, holds in (
                ("applied", self.applied[cid]), ("dead", cid in self.dead),
                ("beaten", cid in self.beaten), ("waiting", cid in self.yes)):
            if holds:
                return word
        return "open"

    # Section 8

    def hosted(self):
        """Guests with their hosts, where both say so."""
        guests, host = {}, {}
        for author, role, key, holds in self.hostings:
            if role == 0:
                guests[author, key] = holds
            elif holds:
                host[author] = key
            elif host.get(author) == key:
                del host[author]
        return [{"key": guest.hex(), "host": key.hex()} for guest, key in sorted(host.items())
                if guest != key and guests.get((key, guest))]

    def seated(self, cid):
        """Who of a swap says last that they sit where it put them."""
        said = {}
        for author, contract, sits in self.marks:
            said[author, contract] = sits
        parties = self.contracts[cid].parties if self.applied[cid] else []
        return [key.hex() for key in parties if said.get((key, cid))]

    def contract(self, cid):
        found = {"cid": cid.hex(), "status": self.status(cid)}
        seated = self.seated(cid)
        return {**found, "seated": seated} if seated else found

    # Section 14

    def map(self):
        rows = [[token, seat[0], seat[1], holder, producer, ended]
                for token, seat, holder, producer, ended, _ in self.tokens]
        return encode([1, rows, [cid for cid in self.named if self.applied[cid]]])

    def report(self, refused):
        """What the bundle proves, in the form of the vectors."""
        hosted = self.hosted()
        return {
            **({"hosted": hosted} if hosted else {}),
            "flight_id": self.logs.flight.hex() if self.logs.flight else None,
            "refused": refused,
            "tokens": [{
                "token": token.hex(), "seat": f"{seat[0]}{chr(65 + seat[1])}",
                "holder": holder.hex(), "producer": producer.hex(), "ended": ended,
                "reminted": minted,
            } for token, seat, holder, producer, ended, minted in self.tokens],
            "contracts": [self.contract(cid) for cid in self.named],
            "forks": [{"author": who.hex(), "seq": seq} for who, seq in sorted(self.k.items())],
            "departures": [{"author": who.hex(), "cid": cid.hex(), "seq": seq}
                           for who, cid, seq in self.departures],
            "frontier": self.logs.frontier().hex(), "map": self.map().hex(),
            "map_digest": sha256(b"seatswap/1 map", self.map()).hex(),
        }
