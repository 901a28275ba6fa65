# SPDX-License-Identifier: Apache-2.0
"""Bookings change hands between people while their desk is off (docs/protocol.md section 32)."""

import json
import os
import time

import courts
from case import for_soak
from control import Line
from courts import Centre, day
from waiting import until, until_gone


class Swaps(Centre):
    slow = 60
    waits = True

    def booked(self, *names, **value):
        """Students who each have a court of their own at 18:00 tomorrow, and know what the others
        have; the desk has them all. What each has, by its code."""
        place, clerk, people = self.centre(*names, value=courts.words(**value))
        for number, person in enumerate(people):
            person.student(number)
        wanted = ["Tennis 1", "Tennis 2", "Badminton A"]
        codes = [person.books(court, day(1), "18:00")["code"]
                 for person, court in zip(people, wanted)]
        for person in people:
            until("everything is known", lambda person=person: len(
                self.holders(person)) == len(people), 20)
        return place, clerk, people, codes

    def line(self, person):
        line = Line(person.host, "default_rec")
        self.addCleanup(line.close)
        return line

    def holders(self, person):
        """Booking -> the key of whoever has it, as the agent of somebody knows it."""
        line = Line(person.host, "default_rec")
        try:
            told = line.ask("days", first=day(0), last=day(3))
        finally:
            line.close()
        return {one["token"]: one["holder"]["key"] for one in told["bookings"]
                if "ended" not in one}

    def pid(self, person):
        return person.told("status", "--profile", "default_rec")["pid"]

    def key(self, person):
        return self.line(person).ask("status")["me"]["key"]

    def asked(self, person):
        """The request that waits for somebody."""
        def waiting():
            found = person.told("bookings", "requests")["swaps"]
            return next((one["number"] for one in found if one["needs_answer"]), None)
        return str(until(f"{person.host.name} is asked", waiting, 30))

    def same(self, people, wanted):
        until("all know the same", lambda: all(
            self.holders(person) == wanted for person in people), 30, pause=0.2)

    def test_wishes_that_go_round_are_matched_and_the_line_proposes_it(self):
        _, _, people, codes = self.booked("ada", "bo", "cy")
        ada, bo, cy = people
        before = self.holders(ada)
        self.assertEqual(ada.told("bookings", "match")["ledgers"][0]["rings"], [])
        # Each would have what the next one has: by name, by kind, by a longer time.
        ada.told("bookings", "wish", "1", "Badminton A", "Tennis 2", day(1), "17-20")
        bo.told("bookings", "wish", "1", "Tennis 1", day(1), "18:00", "--note", "nearer")
        until("two of them could", lambda: "Others could exchange bookings" in cy.type(
            "bookings", "match").stdout, 20)
        cy.told("bookings", "wish", "1", "Tennis 2", day(1), "18:00")
        wrong = cy.refused("bookings", "wish", "1", "Tennis 2", day(1), "18:00")
        self.assertEqual(wrong["code"], "already-so")

        def found():
            rings = ada.told("bookings", "match")["ledgers"][0]["rings"]
            return rings and len(rings[0]["moves"]) == 3
        until("the ring is found", found, 20)
        shown = ada.type("bookings", "match").stdout
        self.assertRegex(shown, r"^you give Tennis 1, .* to \S+.*; ")
        line = next(one.strip() for one in shown.splitlines()
                    if one.strip().startswith("seatagent bookings propose"))
        ada.run_advice(line + " --yes")
        for person in (bo, cy):
            person.type("bookings", "accept", self.asked(person), "--yes", "--timeout", "1",
                        check=None)
        until("all have what they wished", lambda: [
            [codes.index(one["code"]) for one in person.bookings()] for person in people
        ] == [[2], [0], [1]], 30)
        self.assertNotEqual(self.holders(ada), before)
        self.assertEqual(ada.told("bookings", "match")["ledgers"][0]["rings"], [])
        ada.told("bookings", "wish", "off")

    def test_s1_two_swap_while_the_desk_is_off(self):
        _, clerk, (ada, bo), codes = self.booked("ada", "bo")
        before = self.holders(ada)
        clerk.kill()
        asked = ada.type("bookings", "swap", "1", "Tennis 2", day(1), "18:00", "--yes",
                         "--note", "nearer to the door")
        self.assertRegex(asked.stdout, r"^Request 1: you ask #\w+ for Tennis 2, .* 18:00-19:00 "
                                       r"and give Tennis 1, .* 18:00-19:00\.\n$")
        number = self.asked(bo)
        self.assertRegex(
            bo.type("bookings", "requests").stdout,
            r"asks for your Tennis 2, .* and gives Tennis 1, .*  \"nearer to the door\"  "
            rf"seatagent bookings accept {number}")
        self.assertEqual(bo.told("bookings", "accept", number, check=2)["try"],
                         f"seatagent bookings accept {number} --yes")
        done = bo.type("bookings", "accept", number, "--yes").stdout
        self.assertRegex(done, r"^Swapped: Tennis 1, .* 18:00-19:00 is yours now\.\n"
                               r"The desk has not seen it yet; it counts all the same\.\n$")
        a, b = self.key(ada), self.key(bo)
        self.assertEqual(sorted(before.values()), sorted([a, b]))
        after = {token: b if key == a else a for token, key in before.items()}
        self.same([ada, bo], after)
        # Each has the other's now, by its code, and nothing of their own.
        self.assertEqual([one["code"] for one in ada.bookings()], [codes[1]])
        self.assertEqual([one["code"] for one in bo.bookings()], [codes[0]])
        clerk.told("desk", "up", "rec")
        self.same([ada, bo, clerk], after)
        until("the desk has seen it", lambda: "done\n" in ada.type(
            "bookings", "requests", "--all").stdout, 20)
        # What was swapped is whose it is now: they alone give it back.
        self.assertEqual(ada.told("bookings", "cancel", codes[1], "--yes")["state"], "cancelled")

    def test_while_the_desk_is_there_a_swap_is_done_once_it_has_it(self):
        _, clerk, (ada, bo), codes = self.booked("ada", "bo")
        ada.type("bookings", "swap", "1", "Tennis 2", day(1), "18:00", "--yes")
        began = time.monotonic()
        done = bo.type("bookings", "accept", self.asked(bo), "--yes").stdout
        took = time.monotonic() - began
        self.note = f"done in {took:.1f} s"
        # Sooner than the next round of records, in which the desk would say it too.
        self.assertLess(took, 12)
        self.assertRegex(done, r"^Swapped: Tennis 1, .* 18:00-19:00 is yours now\.\n$")
        self.same([ada, bo, clerk], self.holders(ada))
        self.assertEqual([one["code"] for one in ada.bookings()], [codes[1]])
        until("ada reads it", lambda: "  done\n" in ada.type(
            "bookings", "requests", "--all").stdout, 10)

    def test_s1_a_student_and_a_guest_do_not_swap(self):
        _, clerk, (ada, bo) = self.centre("ada", "bo")
        ada.student(0)
        bo.guest()
        ada.books("Tennis 1", day(1), "18:00")
        mine = bo.books("Tennis 2", day(1), "18:00")
        until("ada knows it", lambda: len(self.holders(ada)) == 2, 20)
        clerk.desk("paid", mine["code"])
        until("bo knows that it is paid", lambda: not any(
            "unpaid" in json.dumps(one) for one in bo.bookings()), 20)
        before = self.holders(clerk)
        for person, other in ((ada, "Tennis 2"), (bo, "Tennis 1")):
            refused = person.refused("bookings", "swap", "1", other, day(1), "18:00", "--yes")
            self.assertEqual(refused["what"], "that booking cannot be swapped between you")
            self.assertIn("members of one class", refused["why"])
        self.same([ada, bo, clerk], before)

    def test_what_cannot_be_swapped_is_said_with_a_line_that_works(self):
        value = courts.words(swaps="all")
        value["classes"][1].update(quota=[])
        _, _, (ada, bo) = self.centre("ada", "bo", value=value)
        ada.student(0)
        bo.guest()
        ada.books("Tennis 1", day(1), "18:00")
        bo.books("Tennis 2", day(1), "18:00", "2h")
        until("ada knows it", lambda: len(self.holders(ada)) == 2, 20)
        for words, what in ((("Tennis 1", day(1), "18:00"), "that booking is yours"),
                            (("Tennis 2", day(1), "12:00"), "nobody has Tennis 2"),
                            (("Tennis 2", day(1), "19:00"), "are not of one length")):
            refused = ada.refused("bookings", "swap", "1", *words, "--yes")
            self.assertIn(what, refused["what"])
        self.assertTrue(refused["try"].endswith(" --override"), refused)
        # With it, ada gives an hour for two, of which one knows that they are not paid.
        ada.told("bookings", "swap", "1", "Tennis 2", day(1), "19:00", "--yes", "--override")
        number = self.asked(bo)
        self.assertIn("not of one length",
                      bo.refused("bookings", "accept", number, "--yes")["what"])
        self.assertEqual(bo.told("bookings", "decline", number, "--note", "sorry")["state"],
                         "declined")
        until("ada is told", lambda: "declined" in ada.type(
            "bookings", "requests", "--all").stdout, 20)
        self.assertEqual(ada.told("bookings", "requests", "9", check=2)["try"],
                         "seatagent bookings requests")
        self.assertEqual(ada.refused("bookings", "accept", "9", "--yes")["try"],
                         "seatagent bookings requests")

    def ring(self, people, codes):
        """The first proposes that each gets what the next has."""
        names = [person.host.name for person in people]
        keys = [self.key(person) for person in people]
        legs = [f"{codes[1]}:me", f"{codes[2]}:{keys[1]}", f"{codes[0]}:{keys[2]}"]
        people[0].told("bookings", "propose", *legs, "--yes")
        return names, keys

    @for_soak
    def test_s2_a_ring_in_which_a_yes_is_the_last_that_somebody_writes(self):
        self.ring_and_death("after:3", False)

    def test_s2_a_ring_in_which_somebody_dies_before_they_write_the_outcome(self):
        self.ring_and_death("before:4", True)

    def ring_and_death(self, point, applies):
        _, clerk, people = self.centre("ada", "bo", "cy")
        ada, bo, cy = people
        for number, person in enumerate(people):
            person.student(number)
        codes = [person.books(court, day(1), "18:00")["code"] for person, court in zip(
            people, ("Tennis 1", "Tennis 2", "Badminton A"))]
        before = self.holders(clerk)
        # cy's agent kills itself at a step of the binding phase, as `kill -9` would.
        pid = self.pid(cy)
        os.kill(pid, 9)
        until_gone(pid)
        cy.told("venue", "open", "rec", env={"SEATAGENT_DIE": point})
        pid = self.pid(cy)
        for person in people:
            until("everything is known", lambda person=person: (
                self.holders(person) == before), 20)
        _, keys = self.ring(people, codes)
        numbers = [self.asked(person) for person in (bo, cy)]
        bo.type("bookings", "accept", numbers[0], "--yes", check=None)
        cy.type("bookings", "accept", numbers[1], "--yes", check=None)
        # Before it is gone it may be silent, and hold the lock of the profile still.
        until_gone(pid, 30)
        cy.open("rec")
        tokens = {key: token for token, key in before.items()}
        after = {tokens[keys[1]]: keys[0], tokens[keys[2]]: keys[1], tokens[keys[0]]: keys[2]}
        self.same([*people, clerk], after if applies else before)
        for person in people:
            until("nobody is in doubt", lambda person=person: not person.told(
                "bookings", "requests")["swaps"], 30)
