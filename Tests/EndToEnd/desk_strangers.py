# SPDX-License-Identifier: Apache-2.0
"""Strangers with throw-away keys at the desk of a venue, many in one process: they ask for all of
it, and for what is not theirs (docs/protocol.md sections 31 to 33).

    python3 desk_strangers.py '{"auth": HEX, "gathering": HEX, "victims": [["10.77.0.1", 7711]],
                                "keys": 60,
                                "does": {"asks": 4, "steals": 2}, "places": [1, 2], "days": [9800],
                                "hours": [6, 22], "tokens": [[TOKEN, HOLDER]], "seconds": 120,
                                "sources": [""], "faults": 0}'

They go on for so many `seconds`, or, with `"until_told": true`, until standard input is closed.

What a key does in each turn at the first victim, so many times:

`asks`      for the next place and hour, waiting where others have it
`ghosts`    the same, by a key that was made for this ask
`again`     says a statement of its own once more
`recalls`   takes back an ask of its own                `returns`  gives back a booking of its own
`meddles`   takes back an ask of somebody else, or one that nobody made
`steals`    gives back, gives to itself or moves a booking of somebody else, or one that nobody has
`nonsense`  a statement that says nothing
`lists`     pretends to know no ask of a part of the book, or other asks than the desk does
`reads`     fetches what is new in the ledger

`faults` are so many more keys, each at a source of its own among the first ones: one wrong
signature or one body that is no CBOR, and the desk lets that address rest.

Output is that of strangers.py.
"""

import collections
import hashlib
import json
import os
import random
import select
import sys
import threading
import time

from cbor import decode, encode
from crew import work
from stranger import ENTRIES, PING, PONG, WANT, Closed, Key, Stranger
from strangers import PAUSE, Tally

STATEMENT, ASKS = 73, 77
GRANT, CLOSE = 11, 12
BUCKETS = 64
#: How long an ask stands, in seconds.
STANDS = 900
#: Ids of asks that each key remembers.
REMEMBERED = 64


def statement(key, gathering, ask, sign_with=None, body=None):
    """A statement of kind 0, and its id."""
    body = body or encode([0, os.urandom(8), int(time.time()) + STANDS, ask])
    signed = encode(["seatswap/1 statement", gathering, body])
    value = [key.public, body, (sign_with or key).sign(signed)]
    return value, hashlib.sha256(b"seatswap/1 statement id" + key.public + body).digest()


class Known:
    """What one of them saw is known to all."""

    def __init__(self, plan):
        self.gathering = bytes.fromhex(plan["gathering"])
        self.lock = threading.Lock()
        self.asks = collections.deque(maxlen=1024)
        self.holders = {bytes.fromhex(token): bytes.fromhex(key) for token, key in plan["tokens"]}
        self.read = 1
        self.wants = [(place, day, hour) for day in plan["days"] for place in plan["places"]
                      for hour in range(*plan["hours"])]
        self.turn = 0

    def want(self):
        """The next place and hour; each of them comes again and again."""
        with self.lock:
            self.turn += 1
            return self.wants[self.turn % len(self.wants)]

    def learn(self, whole):
        """An entry of the ledger."""
        payload = decode(whole)[2]
        _, _, _, seq, _, kind, body = decode(payload)
        with self.lock:
            self.read = max(self.read, seq + 1)
            if kind == GRANT:
                token = hashlib.sha256(b"seatswap/1 id" + payload).digest()
                self.holders[token] = body[0]
                for gone in body[8]:
                    self.holders.pop(gone, None)
            elif kind == CLOSE:
                self.holders.pop(body[0], None)

    def booking(self, mine, key):
        """A booking of this key, or one of somebody else."""
        with self.lock:
            found = [one for one, holder in self.holders.items() if (holder == key) == mine]
        return random.choice(found) if found else None


