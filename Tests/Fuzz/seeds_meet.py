# SPDX-License-Identifier: Apache-2.0
"""First inputs of what a broker gives, for seeds.py, of the values in docs/vectors."""

import base64
import hashlib
import json


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


def nats(put):
    """What a server of NATS sends: operations, greetings, answers of JetStream, and subjects."""
    streams = [
        b"PING\r\n", b"INFO {\"a\":1}\r\n+OK\r\nPONG\r\n", b"-ERR 'No Way'\r\n",
        b"MSG a.b 2 3\r\nxyz\r\nMSG a 1 r.s 0\r\n\r\nPING\r\n",
        b"HMSG q.1 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n",
        b"HMSG q 7 r 22 24\r\nNATS/1.0\r\nA: bcdef\r\n\r\nhi\r\n",
        b"MSG a 2 30000\r\n" + b"x" * 90,
        b"HTTP/1.1 400 no\r\n", b"PING\n", b"MSG a 1 3\r\nabcd\r\n", b"MSG a 1 1100001\r\n",
        b"HMSG a 1 5 3\r\n", b"MSG a\x7f 1 0\r\n", b"MSG a 1 9999999999\r\n", b"MSG a 1",
    ]
    for cut, stream in enumerate(streams):
        put("nats", bytes([cut * 4]) + stream)
    for text in (b"INFO {\"a\":1}\r\n", b"INFO {}\r\nPING\r\n", b"INFO {", b"HTTP/1.1 400\r\n"):
        put("nats", b"\x09" + text)
    body = base64.b64encode(b"card").decode()
    config = {"num_replicas": 3, "max_age": 345600 * 10 ** 9, "max_msgs_per_subject": 1}
    answers = [
        {"stream": "SA1_0", "seq": 7}, {"stream": "SA1_0", "seq": 0}, {"seq": -1},
        {"error": {"code": 404, "err_code": 10037, "description": "no message found"}},
        {"error": {"code": 404, "err_code": 10059, "description": "stream not found"}},
        {"error": {"code": 400, "description": "\x1b[31mred"}}, {"error": "all"},
        {"message": {"subject": "sa1.00.a.c.0.bo", "seq": 3, "data": body}},
        {"message": {"subject": "sa1.00.a.c.0.bo.no", "seq": 3, "data": body}},
        {"message": {"subject": "sa1.00.a.c.0.bo", "seq": 2 ** 63 - 1, "data": body}},
        {"message": {"subject": "sa1.00.a.c.0.bo", "seq": 3, "data": "no base64"}},
        {"config": config}, {"config": {**config, "max_msg_size": 100}}, {"config": {}},
    ]
    for one in answers:
        put("nats", b"\x02" + json.dumps(one).encode())
        text = json.dumps(one).encode()
        put("nats", b"\x14" + b"MSG _INBOX.a.1 1 %d\r\n%s\r\n" % (len(text), text))
    for text in (b"sa1/00/a/c/0/+", b"sa1/00/a/t/b", b"a.b", b"a//b", b"", b"a/#",
                 b'Permissions Violation for Subscription to "sa1.00.a.e"'):
        put("nats", b"\x03" + text)
