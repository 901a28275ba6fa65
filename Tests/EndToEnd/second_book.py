# SPDX-License-Identifier: Apache-2.0
"""The book (docs/protocol.md section 32), for the second reader: written from the text alone, and
plain rather than quick."""

from second_fold import Fold
from second_ledgers import CHARTER, CLOSE, DAY, GRANT, NOTE, is_ledger
from second_reader import INFINITE, encode, sha256


class Token:
    """What a grant minted."""

    def __init__(self, grant, rules, identifier):
        self.grant, self.rules, self.id = grant, rules, identifier
        self.group, turnover, uses = rules.places[grant.place]
        self.amounts = {unit: amount * grant.count for unit, amount in uses}
        self.begin, self.free = grant.begin, grant.begin + grant.minutes + turnover
        self.end = None

    def is_live(self):
        return self.end is None

    def counts(self):
        return self.end is None or self.end[2]

    def account(self):
        grant = self.grant
        return grant.day, grant.member, None if grant.member else grant.holder


class Book:
    def __init__(self, logs):
        self.logs = logs
        self.tokens, self.voids, self.lies, self.granted = {}, [], [], set()
        self.classes, self.numbers, self.rules, self.lot = {}, {}, None, None
        self.standings = self.counting()
        for epoch, author, seq, _ in self.standings:
            self.lot = None
            for entry in logs.logs[author][:seq]:
                self.read(entry)

    # L1

    def ready(self, charter):
        return all(len(self.logs.logs.get(author, [])) >= min(seq, self.logs.k(author) - 1)
                   for author, seq in charter.before.items())

    def counting(self):
        """Each ledger: its epoch, its author, how far it counts, and why."""
        epochs, found = {}, []
        for author, log in sorted(self.logs.logs.items()):
            if is_ledger(log):
                epochs.setdefault(log[1].said.epoch, []).append((author, log))
        numbers = sorted(epochs)
        leaders = [epochs[epoch][0][1][1].said for epoch in numbers]
        ready = 0
        while ready < len(leaders) and self.ready(leaders[ready]):
            ready += 1
        for place, epoch in enumerate(numbers):
            for author, log in epochs[epoch]:
                seq, why = 0, "waits"
                if place < ready - 1:
                    why = "counts" if author in leaders[place + 1].before else "unnamed"
                    seq = min(leaders[place + 1].before.get(author, 0), len(log))
                elif place == ready - 1:
                    leads = author == epochs[epoch][0][0]
                    seq, why = (len(log), "counts") if leads else (0, "rival")
                found.append((epoch, author, seq, why))
        return found

    # L2 to L4

    def read(self, entry):
        if entry.type == CHARTER:
            self.rules = entry.said.rules
        elif entry.type == GRANT:
            why = self.void(entry)
            if why:
                self.voids.append((entry.id, why))
        elif entry.type == CLOSE:
            token = self.tokens.get(entry.said.token)
            if token and token.is_live():
                token.end = entry.id, entry.said.reason, entry.said.spent
        elif entry.type == NOTE:
            self.note(entry, *entry.said)

    def note(self, entry, kind, first, *rest):
        if kind == 0:
            self.classes.setdefault(first, rest[0])
            if rest[1] is not None:
                self.numbers.setdefault(rest[1], first)
        elif kind == 5:
            self.lot = first
        elif kind == 4:
            if self.lot != sha256(first):
                self.lies.append(entry.id)
            self.lot = None

    def void(self, entry):
        """Mints what a grant says, or tells why not."""
        grant, rules = entry.said, self.rules
        if grant.place not in rules.places:
            return "place"
        if not rules.first <= grant.day <= rules.last \
                or grant.begin + grant.minutes > DAY * (rules.last + 1) + 360:
            return "period"
        if self.numbers.get(grant.holder, grant.member) != grant.member:
            return "member"
        if grant.ask in self.granted:
            return "asked"
        replaced = [self.tokens.get(token) for token in grant.replaces]
        if not all(token and token.is_live() for token in replaced):
            return "replaced"
        for token in replaced:
            token.end = entry.id, 7, False
        why = self.does_not_fit(Token(grant, rules, entry.id))
        if why:
            for token in replaced:
                token.end = None
            return why
        self.tokens[entry.id] = Token(grant, rules, entry.id)
        if grant.ask is not None:
            self.granted.add(grant.ask)
        return None

    def does_not_fit(self, new):
        live = [token for token in self.tokens.values() if token.is_live()]
        for unit, amount in new.amounts.items():
            beside = [token for token in live if unit in token.amounts]
            minutes = [new.begin] + [token.begin for token in beside
                                     if new.begin <= token.begin < new.free]
            for minute in minutes:
                taken = sum(token.amounts[unit] for token in beside
                            if token.begin <= minute < token.free)
                if taken + amount > new.rules.units[unit]:
                    return "full"
        if new.grant.flags:
            return None
        same = [token for token in self.tokens.values()
                if token.counts() and token.account() == new.account()] + [new]
        for group, minutes, bookings in self.quotas(new):
            if group not in (None, new.group):
                continue
            of_group = [token.grant for token in same if group in (None, token.group)]
            if minutes and sum(one.count * one.minutes for one in of_group) > minutes:
                return "quota"
            if bookings and sum(one.count for one in of_group) > bookings:
                return "quota"
        return None

    def quotas(self, token):
        number = self.classes.get(token.grant.member, INFINITE)
        classes = token.rules.classes
        return classes[number] if number < len(classes) else classes[-1]

    def report(self):
        """What the book decides, in the lines of the vectors."""
        lines = [f"ledger {author.hex()} epoch {epoch} to {seq} {why}"
                 for epoch, author, seq, why in self.standings]
        for number in sorted(self.classes):
            keys = [key.hex() for key in sorted(self.numbers) if self.numbers[key] == number]
            lines.append(" ".join([f"member {number} class {self.classes[number]}"] + keys))
        for token in self.tokens.values():
            end = "live"
            if token.end:
                by, reason, spent = token.end
                end = f"ended by {by.hex()} reason {reason}" + (" spent" if spent else "")
            lines.append(f"booking {token.id.hex()} {end}")
        lines += [f"void {identifier.hex()} {why}" for identifier, why in self.voids]
        return lines + [f"false lot {identifier.hex()}" for identifier in self.lies]


