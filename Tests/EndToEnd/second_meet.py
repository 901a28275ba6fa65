# SPDX-License-Identifier: Apache-2.0
"""The meeting point (docs/meet.md), for the second reader: names, seals, cards, parts and homes."""

import base64
import hashlib
import hmac

import ed25519
from second_party import block, cover, inner, poly1305
from second_reader import array, ascending, blob, decode, encode, head, need, number, sha256

DAY, U63 = 86400, 2**63 - 1
SIZES = (512, 1024, 2048, 4096, 8192, 16384)
STAY = 96 * 3600
DIGITS = "abcdefghijklmnopqrstuvwxyz234567"


def mac(key, *parts):
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


def base32(data):
    return base64.b32encode(data).decode().lower().rstrip("=")


# Names (section 1)

def epoch_at(time):
    return min(max(time, 0) // DAY, 2**32 - 1)


def followed(time):
    return sorted({epoch_at(time - 600), epoch_at(time + 600)})


def to_read(epoch):
    return [epoch - back for back in range(4) if epoch >= back]


def expand(root, info, count):
    return mac(root, info, b"\x01")[:count]


class Flight:
    """What a flight's key comes to."""

    def __init__(self, auth):
        self.root = expand(mac(b"seatswap/meet/v1", auth), b"root", 32)
        self.pool = base32(expand(self.root, b"pool", 16))

    def tag(self, word, epoch, *keys):
        return base32(mac(self.root, word, epoch.to_bytes(4, "big"), *keys)[:8])

    def names(self, epoch):
        day = epoch.to_bytes(4, "big")
        return Names(base32(expand(self.root, b"group" + day, 16)),
                     expand(self.root, b"seal" + day, 32))


class Names:
    """A group in one epoch, and its seal."""

    def __init__(self, group, seal):
        self.group, self.seal = group, seal
        self.shard = hashlib.sha256(group.encode()).hexdigest()[:2]
        self.prefix = f"sa1/{self.shard}/{group}/"

    def topic(self, text):
        """Kind and words of a topic of this group."""
        need(text.startswith(self.prefix), "group")
        kind, *words = text[len(self.prefix):].split("/")
        need((kind, len(words)) in (("e", 0), ("t", 1), ("q", 2), ("c", 2), ("l", 3)), "topic")
        if kind in "cl":
            need(bucket(words[1]) == words[0], "bucket")
        if kind == "l":
            need(words[2] in ("0", "1", "2", "3"), "part")
        if kind in "tq":
            for word in words:
                bucket(word)
        return kind, words


def bucket(box):
    """Where a box is, if it is one."""
    need(len(box) == 13 and all(letter in DIGITS for letter in box), "box")
    need(DIGITS.index(box[12]) % 2 == 0, "bits left over")
    return "0123456789abcdef"[DIGITS.index(box[0]) % 16]


# Sealing (section 2)

def seal(names, topic, nonce, data):
    need(len(data) + 41 in SIZES, "size")
    key, rest = inner(names.seal, nonce)
    text = cover(key, rest, data)
    return b"\x01" + nonce + text + poly1305(block(key, 0, rest)[:32], topic.encode(), text)


def unseal(names, topic, payload):
    need(len(payload) in SIZES, "size")
    need(payload[0] == 1, "version")
    nonce, text, proof = payload[1:25], payload[25:-16], payload[-16:]
    key, rest = inner(names.seal, nonce)
    need(poly1305(block(key, 0, rest)[:32], topic.encode(), text) == proof, "sealed otherwise")
    return cover(key, rest, text)


def padded(content):
    """What is sealed, of what stands before the padding."""
    for size in SIZES:
        gap = size - 41 - len(content)
        for head_size, least, most in ((1, 0, 23), (2, 24, 255), (3, 256, 65535)):
            if least <= gap - head_size <= most:
                return content + head(2, gap - head_size) + bytes(gap - head_size)
    return None


def plain(data):
    """Kind and members of what was sealed."""
    value = array(decode(data), 3, 6)
    kind = number(value[0], 1, 4)
    array(value, {1: 4, 2: 5, 3: 3, 4: 6}[kind])
    need(not any(blob(value[-1], 0, 16343)), "padding")
    members = value[1:-1]
    if kind == 1:
        Card(blob(members[0], 1, 3400))
        blob(members[1], 64)
    elif kind == 2:
        blob(members[0], 32)
        number(members[1], 0, 3)
        entries(members[2], 256)
    elif kind == 3:
        entries(members[0], 64)
    else:
        sender, made, until, sealed = members
        blob(sender, 32)
        number(made, 0, U63), number(until, made + 1, made + STAY)
        blob(sealed, 42, 16000)
    return kind, members


def entries(value, most):
    for entry in array(value, 1, most):
        blob(entry, 1, 15000)


# Cards (section 3)

class Card:
    def __init__(self, body):
        value = array(decode(body), 11)
        (self.flight, self.author, self.boxkey, self.made, self.until, self.length, self.head8,
         self.parts, self.logs, self.items, self.stamp) = value
        self.body = body
        for key in (self.flight, self.author, self.boxkey, self.logs):
            blob(key, 32)
        number(self.made, 0, U63), number(self.until, self.made + 1, U63)
        number(self.length, 0, 4096), blob(self.head8, 8), number(self.parts, 0, 4)
        if self.length == 0:
            need(self.parts == 0 and self.head8 == bytes(8), "nothing")
        for item in array(self.items, 0, 64):
            blob(item, 44)
            number(int.from_bytes(item[32:34], "big"), 0, 4096)
            number(int.from_bytes(item[42:], "big"), 0, 4096)
        ascending([item[:32] for item in self.items])
        blob(self.stamp, 8)

    def is_good(self, signature, flight, flight_id, epoch, box, now):
        """Whether a reader takes it out of a box of an epoch at a time."""
        group = flight.names(epoch).group
        return (flight.tag(b"box", epoch, self.author) == box
                and self.flight == flight_id
                and self.made <= now + 600 and self.until > now
                and self.until - self.made <= STAY
                and stamp_bits(group, self.author, self.stamp) >= 20
                and ed25519.verify(self.author, self.signed(flight_id), signature))

    def signed(self, flight_id):
        return encode(["seatswap/1 card", flight_id, self.body])


def replaces(second, first):
    """Whether a card made then counts instead of another one of the same author."""
    return second > first


def stamp_bits(group, author, stamp):
    digest = sha256(b"seatswap/meet/stamp", group.encode(), author, stamp)
    return 256 - int.from_bytes(digest, "big").bit_length()


# Logs (section 3)

def parts(sizes):
    """How many entries of a log each part has."""
    found, filled = [], 99999
    for size in sizes:
        if size > 15000:
            break
        if filled + size + 3 > 15360:
            if len(found) == 4:
                break
            found.append(0)
            filled = 0
        found[-1] += 1
        filled += size + 3
    return found


def live(sizes):
    """How many of new entries each message has."""
    found, filled = [], 99999
    for size in sizes:
        if size > 15000:
            continue
        if not found or found[-1] == 64 or filled + size + 3 > 15360:
            found.append(0)
            filled = 0
        found[-1] += 1
        filled += size + 3
    return found


# Letters (section 4)

def letters(data):
    found = []
    for letter in array(decode(data), 1, 8):
        kind, payload = array(letter, 2)
        need(type(kind) is int and kind in (24, 28, 30, 42, 48, 101), "kind")
        found.append((kind, blob(payload, 1, 4096)))
    return found


def standing(data):
    thread, revision, contract, until = array(decode(data), 4)
    blob(thread, 16), number(revision, 1, 64), blob(contract, 32), number(until, 0, U63)
    return thread, revision, contract, until


def ends(kind, payload, made, until):
    """When a letter of a list is over."""
    if kind == 101:
        return min(standing(payload)[3], until)
    place = {24: 4, 48: 3}.get(kind)
    return until if place is None else min(made + decode(payload)[place], until)


# Homes (section 5)

def broker(host, port):
    need(all(33 <= ord(letter) <= 126 for letter in host), "host")
    name = host.lower().removesuffix(".")
    need(1 <= len(name) <= 253 and port > 0, "host")
    return name, port


def homes(pool, brokers):
    known = sorted({broker(host, port) for host, port in brokers})[:64]
    weight = {one: sha256(f"{one[0]}:{one[1]}{pool}".encode())[:8] for one in known}
    return sorted(known, key=lambda one: weight[one], reverse=True)[:2]
