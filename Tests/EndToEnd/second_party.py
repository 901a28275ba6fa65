# SPDX-License-Identifier: Apache-2.0
"""Parties of companions (docs/protocol.md section 30), for the second reader: codes, links, tags,
and XChaCha20-Poly1305 in plain Python (RFC 8439, draft-irtf-cfrg-xchacha-03)."""

import base64
import datetime
import functools
import hashlib
import hmac
import re
import struct

from second_reader import Bad, decode, encode

DIGITS = "abcdefghijklmnopqrstuvwxyz234567"
WORD = 0xffffffff


def check(part):
    """The check digit of section 1."""
    values = [DIGITS.index(c) * (place % 2 + 1) for place, c in enumerate(part)]
    return DIGITS[-sum(v // 32 + v % 32 for v in values) % 32]


def code(text):
    """The secret of a code that somebody typed."""
    plain = re.sub(r"[- \t\r\n]", "", text).lower().translate(str.maketrans("018", "oib"))
    if not re.fullmatch(r"[a-z2-7]{17}", plain) or check(plain[:16]) != plain[16]:
        raise Bad("code")
    return base64.b32decode(plain[:16].upper())


def link(text):
    """The secret of a link."""
    found = re.fullmatch(r"seatagent:party\?v=1&k=([a-z2-7]{17})"
                         r"(?:&f=[0-9A-Z]{2}[1-9][0-9]{0,3}[A-Z]?/([0-9-]{10})/[A-Z]{3})?", text)
    if not found:
        raise Bad("link")
    if found[2]:
        try:
            datetime.date.fromisoformat(found[2])
        except ValueError as error:
            raise Bad("date") from error
    return code(found[1])


def next_link(text):
    """The new secret, the key that is out, and the proof."""
    found = re.fullmatch(r"seatagent:party-next\?v=1&k=([a-z2-7]{17})&x=([a-z2-7]{52})"
                         r"&p=([a-z2-7]{26})", text)
    if not found:
        raise Bad("link")
    key, proof = (base64.b32decode(part.upper() + "=" * (-len(part) % 8))
                  for part in found.groups()[1:])
    return code(found[1]), key, proof


def mac(key, *parts):
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


class Keys:
    """What a secret comes to on a flight."""

    def __init__(self, secret, flight):
        self.flight = flight
        self.key = mac(mac(b"", secret), b"seatswap/party/v1", flight, b"\x01")
        self.sealing = mac(self.key, b"seatswap/party/seal/v1")
        self.nonces = mac(self.key, b"seatswap/party/nonce/v1")

    def tag(self, key):
        return mac(self.key, key)[:16]

    def proof(self, fresh, removed):
        return mac(self.key, b"seatswap/party/next/v1", fresh, removed)[:16]

    def joined(self, *both):
        return mac(self.key, b"seatswap/party/join/v1", *sorted(both))[:10]

    def place(self, author, seq):
        return self.flight + author + seq.to_bytes(8, "big")

    def seal(self, author, seq, plain):
        place = self.place(author, seq)
        nonce = mac(self.nonces, place, plain)[:24]
        key, rest = inner(self.sealing, nonce)
        text = cover(key, rest, plain)
        return nonce, text + poly1305(block(key, 0, rest)[:32], place, text)

    def open(self, author, seq, nonce, sealed):
        place = self.place(author, seq)
        key, rest = inner(self.sealing, nonce)
        text, proof = sealed[:-16], sealed[-16:]
        if poly1305(block(key, 0, rest)[:32], place, text) != proof:
            raise Bad("sealed otherwise")
        return cover(key, rest, text)


def line(plain):
    """What is said, if this version knows it."""
    value = decode(plain)
    if not (isinstance(value, list) and len(value) == 3 and value[0] == 0
            and isinstance(value[1], str) and isinstance(value[2], int)):
        raise Bad("no line")
    if len(value[1].encode()) > 2048 or value[2] < 0 or encode(value) != plain:
        raise Bad("no line")
    return value


def rounds(state):
    """The twenty rounds of ChaCha, on sixteen words."""
    x = list(state)

    def quarter(a, b, c, d):
        for one, two, three, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[one] = (x[one] + x[two]) & WORD
            word = x[three] ^ x[one]
            x[three] = (word << turn | word >> (32 - turn)) & WORD
    for _ in range(10):
        for column in range(4):
            quarter(column, column + 4, column + 8, column + 12)
        quarter(0, 5, 10, 15)
        quarter(1, 6, 11, 12)
        quarter(2, 7, 8, 13)
        quarter(3, 4, 9, 14)
    return x


def state_of(key, last):
    return struct.unpack("<16I", b"expand 32-byte k" + key + last)


def inner(key, nonce):
    """HChaCha20: the key of the ordinary cipher, and its nonce."""
    x = rounds(state_of(key, nonce[:16]))
    return struct.pack("<8I", *x[:4], *x[12:]), bytes(4) + nonce[16:]


@functools.lru_cache(maxsize=8192)
def block(key, number, nonce):
    state = state_of(key, struct.pack("<I", number) + nonce)
    return struct.pack("<16I", *((a + b) & WORD for a, b in zip(rounds(state), state)))


def cover(key, nonce, data):
    out = bytearray()
    for start in range(0, len(data), 64):
        stream = block(key, 1 + start // 64, nonce)
        out += bytes(a ^ b for a, b in zip(data[start:start + 64], stream))
    return bytes(out)


def poly1305(key, data, text):
    """The proof over what is bound and what is covered."""
    def padded(part):
        return part + bytes(-len(part) % 16)
    message = padded(data) + padded(text) + struct.pack("<QQ", len(data), len(text))
    r = int.from_bytes(key[:16], "little") & 0x0ffffffc0ffffffc0ffffffc0fffffff
    total = 0
    for start in range(0, len(message), 16):
        part = int.from_bytes(message[start:start + 16] + b"\x01", "little")
        total = (total + part) * r % ((1 << 130) - 5)
    return ((total + int.from_bytes(key[16:], "little")) % (1 << 128)).to_bytes(16, "little")
