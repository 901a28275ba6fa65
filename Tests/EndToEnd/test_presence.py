# SPDX-License-Identifier: Apache-2.0
"""Study places without a server (docs/protocol.md section 31): who is where, by real agents."""

import csv
import io
import json
import os
import random
import time

import library
from case import Case, for_soak
from library import Reader, agree
from waiting import until


class Presence(Case):
    def readers(self, *names, value=None):
        """Readers who know the venue, with their agents open."""
        place = self.cabin(*names)
        path = library.sign(place[names[0]], value or library.words())
        readers = [Reader(place[name]).take(path) for name in names]
        for reader in readers:
            reader.open()
        until("they see each other",
              lambda: all(one.open()["linked"] == len(names) - 1 for one in readers), 30)
        return place, readers

    def test_f3_counts_are_equal_and_f4_rules_hold(self):
        _, readers = self.readers("ada", "bo", "cy", "di", "eve")
        ada, bo, cy, di, eve = readers
        said = ada.type("checkin", "singel").stdout
        self.assertRegex(said, r"You are at UB Singel since \d\d:\d\d")
        self.assertIn("119 of 120 free", said)
        self.assertEqual(bo.told("checkin", "Law library")["of"], 2)
        cy.told("checkin", "2")
        agree(readers, {1: 1, 2: 2})
        self.assertIn("full, 3 of 2", di.type("checkin", "law").stdout)
        agree(readers, {1: 1, 2: 3})
        self.assertIn("Law library  full, 3 of 2", eve.type("venue", "open", "uva").stdout)
        # One place at a time, and only while it is open; leaving is always possible, once.
        again = ada.type("checkin", "law", check=1).stderr
        self.assertIn("you are at UB Singel since", again)
        self.assertIn("try: seatagent checkout", again)
        self.assertIn("Night room is closed", eve.type("checkin", "night", check=1).stderr)
        self.assertEqual(eve.told("checkin", "nowhere", check=4)["code"], "no-such-place")
        self.assertIn("has several places", eve.type("checkin", check=2).stderr)
        self.assertRegex(ada.type("checkout").stdout, r"You left UB Singel at .*, after \d+ ")
        self.assertEqual(ada.told("checkout", check=1)["code"], "not-now")
        self.assertEqual(ada.told("checkin", "law")["people"], 4)
        agree(readers, {2: 4})
        # The files of a flight and of a venue are apart.
        data = ada.host.env["XDG_DATA_HOME"] + "/seatagent"
        self.assertEqual(sorted(os.listdir(data)), ["default", "default_uva"])
        self.assertEqual(ada.told("venue", "leave", "uva")["left"], "uva")
        self.assertEqual(ada.told("venue", "leave", "uva", check=3)["code"], "no-agent")

    def test_f5_activity_has_durations_sums_and_csv(self):
        _, (ada, bo) = self.readers("ada", "bo")
        self.assertIn("not checked in anywhere", bo.type("activity").stdout)
        for place in ("singel", "law"):
            begun = ada.told("checkin", place)
            ended = ada.told("checkout")
            self.assertEqual(begun["since"], ended["since"])
            self.assertLessEqual(ended["seconds"], 20)
            # Times are in seconds, and nobody is at one place twice in one of them.
            last = ended["until"]
            until("the next second", lambda: last < time.strftime(
                "%Y-%m-%dT%H:%M:%SZ", time.gmtime()), 5)
        ada.told("checkin", "singel")
        mine = ada.told("activity")
        self.assertEqual([one["name"] for one in mine["stays"]],
                         ["UB Singel", "Law library", "UB Singel"])
        self.assertNotIn("end", mine["stays"][0])
        self.assertEqual(mine["seconds"], sum(one["seconds"] for one in mine["stays"]))
        rows = list(csv.reader(io.StringIO(ada.type("activity", "--week", "--csv").stdout)))
        self.assertEqual(rows[0][:3], ["date", "venue", "place"])
        self.assertEqual([row[6] for row in rows[1:]], ["no", "yes", "yes"])
        self.assertIn("Together", ada.type("activity", "--week").stdout)
        path = f"{ada.host.env['XDG_DATA_HOME']}/seatagent/default/activity.json"
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        # A note that a killed command did not write is made up for.
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
        value["stays"] = value["stays"][1:]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file)
        self.assertEqual(len(ada.told("activity")["stays"]), 3)
        self.assertEqual(bo.told("activity")["stays"], [])

    def test_f6_a_friend_is_found_only_after_allowing(self):
        _, (ada, bo) = self.readers("ada", "bo")
        kiki = "Kiki@Example.org"
        self.assertIn("your address is not known", ada.type("friend", "allow", check=2).stderr)
        ada.told("profile", "set", "mail", kiki)
        ada.told("checkin", "singel")
        agree([bo], {1: 1})
        # Not findable without allowing, nor by another address.
        self.assertEqual(bo.told("friend", kiki, check=None)["answer"], "unknown")
        ada.told("checkout")
        ada.told("friend", "allow")
        ada.told("checkin", "law")
        agree([bo], {2: 1})
        self.assertRegex(bo.type("friend", "kiki@example.ORG").stdout,
                         "^kiki@example.org is at Law library, since ")
        self.assertEqual(bo.told("friend", "kiki@example.com", check=None)["answer"], "unknown")
        ada.told("checkout")
        agree([bo], {})
        self.assertRegex(bo.type("friend", kiki).stdout,
                         "^kiki@example.org was at Law library today, from ")
        ada.told("friend", "hide")
        ada.told("checkin", "singel")
        agree([bo], {1: 1})
        self.assertIn("has not checked in today", bo.type("friend", kiki, check=None).stdout)
        self.assertIn("is no e-mail address", bo.type("friend", "kiki", check=2).stderr)

    def test_newer_words_travel_from_agent_to_agent(self):
        value = library.words()
        _, (ada, bo) = self.readers("ada", "bo", value=value)
        value["places"][0]["count"] = 7
        path = library.sign(ada.host, value)
        ada.take(path)
        ada.open()
        until("bo hears of it", lambda: json.loads(bo.open()["words"]) and
              bo.told("venue", "show", "uva", "singel")["place"]["count"] == 7, 20)
        self.assertEqual(bo.told("checkin", "singel")["of"], 7)

    def day(self, moves):
        """Six people come and go; two agents are killed and one host is cut off meanwhile."""
        place, readers = self.readers("ada", "bo", "cy", "di", "eve", "flo")
        chance = random.Random(moves)
        inside = {}
        for number in range(moves):
            who = chance.randrange(6)
            if who in inside:
                readers[who].told("checkout")
                del inside[who]
            else:
                inside[who] = chance.choice([1, 2])
                readers[who].told("checkin", str(inside[who]))
            if number == moves // 4:
                readers[1].kill()
            if number == moves // 3:
                place.cut("eve")
            if number == moves // 2:
                readers[3].kill()
            if number == 2 * moves // 3:
                place.heal("eve")
        counts = {}
        for where in inside.values():
            counts[where] = counts.get(where, 0) + 1
        agree(readers, counts, 120)
        return counts

    def test_a_day_in_a_library_in_short(self):
        counts = self.day(18)
        self.note = f"18 moves, two deaths, one cut: {counts} on all six"

    @for_soak
    def test_a_day_in_a_library(self):
        counts = self.day(200)
        self.note = f"200 moves, two deaths, one cut: {counts} on all six"
