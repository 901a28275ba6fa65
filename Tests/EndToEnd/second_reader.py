# SPDX-License-Identifier: Apache-2.0
"""A second reader of logs: written from docs/protocol.md and docs/protocol.cddl alone, with nothing
but Python's standard library, to show that the two documents say enough.

    python3 Tests/EndToEnd/second_reader.py FILE       # prints what the bundle proves, as JSON
"""

import hashlib
import json
import sys

import ed25519

ENTRY, AUTHORS, INFINITE = 16384, 1024, 1 << 62
GENESIS, CLAIM, RETRACT, VOTE, COMMIT, ABANDON, END = 0, 2, 3, 4, 5, 6, 15


class Bad(ValueError):
    """Bytes that nobody honest passes on."""


def need(holds, why="form"):
    if not holds:
        raise Bad(why)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


# CBOR (section 5)

class Reader:
    def __init__(self, data):
        self.data, self.at, self.items = data, 0, 4096

    def take(self, count):
        need(count <= len(self.data) - self.at, "truncated")
        self.at += count
        return self.data[self.at - count:self.at]

    def item(self, depth=8):
        need(self.items > 0, "too many items")
        self.items -= 1
        first = self.take(1)[0]
        major, number = first >> 5, first & 31
        if major == 7:
            need(number in (20, 21, 22), "forbidden form")
            return {20: False, 21: True, 22: None}[number]
        if number >= 24:
            need(number <= 27, "forbidden form")
            size = 1 << number - 24
            number = int.from_bytes(self.take(size), "big")
            need(number >= (24 if size == 1 else 1 << 4 * size), "not shortest")
            need(number < 1 << 63, "too large")
        if major == 0:
            return number
        if major == 2:
            return self.take(number)
        if major == 3:
            try:
                return self.take(number).decode()
            except UnicodeDecodeError:
                raise Bad("text") from None
        need(depth > 0, "too deep")
        if major == 4:
            return [self.item(depth - 1) for _ in range(number)]
        need(major == 5, "forbidden form")
        pairs, last = {}, -1
        for _ in range(number):
            key = self.item(depth - 1)
            need(type(key) is int and key > last, "keys")
            pairs[key] = self.item(depth - 1)
            last = key
        return pairs


def decode(data):
    reader = Reader(data)
    value = reader.item()
    need(reader.at == len(data), "leftover")
    return value


def head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    info = next(i for i in range(4) if number < 1 << (8 << i))
    return bytes([major << 5 | 24 + info]) + number.to_bytes(1 << info, "big")


def encode(value):
    if value is None or isinstance(value, bool):
        return {None: b"\xf6", True: b"\xf5", False: b"\xf4"}[value]
    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, (bytes, str)):
        raw = value if isinstance(value, bytes) else value.encode()
        return head(2 if isinstance(value, bytes) else 3, len(raw)) + raw
    if isinstance(value, dict):
        return head(5, len(value)) + b"".join(encode(x) for pair in value.items() for x in pair)
    return head(4, len(value)) + b"".join(map(encode, value))


# The grammar

def number(value, low, high):
    need(type(value) is int and low <= value <= high)
    return value


def blob(value, low, high=None):
    need(type(value) is bytes and low <= len(value) <= (high or low))
    return value


def text(value, low, high):
    need(type(value) is str and low <= len(value.encode()) <= high)
    return value


def array(value, low, high=None):
    need(type(value) is list and low <= len(value) <= (low if high is None else high))
    return value


def ascending(values):
    need(all(a < b for a, b in zip(values, values[1:])), "order")


def seat(value):
    array(value, 2)
    return number(value[0], 1, 255), number(value[1], 0, 25)


def slot(value):
    token, producer = array(value, 2)
    return blob(token, 32), blob(producer, 32)


def seat_set(value):
    blocks = []
    for columns, first, last in (array(block, 3) for block in array(value, 1, 16)):
        number(columns, 1, (1 << 26) - 1), number(first, 1, 255), number(last, first, 255)
        need(all(end < first or not mask & columns for mask, _, end in blocks), "two blocks")
        blocks.append((columns, first, last))
    ascending([(first, columns) for columns, first, _ in blocks])


class Contract:
    def __init__(self, data):
        version, self.flight, self.coordinator, nonce, parties, legs = array(decode(data), 6)
        number(version, 1, 1)
        blob(self.flight, 32), blob(self.coordinator, 32), blob(nonce, 16)
        self.parties = [blob(key, 32) for key in array(parties, 2, 8)]
        self.legs = [tuple(blob(x, 32) for x in array(leg, 4)) for leg in array(legs, 2, 16)]
        ascending(self.parties)
        ascending([leg[0] for leg in self.legs])
        givers, takers = [leg[2] for leg in self.legs], [leg[3] for leg in self.legs]
        need(set(givers) == set(takers) == set(self.parties) and self.coordinator in self.parties)
        need(all(a != b for a, b in zip(givers, takers)))
        need(all(givers.count(key) == takers.count(key) for key in self.parties))
        self.bytes, self.cid = data, sha256(b"seatswap/1 contract", data)

    def slots(self, party):
        return [leg[:2] for leg in self.legs if leg[2] == party]


