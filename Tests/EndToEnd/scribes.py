# SPDX-License-Identifier: Apache-2.0
"""People of made-up logs who write whatever a story needs, with keys from fixed seeds."""

import copy
from hashlib import sha512

import ed25519
from second_reader import Contract, Entry, decode, encode, sha256

FLIGHT = bytes(range(32))
#: Seeds whose keys are in the order of the names: bundles are judged author by author.
SEEDS = {"ada": 12, "bo": 8, "cy": 27, "dee": 18, "eve": 25, "mal": 31, "zed": 9}


class Scribe:
    """A passenger and one branch of their log."""

    def __init__(self, name, seed=None):
        self.name, self.seed, self.log = name, bytes([seed or SEEDS[name]]) * 32, []
        self.key = ed25519.public(self.seed)
        self.write(0, [name, ""])

    def sign(self, seq, prev, kind, body, flight=FLIGHT):
        """An entry with any place and content, right or wrong, as bytes."""
        payload = encode([1, flight, self.key, seq, prev, kind, body])
        header = b"\xa1\x01\x27"
        signed = encode(["Signature1", header, b"seatswap/1 entry", payload])
        return encode([header, {}, payload, ed25519.sign(self.seed, signed)])

    def stray(self, seq, prev, kind, body):
        """An entry that is not in this log."""
        return Entry(self.sign(seq, prev, kind, body))

    def next(self, kind, body, flight=FLIGHT):
        """What would be the next entry, as bytes: form and content are not looked at."""
        return self.sign(len(self.log) + 1, self.log[-1].id if self.log else None, kind, body,
                         flight)

    def write(self, kind, body):
        entry = Entry(self.next(kind, body))
        self.log.append(entry)
        return entry

    def branch(self, seq):
        """The same log up to `seq`: what is written to it forks."""
        other = copy.copy(self)
        other.log = self.log[:seq]
        return other

    # Entries

    def rename(self, name=None):
        """Something that no rule reads."""
        return self.write(1, [name or f"{self.name} {len(self.log)}"])

    def claim(self, seat, care=0):
        """A token for `seat`; its first tenure."""
        entry = self.write(2, [place(seat), care])
        return entry.id, entry.id

    def retract(self, slot):
        return self.write(3, list(slot))

    def yes(self, contract):
        return self.write(4, yes(contract, self))

    def no(self, contract):
        return self.write(4, [contract.cid, False, []])

    def commit(self, contract, votes, *claims):
        return self.write(5, certificate(contract, votes, claims))

    def mark(self, contract, sits=True):
        return self.write(18, [contract.cid, sits])

    def hosts(self, guest, holds=True):
        return self.write(19, [0, guest.key, holds])

    def guest_of(self, host, holds=True):
        return self.write(19, [1, host.key, holds])

    def abandon(self, no):
        return self.write(6, [no.cid, no.bytes])


def signed_again(data, seed):
    """The same entry with another signature that is as good (RFC 8032 asks for one of them)."""
    parts = decode(data)
    message = encode(["Signature1", parts[0], b"seatswap/1 entry", parts[2]])
    nonce = 2 + int.from_bytes(sha256(message), "big") % (ed25519.L - 2)
    first = ed25519.encoded(ed25519.times(nonce, ed25519.BASE))
    number = int.from_bytes(sha512(first + ed25519.public(seed) + message).digest(), "little")
    second = (nonce + number * ed25519.scalar(seed)) % ed25519.L
    return encode(parts[:3] + [first + second.to_bytes(32, "little")])


def place(seat):
    return [int(seat[:-1]), ord(seat[-1]) - 65]


def yes(contract, who):
    return [contract.cid, True, [list(slot) for slot in contract.slots(who.key)]]


def certificate(contract, votes, logs=()):
    """The body of a commit with the claims that the contract needs, found in `logs`."""
    needed = [leg[0] for leg in contract.legs if leg[0] == leg[1]]
    claims = {one.id: one.bytes for who in logs for one in who.log}
    return [contract.bytes, [one.bytes for one in sorted(votes, key=lambda one: one.author)],
            [claims[token] for token in needed]]


def terms(legs, nonce=0, flight=FLIGHT, coordinator=None, parties=None):
    """The bytes of a contract, right or wrong; a leg is (slot, from, to)."""
    legs = sorted([*slot, giver.key, taker.key] for slot, giver, taker in legs)
    parties = parties or sorted({leg[2] for leg in legs})
    return encode([1, flight, (coordinator or parties[0]), bytes([nonce]) * 16, parties, legs])


class Draft:
    """The terms of a contract, also of one that nobody may make."""

    def __init__(self, *legs, **other):
        self.bytes = terms(legs, **other)
        self.cid = sha256(b"seatswap/1 contract", self.bytes)
        self.legs = sorted((*slot, giver.key, taker.key) for slot, giver, taker in legs)
        self.parties = other.get("parties") or sorted({leg[2] for leg in self.legs})

    def slots(self, party):
        return [leg[:2] for leg in self.legs if leg[2] == party]


def contract(*legs, nonce=0):
    return Contract(terms(legs, nonce))


def moved(made, slot):
    """The tenure that a contract makes of `slot`."""
    return slot[0], made.cid


def unknown(number=0):
    """A contract of which nothing but its id is ever known."""
    return type("Unknown", (), {"cid": sha256(b"unknown", bytes([number]))})


def proof(one, other):
    return encode([one.bytes, other.bytes])


def pair(one, slot, other, back, nonce=0):
    """The contract by which two swap."""
    return contract((slot, one, other), (back, other, one), nonce=nonce)
