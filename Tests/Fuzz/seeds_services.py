# SPDX-License-Identifier: Apache-2.0
"""First inputs of what services, brokers' heads, keys and forms say, for seeds.py."""

import base64
import hashlib
import json
import struct


def name(text):
    return b"".join(bytes([len(part)]) + part.encode() for part in text.split(".")) + b"\0"


def dns(put):
    """Answers about brokers (RFC 1035 section 4.1, RFC 2782)."""
    def record(target, port=8883, kind=33, length=None):
        rest = struct.pack(">HHH", 0, 0, port) + target
        size = len(rest) if length is None else length
        return b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 60, size) + rest
    one, two = record(name("m1.meet.test")), record(name("M2.meet.test"), 443)
    back = record(b"\x02m1\xc0\x0c")
    for count, rest in [
            (1, one), (2, one + two), (2, one + one), (1, back), (1, record(b"\0")),
            (1, record(name("127.0.0.1"))), (1, record(name("m.test"), kind=5)),
            (1, record(name("m.test"), length=4)), (1, record(b"\xc0\x0c" * 2)), (3, one),
            (0, b""), (1, record(name("a." * 70 + "b"))), (9, one * 9), (1, record(b"\xc0\xff"))]:
        put("dns", bytes([count << 1 | 1]) + rest)
    head = struct.pack(">HHHHHH", 7, 0x8180, 1, 1, 0, 0)
    whole = head + name("_seatmeet._tcp.meet.test") + struct.pack(">HH", 33, 1)
    put("dns", b"\0" + whole + one)
    put("dns", b"\0" + whole[:20])
    put("dns", b"\0" + whole.replace(b"\x81\x80", b"\x01\x80") + one)


def gate(put):
    """Packets of MQTT 5.0 as a broker sends them, and others."""
    connack = b"\x20\x03\0\0\0"
    said = b"\x30\x08\0\x03a/b\0xy"
    for stream in [
            connack, connack + said, connack + b"\x40\x02\0\x01", connack + b"\xd0\0", said,
            connack + connack, connack + b"\x90\x04\0\x01\0\0" + said * 3, connack + b"\xe0\0",
            connack + b"\x32\x0a\0\x03a/b\0\x01\0xy", connack + b"\x30\xff\xff\xff\x7f",
            connack + b"\x30\x9c\x9c\x01" + b"z" * 80, connack + b"\x30\x80\0", connack + b"\xf0\0",
            connack + b"\x34\x08\0\x03a/b\0xy", b"", connack + b"\x30\x02\0\0"]:
        put("gate", b"\x02" + stream)
        put("gate", b"\x1f" + stream)


def services(put):
    """Schedules, geocoders, positions, and what the reader of pictures says."""
    def flight(**more):
        return {
            "flight": {"iataNumber": "XY123"},
            "departure": {"iataCode": "FRA", "scheduledTime": "2026-03-01T10:15:00.000"},
            "arrival": {"iataCode": "JFK", "scheduledTime": "2026-03-01T13:00:00.000"}, **more}
    short = flight(departure={"iataCode": "fra", "scheduledTime": "10:15"})
    other = flight(arrival={"iataCode": "??", "scheduledTime": "2031-01-01T00:00"})
    for answer in [
            [flight()], [short], [other], [], {"error": "No Record Found"}, {"error": "\x1b[2J"},
            [flight(codeshared={"flight": {"iataNumber": "lh440"}})], [{}, 1, flight()], {}, 7,
            [flight(departure={"iataCode": "FRA", "scheduledTime": "2026-03-02T10:15"})]]:
        put("services", b"\0" + json.dumps(answer).encode())
    place = {"lat": "45.5017", "lon": "-73.5673", "display_name": "12, Main St, Springfield"}
    for answer in [
            place, {**place, "lat": "90.1"}, {**place, "lat": 45}, {**place, "display_name": " "},
            {**place, "display_name": "\x1b]0;x\x07" * 40}, {**place, "lon": "-180"}, [place]]:
        put("services", b"\x01" + json.dumps(answer).encode())
    for line in ["45.5017,-73.5673\n", "1 2", "-0.0,0", "91,0", "1,2,3", "a,b", "", "1.2345678,9"]:
        put("services", b"\x02" + line.encode())
    leg = {
        "from": "FRA", "to": "JFK", "carrier": "XY", "flight": "123", "flightDate": "2026-03-01",
        "compartment": "Y", "field": "012A", "status": 3}
    for answer in [
            {"legs": [leg], "warnings": [], "departs": "2026-03-01T09:15:00Z"},
            {"legs": [leg] * 4, "warnings": ["x"]}, {"legs": [leg] * 5, "warnings": []},
            {"legs": [{**leg, "from": "\x1b[A", "status": 900}], "warnings": []}, {"legs": []},
            {"legs": [{}], "warnings": [], "departs": "soon"}, {"legs": [7], "warnings": []}]:
        put("services", b"\x03" + json.dumps(answer).encode())


