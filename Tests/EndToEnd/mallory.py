# SPDX-License-Identifier: Apache-2.0
"""A handmade peer that does what its standard input says, one word a line, and answers in JSON.

    python3 mallory.py ADDRESS PORT FLIGHT-AUTH SEED

`connect`  TLS and the own HELLO            `greet`  the same, and reads until the session is open
`ping`     whether a PING is answered       `shout`  a PING and a DM, nothing read
`fork`     an open log with two lines at one place
`lie`      an open log, a yes and a no to one swap
`dress {}` an open log with the name, seat, chat, messages and offer given as JSON
`forge {}` an open log whose second entry has a kind and a body, in hexadecimal, for a gathering
`write {}` an open log of entries of given kinds and bodies, in hexadecimal
`ask {}`   asks to swap seats, with a note
`tell {}`  PEX with the hints given as JSON: key and host in text, port, linked
`hear`     every frame that came and comes within PATIENCE s, in hexadecimal
`listen`   what comes within PATIENCE s: frames, or how the connection ended, `open` if not
"""

import json
import os
import socket
import sys
import time

from cbor import decode, encode
from stranger import (
    ENTRIES, HELLO, PING, PONG, Closed, Key, Stranger, entry, flight_id)

PATIENCE = 3
PEX, DM, ASK = 13, 42, 48


class Mallory:
    def __init__(self, address, port, auth, seed):
        self.place = address, port
        self.auth = auth
        self.key = Key(seed)
        self.peer = None
        self.number = 0

    def connect(self):
        if self.peer:
            self.peer.close()
        try:
            self.peer = Stranger(*self.place, key=self.key, seconds=PATIENCE)
        except Closed as closed:
            return str(closed)
        self.peer.frame(HELLO, self.peer.hello_fields(self.auth))
        return "connected"

    def greet(self, fold=2):
        if self.peer:
            self.peer.close()
        self.peer = Stranger(*self.place, key=self.key, seconds=PATIENCE)
        self.peer.fold = fold
        self.peer.hello(self.auth)
        return "open"

    def ping(self):
        self.number += 1
        self.peer.frame(PING, [self.number])
        while self.peer.read_frame() != (PONG, [self.number]):
            pass
        return "pong"

    def shout(self):
        self.peer.frame(PING, [1000])
        self.peer.frame(DM, [os.urandom(16), "hello?"])
        return "shouted"

    def fork(self):
        _, line = self.begin_log()
        self.send([self.entry(2, line, 7, ["one thing", None, 0, []])[0]])
        self.send([self.entry(2, line, 7, ["another thing", None, 0, []])[0]])
        return "forked"

    def lie(self):
        first, line = self.begin_log()
        claim, line = self.entry(2, line, 2, [[30, 5], 0])
        slot = [line, line]
        yes, line = self.entry(3, line, 4, [bytes(32), True, [slot]])
        no, line = self.entry(4, line, 4, [bytes(32), False, []])
        self.send([first, claim, yes, no])
        return "lied"

    def dress(self, name, program, seat, says=(), messages=(), note=None):
        """Sends a log of these texts, whatever they are; the seat's token."""
        entries = []

        def add(kind, body):
            previous = entries[-1][1] if entries else None
            entries.append(self.entry(len(entries) + 1, previous, kind, body))
            return entries[-1][1]
        add(0, [name, program])
        self.token = add(2, [seat, 0])
        for text in says:
            add(7, [text, None, 0, []])
        if note is not None:
            add(16, [[self.token], [[[(1 << 26) - 1, 1, 255]]], 1, bytes(16), note])
        self.head = [self.key.public, len(entries), entries[-1][1]]
        self.send([whole for whole, _ in entries])
        for text in messages:
            self.peer.frame(DM, [os.urandom(16), text])
        return self.token.hex()

    def forge(self, gathering, kind, body):
        def written(*words):
            return entry(self.key, bytes.fromhex(gathering), *words)
        first, identifier = written(1, None, 0, ["mallory", "rude"])
        self.send([first])
        self.send([written(2, identifier, kind, decode(bytes.fromhex(body)))[0]])
        return self.listen()

    def write(self, gathering, entries):
        """A log of entries of these kinds and bodies, in hexadecimal, after its genesis; their
        ids."""
        line, log, ids = None, [], []
        whole = [[0, encode(["mallory", "rude"]).hex()], *entries]
        for seq, (kind, body) in enumerate(whole, 1):
            data, line = entry(
                self.key, bytes.fromhex(gathering), seq, line, kind, decode(bytes.fromhex(body)))
            log.append(data)
            ids.append(line.hex())
        self.send(log)
        return [ids, self.listen()]

    def ask(self, token, note):
        """Offers the own seat for the agent's seat, whose token is given in hexadecimal."""
        mine, theirs = self.key.public, self.peer.peer
        token = bytes.fromhex(token)
        legs = [[self.token, self.token, mine, theirs], [token, token, theirs, mine]]
        contract = encode([1, flight_id(self.auth), theirs, os.urandom(16), sorted([mine, theirs]),
                           sorted(legs)])
        self.peer.frame(ASK, [os.urandom(16), contract, note, 3600, self.head])
        return "asked"

    def tell(self, hints):
        self.peer.frame(PEX, [[bytes.fromhex(key), host, port, linked]
                              for key, host, port, linked in hints])
        return "told"

    def begin_log(self):
        first, line = self.entry(1, None, 0, ["mallory", "rude"])
        self.send([first])
        return first, line

    def entry(self, seq, previous, kind, body):
        return entry(self.key, flight_id(self.auth), seq, previous, kind, body)

    def send(self, entries):
        self.peer.frame(ENTRIES, [0, entries])

    def hear(self):
        frames = []
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                frames.append(encode(list(self.peer.read_frame())).hex())
            except Closed:
                break
        return frames

    def listen(self):
        seen = []
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                seen.append(self.peer.read_frame()[0])
            except Closed as closed:
                if closed.code is not None:
                    return seen + [f"closed with {closed.code}"]
                break
        try:
            self.peer.socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
            return seen + ["ended"]
        except BlockingIOError:
            return seen + ["open"]
        except ConnectionError:
            return seen + ["reset"]


def main():
    address, port, auth, seed = sys.argv[1:5]
    mallory = Mallory(address, int(port), bytes.fromhex(auth), bytes.fromhex(seed))
    for line in sys.stdin:
        word, _, given = line.strip().partition(" ")
        print(json.dumps(getattr(mallory, word)(**json.loads(given or "{}"))), flush=True)


if __name__ == "__main__":
    main()
