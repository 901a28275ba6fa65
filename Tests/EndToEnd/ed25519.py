# SPDX-License-Identifier: Apache-2.0
"""Ed25519 verification (RFC 8032) with the checks of shape of docs/protocol.md section 8.

Slow and plain; for a second reader, not for an agent.
"""

import hashlib
from functools import lru_cache

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
SMALL = {0, 1, P - 1} | {int.from_bytes(bytes.fromhex(text), "little") for text in (
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")}


def add(p, q):
    """Extended coordinates (RFC 8032 section 5.1.4)."""
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


@lru_cache(maxsize=64)
def doubles(point):
    """1, 2, 4 ... times a point: the same few keys come again and again."""
    found = [point]
    while len(found) < 256:
        found.append(add(found[-1], found[-1]))
    return found


@lru_cache(maxsize=1)
def multiples():
    """For each byte of a number, 0 to 255 times what it counts of the base point."""
    rows = []
    for double in doubles(BASE)[::8]:
        row = [(0, 1, 1, 0)]
        while len(row) < 256:
            row.append(add(row[-1], double))
        rows.append(row)
    return rows


def times(number, point):
    result = (0, 1, 1, 0)
    if point == BASE:
        for byte, row in zip(number.to_bytes(32, "little"), multiples(), strict=True):
            result = add(result, row[byte])
        return result
    for place, double in enumerate(doubles(point)):
        if number >> place & 1:
            result = add(result, double)
    return result


def good_y(data):
    """The canonical y of a point that is not of small order, or None."""
    y = int.from_bytes(data, "little") & (2**255 - 1)
    return y if y < P and y not in SMALL else None


def point(data):
    y = good_y(data)
    if y is None:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P:
        return None
    if x & 1 != data[31] >> 7:
        x = P - x
    return x, y, 1, x * y % P


BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def encoded(p):
    inverse = pow(p[2], -1, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def scalar(seed):
    number = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little")
    return (number & (2**254 - 8)) | 2**254


@lru_cache
def public(seed):
    """The public key of a seed of 32 bytes."""
    return encoded(times(scalar(seed), BASE))


def sign(seed, message):
    secret = hashlib.sha512(seed).digest()[32:]
    nonce = int.from_bytes(hashlib.sha512(secret + message).digest(), "little") % L
    r = encoded(times(nonce, BASE))
    number = int.from_bytes(
        hashlib.sha512(r + public(seed) + message).digest(), "little") % L
    return r + ((nonce + number * scalar(seed)) % L).to_bytes(32, "little")


@lru_cache(maxsize=4096)
def verify(key, message, signature):
    """Whether it is the signature by this key and has the one allowed shape."""
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    a = point(key)
    if len(signature) != 64 or s >= L or a is None or good_y(r) is None:
        return False
    number = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L
    minus = (P - a[0], a[1], a[2], P - a[3])
    # Without the cofactor: R must be the very same bytes.
    return encoded(add(times(s, BASE), times(number, minus))) == r
