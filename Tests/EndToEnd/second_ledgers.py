# SPDX-License-Identifier: Apache-2.0
"""Ledgers (docs/protocol.md section 32), for the second reader: what their entries say, and the
logs of a venue. Written from the text alone."""

import ed25519
from second_reader import (
    ABANDON, COMMIT, END, ENTRY, GENESIS, VOTE, Bad, Contract, Entry, Logs, array, ascending, blob,
    decode, encode, items, need, number, rank, sha256, slot, text)
from second_statements import Statement

CHARTER, GRANT, CLOSE, NOTE, WISH = 10, 11, 12, 13, 16
LONGEST, LARGEST = 32768, 12 << 20
DAY = 1440


# What ledgers say

def key_or_null(value):
    return value if value is None else blob(value, 32)


def read_period(value):
    day, start, minutes = array(value, 3)
    number(day, 0, 65535), number(start, 0, 1439), number(minutes, 1, 44640)
    return day, start, minutes


class Rules:
    def __init__(self, data):
        self.first, self.last, units, places, classes, swaps = array(decode(data), 6)
        number(self.first, 0, 65535), number(self.last, self.first, 65535)
        self.swaps = number(swaps, 0, 2)
        self.units = {}
        for unit, capacity in (array(one, 2) for one in array(units, 1, 256)):
            self.units[number(unit, 0, 4095)] = number(capacity, 1, 65535)
        ascending([one[0] for one in units])
        self.places = {}
        for place, group, turnover, uses in (array(one, 4) for one in array(places, 1, 256)):
            number(place, 1, 4095), number(group, 0, 63), number(turnover, 0, 10080)
            for unit, amount in (array(use, 2) for use in array(uses, 1, 8)):
                need(unit in self.units, "unit")
                number(amount, 1, 65535)
            ascending([use[0] for use in uses])
            self.places[place] = group, turnover, uses
        ascending([one[0] for one in places])
        self.classes = array(classes, 1, 16)
        for quotas in self.classes:
            for group, minutes, bookings in (array(one, 3) for one in array(quotas, 0, 8)):
                if group is not None:
                    number(group, 0, 63)
                number(minutes, 0, 44640), number(bookings, 0, 255)


class Charter:
    def __init__(self, body):
        self.terms, self.signature = array(body, 6)[:5], blob(body[5], 64)
        self.epoch, self.revision, rules, words, before = self.terms
        number(self.epoch, 1, 255), number(self.revision, 1, 65535), blob(words, 32)
        self.rules = Rules(blob(rules, 1, 6144))
        for ledger, seq in (array(one, 2) for one in array(before, 0, 8)):
            blob(ledger, 32), number(seq, 1, LONGEST)
        ascending([one[0] for one in before])
        self.before = dict(before)

    def signed_bytes(self, gathering, author):
        return encode(["seatswap/1 charter", gathering, author] + self.terms)


class Grant:
    def __init__(self, body):
        (self.holder, self.member, self.place, period, self.count, due, self.flags, self.ask,
         self.replaces, tag, note) = array(body, 11)
        blob(self.holder, 32), number(self.member, 0, 65535), number(self.place, 1, 4095)
        self.day, self.start, self.minutes = read_period(period)
        self.begin = DAY * self.day + self.start
        number(self.count, 1, 1000), number(self.flags, 0, 3), key_or_null(self.ask)
        if due is not None:
            currency, amount = array(due, 2)
            need(text(currency, 3, 3).isascii() and currency.isalpha() and currency.isupper())
            number(amount, 0, 2**32 - 1)
        ascending([blob(token, 32) for token in array(self.replaces, 0, 8)])
        need(tag is None or blob(tag, 16))
        text(note, 0, 200)


def read_ask(body):
    """What a statement of kind 0 asks; Bad if it asks nothing."""
    kind, nonce, until, ask = array(decode(body), 4)
    number(kind, 0, 0), blob(nonce, 8), number(until, 0, 2**63 - 1)
    kind = number(array(ask, 1, 7)[0], 0, 3)
    array(ask, (7, 3, 4, 2)[kind])
    if kind == 0:
        number(ask[1], 1, 4095), read_period(ask[2]), number(ask[3], 1, 1000)
        need(type(ask[4]) is bool and (ask[5] is None or blob(ask[5], 16)))
        text(ask[6], 0, 200)
    elif kind == 1:
        slot(ask[1]), key_or_null(ask[2])
    elif kind == 2:
        slot(ask[1]), number(ask[2], 1, 4095), read_period(ask[3])
    else:
        blob(ask[1], 32)
    return ask


class Close:
    def __init__(self, body):
        self.token, self.reason, self.spent, data = array(body, 4)
        blob(self.token, 32), number(self.reason, 0, 6)
        need(type(self.spent) is bool and (data is None) == (self.reason != 0))
        self.ask = None
        if data is not None:
            self.ask = Statement(blob(data, 1, 640))
            ask = read_ask(self.ask.body)
            need(ask[0] == 1 and ask[1][0] == self.token and ask[2] is None)


def read_note(body):
    kind = number(array(body, 2, 4)[0], 0, 5)
    array(body, (4, 3, 4, 3, 2, 2)[kind])
    if kind == 0:
        number(body[1], 1, 65535), number(body[2], 0, 15), key_or_null(body[3])
    elif kind == 1:
        blob(body[1], 32), number(body[2], 1, 999)
    elif kind == 2:
        blob(body[1], 32), number(body[2], 0, 2**32 - 1), number(body[3], 0, 7)
    elif kind == 3:
        blob(body[1], 32), number(body[2], 0, 2)
    else:
        blob(body[1], 16 if kind == 4 else 32)
    return body


