# SPDX-License-Identifier: Apache-2.0
"""Random passengers who sign whatever they like: forks, stale seats, second thoughts."""

import random

import ed25519
from second_reader import Bad, Contract, Entry, encode, sha256

FLIGHT = sha256(b"a flight of cheats")


class Cheat:
    """A passenger with one or more branches of one log."""

    def __init__(self, number):
        self.seed = bytes([number]) * 32
        self.key = ed25519.public(self.seed)
        self.branches = [[]]
        self.write(self.branches[0], 0, [f"c{number}", ""])

    def sign(self, seq, prev, kind, body):
        """An entry for any place; None where it is not well formed."""
        payload = encode([1, FLIGHT, self.key, seq, prev, kind, body])
        header = b"\xa1\x01\x27"
        signed = encode(["Signature1", header, b"seatswap/1 entry", payload])
        try:
            return Entry(encode([header, {}, payload, ed25519.sign(self.seed, signed)]))
        except Bad:
            return None

    def write(self, branch, kind, body):
        """The next entry of a branch; None where nobody would take it."""
        entry = self.sign(len(branch) + 1, branch[-1].id if branch else None, kind, body)
        if entry:
            branch.append(entry)
        return entry


class Crowd:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.people = [Cheat(number) for number in range(1, self.dice.randint(3, 4) + 1)]
        self.slots, self.contracts = [], []
        for one in self.people:
            self.claim(one, one.branches[0])
        for _ in range(self.dice.randint(8, 45)):
            self.act()

    def entries(self):
        return [entry for one in self.people for branch in one.branches for entry in branch]

    def votes(self, cid, yes, author=None):
        return [e for e in self.entries() if e.type == 4 and e.cid == cid and e.yes == yes
                and author in (None, e.author)]

    def act(self):
        one = self.dice.choice(self.people)
        branch = self.dice.choice(one.branches)
        act = self.dice.choices(
            (self.claim, self.retract, self.propose, self.yes, self.no, self.commit,
             self.abandon, self.fork, self.deal, self.stray), (1, 1, 4, 9, 3, 8, 5, 1, 6, 1))[0]
        act(one, branch)

    def claim(self, one, branch):
        entry = one.write(branch, 2, [[self.dice.randint(1, 2), self.dice.randint(0, 2)], 0])
        self.slots.append((entry.id, entry.id, one.key))

    def retract(self, one, branch):
        token, producer, _ = self.dice.choice(self.slots)
        one.write(branch, 3, [token, producer])

    def propose(self, one, branch):
        parties = self.dice.sample(self.people, self.dice.choice((2, 2, 2, 3)))
        legs, tokens = [], set()
        for giver, taker in zip(parties, parties[1:] + parties[:1]):
            own = [slot for slot in self.slots if slot[2] == giver.key and slot[0] not in tokens]
            if self.dice.random() < 0.05:
                own = [slot for slot in self.slots if slot[0] not in tokens]
            if not own:
                return
            token, producer, _ = self.dice.choice(own)
            tokens.add(token)
            legs.append([token, producer, giver.key, taker.key])
        contract = Contract(encode([
            1, FLIGHT, parties[0].key, self.dice.randbytes(16),
            sorted(party.key for party in parties), sorted(legs)]))
        self.contracts.append(contract)
        self.slots += [(leg[0], contract.cid, leg[3]) for leg in contract.legs]

    def deal(self, one, branch):
        """A contract that nearly everybody says yes to, and somebody records."""
        count = len(self.contracts)
        self.propose(one, branch)
        for contract in self.contracts[count:]:
            parties = [one for one in self.people if one.key in contract.parties]
            for party in self.dice.sample(parties, len(parties)):
                if self.dice.random() < 0.9:
                    slots = [list(slot) for slot in contract.slots(party.key)]
                    party.write(
                        self.dice.choice(party.branches), 4, [contract.cid, True, slots])
            if self.dice.random() < 0.3:
                # A no where the yes is not seen, shown to somebody who leaves with it.
                liar, other = self.dice.sample(parties, 2)
                self.fork(liar, liar.branches[0])
                liar.write(liar.branches[-1], 4, [contract.cid, False, []])
                self.abandon(other, other.branches[0])
            party = self.dice.choice(parties)
            self.commit(party, self.dice.choice(party.branches), [contract])

    def yes(self, one, branch):
        mine = [c for c in self.contracts if one.key in c.parties]
        if mine:
            contract = self.dice.choice(mine[-3:])
            slots = [list(slot) for slot in contract.slots(one.key)]
            one.write(branch, 4, [contract.cid, True, slots])

    def no(self, one, branch):
        if self.contracts:
            one.write(branch, 4, [self.dice.choice(self.contracts[-3:]).cid, False, []])

    def commit(self, one, branch, contracts=None):
        contracts = contracts or self.contracts
        for contract in self.dice.sample(contracts, len(contracts)):
            votes = [self.votes(contract.cid, True, party) for party in contract.parties]
            if one.key in contract.parties and all(votes):
                needed = [leg[0] for leg in contract.legs if leg[0] == leg[1]]
                claims = {e.id: e.bytes for e in self.entries() if e.id in needed}
                one.write(branch, 5, [
                    contract.bytes, [self.dice.choice(some).bytes for some in votes],
                    [claims[token] for token in needed]])
                return

    def abandon(self, one, branch):
        said = [e.cid for e in branch if e.type == 4 and e.yes]
        for cid in said:
            no = self.votes(cid, False)
            if no:
                one.write(branch, 6, [cid, self.dice.choice(no).bytes])

    def fork(self, one, branch):
        one.branches.append(branch[:self.dice.randint(1, len(branch))])

    def stray(self, one, branch):
        """A no that stands in no log and names whatever it likes: somebody leaves with it."""
        contract = self.dice.choice(self.contracts or [None])
        if contract:
            named = self.dice.choice(self.entries())
            no = one.sign(named.seq + self.dice.randint(1, 3), named.id, 4,
                          [contract.cid, False, []])
            other = self.dice.choice(self.people)
            other.write(self.dice.choice(other.branches), 6, [contract.cid, no.bytes])

    def bundle(self):
        """What somebody may have learned: whole logs, some cut short, some with a second branch."""
        found = []
        for one in self.people:
            for branch in one.branches[:2]:
                end = len(branch)
                if self.dice.random() < 0.25:
                    end = self.dice.randint(1, end)
                found += [entry.bytes for entry in branch[:end]]
            if len(one.branches) > 1 and self.dice.random() < 0.5:
                found += self.proof(*one.branches[:2])
        self.dice.shuffle(found)
        return b"".join(found)

    @staticmethod
    def proof(one, other):
        pairs = [(a, b) for a, b in zip(one, other) if a.id != b.id]
        return [encode([a.bytes, b.bytes]) for a, b in pairs[-1:]]
