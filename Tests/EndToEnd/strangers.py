# SPDX-License-Identifier: Apache-2.0
"""Strangers with throw-away keys, many in one process, each as unpleasant as the protocol allows.

    python3 strangers.py '{"auth": HEX, "victims": [["10.77.0.1", 7711]], "keys": 60,
                           "does": {"claims": 1, "messages": null}, "seconds": 120}'

They go on for so many `seconds`, or, with `"until_told": true`, until standard input is closed: so
that nobody is away before the rest of a test is over, however late they got in.

What a key does at each victim, so many times, or without end where it says null:

`claims`     9 seats, row by row through the cabin, or `rows` of it
`proposals`  ASK, and PROPOSE to three, of seats that nobody has
`wishes`     ASK of real seats
`asks`       PROPOSE of real seats                  `noes`    the same, then PREPARE unasked
`messages`   direct messages of 2048 bytes          `lines`   chat of 2000 bytes in its log
`lies`       PEX of places nobody should dial       `idles`   4 connections an address, no byte
`takes`      PROPOSE of real seats, takes a yes and vanishes
`begs`       ASK for a seat, takes PREPARE and vanishes
`binds`      ASK for a seat, votes yes and vanishes

They keep to the form of everything, read what comes, serve their logs, and come back when they
are closed. Each line of output, one a second and one at the end with `done`, is JSON: what was
sent, and how connections ended.
"""

import collections
import hashlib
import json
import os
import random
import select
import socket
import struct
import sys
import threading
import time
from functools import partial

from cbor import decode, encode
from crew import work
from stranger import (
    ENTRIES, PING, PONG, PREPARE, WANT, Closed, Key, Stranger, entry, flight_id)

HAVE, PEX, PROPOSE, READY, VOTE, DM, ASK = 11, 13, 24, 26, 34, 42, 48
GENESIS, CLAIM, YES, CHAT, LETTERS = 0, 2, 4, 7, 6
PUSHED, ANSWER, LAST = 0, 1, 2
#: Where nobody on the cabin's network should be sent; `elsewhere` comes on top.
NOWHERE = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "localhost", "8.8.8.8",
           "10.77.0.255", "224.0.0.251", "0x7f000001", "2130706433", "127.1"]
PORTS = 22, 80, 7711
#: How long a griefer waits for an answer.
ANSWERED = 60
#: A stranger who was refused waits this long, so that it is the others' turn.
PAUSE = 0.2


class Vanished(Exception):
    """Has what it wanted, and is never seen again."""


class Tally:
    """What all have done, and how their connections ended."""

    def __init__(self):
        self.began, self.told = time.monotonic(), threading.Event()
        # Nobody begins before all are there: a thread that works makes the start of others slow.
        self.all_there = threading.Event()
        self.lock = threading.Lock()
        self.sent, self.closed = collections.Counter(), collections.Counter()
        self.bytes = self.open = self.opened = self.wanted = 0

    def is_over(self, seconds):
        return self.told.is_set() or time.monotonic() > self.began + seconds

    def count(self, what, size):
        with self.lock:
            self.sent[what] += 1
            self.bytes += size

    def change(self, opened, how=None):
        with self.lock:
            self.open += opened
            self.opened += opened > 0
            if how is not None:
                self.closed[str(how)] += 1

    def tell(self, **more):
        with self.lock:
            print(json.dumps({
                "seconds": round(time.monotonic() - self.began, 1), "open": self.open,
                "opened": self.opened, "bytes": self.bytes, "sent": self.sent,
                "closed": self.closed, **more}), flush=True)


