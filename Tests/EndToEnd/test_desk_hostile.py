# SPDX-License-Identifier: Apache-2.0
"""Members who write what only a desk may (docs/protocol.md section 32)."""

import os

from cbor import encode
from control import Line
from courts import Centre, day
from desk_ledger import Ledger, rows
from peers import handmade
from second_ledgers import CLOSE, GRANT, NOTE
from stranger import Key

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
