# SPDX-License-Identifier: Apache-2.0
"""Venues (docs/protocol.md section 31), for the second reader: names, volumes, statements, books
of stays and who is where."""

import base64
import datetime
import hmac
import re

import ed25519
from second_reader import Bad, array, ascending, blob, decode, encode, need, number, sha256

U63 = 2**63 - 1
FIRST, DAYS = datetime.date(2000, 1, 1), 65536


# Names

def volume(text):
    """The kind of a volume, and the numbers of its first and last day."""
    found = re.fullmatch(r"(\d{4})(?:-(?:(\d\d)(?:-(\d\d))?|Q([1-4])|W(\d\d)))?", text, re.ASCII)
    need(found, "volume")
    year, month, day, quarter, week = (part and int(part) for part in found.groups())
    try:
        if week is not None:
            first, kind = datetime.date.fromisocalendar(year, week, 1), "week"
            last = first + datetime.timedelta(6)
        elif day is not None:
            first, kind = datetime.date(year, month, day), "day"
            last = first
        else:
            low, high = ((month, month) if month is not None else
                         (3 * quarter - 2, 3 * quarter) if quarter else (1, 12))
            kind = "month" if month is not None else "quarter" if quarter else "year"
            first = datetime.date(year, low, 1)
            after = datetime.date(year + high // 12, high % 12 + 1, 1)
            last = after - datetime.timedelta(1)
    except ValueError as error:
        raise Bad("volume") from error
    need(0 <= (first - FIRST).days and (last - FIRST).days < DAYS, "volume")
    return kind, (first - FIRST).days, (last - FIRST).days


def name(text):
    """Operator, slug and volume of a gathering's name."""
    found = re.fullmatch(r"([a-z0-9-]+(?:/[a-z0-9-]+)?)/([0-9QW-]+)/([a-z2-7]{52})", text)
    need(found and len(found[1]) <= 24, "name")
    need(not any(part.startswith("-") for part in found[1].split("/")), "name")
    volume(found[2])
    key = base64.b32decode(found[3].upper() + "====")
    need(base64.b32encode(key).decode().lower().rstrip("=") == found[3], "key")
    return key, found[1], found[2]


def canonical(key, slug, days):
    plain = base64.b32encode(key).decode().lower().rstrip("=")
    return f"seatswap-venue-v1|{plain}|{slug}|{days}"


def flight_id(auth):
    return sha256(b"seatswap/flight-id/v1", auth, b"\x03")


# Statements

def read_stay(value):
    place, booking, since, until, tag = array(value, 5)
    number(place, 1, 4095)
    if booking is not None:
        blob(booking, 32)
    number(since, 0, U63)
    if until is not None:
        number(until, since, U63)
    if tag is not None:
        blob(tag, 16)


class Statement:
    """One that is well formed; `stay` is None for what later agents say."""

    def __init__(self, data):
        self.author, self.body, self.signature = array(decode(data), 3)
        blob(self.author, 32), blob(self.body, 1, 512), blob(self.signature, 64)
        value = array(decode(self.body), 1, 4096)
        kind = number(value[0], 0, U63)
        self.revision, self.stay = None, None
        if kind == 1:
            array(value, 3)
            self.revision, self.stay = number(value[1], 1, 2**32 - 1), value[2]
            read_stay(self.stay)
        self.id = sha256(b"seatswap/1 statement id", self.author, self.body)
        need(encode([self.author, self.body, self.signature]) == data)

    def signed_bytes(self, gathering):
        return encode(["seatswap/1 statement", gathering, self.body])

    def is_signed(self, gathering):
        return ed25519.verify(self.author, self.signed_bytes(gathering), self.signature)


# Books

class Book:
    """Stays of a volume: the begin of its first day and the end of each, and when places close."""

    def __init__(self, days, closings):
        self.days, self.closings, self.kept = days, closings, {}

    def day_end(self, since):
        """When the day ends on which that is; None outside of the volume."""
        return next((end for end in self.days if end > since), None) \
            if since >= self.days[0] else None

    def take(self, statement):
        if statement.stay is None or self.day_end(statement.stay[2]) is None:
            return
        old = self.kept.get(statement.author)
        if old is None or (-statement.revision, statement.id) < (-old.revision, old.id):
            self.kept[statement.author] = statement

    def at(self, now):
        """What is kept at a time, sorted by author."""
        return [self.kept[author] for author in sorted(self.kept)
                if self.day_end(self.kept[author].stay[2]) > now]

    def digests(self, now):
        """Of the buckets in which something is."""
        buckets = {}
        for one in self.at(now):
            mark = one.author + one.revision.to_bytes(4, "big") + one.id
            buckets.setdefault(one.author[0] >> 2, []).append(mark)
        return {bucket: sha256(b"seatswap/1 statements", encode(marks))
                for bucket, marks in buckets.items()}

    def people(self, now):
        """Places where somebody is, and who."""
        found = {}
        for one in self.at(now):
            place, _, since, until, _ = one.stay
            closes = next((time for time in self.closings.get(place, []) if time > since), None)
            if closes is not None and closes <= now:
                continue
            if until is None and since - 120 <= now:
                found.setdefault(place, []).append(one.author)
        return found


# Words

class Page:
    """The words of a venue, as its operator signed them."""

    def __init__(self, value):
        self.revision, self.signature, self.words = array(value, 3)
        number(self.revision, 1, 65535)
        blob(self.signature, 64), blob(self.words, 2, 8192)

    def is_signed(self, operator):
        text = encode(["seatswap/1 venue", operator, self.revision, self.words])
        return ed25519.verify(operator, text, self.signature)


def newest(pages):
    """Which of some pages counts."""
    return min(pages, key=lambda page: (-page.revision, sha256(page.words)))


# Tags

def tag_salt(key, slug):
    return sha256(b"seatswap/venue/contact", key, slug.encode())[:16]


def tag(key, days):
    """The tag in a volume; the key is what Argon2id makes of address and salt."""
    return hmac.digest(key, f"tag/v1|{days}".encode(), "sha256")[:16]


# Messages

def read_mark(value):
    revision, digest = array(value, 2)
    number(revision, 0, 65535), blob(digest, 32)


def read_statements(value):
    array(value, 4, 64)
    if len(value) == 64:
        return [blob(digest, 32) for digest in value]
    bucket, after, last, marks = array(value, 4)
    number(bucket, 0, 63)
    for key in (after, last):
        need(key is None or blob(key, 32)[0] >> 2 == bucket, "its bucket")
    need(after is None or last is None or after < last, "part")
    ascending([blob(mark, 68)[:32] for mark in array(marks, 0, 512)])
    for mark in marks:
        need(mark[0] >> 2 == bucket, "bucket")
        need(after is None or mark[:32] > after, "begin")
        need(last is None or mark[:32] <= last, "end")
        number(int.from_bytes(mark[32:36], "big"), 1, 2**32 - 1)
    return bucket, after, last, marks


def answer(kept, value):
    """Which of the statements that are kept, sorted by author, a list asks for."""
    bucket, after, last, marks = read_statements(value)
    listed = {mark[:32]: (-int.from_bytes(mark[32:36], "big"), mark[36:]) for mark in marks}
    return [said for said in kept
            if said.author[0] >> 2 == bucket
            and (after is None or said.author > after) and (last is None or said.author <= last)
            and (said.author not in listed
                 or (-said.revision, said.id) < listed[said.author])]


PAYLOADS = {69: read_mark, 71: Page, 73: lambda value: Statement(encode(value)),
            75: read_statements}
