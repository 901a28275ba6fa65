# SPDX-License-Identifier: Apache-2.0
"""X25519 (RFC 7748), HKDF-SHA256 (RFC 5869) and XChaCha20-Poly1305 in plain Python, for the second
reader: what the documents take from elsewhere, and no wrong reading changes."""

import hashlib
import hmac
from functools import lru_cache

from second_party import block, cover, inner, poly1305
from second_reader import need

P = 2**255 - 19


@lru_cache(maxsize=4096)
def x25519(secret, point):
    """The ladder of RFC 7748 section 5."""
    number = int.from_bytes(secret, "little") & ~7 & (1 << 255) - 1 | 1 << 254
    u = int.from_bytes(point, "little") & (1 << 255) - 1
    x2, z2, x3, z3, swapped = 1, 0, u, 1, 0
    for place in range(254, -1, -1):
        bit = number >> place & 1
        if swapped != bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swapped = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        da, cb, aa, bb = d * a % P, c * b % P, a * a % P, b * b % P
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        e = aa - bb
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
    if swapped:
        x2, z2 = x3, z3
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def public(secret):
    return x25519(secret, b"\x09" + bytes(31))


def hkdf(salt, material, info, count):
    root = hmac.new(salt, material, hashlib.sha256).digest()
    found = last = b""
    number = 0
    while len(found) < count:
        number += 1
        last = hmac.new(root, last + info + bytes([number]), hashlib.sha256).digest()
        found += last
    return found[:count]


@lru_cache(maxsize=4096)
def seal(key, nonce, data, plain):
    """With what it is bound to, `data`."""
    fresh, rest = inner(key, nonce)
    text = cover(fresh, rest, plain)
    return text + poly1305(block(fresh, 0, rest)[:32], data, text)


@lru_cache(maxsize=4096)
def unsealed(key, nonce, data, sealed):
    """What is in it; None for what was sealed otherwise."""
    fresh, rest = inner(key, nonce)
    text, proof = sealed[:-16], sealed[-16:]
    if poly1305(block(fresh, 0, rest)[:32], data, text) != proof:
        return None
    return cover(fresh, rest, text)


def unseal(key, nonce, data, sealed):
    need(len(sealed) > 16, "nothing sealed")
    plain = unsealed(key, nonce, data, sealed)
    need(plain is not None, "sealed otherwise")
    return plain
