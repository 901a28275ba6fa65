# SPDX-License-Identifier: Apache-2.0
"""Members of a flight of our own making, who leave at a meeting point whatever a test wants: cards,
logs, letters, live entries and OPENs (docs/meet.md), sealed and signed as an agent's are.

    crowd = Crowd(1000)
    with meet.operator() as line:
        crowd.settle(line)                              # a name, a seat and a card each
        crowd.members[0].say(line, "hello")             # a live entry
"""

import ctypes
import hashlib
import os
import subprocess
import time

import second_meet
import world
from cbor import encode
from second_tunnel import make_open
from stranger import PRACTICE, Key, entry, flight_auth, flight_id, sodium

HERE = os.path.dirname(os.path.abspath(__file__))
GENESIS, CLAIM, CHAT = 0, 2, 7
CARD, PART, LIVE, LETTERS = 1, 2, 3, 4
LONG = ctypes.c_ulonglong
DAY = 86400


def stamps(group, keys):
    """The stamps of keys in a group."""
    program = f"{world.folder}/stamps"
    if not os.path.exists(program):
        subprocess.run(["cc", "-O2", "-Wno-deprecated-declarations", "-o", f"{program}.new",
                        f"{HERE}/stamps.c", "-lcrypto"], check=True)
        os.rename(f"{program}.new", program)
    said = subprocess.run([program, group], input="\n".join(key.hex() for key in keys) + "\n",
                          stdout=subprocess.PIPE, text=True, check=True)
    return [bytes.fromhex(line) for line in said.stdout.split()]


class Group:
    """A flight at its meeting point today."""

    def __init__(self, flight=PRACTICE):
        auth = flight_auth(flight)
        self.id = flight_id(auth)
        self.flight = second_meet.Flight(auth)
        self.epoch = second_meet.epoch_at(int(time.time()))
        self.names = self.flight.names(self.epoch)

    def tag(self, word, *keys):
        return self.flight.tag(word, self.epoch, *keys)

    def topic(self, kind, *words):
        return "/".join([self.names.prefix + kind, *map(str, words)])

    def box(self, kind, key, *words):
        box = self.tag(b"box", key)
        return self.topic(kind, second_meet.bucket(box), box, *words)

    def inbox(self, key):
        return self.topic("t", self.tag(b"inbox", key))

    def seal(self, topic, kind, *members):
        """A payload for a topic."""
        head = bytes([0x80 + len(members) + 2])
        data = second_meet.padded(head + b"".join(map(encode, [kind, *members])))
        nonce, aad = os.urandom(24), topic.encode()
        out = ctypes.create_string_buffer(len(data) + 16)
        sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
            out, None, data, LONG(len(data)), aad, LONG(len(aad)), None, nonce, self.names.seal)
        return b"\x01" + nonce + out.raw

    def keep(self, line, topic, kind, *members):
        line.publish(topic, self.seal(topic, kind, *members), kept=True, expiry=DAY)


class Member:
    """One key and its log."""

    def __init__(self, group, name):
        # The same on each run.
        seed = hashlib.sha256(b"member " + name.encode()).digest()
        self.group, self.key, self.secret = group, Key(seed), seed
        public = ctypes.create_string_buffer(32)
        sodium.crypto_scalarmult_base(public, self.secret)
        self.box_key, self.stamp = public.raw, bytes(8)
        self.log, self.ids = [], []
        self.write(GENESIS, [name, "members"])

    @property
    def author(self):
        return self.key.public

    def write(self, kind, body):
        whole, id_ = entry(self.key, self.group.id, len(self.log) + 1,
                           self.ids[-1] if self.ids else None, kind, body)
        self.log.append(whole)
        self.ids.append(id_)
        return whole

    def claim(self, seat):
        return self.write(CLAIM, [[int(seat[:-1]), ord(seat[-1]) - 65], 0])

    def chat(self, text):
        return self.write(CHAT, [text, None, 0, []])

    # What is left and said

    def card(self, line, made=None, length=None, parts=None, items=(), key=None):
        """A card, in the own box or in that of another `key`."""
        made = int(time.time()) if made is None else made
        length = len(self.log) if length is None else length
        parts = len(self.parts()) if parts is None else parts
        body = encode([
            self.group.id, self.author, self.box_key, made, made + DAY, length,
            self.ids[-1][:8] if length else bytes(8), parts, bytes(32), sorted(items), self.stamp])
        signed = encode(["seatswap/1 card", self.group.id, body])
        topic = self.group.box("c", key or self.author)
        self.group.keep(line, topic, CARD, body, self.key.sign(signed))

    def parts(self):
        """The log in parts."""
        parts, at = [], 0
        for count in second_meet.parts([len(one) for one in self.log]):
            parts.append(self.log[at:at + count])
            at += count
        return parts

    def settle(self, line):
        """Leaves log and card."""
        for number, entries in enumerate(self.parts()):
            self.group.keep(line, self.group.box("l", self.author, number), PART, self.author,
                            number, entries)
        self.card(line)

    def say(self, line, *entries):
        """Entries, once, to all who are there."""
        topic = self.group.topic("e")
        line.publish(topic, self.group.seal(topic, LIVE, list(entries)))

    def letters(self, line, to, letters, made=None, box_key=None):
        """Letters ([kind, bytes]) in this member's lane to somebody, of whose card is `box_key`."""
        made = int(time.time()) if made is None else made
        text, nonce = encode(letters), os.urandom(24)
        out = ctypes.create_string_buffer(len(text) + 16)
        sodium.crypto_box_easy(out, text, LONG(len(text)), nonce, box_key, self.secret)
        topic = self.group.topic("q", self.group.tag(b"inbox", to),
                                 self.group.tag(b"lane", self.author, to))
        self.group.keep(line, topic, LETTERS, self.author, made, made + DAY, nonce + out.raw)

    def open(self, line, to, box_key, made=None):
        """Asks for a tunnel, and answers nothing that comes."""
        one = make_open(os.urandom(16), os.urandom(32), self.author, self.secret, to, box_key,
                        int(time.time()) if made is None else made)
        line.publish(self.group.inbox(to), one.data)
        return one


class Crowd:
    """Many members; each has a name, a seat and a line of chat."""

    def __init__(self, count, seats=()):
        self.group = Group()
        self.members = [Member(self.group, f"m{number}") for number in range(count)]
        for number, one in enumerate(self.members):
            one.claim(seats[number % len(seats)] if seats else
                      f"{number // 6 % 30 + 1}{'ABCDEF'[number % 6]}")
            one.chat(f"noise {number}")
        found = stamps(self.group.names.group, [one.author for one in self.members])
        for one, stamp in zip(self.members, found, strict=True):
            one.stamp = stamp

    def settle(self, line):
        for one in self.members:
            one.settle(line)

    def read_card(self, line, key):
        """The box key of an agent, out of its card."""
        found, = line.collect_kept(self.group.box("c", key))
        plain = second_meet.unseal(self.group.names, found.topic, found.payload)
        _, (body, _) = second_meet.plain(plain)
        return second_meet.Card(body).boxkey
