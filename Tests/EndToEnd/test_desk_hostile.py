# SPDX-License-Identifier: Apache-2.0
"""Members who write what only a desk may (docs/protocol.md section 32)."""

import base64
import os

from cbor import encode
from control import Line
from courts import Centre, day
from desk_ledger import Ledger, rows
from ed25519 import sign
from peers import handmade
from second_ledgers import CHARTER, CLOSE, GRANT, NOTE
from stranger import Key
from waiting import until

BAD_ENTRY = 8
CHAT = 7


class Target:
    def __init__(self, person):
        line = Line(person.host, "default_rec")
        self.host, self.port = person.host, line.ask("status")["network"]["port"]
        line.close()


class Hostile(Centre):
    def test_a6_who_writes_what_a_desk_writes_is_closed_and_changes_nothing(self):
        place, clerk, (ada,) = self.centre("ada", switch=True)
        ada.student(0)
        booked = ada.books("Tennis 1", day(1), "18:00")
        gathering = Ledger(clerk).entries[0].flight
        [(auth,)] = rows(clerk.host, "identity", "auth")
        desk = Line(clerk.host, "default_rec")
        self.addCleanup(desk.close)
        forged = []
        for kind, victim in (
                (CHAT, ada), (GRANT, clerk), (GRANT, ada), (CLOSE, clerk), (NOTE, ada)):
            seed = os.urandom(32)
            key = Key(seed).public
            # The desk knows mallory as a member; that gives no right to a ledger.
            number = 10 + len(forged)
            desk.ask("desk-member", number=number, who=key.hex(), **{"class": 0})
            period = [Ledger(clerk).live[0].grant.day, 1140, 60]
            body = {
                CHAT: ["hello", None, 0, []],
                GRANT: [key, number, 2, period, 1, None, 0, None, [], None, ""],
                CLOSE: [bytes.fromhex(booked["token"]), 1, False, None],
                NOTE: [0, 99, 0, key]}[kind]
            # An address rests after a fault, so each comes from a host of its own.
            mallory = handmade(self, Target(victim), seed, auth=auth,
                               host=place.plug_in(f"mallory{number}"))
            self.assertEqual(mallory("greet", fold=3), "open")
            told = mallory("forge", gathering=gathering.hex(), kind=kind, body=encode(body).hex())
            forged.append(told[-1])
        # What anybody may write is taken.
        self.assertEqual(forged, ["open"] + [f"closed with {BAD_ENTRY}"] * 4)
        for person in (clerk, ada):
            ledger = Ledger(person)
            self.assertEqual([token.id.hex() for token in ledger.live], [booked["token"]])
            self.assertEqual(ledger.book.voids, [])
            self.assertNotIn(99, ledger.book.classes)

    def test_a7_a_desk_that_breaks_its_rules_grants_nothing_by_it(self):
        place, clerk, (ada, bo) = self.centre("ada", "bo")
        ada.student(0)
        booked = ada.books("Tennis 1", day(1), "18:00")
        until("bo knows it", lambda: len(Ledger(bo).live) == 1, 20)
        entries = Ledger(clerk).entries
        [charter] = [entry for entry in entries if entry.type == CHARTER]
        first = charter.body
        # The operator's key is in the wrong hands: a desk that follows the first one.
        seed = os.urandom(32)
        key = Key(seed).public
        terms = [2, *first[1:4], [[charter.author, len(entries)]]]
        signed = encode(["seatswap/1 charter", charter.flight, key, *terms])
        with open(f"{clerk.host.env['XDG_DATA_HOME']}/seatagent/default/operator.key",
                  encoding="ascii") as file:
            secret = base64.b32decode(file.read().strip().split(" ")[-1].upper() + "====")
        number = Ledger(clerk).live[0].grant.member
        holder = Ledger(clerk).live[0].grant.holder
        here = Ledger(clerk).live[0].grant.day

        def grant(court, start, minutes, ask=None, by=0):
            who = holder if by else bytes([court % 256]) * 32
            return [GRANT, encode([
                who, by, court, [here, start, minutes], 1, None, 0, ask, [], None, ""]).hex()]
        asked = os.urandom(32)
        good = grant(2, 600, 60, asked)
        said = [
            [CHARTER, encode([*terms, sign(secret, signed)]).hex()], good,
            grant(1, 18 * 60, 60),       # somebody has it
            grant(11, 600, 60, by=number),  # a second booking of a day
            grant(999, 600, 60),         # there is no such place
            grant(11, 720, 60, asked)]   # for a request that was granted
        [(auth,)] = rows(clerk.host, "identity", "auth")
        clerk.kill()
        for victim in (ada, bo):
            mallory = handmade(self, Target(victim), seed, auth=auth, host=place["desk"])
            self.assertEqual(mallory("greet", fold=3), "open")
            ids, _ = mallory("write", gathering=charter.flight.hex(), entries=said)
        words = "the desk broke a rule of its own: 4 bookings void"
        for person in (ada, bo):
            until(f"{person.host.name} reads it", lambda person=person: words in person.type(
                "venue", "show", "rec").stdout, 30)
            ledger = Ledger(person)
            self.assertEqual(sorted(token.id.hex() for token in ledger.live),
                             sorted([booked["token"], ids[2]]))
            self.assertEqual(len(ledger.book.voids), 4)
            line = Line(person.host, "default_rec")
            self.addCleanup(line.close)
            known = line.ask("days", first=day(1), last=day(1))["bookings"]
            self.assertEqual(sorted(one["token"] for one in known),
                             sorted([booked["token"], ids[2]]))
