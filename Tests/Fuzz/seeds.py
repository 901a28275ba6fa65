#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes first inputs for the fuzz targets, of the values in docs/vectors, boarding passes,
cabin layouts, venues and lists of streets.

usage: seeds.py FOLDER      one folder a target below FOLDER; scripts/fuzz minimises them
"""

import hashlib
import json
import pathlib
import sys

import seeds_meet
import seeds_services

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = ROOT / "docs" / "vectors"


def vectors(name):
    return json.loads((VECTORS / name).read_text())


def put(target, data):
    folder = pathlib.Path(sys.argv[1]) / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def wire():
    """Frames, messages, and their payloads as items of CBOR."""
    stream = b""
    for frame in vectors("frames.json")["frames"]:
        data = bytes.fromhex(frame["frame"])
        if len(data) < 1024:
            stream = (stream + data)[-1000:]
            put("frames", bytes([5, 0, 0]) + data)
        put("messages", data[4:])
        if len(data) < 1024:
            put("cbor", b"\x01" + data[5:])
            put("libcbor", data[5:])
    put("frames", bytes([5, 7, 1]) + stream)
    for frame in vectors("venue-frames.json")["frames"]:
        put("messages", bytes.fromhex(frame["frame"])[4:])
    for frame in vectors("asks.json")["messages"] + vectors("asks.json")["refused_messages"]:
        if len(frame["frame"]) < 2048:
            put("messages", bytes.fromhex(frame["frame"])[4:])


def model():
    """Entries with their payloads, contracts, bundles."""
    for entry in vectors("entries.json")["entries"]:
        put("entries", bytes.fromhex(entry["entry"]))
    for contract in walk(vectors("contracts.json")):
        put("contracts", contract)
    for path in sorted(VECTORS.glob("bundle-*.json")):
        put("bundles", b"".join(map(bytes.fromhex, json.loads(path.read_text())["items"])))


def walk(value):
    """Every contract among the values of contracts.json."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "contract" and isinstance(part, str):
                yield bytes.fromhex(part)
            else:
                yield from walk(part)
    elif isinstance(value, list):
        for part in value:
            yield from walk(part)


REQUESTS = [
    {"op": "hello"}, {"op": "status"}, {"op": "peers"}, {"op": "seats"}, {"op": "cabin"},
    {"op": "cabin-use", "layout": "klm-e190"},
    {"op": "who", "who": "1A"}, {"op": "say", "text": "hi \u00e9 \u202e\n"},
    {"op": "msg", "who": "p1", "text": "psst"}, {"op": "log", "since": 600, "limit": 5},
    {"op": "search", "text": "psst \"a* OR 座", "limit": 5},
    {"op": "watch", "events": ["chat", "swap"]}, {"op": "offer", "for": ["window", "12A"]},
    {"op": "withdraw"}, {"op": "swap", "seat": "1A", "note": "please", "expires": 60},
    {"op": "swap", "seat": "1A", "give": "7C"},
    {"op": "propose", "legs": [{"seat": "1A", "to": "p1"}, {"seat": "1B", "to": "p0"}]},
    {"op": "requests"}, {"op": "accept", "request": 1, "override": True},
    {"op": "decline", "request": 1, "note": "no"}, {"op": "counter", "request": 1, "take": "1B"},
    {"op": "cancel", "request": 1}, {"op": "force", "request": 1}, {"op": "receipt"},
    {"op": "verify", "who": "p0"}, {"op": "compared", "same": True}, {"op": "verify-cancel"},
    {"op": "vouch", "who": "p0"}, {"op": "block", "who": "p2"}, {"op": "unblock", "who": "p2"},
    {"op": "rename", "name": "new"}, {"op": "claim", "seat": "9D"},
    {"op": "release", "seat": "7D"}, {"op": "export", "after": None},
    {"op": "peer-add", "address": "10.0.0.1:9"}, {"op": "forget"}, {"op": "down"},
]


def control():
    """Requests of the control socket, and JSON of every kind."""
    both = b""
    for number, request in enumerate(REQUESTS):
        line = json.dumps({"id": number, **request}).encode()
        put("json", b"\x07" + line + b"\n")
        put("requests", line + b"\n")
        both += line + b"\n"
    put("requests", both[:2000])
    for text in [
        '{"a":[1,-2.5e-3,true,false,null,"\\ud83d\\ude00\\u00e9\\n"],"b":{}}', '[[[[[[]]]]]]',
        '9223372036854775807', '-0', '1e308', '"YWJj"', '"\\u0000\u200b\u4e00"',
        '{"ok":false,"error":{"code":"failed","what":"x","why":"y","try":"z"},"version":1}',
    ]:
        put("json", b"\xff" + text.encode())


