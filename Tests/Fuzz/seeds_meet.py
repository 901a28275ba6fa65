# SPDX-License-Identifier: Apache-2.0
"""First inputs of what a broker gives, for seeds.py, of the values in docs/vectors."""

import hashlib


def meet(put, vectors):
    """What is sealed at a meeting point, right and wrong, cards, lists of letters and topics."""
    found = vectors("meet-payloads.json")
    for one in found["accepted"] + found["refused"] + found["refused_padding"]:
        if len(one["plain"]) < 2048:
            put("meet", b"\x00" + bytes.fromhex(one["plain"]))
    cards = vectors("meet-cards.json")
    for one in cards["accepted"] + cards["judged"] + cards["refused"]:
        if len(one["body"]) < 2048:
            put("meet", b"\x01" + bytes.fromhex(one["body"]))
    for one in cards["judged"]:
        body, signature = (bytes.fromhex(one[name]) for name in ("body", "signature"))
        if len(body) < 1024:
            head = b"\x59" + len(body).to_bytes(2, "big")
            put("meet", b"\x00\x84\x01" + head + body + b"\x58\x40" + signature + b"\x42\0\0")
    boxes = vectors("meet-boxes.json")
    for one in boxes["letters"] + boxes["refused_letters"]:
        if len(one["list"]) < 2048:
            put("meet", b"\x02" + bytes.fromhex(one["list"]))
    names = vectors("meet-names.json")
    for one in names["topics"] + names["refused_topics"]:
        # The group of the fuzzer is another one: what stands behind its name.
        put("meet", b"\x03" + "/".join(one["topic"].split("/")[3:]).encode())
    for number in range(16):
        data = hashlib.sha512(f"meet {number}".encode()).digest()
        put("meet", b"\x04" + data * (1 + number % 3 * 7))


def tunnel(put, vectors):
    """Bodies, the plain halves of OPENs, frames, and decisions of a hostile broker."""
    found = vectors("meet-tunnels.json")
    key = hashlib.sha256(b"\x09\x02").digest()
    for one in found["bodies"] + found["refused_bodies"]:
        data = bytes.fromhex(one["body"])
        if len(data) < 512:
            put("tunnel", b"\x00" + data)
            put("tunnel", b"\x02\0\0\0\x01\0\x20\x03" + data)
    for made in (b"\0", b"\x18\x18", b"\x1a\x6b\x04\x1f\x10", b"\x18\x01", b"\x20", b"\0\0"):
        put("tunnel", b"\x01\x83\x01\x58\x20" + key + made)
    for number in range(96):
        parts = range(1 + number % 8)
        put("tunnel", b"\x03" + b"".join(
            hashlib.sha512(f"tunnel {number} {part}".encode()).digest() for part in parts))