class Log:
    """The log of one key, shared by its lines to all victims: made anew when it is asked for."""

    def __init__(self, auth, number, rows):
        self.key, self.flight, self.number = Key(), flight_id(auth), number
        self.rows = rows
        self.lock = threading.Lock()
        self.ids, self.said = [], {}
        self.first = self.more(1) + self.more(9)
        self.token = self.ids[1]

    def more(self, count):
        """The next entries: a name, 9 seats, then chat."""
        with self.lock:
            made = []
            for seq in range(len(self.ids) + 1, len(self.ids) + 1 + count):
                made.append(self._entry(seq))
                self.ids.append(made[-1][1])
            return [whole for whole, _ in made]

    def say(self, kind, body):
        """The next entry, other than chat."""
        with self.lock:
            self.said[len(self.ids) + 1] = kind, body
        return self.more(1)[0]

    def part(self, first, last):
        return [self._entry(seq)[0] for seq in range(first, min(last, len(self.ids)) + 1)]

    def _entry(self, seq):
        previous = self.ids[seq - 2] if seq > 1 else None
        if seq in self.said:
            kind, body = self.said[seq]
        elif seq == 1:
            kind, body = GENESIS, [f"s{self.number}", "strangers"]
        elif seq <= 10:
            first, last = self.rows
            seat = (self.number * 9 + seq - 2) % ((last - first + 1) * LETTERS)
            kind, body = CLAIM, [[seat // LETTERS + first, seat % LETTERS], 0]
        else:
            noise = hashlib.shake_256(self.key.seed + struct.pack(">I", seq)).hexdigest(1000)
            kind, body = CHAT, [noise, None, 0, []]
        return entry(self.key, self.flight, seq, previous, kind, body)


class Hostile(Stranger):
    """One key's line to one victim."""

    def __init__(self, victim, log, plan, source, tally):
        super().__init__(*victim, key=log.key, source=source, seconds=5)
        self.log, self.plan, self.tally = log, plan, tally
        self.hello(plan["auth"])
        self.poll = select.poll()
        self.poll.register(self.socket, select.POLLIN)
        self.is_home = plan["victims"][log.number % len(plan["victims"])] == victim
        self.theirs, self.turn = None, False
        self.frame(HAVE, [[self.key.public, len(log.ids)]])

    def send(self, what, kind, value):
        payload = encode(value)
        self.frame(kind, payload)
        self.tally.count(what, 5 + len(payload))

    def drain(self):
        """Reads what is there and answers as an honest peer would. Throws `Closed`."""
        while self._received or self.poll.poll(0):
            self.answer(*self.read_frame())

    def answer(self, kind, value):
        if kind == PING:
            self.frame(PONG, value)
        elif kind == WANT:
            self.serve(value[1])

    def wait_for(self, wanted):
        """The next frame of a type; all else is answered as ever."""
        deadline = time.monotonic() + ANSWERED
        while time.monotonic() < deadline:
            if self._received or self.poll.poll(200):
                kind, value = self.read_frame()
                if kind == wanted:
                    return value
                self.answer(kind, value)
        raise Vanished(f"no {wanted}")

    def serve(self, stretches):
        found = [whole for author, first, last in stretches if author == self.key.public
                 for whole in self.log.part(first, min(last, first + 120))]
        for start in range(0, len(found), 7):
            self.send("served", ENTRIES, [ANSWER, found[start:start + 7]])
        self.frame(ENTRIES, [LAST, []])

    def seat_of_victim(self, seconds=5):
        """Token, seq and id of the victim's last claim, from its log."""
        if self.theirs:
            return self.theirs
        self.frame(WANT, [262144, [[self.peer, 1, 64]]])
        deadline = time.monotonic() + seconds
        token = last = None
        while time.monotonic() < deadline:
            kind, value = self.read_frame()
            for whole in value[1] if kind == ENTRIES else []:
                payload = decode(whole)[2]
                _, _, author, seq, _, type_, _ = decode(payload)
                if author == self.peer:
                    last = seq, hashlib.sha256(b"seatswap/1 id" + payload).digest()
                    token = last[1] if type_ == CLAIM else token
            if kind == ENTRIES and value[0] == LAST and token:
                self.theirs = token, *last
                break
        return self.theirs

    def contract(self, mine, theirs, coordinator=None):
        me, they = self.key.public, self.peer
        return encode([
            1, self.log.flight, coordinator or me, os.urandom(16), sorted([me, they]),
            sorted([[mine, mine, me, they], [theirs, theirs, they, me]])])

    def heads(self, theirs):
        return sorted([self.head(), [self.peer, *theirs]])

    def head(self):
        return [self.key.public, len(self.log.ids), self.log.ids[-1]]

    # What it does, a frame or two at a time.

    def claims(self):
        self.send("claims", ENTRIES, [PUSHED, self.log.first])

    def proposals(self):
        self.turn = not self.turn
        if self.turn:
            contract = self.contract(os.urandom(32), os.urandom(32), self.peer)
            self.send("proposals", ASK, [os.urandom(16), contract, "please", 86400, self.head()])
        else:
            self.send("proposals", PROPOSE, [os.urandom(16), 1, self.ring(), "please", 86400])

    def ring(self):
        """A contract of three, of whom one does not exist, with seats that nobody has."""
        ring = [self.key.public, self.peer, os.urandom(32)]
        tokens = [os.urandom(32) for _ in ring]
        legs = [[token, token, giver, taker]
                for token, giver, taker in zip(tokens, ring, ring[1:] + ring[:1])]
        return encode([
            1, self.log.flight, self.key.public, os.urandom(16), sorted(ring), sorted(legs)])

    def wishes(self):
        token, *_ = self.seat_of_victim() or [None]
        if token:
            contract = self.contract(self.log.token, token, self.peer)
            self.send("wishes", ASK, [os.urandom(16), contract, "please", 86400, self.head()])

    def asks(self, thread=None):
        token, *_ = self.seat_of_victim() or [None]
        if token:
            contract = self.contract(self.log.token, token)
            self.send("asks", PROPOSE, [thread or os.urandom(16), 1, contract, "please", 86400])
            return contract
        return None

    def noes(self):
        thread = os.urandom(16)
        contract = self.asks(thread)
        if contract:
            self.send("noes", PREPARE, [thread, contract, self.heads(self.theirs[1:])])

    def takes(self):
        thread = os.urandom(16)
        contract = self.asks(thread)
        _, _, (_, *theirs) = self.wait_for(READY)
        self.send("takes", PREPARE, [thread, contract, self.heads(theirs)])
        self.wait_for(VOTE)
        raise Vanished("with a yes")

    def begs(self):
        contract = self.contract(self.log.token, self.seat_of_victim()[0], self.peer)
        self.send("begs", ASK, [os.urandom(16), contract, "please", 86400, self.head()])
        self.wait_for(PREPARE)
        raise Vanished("with PREPARE")

    def binds(self):
        contract = self.contract(self.log.token, self.seat_of_victim()[0], self.peer)
        self.send("binds", ASK, [os.urandom(16), contract, "please", 86400, self.head()])
        self.wait_for(PREPARE)
        cid = hashlib.sha256(b"seatswap/1 contract" + contract).digest()
        slots = [[self.log.token, self.log.token]]
        self.frame(VOTE, [[self.log.say(YES, [cid, True, slots])]])
        raise Vanished("after a yes")

    def messages(self):
        self.send("messages", DM, [os.urandom(16), os.urandom(1024).hex()])

    def lines(self):
        if self.is_home and len(self.log.ids) < 2000:
            self.send("lines", ENTRIES, [PUSHED, self.log.more(7)])

    def lies(self):
        places = [[host, random.choice(PORTS)] for host in NOWHERE]
        # A large key: the smaller one dials first.
        hints = [[b"\xff" + os.urandom(31), *place, random.getrandbits(1)]
                 for place in random.choices(places + self.plan["elsewhere"], k=64)]
        self.send("lies", PEX, hints)


def act(line, does, is_over):
    """Everything in turn, until all is done or time is up."""
    while does and not is_over():
        for name in list(does):
            getattr(line, name)()
            line.drain()
            if does[name] is not None:
                does[name] -= 1
                if not does[name]:
                    del does[name]


def live(victim, log, plan, source, tally):
    """One key at one victim: in again and again until its work is done or time is up."""
    does, is_over = dict(plan["does"]), partial(tally.is_over, plan["seconds"])
    tally.all_there.wait()
    while not is_over():
        line = None
        try:
            line = Hostile(victim, log, plan, source, tally)
            tally.change(1)
            act(line, does, is_over)
            # Whoever closes with something unread takes back what the other side has not read.
            line.frame(PING, [0])
            line.wait_for(PONG)
            while plan["stay"] and not is_over():
                line.drain()
                time.sleep(0.05)
            tally.change(-1, "done")
            return
        except Closed as closed:
            tally.change(-1 if line else 0, closed.code)
        except Vanished as vanished:
            tally.change(-1, f"vanished {vanished}")
            return
        except OSError as error:
            tally.change(-1 if line else 0, type(error).__name__)
        finally:
            if line:
                line.close()
        time.sleep(PAUSE)


def heard(lines, seconds):
    """Those that are closed or say something. `select` knows 1024 files only, and a thousand keys
    take more."""
    poll = select.poll()
    for line in lines:
        poll.register(line, select.POLLIN)
    numbers = {number for number, _ in poll.poll(1000 * seconds)}
    return [line for line in lines if line.fileno() in numbers]


def idle(victim, source, seconds, tally):
    """Four connections that say nothing; anew as soon as one is closed. First the others get in."""
    lines = []
    tally.all_there.wait()
    while tally.opened < tally.wanted and time.monotonic() < tally.began + 3:
        time.sleep(0.1)
    while not tally.is_over(seconds):
        try:
            while len(lines) < 4:
                lines.append(socket.create_connection(victim, 5, (source, 0)))
                tally.count("idles", 0)
            for line in heard(lines, 0.2):
                lines.remove(line)
                line.close()
        except OSError:
            time.sleep(PAUSE)
    for line in lines:
        line.close()


def main():
    plan = {"sources": [""], "elsewhere": [], "stay": False, "seconds": 60, "until_told": False,
            "rows": [1, 32],
            **json.loads(sys.argv[1])}
    plan["auth"] = bytes.fromhex(plan["auth"])
    plan["victims"] = [tuple(victim) for victim in plan["victims"]]
    idles = plan["does"].pop("idles", 0)
    sources = plan["sources"][idles:] or plan["sources"]
    logs = [Log(plan["auth"], number, plan["rows"]) for number in range(plan["keys"])]
    tally = Tally()
    tally.wanted = plan["keys"] * len(plan["victims"])
    threading.stack_size(256 * 1024)
    workers = []
    for victim in plan["victims"]:
        workers += [threading.Thread(target=idle, args=(
            victim, plan["sources"][n], plan["seconds"], tally))
            for n in range(idles)]
        workers += [threading.Thread(target=live, args=(
            victim, log, plan, sources[n % len(sources)], tally)) for n, log in enumerate(logs)]
    work(workers, plan, tally)


if __name__ == "__main__":
    main()