class Asker(Stranger):
    """One key's line to the desk."""

    fold = 3

    def __init__(self, victim, key, known, plan, source, tally):
        super().__init__(*victim, key=key, source=source, seconds=5)
        self.known, self.tally = known, tally
        self.own = collections.deque(maxlen=REMEMBERED)
        self.said = None
        self.hello(plan["auth"])
        self.poll = select.poll()
        self.poll.register(self.socket, select.POLLIN)

    def hello_fields(self, auth):
        # For a purpose: a desk has more places for those.
        return {**super().hello_fields(auth), 7: 1}

    def send(self, what, kind, value):
        payload = encode(value)
        self.frame(kind, payload)
        self.tally.count(what, 5 + len(payload))

    def say(self, what, ask, key=None):
        said, number = statement(key or self.key, self.known.gathering, ask)
        self.send(what, STATEMENT, said)
        return said, number

    def drain(self):
        """Reads what is there. Throws `Closed`."""
        while self._received or self.poll.poll(0):
            kind, value = self.read_frame()
            if kind == PING:
                self.frame(PONG, value)
            elif kind == STATEMENT:
                self.known.asks.append(
                    hashlib.sha256(b"seatswap/1 statement id" + value[0] + value[1]).digest())
            elif kind == ENTRIES:
                for whole in value[1]:
                    self.known.learn(whole)

    # What it does, a frame at a time.

    def booking(self):
        place, day, hour = self.known.want()
        return [0, place, [day, 60 * hour, 60], 1, True, None, ""]

    def asks(self):
        self.said, number = self.say("asks", self.booking())
        self.own.append(number)

    def ghosts(self):
        self.say("ghosts", self.booking(), Key())

    def again(self):
        if self.said:
            self.send("again", STATEMENT, self.said)

    def recalls(self):
        if self.own:
            self.say("recalls", [3, random.choice(self.own)])

    def meddles(self):
        ids = list(self.known.asks)
        self.say("meddles", [3, random.choice(ids) if ids and random.getrandbits(1)
                             else os.urandom(32)])

    def returns(self):
        token = self.known.booking(True, self.key.public)
        if token:
            self.say("returns", [1, [token, token], None])

    def steals(self):
        token = self.known.booking(False, self.key.public) or os.urandom(32)
        if not random.getrandbits(3):
            token = os.urandom(32)
        place, day, hour = self.known.want()
        self.say("steals", random.choice([
            [1, [token, token], None], [1, [token, token], self.key.public],
            [2, [token, token], place, [day, 60 * hour, 60]]]))

    def nonsense(self):
        self.say("nonsense", random.choice([
            [0, 0, [0, 0, 0], 0, True, None, ""], [9], [1, [b"", b""], None], [3, b"\0"],
            [0, 1, [65535, 1439, 44640], 1000, True, None, "x" * 200]]))

    def lists(self):
        if random.getrandbits(1):
            self.send("lists", ASKS, [random.randrange(BUCKETS), None, None, []])
        else:
            self.send("lists", ASKS, [os.urandom(32) for _ in range(BUCKETS)])

    def reads(self):
        self.send("reads", WANT, [262144, [[self.peer, self.known.read, 32768]]])


def live(victim, key, known, plan, source, tally):
    """One key at the desk: in again and again until time is up."""
    tally.all_there.wait()
    while not tally.is_over(plan["seconds"]):
        line = None
        try:
            line = Asker(victim, key, known, plan, source, tally)
            tally.change(1)
            while not tally.is_over(plan["seconds"]):
                for name, count in plan["does"].items():
                    for _ in range(count):
                        getattr(line, name)()
                    line.drain()
            tally.change(-1, "done")
        except Closed as closed:
            tally.change(-1 if line else 0, closed.code)
        except OSError as error:
            tally.change(-1 if line else 0, type(error).__name__)
        finally:
            if line:
                line.close()
        time.sleep(PAUSE)


def fault(victim, number, known, plan, source, tally):
    """One statement that no honest agent says; how the desk ended the connection."""
    tally.all_there.wait()
    time.sleep(min(number * plan["seconds"] / 100, 0.5 * number))
    try:
        line = Asker(victim, Key(), known, plan, source, tally)
        said, _ = statement(line.key, known.gathering, line.booking(), sign_with=Key(),
                            body=b"\xff\x00" if number % 2 else None)
        line.send("faults", STATEMENT, said)
        tally.change(0, f"fault {line.until_closed()}")
        line.close()
    except (Closed, OSError) as error:
        tally.change(0, f"fault {error}")


def main():
    plan = {"sources": [""], "seconds": 60, "until_told": False, "tokens": [], "faults": 0,
            **json.loads(sys.argv[1])}
    plan["auth"] = bytes.fromhex(plan["auth"])
    victim, known, tally = tuple(plan["victims"][0]), Known(plan), Tally()
    faults = plan["faults"]
    sources = plan["sources"][faults:] or plan["sources"]
    threading.stack_size(256 * 1024)
    workers = [threading.Thread(target=fault, daemon=True, args=(
        victim, n, known, plan, plan["sources"][n], tally)) for n in range(faults)]
    workers += [threading.Thread(target=live, daemon=True, args=(
        victim, Key(), known, plan, sources[n % len(sources)], tally))
        for n in range(plan["keys"])]
    work(workers, plan, tally)


if __name__ == "__main__":
    main()