def read_want(want):
    """What stands for its place in the order of a rank."""
    place, group, window = array(want, 3)
    number(place, 0, 4095)
    if group is not None:
        number(group, 0, 63)
        need(place == 0, "group")
    return [place, -1 if group is None else group, *read_period(window)]


def read_wish(body):
    ascending([blob(token, 32) for token in array(body[0], 0, 9)])
    for wants in array(body[1], 0, 4):
        order = [read_want(want) for want in array(wants, 1, 16)]
        need(all(one < other for one, other in zip(order, order[1:])), "order")
    number(body[2], 0, 2), blob(body[3], 16), text(body[4], 0, 200)


class VenueEntry(Entry):
    """An entry of a venue."""

    def __init__(self, data, nested=False):
        need(len(data) <= ENTRY, "length")
        protected, unprotected, payload, self.signature = array(decode(data), 4)
        need(protected == b"\xa1\x01\x27" and unprotected == {} and type(unprotected) is dict)
        blob(payload, 1, ENTRY), blob(self.signature, 64)
        version, self.flight, self.author, self.seq, self.prev, self.type, body = \
            array(decode(payload), 7)
        number(version, 1, 1), blob(self.flight, 32), blob(self.author, 32)
        number(self.seq, 1, LONGEST), number(self.type, 0, 31)
        need(self.prev is None if self.seq == 1 else len(blob(self.prev, 32)))
        need((self.type == GENESIS) == (self.seq == 1))
        self.bytes, self.payload, self.body = data, payload, body
        self.id = sha256(b"seatswap/1 id", payload)
        self.inner, self.contract, self.said = [], None, None
        self.read(body, nested)

    def read(self, body, nested):
        need(self.type not in (2, 3, 9))
        if CHARTER <= self.type <= NOTE:
            self.said = {CHARTER: Charter, GRANT: Grant, CLOSE: Close, NOTE: read_note}[
                self.type](body)
        elif self.type == WISH:
            read_wish(array(body, 5))
        elif self.type == COMMIT:
            need(not nested)
            data, votes, claims = array(body, 3)
            self.contract = Contract(blob(data, 1, ENTRY))
            self.votes = [VenueEntry(blob(x, 1, ENTRY), True) for x in array(votes, 2, 8)]
            self.claims, self.inner = array(claims, 0), self.votes
            self.certifies()
        elif self.type == ABANDON:
            need(not nested)
            self.cid = blob(array(body, 2)[0], 32)
            self.no = VenueEntry(blob(body[1], 1, ENTRY), True)
            need(self.no.type == VOTE and not self.no.yes and self.no.cid == self.cid)
            self.inner = [self.no]
        else:
            super().read(body, nested)

    def certifies(self):
        contract = self.contract
        need(contract.flight == self.flight)
        need([vote.author for vote in self.votes] == contract.parties)
        need(all(v.type == VOTE and v.yes and v.flight == self.flight and v.cid == contract.cid
                 and v.slots == contract.slots(v.author) for v in self.votes))


# Logs of a venue

def is_ledger(log):
    return len(log) > 1 and log[1].type == CHARTER


class VenueLogs(Logs):
    def __init__(self, flight, operator):
        super().__init__(flight)
        self.operator = operator

    def caps(self, entry, log):
        longest, largest = (LONGEST, LARGEST) if is_ledger(log) else (4096, 4 << 20)
        need(entry.seq <= longest, "caps")
        need(sum(len(one.bytes) for one in log) + len(entry.bytes) <= largest, "caps")
        need(not log or log[-1].type != END, "caps")
        if entry.type == COMMIT:
            need(entry.author in entry.contract.parties, "body")
        if entry.type == CHARTER:
            charters = [one.said for one in log if one.type == CHARTER]
            if charters:
                need(entry.said.epoch == charters[-1].epoch, "body")
                need(entry.said.revision > charters[-1].revision, "body")
            else:
                need(entry.seq == 2, "body")
        elif GRANT <= entry.type <= NOTE:
            need(is_ledger(log), "body")

    def check(self, entry):
        super().check(entry)
        if entry.type == CHARTER:
            said = entry.said.signed_bytes(entry.flight, entry.author)
            need(ed25519.verify(self.operator, said, entry.said.signature), "signature")
        if entry.type == CLOSE and entry.said.ask:
            need(entry.said.ask.is_signed(entry.flight), "signature")


def takes(logs, entry):
    try:
        return logs.insert(entry)
    except Bad:
        return False


def read_venue(data, operator, kind=VenueLogs):
    """The logs of a bundle (section 19) of a venue, and the places of what was not accepted."""
    refused, entries, proofs = [], [], []
    for place, item in enumerate(items(data)):
        try:
            decoded = [VenueEntry(part) for part in item]
            if len(decoded) == 1:
                entries.append((rank(decoded) + (place,), decoded[0]))
            else:
                proofs.append((rank(sorted(decoded, key=lambda one: one.id)) + (place,), decoded))
        except Bad:
            refused.append(place)
    flights = [entry.flight for _, entry in entries] or [pair[0].flight for _, pair in proofs]
    if not flights:
        return kind(None, operator), refused
    logs = kind(min(flights, key=lambda one: (-flights.count(one), one)), operator)
    entries.sort(key=lambda item: item[0])
    for _ in range(2):
        entries = [item for item in entries if not takes(logs, item[1])]
    refused += [order[-1] for order, _ in entries]
    for order, pair in sorted(proofs, key=lambda item: item[0], reverse=True):
        try:
            logs.insert_proof(*pair)
        except Bad:
            refused.append(order[-1])
    return logs, sorted(refused)
