# SPDX-License-Identifier: Apache-2.0
"""Study places without a server (docs/protocol.md section 31): who is where, by real agents."""

import csv
import io
import json
import os
import random
import time

import library
from agent import BINARY
from capture import payloads, record
from case import Case, for_soak
from library import Reader, agree
from waiting import until

#: Bytes that are taken for an identifier if two days have them and nobody else has a part of them.
WINDOW, PART = 8, 5
#: Labels of mDNS that everybody has. Its software announces the host's own name, whoever runs what.
COMMON = {b"_seatswap", b"_tcp", b"_udp", b"_dns-sd", b"_services", b"local", b"in-addr", b"arpa"}


def windows(texts, size=WINDOW):
    return {text[at:at + size] for text in texts for at in range(len(text) - size + 1)}


def labels(texts):
    """Names and texts in packets of mDNS: a byte says how long each is (RFC 1035 section 3.1)."""
    found = set()
    for text in texts:
        for at, size in enumerate(text):
            label = text[at + 1:at + 1 + size]
            if 4 <= size <= 63 and len(label) == size and all(33 <= unit < 127 for unit in label):
                found.add(label)
    return found


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
        self.assertIn("UB Singel    119 of 120 free", eve.type("venue", "show", "uva").stdout)
        self.assertIn("Now: full, 3 of 2.", eve.type("venue", "show", "uva", "law").stdout)
        self.assertEqual(eve.told("venue", "show", "uva", "singel")["people"], 1)
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

    def test_a_screen_at_the_door_follows_each_change(self):
        _, (ada, bo) = self.readers("ada", "bo")
        door = bo.host.popen([BINARY, "venue", "show", "uva", "--follow"], log="door.log")
        path = f"{bo.host.folder}/door.log"

        def shows(text):
            with open(path, encoding="utf-8") as file:
                return text in file.read()
        until("the door shows it empty", lambda: shows("UB Singel    120 of 120 free"))
        ada.told("checkin", "singel")
        until("the door shows one", lambda: shows("UB Singel    119 of 120 free"))
        door.terminate()
        door.wait(10)

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

    def recorded(self, readers, name):
        """What each sends while they check in, talk and leave."""
        paths = []
        for reader in readers:
            paths.append(record(reader.host, name))
        for reader in readers:
            reader.open()
        others = len(readers) - 1
        until("they see each other",
              lambda: all(one.open()["linked"] == others for one in readers), 30)
        volume = readers[0].open()["volume"]
        for reader in readers:
            reader.told("checkin", "singel")
            reader.told("say", "hello", "--profile", "default_uva")
            reader.told("checkout")
            reader.told("venue", "leave", "uva")
        for _, watch in paths:
            watch.kill()
            watch.wait(10)
        return volume, [payloads(path) for path, _ in paths]

    def test_two_days_have_no_identifier_in_common(self):
        # Of one length, so that what is of the protocol looks the same from all three.
        names = ("ada", "eva", "ida")
        place = self.cabin(*names)
        value = library.words()
        readers = [Reader(place[name]) for name in names]
        for reader in readers:
            reader.told("profile", "set", "mail", f"{reader.host.name}@example.org")
            reader.told("friend", "allow")
        found = []
        for zone in (library.zone_of_noon(), library.zone_of_another_day()):
            value["zone"] = zone
            path = library.sign(place["ada"], value)
            for reader in readers:
                reader.take(path)
                # A night passes: nobody's mDNS still remembers, or says good-bye for, yesterday.
                reader.host.restart_avahi()
            found.append(self.recorded(readers, f"day{len(found)}"))
        (first, (ada, *others)), (second, (later, *more)) = found
        self.assertNotEqual(first, second)
        # What others send as well is of the protocol, and tells nobody apart.
        streams = windows(ada[0]) & windows(later[0])
        parts = windows([one for them in others + more for one in them[0]], PART)
        self.assertEqual({one for one in streams if not windows([one], PART) & parts}, set())
        told = labels(ada[1]) & labels(later[1])
        self.assertEqual({one for one in told - COMMON if b"ada" not in one}, set())
        # The searches find what is there: agents announce themselves, under a name of the day.
        mine = labels(ada[1]) - labels(later[1])
        self.assertTrue(mine, "nobody announced anything")
        self.assertGreater(len(windows(ada[0])), 2000)
        for text in [one for days in found for them in days[1] for kind in them for one in kind]:
            # Three letters alone come by chance in what is sealed.
            for word in (b"example.org", b"|uva|", b"UvA study", b"Singel", b"hello"):
                self.assertNotIn(word, text)
        self.note = f"{len(ada[0])} and {len(later[0])} segments of {first} and {second}"

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