class Entry:
    def __init__(self, data, nested=False):
        need(len(data) <= ENTRY, "length")
        protected, unprotected, payload, self.signature = array(decode(data), 4)
        need(protected == b"\xa1\x01\x27" and unprotected == {} and type(unprotected) is dict)
        blob(payload, 1, ENTRY), blob(self.signature, 64)
        version, self.flight, self.author, self.seq, self.prev, self.type, body = \
            array(decode(payload), 7)
        number(version, 1, 1), blob(self.flight, 32), blob(self.author, 32)
        number(self.seq, 1, 4096), number(self.type, 0, 31)
        need(self.prev is None if self.seq == 1 else len(blob(self.prev, 32)))
        need((self.type == GENESIS) == (self.seq == 1))
        self.bytes, self.payload = data, payload
        self.id = sha256(b"seatswap/1 id", payload)
        self.inner, self.contract, self.body = [], None, body
        self.read(body, nested)

    def read(self, body, nested):
        kind = self.type
        if kind >= 18:
            need(type(body) is list)
            return
        size = {0: 2, 1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 6: 2, 7: 4, 9: 2, 15: 0, 16: 5, 17: 2}.get(kind)
        need(size is not None and not (nested and kind in (COMMIT, ABANDON)))
        array(body, size)
        if kind in (GENESIS, 1):
            text(body[0], 1, 48), [text(agent, 0, 48) for agent in body[1:]]
        elif kind == CLAIM:
            self.seat = seat(body[0])
            number(body[1], 0, 1)
        elif kind == RETRACT:
            self.slot = slot(body)
        elif kind == VOTE:
            self.cid, self.yes = blob(body[0], 32), body[1]
            need(type(self.yes) is bool)
            self.slots = [slot(x) for x in array(body[2], self.yes, 16 if self.yes else 0)]
            ascending(self.slots)
        elif kind == COMMIT:
            self.contract = Contract(blob(body[0], 1, ENTRY))
            self.votes, self.claims = ([Entry(blob(x, 1, ENTRY), True) for x in array(
                part, 0, 16)] for part in body[1:])
            self.inner = self.votes + self.claims
            self.certifies()
        elif kind == ABANDON:
            self.cid, self.no = blob(body[0], 32), Entry(blob(body[1], 1, ENTRY), True)
            need(self.no.type == VOTE and not self.no.yes and self.no.cid == self.cid)
            self.inner = [self.no]
        elif kind == 7:
            text(body[0], 0, 2048)
            need(body[1] is None or len(blob(body[1], 32)))
            number(body[2], 0, (1 << 63) - 1)
            ascending([blob(x, 32) for x in array(body[3], 0, 3)])
        elif kind == 9:
            blob(body[0], 32), seat(body[1])
        elif kind == 16:
            ascending([blob(x, 32) for x in array(body[0], 0, 9)])
            for rank in array(body[1], 0, 4):
                seat_set(rank)
            number(body[2], 0, 2), blob(body[3], 16), text(body[4], 0, 200)
        elif kind == 17:
            blob(body[0], 24), blob(body[1], 17, 2200)

    def certifies(self):
        contract = self.contract
        legs = [leg for leg in contract.legs if leg[0] == leg[1]]
        need(contract.flight == self.flight)
        need([vote.author for vote in self.votes] == contract.parties)
        need(all(v.type == VOTE and v.yes and v.flight == self.flight and v.cid == contract.cid
                 and v.slots == contract.slots(v.author) for v in self.votes))
        need([(c.id, c.author) for c in self.claims] == [(leg[0], leg[2]) for leg in legs])
        need(all(c.type == CLAIM and c.flight == self.flight for c in self.claims))

    def signed_bytes(self):
        return encode(["Signature1", b"\xa1\x01\x27", b"seatswap/1 entry", self.payload])

    def is_signed(self):
        return ed25519.verify(self.author, self.signed_bytes(), self.signature)


# Logs (sections 9 and 10)

