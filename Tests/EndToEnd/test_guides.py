# SPDX-License-Identifier: Apache-2.0
"""What the guides show of a console is typed word by word, and the program says what they show."""

import datetime
import json
import os

import courts
import documents
import library
import test_guide_meet
import test_guide_phones
from case import for_soak
from guide_case import GuideCase
from waiting import until

GUIDE = "docs/guide"
PARKING, PROFILE, VENUES = (f"{GUIDE}/{name}.md" for name in ("parking", "profile", "venues"))
#: Each block of a console, by its first line, and the test that types it.
LIST, PERMIT, STREETS, POSITION, PLACES = (
    (PARKING, number) for number in range(5))
DETAILS = (PROFILE, 0)
MAKE, CHECK, KNOW, FIND, STUDY, FRIEND, BOOK, SWAP, SIGN, ANNOUNCE = (
    (VENUES, number) for number in range(10))
#: A booking of a bay takes a building with a desk: test_permits types what this shows.
ELSEWHERE = {PERMIT, *test_guide_phones.BLOCKS, *test_guide_meet.BLOCKS}


class Guides(GuideCase):
    def test_files_of_one_s_own(self):
        me = self.somebody(self.loopback())
        with open(f"{me.host.folder}/montreal.csv", "w", encoding="utf-8") as file:
            file.write("name,lat,lon,city\n12 Main St,45.5017,-73.5673,Montreal\n")
        for block in (DETAILS, LIST, STREETS, POSITION, PLACES, MAKE, CHECK, SIGN):
            self.play(block, me)
        self.assertTrue(os.path.exists(f"{me.host.folder}/sign.svg"))
        # Each of the four examples is a file that can be checked and looked at.
        for name in ("study", "courts", "parking", "rental"):
            for line in (f"venue new {name}.json --like {name}", f"venue check {name}.json",
                         f"venue show {name}.json", f"venue sign {name}.json"):
                self.said(me, line.split(), None, line)

    def test_a_library(self):
        place = self.cabin("operator", "kiki")
        boss, kiki = self.somebody(place["operator"]), self.somebody(place["kiki"])
        value = library.words()
        value["hours"] = {"Mo-Su": "06:00-22:00"}
        value["places"][0]["name"], value["places"][1]["count"] = "UB Singel", 1
        library.sign(boss.host, value)
        self.play(ANNOUNCE, boss)
        self.play(FIND, kiki)
        signed = f"{boss.host.folder}/uva.venue"
        self.play(KNOW, kiki, {"venue": ("y\n",)}, lambda line: line.replace("uva.venue", signed))
        self.said(boss, ["profile", "set", "mail", "kiki@example.org"], None, "")
        self.said(boss, ["friend", "allow"], None, "")
        self.said(boss, ["checkin", "law"], None, "")
        reader = library.Reader(kiki.host)
        until("kiki sees who is there", lambda: reader.counts().get(2) == 1, 20)
        self.play(STUDY, kiki)
        self.said(boss, ["checkout"], None, "")
        self.said(boss, ["checkin", "singel"], None, "")
        until("kiki sees it", lambda: reader.counts().get(1) == 1, 20)
        self.play(FRIEND, kiki)

    @for_soak
    def test_a_recreation_centre(self):
        """Its desk gathers requests for some seconds before it answers the first."""
        place = self.cabin("desk", "kiki", "bo")
        clerk = courts.Clerk(place["desk"])
        path = clerk.up(self.northwest())
        people = [self.somebody(place[name]) for name in ("kiki", "bo")]
        for one in people:
            courts.Guest(one.host).take(path).open("rec")
        clerk.opens()
        kiki, bo = people
        # The day after tomorrow, which is no more than the venue books ahead, and not today.
        day = courts.today() + datetime.timedelta(days=2)

        def soon(line):
            return line.replace(" sat ", f" {day:%a} ".lower())
        courts.Guest(bo.host).join("Bo", "bo@example.org")
        self.play(BOOK, kiki, {"venue": ("Kiki de Vries\nkiki@example.org\n", ": "),
                               "book": ("y\n",), "bookings": ("y\n",)}, soon)
        self.said(kiki, ["book", "Tennis 2", day.isoformat(), "18:00", "1h", "--yes"], None, "")
        self.said(bo, ["book", "Tennis 1", day.isoformat(), "19:00", "1h", "--yes"], None, "")
        mine = courts.Guest(kiki.host).bookings()[0]
        for booking in (mine, courts.Guest(bo.host).bookings()[0]):
            clerk.desk("paid", booking["code"], "--by", "card")
        until("both are paid", lambda: all(
            courts.Guest(one.host).bookings()[0].get("paid") for one in people))
        self.play(SWAP, kiki, {"bookings": ("y\n",)},
                  lambda line: soon(line).replace("swap 1 ", f"swap {mine['number']} "))

    @staticmethod
    def northwest():
        """The example, with clocks that show about noon, and open as long each day."""
        with open(f"{documents.ROOT}/examples/venues/courts.json", encoding="utf-8") as file:
            value = json.load(file)
        value |= {"zone": library.zone_of_noon(), "volume": courts.kind(), "closed": {},
                  "hours": {"Mo-Su": "06:00-22:00"}}
        return value

    def test_every_dialogue_is_typed(self):
        there = {(path, number) for path in documents.GUIDE
                 for number in range(len(documents.dialogues(path)))}
        self.assertEqual(there, ELSEWHERE | {
            LIST, STREETS, POSITION, PLACES, DETAILS, MAKE, CHECK, KNOW, FIND, STUDY, FRIEND,
            BOOK, SWAP, SIGN, ANNOUNCE})