def seatkey(put):
    """Keys that go along: texts, bodies and what is in them."""
    body = hashlib.sha512(b"a").digest() * 2
    total = hashlib.sha256(b"seatkey1:" + body).digest()[:4]
    text = base64.urlsafe_b64encode(body + total).rstrip(b"=")
    for typed in [
            b"seatkey1:" + text, b"seatkey1:" + text[:-1], b"seatkey2:" + text, b"seatkey:",
            b"SEATKEY1:" + text, b" seatkey1:" + text[:40] + b"\n" + text[40:], b"", b"hello"]:
        put("seatkey", b"\0" + typed)
    for size in (0, 39, 40, 41, 128):
        put("seatkey", b"\x01" + (body * 2)[:size])
    def plain(floor, gated, *texts):
        parts = b"".join(bytes([len(part)]) + part.encode() for part in texts)
        return b"\x02" + bytes(64) + struct.pack(">I", floor) + bytes([gated]) + parts
    flight = "XY123/2026-03-01/FRA"
    for data in [
            plain(7, 0, flight, "Ada", "12A"), plain(4096, 1, flight, "", ""),
            plain(0, 0, flight, "Ada", "12A"), plain(4097, 0, flight, "Ada", "12A"),
            plain(7, 2, flight, "Ada", "12A"), plain(7, 0, "XY123", "Ada", "12A"),
            plain(7, 0, flight.lower(), "Ada", "12A"),
            plain(7, 0, flight, "Ada"), plain(7, 0, flight, "Ada", "12A") + b"x"]:
        put("seatkey", data)


def forms(put):
    """Forms of people who join or park, lists of members, sealed files."""
    def form(kind, *fields):
        return bytes([kind]) + b"".join(
            bytes([number, len(text.encode())]) + text.encode() for number, text in fields)
    for place in range(4):
        for first in (0, 1):
            put("forms", form(4 * place, (first, "Ada"), (first + 1, "ada@x.org")))
            put("forms", form(
                4 * place, (first, "Ada"), (first + 1, "s12345@nwmissouri.edu"),
                (first + 2, "919123456"), (first + 3, "12B")))
        put("forms", form(4 * place, (1, "\x1b[2J"), (2, "ada@x.org"), (9, "x")))
    for fields in [
            [(1, "12B"), (2, "ABC123")], [(0, "12B"), (1, "ABC123")], [(1, "abc")],
            [(1, "12B"), (1, "12B")], [(2, "A"), (1, "123456")], []]:
        put("forms", form(1, *fields))
    member = {"number": 1, "who": "ada@x.org", "name": "Ada", "mail": "ada@x.org"}
    for members in [
            [], [member], [member, {**member, "number": 2, "who": "bo"}], [member, member],
            [{**member, "number": 9}], [{**member, "name": "\x1b[2J"}]]:
        put("forms", b"\x02" + json.dumps({"version": 1, "next": 3, "members": members}).encode())
    def b64(size):
        return base64.b64encode(bytes(size)).decode()
    sealed = {
        "version": 1, "derivation": "argon2id13", "passes": 1, "kibibytes": 8, "salt": b64(16),
        "nonce": b64(24), "sealed": b64(48)}
    for change in [
            {}, {"version": 2}, {"passes": 1 << 40}, {"salt": "=="}, {"kibibytes": 1 << 21},
            {"derivation": "none"}, {"sealed": ""}]:
        put("forms", b"\x03" + json.dumps({**sealed, **change}).encode())


def services_and_forms(put):
    """All of them."""
    for part in (dns, gate, services, seatkey, forms):
        part(put)