def pages():
    """What browsers send: a body, questions and wishes to come in, heads, and rows of calls."""
    call = b"\x01" + bytes(16) + (7).to_bytes(8, "big") + bytes(16)
    for box in (call + b'{"op":"status"}' + bytes(16), b"\x02" + call[1:] + bytes(16), bytes(57)):
        put("pages", b"\x00" + bytes(range(32)) + bytes(24) + box)
    put("pages", b"\x00" + bytes(112))
    for request in [
            {"op": "join", "name": "Mia", "seat": "14b", "party": "aaaa-aaaa-aaaa-aaaa-a"},
            {"op": "join", "name": " \u00c9mile ", "seat": "05F", "party": ""},
            {"op": "join", "name": "14B", "seat": "14B"}, {"op": "join", "name": "x", "seat": "0A"},
            {"op": "join", "name": "\u202ex", "seat": "256A"},
            {"op": "enter", "key": "00" * 16}, {"op": "desk"}, {"op": "say"}]:
        put("pages", b"\x01" + json.dumps(request).encode())
    for heads in (b"10.42.0.1:7790", b"10.42.0.1:7790\0http://10.42.0.1:7790",
                  b"10.42.0.1:7790\0null", b"evil.example:7790", b""):
        put("pages", b"\x02" + heads)
    for number in range(4):
        put("pages", b"\x03" + hashlib.sha256(f"pages {number}".encode()).digest() * (1 + number))


def passes():
    """Texts of boarding passes, with the day of the year on which they are looked at."""
    path = ROOT / "Tests" / "SeatAgentTests" / "Vectors" / "boarding-passes.json"
    for vector in json.loads(path.read_text()):
        put("boarding", b"\x10" + vector["barcode"].encode())


def wishes():
    """Wishes in words, with the rows of two own seats."""
    for text in [
        "window, not middle front then aisle", "rows 1-10 not 12A or 12B", "near 14C or next to bo",
        "next to 'ada l.' then 12A 12B, any", "away from toilets, exit row, extra legroom",
        "not not window", "window, aisle, front, back, middle", "1-255ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "2A 4B 6A 8B 10A 12B 14A 16B 18A 20B 22A 24B 26A 28B 30A 32B 1C", "", "rows 9-3",
        "windoww", "exit row 7 to", "not next to \"\" beside 12 c",
    ]:
        put("wishes", b"\x0e\x01" + text.encode())


def seatsets():
    """The seats of wishes: window and aisle, a few rows, single seats, and what is none."""
    def number(value):
        sizes = ((24, None, 0), (256, 24, 1), (65536, 25, 2), (1 << 32, 26, 4))
        head, size = next((head, size) for end, head, size in sizes if value < end)
        return bytes([value]) if head is None else bytes([head]) + value.to_bytes(size, "big")

    every = (1 << 26) - 1
    for blocks in [
        [(0b100001, 1, 32)], [(0b001100, 3, 9), (0b100001, 12, 12)], [(every, 1, 255)],
        [(1 << row % 6, row, row) for row in range(1, 17)], [(1, 1, 9), (2, 1, 9), (4, 2, 255)],
        [(1, 1, 9), (1, 9, 10)], [(1, 9, 8)], [(0, 1, 2)], [(1, 1, 256)], [(2, 4, 4), (1, 4, 4)],
        [], [(1, row, row) for row in range(1, 18)],
    ]:
        items = b"".join(b"\x83" + b"".join(map(number, block)) for block in blocks)
        put("seatsets", b"\x07" + bytes([0x80 + len(blocks)]) + items)


def party():
    """Codes, links and lines of a party of companions."""
    for text in ["aaaa-aaaa-aaaa-aaaa-a", "AAAA AAAA AAAA AAAA A", "aaaa-aaaa-aaaa-aaab-a", "a"]:
        put("party", b"\x00" + text.encode())
    plain = "party?v=1&k=" + "a" * 17
    successor = "party-next?v=1&k=" + "a" * 17 + "&x=" + "a" * 52 + "&p=" + "a" * 26
    for text in [plain, plain + "&f=XY1/2026-11-22/DUB", "party?v=2", "venue?v=1", successor]:
        put("party", b"\x01seatagent:" + text.encode())
    put("party", b"\x02\x83\x00\x62hi\x18\x2a")
    put("party", b"\x02\x83\x01\x62hi\x18\x2a")
    put("party", b"\x03" + bytes(64))


