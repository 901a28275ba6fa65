# SPDX-License-Identifier: Apache-2.0
"""Signed files, links and announcements of venues (docs/protocol.md section 31), for the second
reader."""

import base64
import json
import re

import ed25519
from second_reader import Bad, encode, need, number

SLUG = r"[a-z0-9][a-z0-9-]*(?:/[a-z0-9][a-z0-9-]*)?"


def key(text):
    """An operator's key from its 52 characters."""
    need(type(text) is str and re.fullmatch("[a-z2-7]{52}", text), "key")
    found = base64.b32decode(text.upper() + "====")
    need(base64.b32encode(found).decode().lower().rstrip("=") == text, "bits of the key")
    return found


def members(pairs):
    """An object that has each member once."""
    need(len({name for name, _ in pairs}) == len(pairs), "member twice")
    return dict(pairs)


def line(venue):
    """The one form of a venue."""
    text = json.dumps(venue, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode()


def signed_bytes(runs_it, revision, words):
    return encode(["seatswap/1 venue", runs_it, revision, words])


def file(text):
    """Whose a signed file is, its revision, and the line that is signed."""
    try:
        found = json.loads(text, object_pairs_hook=members)
    except ValueError as error:
        raise Bad("JSON") from error
    need(set(found) == {"venue", "operator", "revision", "signature"}, "members")
    runs_it = key(found["operator"])
    revision = number(found["revision"], 1, 65535)
    need(re.fullmatch("[A-Za-z0-9+/]{86}==", found["signature"]), "signature")
    words = line(found["venue"])
    need(len(words) <= 8192, "length")
    need(ed25519.verify(
        runs_it, signed_bytes(runs_it, revision, words), base64.b64decode(found["signature"])))
    return runs_it, revision, words


def link(text):
    """Name, key and kind of volumes of a link."""
    found = re.fullmatch(
        rf"seatagent:venue\?n=({SLUG})&k=([^&]*)&p=(day|week|month|quarter|year)", text)
    need(found and len(found[1]) <= 24, "link")
    return found[1], key(found[2]), found[3]


def record(data):
    """Name, key and kind of volumes of the TXT record of an announcement."""
    need(len(data) <= 400, "length")
    parts, rest = {}, data
    while rest:
        size, item, rest = rest[0], rest[1:1 + rest[0]], rest[1 + rest[0]:]
        need(len(item) == size, "cut")
        name, _, value = item.partition(b"=")
        if name in (b"v", b"n", b"k", b"p"):
            need(name not in parts, "a part twice")
            parts[name] = value.decode("latin-1")
    need(set(parts) == {b"v", b"n", b"k", b"p"} and parts[b"v"] == "1", "parts")
    return link(f"seatagent:venue?n={parts[b'n']}&k={parts[b'k']}&p={parts[b'p']}")