# L5

class BookFold(Fold):
    def __init__(self, logs):
        self.book = Book(logs)
        super().__init__(logs)

    def owner(self, slot):
        token, producer = slot
        if token == producer:
            minted = self.book.tokens.get(token)
            return minted.grant.holder if minted else None
        return super().owner(slot)

    def class_of(self, key):
        return self.book.classes.get(self.book.numbers.get(key))

    def allows(self, leg):
        token = self.book.tokens.get(leg[0])
        if token is None or token.rules.swaps == 0:
            return False
        classes = [self.class_of(key) for key in leg[2:]]
        return token.rules.swaps == 2 or classes[0] is not None and classes[0] == classes[1]

    def applies(self, cid):
        if cid in self.yes and not all(self.allows(leg) for leg in self.contracts[cid].legs):
            self.applied[cid] = False
        return super().applies(cid)

    def last(self, token):
        """Who holds a token, and by what."""
        holder, producer = token.grant.holder, token.id
        while True:
            moves = [(leg[3], cid) for cid in self.named if self.applied[cid]
                     for leg in self.contracts[cid].legs if leg[:2] == (token.id, producer)]
            if not moves:
                return holder, producer
            holder, producer = moves[0]

    def map(self):
        rows = []
        for identifier in sorted(self.book.tokens):
            token = self.book.tokens[identifier]
            grant, (holder, producer) = token.grant, self.last(token)
            rows.append([identifier, grant.place, grant.day, grant.start, grant.minutes,
                         grant.count, holder, producer, not token.is_live()])
        return encode([2, rows, [cid for cid in self.named if self.applied[cid]]])

    def lines(self):
        """What is decided, in the lines of the vectors."""
        digest = sha256(b"seatswap/1 map", self.map())
        return self.book.report() + [f"swap {cid.hex()} {self.status(cid)}" for cid in self.named] \
            + [f"map {digest.hex()}"]
