# SPDX-License-Identifier: Apache-2.0
"""Asks, answers and forms in venues (docs/protocol.md section 32), for the second reader."""

from second_ledgers import read_ask
from second_reader import Bad, array, ascending, blob, decode, encode, need, number, sha256, text

U63 = 2**63 - 1
BACK = 3


# Answers

class Answer:
    """What a statement of kind 2 answers; Bad if it answers nothing."""

    def __init__(self, body):
        kind, self.asker, self.ask, self.until, self.at, reason, self.waiting = array(
            decode(body), 7)
        number(kind, 2, 2), blob(self.asker, 32), blob(self.ask, 32)
        number(self.until, 0, U63), number(self.at, 0, U63)
        number(reason, 0, 31), number(self.waiting, 0, 999)


def says(statement):
    """What a statement is: `ask` or `answer` with what it says, or None."""
    for name, read in (("ask", read_ask), ("answer", Answer)):
        try:
            return name, read(statement.body)
        except Bad:
            pass
    return None, None


# Books

class Book:
    """Asks and answers that were all taken at one time."""

    def __init__(self, desk, settled, taken):
        self.desk, self.settled, self.taken = desk, settled, taken
        self.asks, self.answers = {}, {}

    def take(self, statement):
        kind, said = says(statement)
        if kind == "ask":
            until = decode(statement.body)[2]
            if until > self.taken:
                self.asks[statement.id] = (statement.author, until, said)
        elif kind == "answer" and statement.author == self.desk and said.until > self.taken:
            self.answers[statement.id] = said

    def kept(self):
        """Marks of what is kept, with the time when each is over."""
        back = {(author, ask[1]) for author, _, ask in self.asks.values() if ask[0] == BACK}
        best = {}
        for name, one in self.answers.items():
            key, place = (one.asker, one.ask), (one.waiting > 0, -one.at, name)
            if one.ask not in self.settled and key not in back:
                best.setdefault(key, []).append((place, one.until))
        best = {key: min(answers) for key, answers in best.items()}
        ended = {key for key, ((waits, *_), _) in best.items() if not waits}
        asks, answers = {}, {}
        for name, (author, until, ask) in self.asks.items():
            over = {name, ask[1]} if ask[0] == BACK else {name}
            if over & self.settled or ask[0] != BACK and (author, name) in back | ended:
                continue
            asks.setdefault(author, []).append((name, until))
        for (asker, _), ((_, late, name), until) in best.items():
            answers.setdefault(asker, []).append((late, name, until))
        for asker, some in asks.items():
            for name, until in sorted(some)[:8]:
                yield asker + name, until
        for asker, some in answers.items():
            for _, name, until in sorted(some)[:8]:
                yield asker + name, until

    def at(self, now):
        """The marks of what is kept at a time, sorted."""
        return sorted(mark for mark, until in self.kept() if until > now)

    def digests(self, now):
        """Of the buckets in which something is."""
        buckets = {}
        for mark in self.at(now):
            buckets.setdefault(mark[0] >> 2, []).append(mark)
        return {bucket: sha256(b"seatswap/1 asks", encode(marks))
                for bucket, marks in buckets.items()}


# Messages

def read_asks(value):
    array(value, 4, 64)
    if len(value) == 64:
        return [blob(digest, 32) for digest in value]
    bucket, after, last, marks = array(value, 4)
    number(bucket, 0, 63)
    for key in (after, last):
        need(key is None or blob(key, 32)[0] >> 2 == bucket, "its bucket")
    need(after is None or last is None or after < last, "part")
    ascending([blob(mark, 64) for mark in array(marks, 0, 512)])
    for mark in marks:
        need(mark[0] >> 2 == bucket, "bucket")
        need(after is None or mark[:32] > after, "begin")
        need(last is None or mark[:32] <= last, "end")
    return bucket, after, last, marks


def answer(kept, value):
    """Which of some marks that are kept a list asks for."""
    bucket, after, last, marks = read_asks(value)
    return [mark for mark in kept
            if mark[0] >> 2 == bucket and mark not in marks
            and (after is None or mark[:32] > after) and (last is None or mark[:32] <= last)]


def read_form(value):
    identifier, kind, fields = array(value, 3)
    blob(identifier, 16), number(kind, 1, 15)
    ascending([number(array(field, 2)[0], 0, 255) for field in array(fields, 0, 16)])
    for _, said in fields:
        text(said, 0, 254)


def read_form_ack(value):
    identifier, state, said = array(value, 3)
    blob(identifier, 16), number(state, 0, 3), text(said, 0, 200)


PAYLOADS = {65: read_form, 67: read_form_ack, 77: read_asks}