def statements():
    """Statements of the vectors, right and wrong, and what people may say in a venue."""
    found = vectors("statements.json")
    for one in found["statements"] + found["refused"]:
        put("statements", b"\x00" + bytes.fromhex(one["statement"]))
    for number in range(16):
        data = hashlib.sha512(f"statements {number}".encode()).digest()
        put("statements", b"\x01" + data * (1 + number % 3))
    for one in found["messages"] + found["refused_messages"]:
        frame = bytes.fromhex(one["frame"])
        # STATEMENTS, those that are short enough to change a little.
        if frame[4] == 75 and len(frame) < 8192:
            put("statements", b"\x02" + frame[5:])


def asks():
    """Statements and lists of the vectors, and what people may ask in a venue."""
    found = vectors("asks.json")
    for one in found["statements"]:
        put("statements", b"\x00" + bytes.fromhex(one["statement"]))
    for one in found["bodies"]:
        body = bytes.fromhex(one["body"])
        head = bytes([0x58, len(body)])
        put("statements",
            b"\x00\x83\x58\x20" + bytes(32) + head + body + b"\x58\x40" + bytes(64))
    for number in range(96):
        parts = range(1 + number % 4)
        put("asks", b"\x01" + b"".join(
            hashlib.sha512(f"asks {number} {part}".encode()).digest() for part in parts))
    for one in found["messages"] + found["refused_messages"]:
        frame = bytes.fromhex(one["frame"])
        if frame[4] == 77 and len(frame) < 2048:
            put("asks", b"\x00" + frame[5:])


def announcements():
    """Records of the vectors, right and wrong, alone and as a daemon reports them."""
    found = vectors("venue-files.json")
    for one in found["records"] + found["refused_records"]:
        text = bytes.fromhex(one["record"])
        put("announcements", b"\x00" + text)
        if len(text) < 256:
            # Seen, the question taken, read, and the time passes.
            put("announcements",
                bytes([1, 0, 5, 3, 0, 4, len(text)]) + text + bytes([7, 60, 2, 5, 7, 200]))


def ledgers():
    """What ledgers say in the vectors, right and wrong, and what a desk may write."""
    found = vectors("book-forms.json")
    for one in found["accepted"] + found["refused"]:
        data = bytes.fromhex(one["entry"])
        if len(data) < 1024:
            put("ledgers", b"\x00" + data)
    for number in range(16):
        data = hashlib.sha512(f"ledgers {number}".encode()).digest()
        put("ledgers", b"\x01" + data * (1 + number % 4))


def cabins():
    """The layouts that come with the program."""
    for path in sorted((ROOT / "cabins").glob("*.json")):
        put("cabins", path.read_bytes())


def venues():
    """The examples of venues, one with all members, and some that are wrong."""
    for path in sorted((ROOT / "examples" / "venues").glob("*.json")):
        put("venues", b"\x64" + path.read_bytes())
    least = {
        "version": 1, "slug": "a", "name": "A", "zone": "UTC", "volume": "day",
        "hours": {"Mo,We-Fr": "08:00-12:00,13:00-26:00"}, "rules": {"join": "open"},
        "places": [{"id": 1, "name": "A", "mode": "counted", "count": 9, "at": [1.5, -2]}],
        "classes": [{"name": "all"}]}
    full = {
        **least, "about": "a", "terms": "t", "phone": "+1", "web": "https://a.example",
        "address": "1 A St", "at": [-90, 180], "building": "AB1C2",
        "closed": {"2026-12-25": "off: Christmas", "2026-10-28": "10:00-11:00"},
        "open": {"2026-10-28": "09:00-18:00: fair"}, "groups": {"g": {"name": "G"}},
        "units": {"u": 3},
        "places": [
            {"id": 4095, "name": "B", "group": "g", "mode": "granted", "uses": {"u": 2},
             "grain": 30, "min": 30, "max": 60, "turnover": 5, "card": True, "note": "n",
             "classes": ["c"], "hours": {"Sa,Su": "00:00-24:00"}, "address": "x", "at": [0, 0]},
            {"id": 2, "name": "C", "mode": "granted", "grain": 5, "lengths": [5, 10]},
            {"id": 3, "name": "D", "mode": "noted"}],
        "classes": [
            {"name": "c", "mail": "?#@a.example", "number": "1##", "proof": "card",
             "quota": [{"group": "g", "minutes": 60}, {"bookings": 2}], "price": {"day": 1}},
            {"name": "all", "price": {"hour": 2}}],
        "money": {"currency": "EUR", "payto": "payto://x/y", "link": "https://a/{code}",
                  "payBy": -9},
        "rules": {"join": "card", "swaps": "class", "ahead": 9, "notice": 5, "cancel": 0,
                  "arrive": 9, "waiting": True, "together": 2, "member": "suite"}}
    wrong = [{**least, "hours": {"Mo-Mo": "1"}}, {**least, "slugg": 1}, {**least, "at": [91, 0]},
             {**least, "places": []}, {**full, "units": {}}, {**full, "closed": {"x": "off"}}]
    cabin = {"version": 1, "slug": "flight", "name": "Cabin", "mode": "claimed",
             "cabin": "ryanair-737-800"}
    for number, venue in enumerate([least, full, *wrong, cabin, {**cabin, "cabin": "x"}]):
        put("venues", bytes([number * 25]) + json.dumps(venue).encode())
    signed = {"venue": least, "operator": "a" * 52, "revision": 3, "signature": "A" * 86 + "=="}
    for number, file in enumerate([
            signed, {**signed, "revision": 0}, {**signed, "signature": "A"}, {"signature": ""},
            {**signed, "venue": full}, {**signed, "operator": "A"}, {**signed, "more": 1}]):
        put("venues", bytes([number * 25]) + json.dumps(file).encode())