class Logs:
    def __init__(self, flight):
        self.flight, self.logs, self.proofs, self.anchored = flight, {}, {}, {}

    def insert(self, entry):
        """True when taken or known, False when dropped. Throws Bad."""
        need(entry.flight == self.flight, "flight")
        author, seq = entry.author, entry.seq
        if author not in self.logs and len(self.logs) >= AUTHORS:
            return False
        log = self.logs.get(author, [])
        if seq >= self.k(author):
            return entry.id in {one.id for one in self.proofs[author]}
        if seq <= len(log):
            if log[seq - 1].id != entry.id:
                self.check(entry)
                self.prove(log[seq - 1], entry)
            return True
        if seq != len(log) + 1 or entry.prev != (log[-1].id if log else None):
            return False
        self.caps(entry, log)
        self.check(entry)
        other = self.anchored.get((author, seq), entry)
        if other.id != entry.id:
            self.prove(other, entry)
            return True
        self.logs.setdefault(author, log).append(entry)
        for inner in entry.inner:
            place = (inner.author, inner.seq)
            known = self.logs.get(inner.author, [])[inner.seq - 1:inner.seq]
            other = known[0] if known else self.anchored.setdefault(place, inner)
            if other.id != inner.id:
                self.prove(other, inner)
            else:
                self.anchored[place] = inner
        return True

    def k(self, author):
        proof = self.proofs.get(author)
        return proof[0].seq if proof else INFINITE

    def caps(self, entry, log):
        need(sum(len(one.bytes) for one in log) + len(entry.bytes) <= 4 << 20, "caps")
        need(not log or log[-1].type != END, "caps")
        if entry.type == CLAIM:
            claims = {one.id for one in log if one.type == CLAIM}
            ended = {one.slot[0] for one in log
                     if one.type == RETRACT and one.slot[0] == one.slot[1]}
            need(len(claims) < 32 and len(claims - ended) < 9, "caps")
        if entry.type == COMMIT:
            need(entry.author in entry.contract.parties, "body")

    def check(self, entry):
        for one in [entry] + entry.inner:
            need(one.flight == self.flight and one.is_signed(), "signature")

    def prove(self, one, other):
        if self.is_stronger(one, other):
            self.proofs[one.author] = tuple(sorted((one, other), key=lambda entry: entry.id))
            self.logs[one.author] = self.logs.get(one.author, [])[:one.seq - 1]

    def is_stronger(self, one, other):
        old = self.proofs.get(one.author)
        return old is None or (one.seq, *sorted((one.id, other.id))) < (
            old[0].seq, old[0].id, old[1].id)

    def insert_proof(self, one, other):
        need(one.flight == other.flight == self.flight, "flight")
        need((one.author, one.seq) == (other.author, other.seq) and one.id != other.id, "body")
        if self.is_stronger(one, other):
            need(one.is_signed() and other.is_signed(), "signature")
            self.prove(one, other)

    def frontier(self):
        items = []
        for author in sorted(set(self.logs) | set(self.proofs)):
            log = self.logs.get(author, [])
            k = self.proofs[author][0].seq if author in self.proofs else 0
            if log or k:
                items.append(author + len(log).to_bytes(2, "big")
                             + (log[-1].id[:8] if log else bytes(8)) + k.to_bytes(2, "big"))
        return sha256(b"seatswap/1 frontier", encode(items))


def items(data):
    """The items of a bundle: lists of one entry or of the two of a proof, as bytes."""
    found, at = [], 0
    while at < len(data):
        reader = Reader(data[at:])
        value = reader.item()
        if len(array(value, 2, 4)) == 2:
            found.append([blob(x, 1, ENTRY) for x in value])
        else:
            array(value, 4)
            found.append([data[at:at + reader.at]])
        at += reader.at
    return found


def takes(logs, entry):
    try:
        return logs.insert(entry)
    except Bad:
        return False


def rank(entries):
    """Where an item stands in the order of section 19, before its place in the file."""
    first = entries[0]
    return (first.author, first.seq, [one.id for one in entries],
            b"".join(one.bytes for one in entries))


def read_bundle(data):
    """Logs, and the places of items that were not accepted."""
    refused, entries, proofs = [], [], []
    for place, item in enumerate(items(data)):
        try:
            decoded = [Entry(part) for part in item]
            if len(decoded) == 1:
                entries.append((rank(decoded) + (place,), decoded[0]))
            else:
                proofs.append((rank(sorted(decoded, key=lambda one: one.id)) + (place,), decoded))
        except Bad:
            refused.append(place)
    flights = [entry.flight for _, entry in entries] or [pair[0].flight for _, pair in proofs]
    if not flights:
        return Logs(None), refused
    logs = Logs(min(flights, key=lambda one: (-flights.count(one), one)))
    entries.sort(key=lambda item: item[0])
    for _ in range(2):
        # What followed something else may stand at a place that is filled by then.
        entries = [item for item in entries if not takes(logs, item[1])]
    refused += [order[-1] for order, _ in entries]
    for order, pair in sorted(proofs, key=lambda item: item[0], reverse=True):
        try:
            logs.insert_proof(*pair)
        except Bad:
            refused.append(order[-1])
    return logs, sorted(refused)


def main():
    from second_fold import Fold
    with open(sys.argv[1], "rb") as file:
        logs, refused = read_bundle(file.read())
    print(json.dumps(Fold(logs).report(refused), indent=2))


if __name__ == "__main__":
    sys.exit(main())
