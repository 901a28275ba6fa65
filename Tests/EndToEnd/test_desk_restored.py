# SPDX-License-Identifier: Apache-2.0
"""The disk of a desk is put back from a copy: where somebody knows what is missing, and where
nobody does, so that the desk signs two ledgers (docs/protocol.md section 33)."""

import shutil

from case import for_soak
from control import Line
from courts import Centre, day
from desk_ledger import Ledger
from waiting import until


class Restored(Centre):
    slow = 60
    waits = True

    def centre_of(self, *names, **options):
        """A desk that is open, and students."""
        place, clerk, people = self.centre(*names, **options)
        for number, person in enumerate(people):
            person.student(number)
        return place, clerk, people

    def copied(self, *names, **options):
        """A desk whose disk was copied after somebody had booked; it goes on."""
        place, clerk, people = self.centre_of(*names, **options)
        people[0].books("Tennis 1", day(2), "10:00")
        for person in people:
            until("all know it", lambda person=person: len(Ledger(person).live) == 1, 20)
        clerk.kill()
        self.disk = f"{clerk.host.env['XDG_DATA_HOME']}/seatagent/default_rec"
        shutil.copytree(self.disk, f"{clerk.host.folder}/copy")
        clerk.told("desk", "up", "rec")
        clerk.opens()
        return place, clerk, people

    def put_back(self, clerk):
        clerk.kill()
        shutil.rmtree(self.disk)
        shutil.copytree(f"{clerk.host.folder}/copy", self.disk)

    def test_a3_a_desk_that_was_put_back_opens_when_its_people_say_so(self):
        _, clerk, (ada, bo) = self.centre_of("ada", "bo")
        ada.books("Tennis 1", day(2), "10:00")
        folder = f"{clerk.host.folder}/copy"
        made = clerk.desk("backup", "--to", folder)
        self.assertEqual(made["pages"], clerk.desk("requests")["entries"])
        self.assertEqual(clerk.refused("desk", "backup", "--to", folder)["code"], "file")
        booked = bo.books("Tennis 2", day(1), "18:00")
        until("ada knows it", lambda: len(Ledger(ada).live) == 2, 20)
        restore = ["desk", "restore", "rec", "--from", folder]
        running = clerk.refused(*restore)
        self.assertEqual((running["code"], running["try"]),
                         ("not-now", "seatagent venue leave rec"))
        clerk.kill()
        asked = clerk.refused(*restore)
        self.assertEqual(asked["code"], "usage")
        clerk.run_advice(asked["try"])
        self.assertEqual(clerk.refused("desk", "restore", "rec", "--from", "nowhere", "--yes")[
            "code"], "file")
        clerk.told("desk", "up", "rec")
        until("the desk has noticed", lambda: clerk.desk("requests")["state"] == "restored", 40)
        # It has all again, from those who know it, and grants nothing all the same.
        until("the rest is back", lambda: len(Ledger(clerk).live) == 2, 20)
        ada.type("book", "Badminton A", day(1), "18:00", "--yes", "--timeout", "2", check=5)
        self.assertEqual(ada.states(), ["asked", "booked"])
        self.assertEqual(len(Ledger(clerk).live), 2)
        clerk.desk("open", "--restored")
        until("ada's is granted", lambda: ada.states()[:1] == ["booked"], 30)
        ledger = Ledger(clerk)
        self.assertEqual((len(ledger.live), ledger.book.voids), (3, []))
        self.assertIn(bytes.fromhex(booked["token"]), ledger.book.tokens)
        # Its members and its roster are back with it.
        self.assertEqual([one["said"]["name"] for one in clerk.desk("members")["members"]],
                         ["Ada", "Bo"])

    @for_soak
    def test_a3_a_disk_that_was_put_back_begins_anew_with_another_key(self):
        _, clerk, (ada, bo) = self.copied("ada", "bo")
        bo.books("Tennis 2", day(1), "18:00")
        until("ada knows it", lambda: len(Ledger(ada).live) == 2, 20)
        old = Ledger(clerk).entries[0].author
        self.put_back(clerk)
        clerk.told("desk", "up", "rec", "--instead", "--yes")
        clerk.opens()
        ada.books("Badminton A", day(1), "18:00")
        ledger = Ledger(clerk)
        self.assertEqual(len(ledger.live), 3)
        authors = {entry.author for entry in ledger.entries}
        self.assertEqual((len(authors), old in authors), (2, True))
        self.assertEqual(clerk.desk("requests")["lost"], [])
        until("bo knows it", lambda: len(Ledger(bo).live) == 3, 20)
        # It goes on after a death, as the same desk.
        clerk.kill()
        clerk.told("desk", "up", "rec")
        clerk.opens()
        self.assertEqual({entry.author for entry in Ledger(clerk).entries}, authors)

    def test_a3_another_computer_takes_over_and_lists_what_was_lost(self):
        place, clerk, (ada, bo) = self.centre_of("ada", "bo", switch=True)
        ada.books("Tennis 1", day(2), "10:00")
        until("bo knows it", lambda: len(Ledger(bo).live) == 1, 20)
        # Ada's computer is off meanwhile: the desk's kernel would still send it what it has.
        ada.told("venue", "leave", "rec")
        lost = bo.books("Tennis 2", day(1), "18:00")
        place.cut("bo")
        # The disk is gone, and nobody who is here has the last page.
        clerk.kill()
        shutil.rmtree(f"{clerk.host.env['XDG_DATA_HOME']}/seatagent/default_rec")
        ada.open("rec")
        gone = clerk.refused("desk", "up", "rec")
        self.assertEqual((gone["code"], gone["try"]),
                         ("records-lost", "seatagent desk up rec --instead"))
        asked = clerk.refused("desk", "up", "rec", "--instead")
        self.assertIn("is known here up to page", asked["why"])
        clerk.run_advice(asked["try"])
        clerk.opens()
        again = ada.books("Badminton A", day(1), "18:00")
        self.assertEqual([one["state"] for one in ada.bookings()], ["booked", "booked"])
        # A newcomer gets a number that nobody has.
        numbers = {one["number"] for one in clerk.desk("members")["members"]}
        self.assertEqual(len(numbers), 2)
        place.heal("bo")
        until("the page turned up", lambda: clerk.desk("requests")["lost"], 60)
        [listed] = clerk.desk("requests")["lost"]
        self.assertEqual((listed["place"], listed["period"]["from"]), (2, 18 * 60))
        words = "1 booking lost with an earlier desk"
        for person in (ada, bo):
            until(f"{person.host.name} reads it", lambda person=person: words in person.type(
                "venue", "show", "rec").stdout, 60)
        self.assertNotIn(bytes.fromhex(lost["token"]), Ledger(bo).book.tokens)
        self.assertEqual(bo.states("--all"), ["lost"])
        self.assertIn(bytes.fromhex(again["token"]), Ledger(bo).book.tokens)
        # The line that is printed grants it again.
        text = clerk.type("desk", "requests").stdout
        clerk.run_advice(text[text.index("seatagent desk book"):].splitlines()[0])
        until("bo has it again", lambda: bo.states()[:1] == ["booked"], 30)
        until("nothing is lost", lambda: not clerk.desk("requests")["lost"], 30)
        # Whoever would start a third one is told.
        self.assertEqual(clerk.desk("requests")["state"], "open")

    def test_a4_a_desk_that_signs_two_ledgers_is_named_on_every_screen(self):
        place, clerk, (ada, bo) = self.copied("ada", "bo", switch=True)
        place.cut("bo")
        ada.books("Tennis 2", day(1), "18:00")
        # The copy meets bo alone, who knows nothing of it.
        place.cut("ada")
        self.put_back(clerk)
        place.heal("bo")
        clerk.told("desk", "up", "rec")
        until("it has noticed", lambda: clerk.desk("requests")["state"] in (
            "restored", "open"), 40)
        # Its people do not wait until all are there who may know more.
        clerk.desk("open", "--restored")
        clerk.opens()
        bo.books("Badminton A", day(1), "18:00")
        place.heal("ada")
        words = "the desk signed two ledgers from page"
        for person in (ada, bo):
            until(f"{person.host.name} reads it", lambda person=person: words in person.type(
                "bookings", "1", check=None).stdout, 60)
            self.assertIn(words, person.type("venue", "show", "rec").stdout)
        until("the desk says so", lambda: clerk.desk("requests")["state"] == "forked", 40)
        # What stands before counts everywhere, and nothing behind it.
        for person in (ada, bo):
            line = Line(person.host, "default_rec")
            self.addCleanup(line.close)
            known = line.ask("days", first=day(1), last=day(2))["bookings"]
            self.assertEqual([one["place"] for one in known if "ended" not in one], [1])