def gazetteers():
    """Lists of streets: with and without quotes, cities and other line ends, and wrong ones."""
    head = "name,lat,lon,city\n"
    for text in [
            head + "12 Main St,43.6535,-79.3839,Toronto\nMain St 12,51,3,Gent\n",
            "\ufeffcity,lon,lat,name\r\n,180,-90.00000001,\"A \"\"B\"\", C\"\r\n\r\n",
            "NAME,Lat,lon\nHauptstraße 5,1,2\nhauptstr. 5,1,2.0\nRue Émile-Zola,3,4",
            head + "\"a\nb\",1,2,c\n", head + "a,91,2,b\n", head + "a,1,2\n",
            head + "\"a,1,2,b\n", head + "a\"b,1,2,b\n", head + "a,1,2,b\rc", head,
            "name,lat,lon,lat\n", "name;lat;lon\n", head + "., ,1,2,\n"]:
        put("gazetteer", text.encode())
    put("gazetteer", head.encode() + b"\xff,1,2,b\n")


def bookings():
    """Lines that book something of the examples, and some that do not."""
    lines = {
        0: ["tennis 5 dec 18:00 2h", "'Tennis 2' sat 18-20", "Tennis 2, Sat 5 Dec 18:00-20:00",
            "basketball tomorrow at 6pm for 90 min", "badminton a dec 5 2026 11:00 1h30",
            "tennis basketball sat 18:00", "#11 2026-04-05 18:00 1.5h", "tennis 2 dec 5 9:00",
            "ba sat 18", "tennis 2 sun 5 dec 18:00", "31 feb", "tennis sat 18-18 x2", 'twice "'],
        1: ["bays today 14:07 4h", "bays Sat 28 Mar 14:10 to Sun 29 Mar 14:10", "bays sun 2:30 1d"],
        2: ["Piraat 12 jun", "2 x Piraat 12-14 jun", "xl sat to mon x1", "piraat 12 jun 18:00",
            "kasteel 30 dec to 2 jan 2027"],
        3: ["singel sat 10:00", ""]}
    number = 0
    for example, texts in lines.items():
        for text in texts:
            put("bookings", bytes([number * 12 % 64 * 4 + example]) + text.encode())
            number += 1


def rosters():
    """Rosters of the example with courts, right and wrong."""
    head = "mail,number,name,class\n"
    ada = "s12345@nwmissouri.edu,919123456,Ada,student\n"
    for text in [
            head + ada, head + ada + "S00001@nwmissouri.edu,919000001,,\n",
            "\ufeffNumber,CLASS,mail,name\r\n919123456,,s12345@nwmissouri.edu,"
            "\"A \"\"B\"\", C\"\r\n",
            "number,mail\n\n919123456,s12345@nwmissouri.edu", head + ada + ada, head,
            "mail;number\n",
            head + "ada@x.org,919123456,,guest\n", head + "a,b,c\n", head + "\"a", "mail,name\n",
            head + "s12345@nwmissouri.edu,12,,\n", head + ada.replace("12345@", "54321@") + ada]:
        put("roster", text.encode())
    put("roster", head.encode() + b"\xff,1,2,b\n")


def choices():
    """Rows of decisions: nothing is in the vectors for these, so any bytes will do."""
    for target in ["hello", "node", "records"]:
        for number in range(8):
            data = hashlib.sha256(f"{target} {number}".encode()).digest()
            put(target, data * (1 + number % 3))
    # HELLO and its answer, both right, in the two roles.
    for role in (0, 1):
        put("hello", bytes([role, 1, 0, 0, 0, 0, 2, 0, 0, 0]))


wire()
model()
control()
pages()
passes()
wishes()
seatsets()
party()
statements()
asks()
announcements()
seeds_meet.meet(put, vectors)
seeds_meet.tunnel(put, vectors)
seeds_meet.nats(put)
seeds_services.services_and_forms(put)
ledgers()
cabins()
venues()
gazetteers()
bookings()
rosters()
choices()
