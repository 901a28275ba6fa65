# SPDX-License-Identifier: Apache-2.0
"""Tunnels (docs/meet.md section 8), for the second reader: OPEN, frames, one end, and what is let
in."""

from second_reader import array, blob, decode, encode, need, number
from second_seals import hkdf, public, seal, unseal, x25519

U63 = 2**63 - 1
SALT = b"seatswap/meet/tunnel"
NONE = bytes(24)
PIECE, WINDOW, MOST = 15360, 65536, 4 * 1024 * 1024


# The opening

def agreed(secret, key):
    shared = x25519(secret, key)
    need(any(shared), "a key that no pair has")
    return shared


def key_of_opener(fresh, head):
    return hkdf(SALT, fresh, b"from" + head, 32)


def keys_of(fresh, lasting, head, opener, recipient):
    """k2, what the opener sends with, and what they get with."""
    made = hkdf(SALT, fresh + lasting, b"keys" + head + opener + recipient, 96)
    return made[:32], made[32:64], made[64:]


class Open:
    """An OPEN that was made or read."""

    def __init__(self, data, opener, made, k1, keys):
        self.data, self.opener, self.made, self.k1 = data, opener, made, k1
        self.id = data[1:17]
        self.k2, self.there, self.back = keys


def make_open(id_, ephemeral, opener, secret, recipient, boxkey, made):
    head = b"\x02" + id_ + public(ephemeral)
    fresh, lasting = agreed(ephemeral, boxkey), agreed(secret, boxkey)
    k1 = key_of_opener(fresh, head)
    keys = keys_of(fresh, lasting, head, opener, recipient)
    before = head + seal(k1, NONE, head, opener)
    body = encode([1, recipient, made])
    return Open(before + seal(keys[0], NONE, before, body), opener, made, k1, keys)


def read_open(data, me, secret, boxkeys):
    """One that came to `me`; `boxkeys` are those of good cards."""
    need(data[:1] == b"\x02", "version")
    need(len(data) > 97, "size")
    head, before = data[:49], data[:97]
    fresh = agreed(secret, head[17:])
    k1 = key_of_opener(fresh, head)
    opener = unseal(k1, NONE, head, before[49:])
    need(opener != me, "to oneself")
    need(opener in boxkeys, "no card")
    keys = keys_of(fresh, agreed(secret, boxkeys[opener]), head, opener, me)
    kind, recipient, made = array(decode(unseal(keys[0], NONE, before, data[97:])), 3)
    number(kind, 1, 1)
    need(recipient == me, "to somebody else")
    number(made, 0, U63)
    return Open(data, opener, made, k1, keys)


# Frames

def place_of(seq):
    return bytes(20) + seq.to_bytes(4, "big")


def make_frame(id_, seq, key, body):
    head = b"\x03" + id_ + seq.to_bytes(4, "big")
    return head + seal(key, place_of(seq), head, body)


def read_frame(data, id_, key):
    """Its number and its body."""
    need(data[:1] == b"\x03", "version")
    need(data[1:17] == id_, "another tunnel")
    seq = int.from_bytes(data[17:21], "big")
    need(seq > 0, "number")
    plain = unseal(key, place_of(seq), data[:21], data[21:])
    body(plain)
    return seq, plain


def body(data):
    """What it says."""
    kind, *rest = array(decode(data), 1, 2)
    number(kind, 1, 4)
    need(len(rest) == (kind != 1), "members")
    if kind == 1:
        return ["ready"]
    if kind == 2:
        return ["data", blob(rest[0], 1, PIECE)]
    if kind == 3:
        return ["took", number(rest[0], 1, WINDOW)]
    return ["end", number(rest[0], 0, 6)]


# One end

class End:
    """What one end does with what comes: words, in order. Times are milliseconds."""

    def __init__(self, is_opener):
        self.is_opener, self.is_ready, self.is_over = is_opener, not is_opener, False
        self.last, self.early, self.waits = 0, {}, None
        self.credit, self.owed, self.backlog, self.carried = WINDOW, 0, 0, 0
        self.since = 0
        self.words = [] if is_opener else ["says ready", "TLS begins"]

    def end(self, reason):
        self.words.append(f"says end {reason}")
        self.over(reason)

    def over(self, reason):
        self.words.append(f"over {reason}")
        self.is_over = True

    def came(self, seq, says, at):
        if self.is_over or seq <= self.last or seq in self.early:
            return
        if seq != self.last + 1:
            self.keep(seq, says, at)
            return
        self.turn(says, at)
        while not self.is_over and self.last + 1 in self.early:
            self.turn(self.early.pop(self.last + 1), at)
            self.waits = at
        if not self.early:
            self.waits = None

    def keep(self, seq, says, at):
        held = sum(size(one) for one in self.early.values())
        if len(self.early) == 256 or held + size(says) > 65536:
            self.end(5)
            return
        self.early[seq] = says
        self.waits = at if self.waits is None else self.waits

    def turn(self, says, at):
        self.last += 1
        kind, *value = says
        if kind == "ready":
            if self.is_ready:
                self.end(5)
                return
            self.is_ready, self.since = True, at
            self.words.append("TLS begins")
        elif kind == "data":
            self.data(value[0], at)
        elif kind == "took":
            if not self.is_ready or self.credit + value[0] > WINDOW:
                self.end(5)
                return
            self.credit += value[0]
        else:
            self.over(value[0])

    def data(self, count, at):
        if not self.is_ready:
            self.end(5)
            return
        self.since = at
        if not self.carries(count):
            self.end(4)
            return
        self.words.append(f"{count} for TLS")
        self.owed += count
        if self.owed >= 32768:
            self.words.append(f"says took {self.owed}")
            self.owed = 0

    def carries(self, count):
        self.carried += count
        return self.carried <= MOST

    def write(self, count):
        self.backlog += count

    def flush(self, at):
        while not self.is_over and self.is_ready and self.backlog and self.credit:
            count = min(self.backlog, self.credit, PIECE)
            if not self.carries(count):
                self.end(4)
                return
            self.backlog -= count
            self.credit -= count
            self.since = at
            self.words.append(f"says data {count}")

    def time(self, at):
        """What is due."""
        if self.is_over:
            return
        if not self.is_ready and at >= self.since + 10000:
            self.end(1)
        elif self.waits is not None and at >= self.waits + 5000:
            self.end(5)
        elif self.is_ready and at >= self.since + 120000:
            self.end(4)


def size(says):
    return says[1] if says[0] == "data" else 0


# Who is let in

class Gate:
    """Which OPENs count. `at` is in milliseconds, `clock` the reader's in seconds."""

    def __init__(self):
        self.seen = {}

    def admits(self, id_, opener, made, at, clock):
        if abs(made - clock) > 60:
            return False
        self.seen = {one: seen for one, seen in self.seen.items() if seen[2] >= clock}
        if id_ in self.seen or len(self.seen) >= 512:
            return False
        if any(one == opener and at < came + 1000 for one, came, _ in self.seen.values()):
            return False
        self.seen[id_] = opener, at, made + 60
        return True


class Looks:
    """How many OPENs are decrypted."""

    def __init__(self):
        self.left, self.before = 40, 0

    def look(self, at):
        self.left = min(40, self.left + (at - self.before) * 20 / 1000)
        self.before = at
        if self.left < 1:
            return False
        self.left -= 1
        return True
