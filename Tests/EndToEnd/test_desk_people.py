# SPDX-License-Identifier: Apache-2.0
"""Who joins a venue with a desk, what becomes of what they say there, and how they keep what is
theirs (docs/protocol.md section 33)."""

import os

import capture
import passes
import terminal
from agent import BINARY
from courts import STUDENTS, Centre, Guest, day
from desk_ledger import Ledger, rows
from terminal import Terminal
from waiting import until


class Joining(Centre):
    def test_r2_nothing_is_sent_of_answers_that_are_wrong(self):
        _, clerk, (ada,) = self.centre("ada")
        mail, number = STUDENTS[0]
        for argv, field in (
                ((), "your name is missing"),
                (("--name", "Ada"), "your mail is missing"),
                (("--name", " ", "--mail", mail), "name: it is empty"),
                (("--name", "Ada", "--mail", "nonsense"), "mail: "),
                (("--name", "Ada", "--mail", "a@b@example.org"), "mail: "),
                (("--name", "Ada", "--mail", mail), "your number is missing"),
                (("--name", "Ada", "--mail", mail, "--number", "91900000"), "number: "),
                (("--name", "Ada", "--mail", mail, "--number", "818000000"), "number: ")):
            wrong = ada.told("venue", "join", "rec", *argv, check=2)
            self.assertIn(field, f"{wrong['what']}; {wrong['why']}", argv)
            self.assertRegex(wrong["try"], "^seatagent venue join rec --name ")
        self.assertEqual(rows(ada.host, "form"), [])
        self.assertEqual((rows(clerk.host, "form"), clerk.desk("requests")["members"]), ([], []))
        # The line to try is whole: a stranger's number makes a guest of them.
        line = wrong["try"].replace("seatagent", BINARY, 1)
        self.assertIn("guest: 2 h and 1 booking a day", ada.host.run(["sh", "-c", line]).stdout)

    def test_r2_only_who_may_have_a_number_is_asked_for_it(self):
        if not terminal.is_there():
            self.skipTest("needs tmux")
        _, clerk, (ada, bo) = self.centre("ada", "bo")
        screen = self.asked(ada)
        screen.enter("Ada")
        screen.wait_for("Your e-mail address:")
        screen.enter("ada")
        screen.wait_for("mail: ", "it needs")
        screen.enter("ada@example.org")
        screen.wait_for("Welcome to Rec Center, member 1, guest: 2 h and 1 booking a day.",
                        gone=["Your number:"])
        screen = self.asked(bo)
        screen.enter("Bo")
        screen.wait_for("Your e-mail address:")
        screen.enter(STUDENTS[0][0].upper())
        screen.wait_for("Your number:")
        screen.enter("12")
        screen.wait_for("a number like 919###### is wanted")
        screen.enter(STUDENTS[0][1])
        screen.wait_for("Welcome to Rec Center, member 2, student: 4 h and 1 booking a day.")
        self.assertIn("Welcome back to Rec Center, member 2.",
                      bo.type("venue", "join", "rec").stdout)
        said = [one["said"]["name"] for one in clerk.desk("members")["members"]]
        self.assertEqual(said, ["Ada", "Bo"])

    def asked(self, who):
        screen = Terminal(who.host, [BINARY, "venue", "join", "rec"])
        self.addCleanup(screen.close)
        screen.wait_for("Your answers go to the desk of Rec Center alone", "Your name:")
        return screen

    def test_r3_a_roster_makes_students_and_stays_at_the_desk(self):
        place, clerk, (ada, bo, cy, di) = self.centre("ada", "bo", "cy", "di")
        watched = [capture.record(host, "join") for host in place.hosts.values()]
        self.assertEqual(ada.student(0)["class"], 0)
        # Another's number; one that nobody has; and neither.
        self.assertEqual(bo.join("Bo", STUDENTS[1][0], "--number", STUDENTS[2][1])["class"], 1)
        self.assertEqual(cy.join("Cy", STUDENTS[3][0], "--number", "919999999")["class"], 1)
        self.assertEqual(di.guest()["class"], 1)
        members = {one["number"]: one["said"] for one in clerk.desk("members")["members"]}
        self.assertEqual(members[1]["mail"], STUDENTS[0][0])
        until("di has all of the ledger",
              lambda: Ledger(di).book.classes == {1: 0, 2: 1, 3: 1, 4: 1}, 20)
        frames = []
        for path, watch in watched:
            watch.kill()
            watch.wait(10)
            frames.append(b"\n".join(capture.frames(path)))
            os.remove(path)
        words = [word.encode() for pair in STUDENTS for word in pair]
        self.assertGreater(sum(map(len, frames)), 10_000)
        for sent in frames:
            self.assertEqual([word for word in words if word in sent.lower()], [])
        # What ada said of herself is with her and at the desk, and the roster there alone.
        self.assertEqual(self.kept(ada, words), set(words[:2]))
        self.assertEqual(self.kept(di, words), set())
        self.assertEqual(self.kept(clerk, words), set(words))

    def kept(self, who, words):
        """Which of these words stand in files of a host."""
        return {word for _, content in passes.files(who.host.folder) for word in words
                if word in content.lower()}


class Keeping(Centre):
    def confirm(self, who, line):
        path = f"{who.host.folder}/confirm"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho x >>{path}.log\n{line}\n")
        os.chmod(path, 0o700)
        who.type("config", "set", "confirm.command", path)

    def asked(self, who):
        """How often the program ran since the last time."""
        path = f"{who.host.folder}/confirm.log"
        if not os.path.exists(path):
            return 0
        with open(path, encoding="utf-8") as file:
            count = len(file.readlines())
        os.remove(path)
        return count

    def test_r10_a_program_that_says_no_stops_what_binds(self):
        _, _, (bo,) = self.centre("bo")
        bo.guest()
        self.confirm(bo, "exit 1")
        stopped = bo.book("tennis", day(1), "18:00", check=8)
        self.assertEqual(stopped["code"], "not-confirmed")
        self.assertEqual(self.asked(bo), 3)
        self.assertEqual((rows(bo.host, "ask"), bo.bookings()), ([], []))
        # What binds nobody asks nobody, nor does what is refused anyway.
        self.assertEqual(bo.told("book", "tennis", day(1), "18:00", check=2)["code"], "usage")
        self.assertEqual(bo.book("tennis", day(1), "05:00", check=1)["code"], "closed")
        self.assertEqual(self.asked(bo), 0)
        self.confirm(bo, "exit 0")
        self.assertEqual(bo.books("tennis", day(1), "18:00")["outcome"], "done")
        self.assertEqual(self.asked(bo), 1)
        self.confirm(bo, "exit 1")
        for argv in (("cancel", "1", "--yes"), ("give", "1", "ada", "--yes"), ("pay",)):
            self.assertEqual(bo.refused("bookings", *argv)["code"], "not-confirmed", argv)
            self.assertEqual(self.asked(bo), 3)
        self.assertEqual(bo.states(), ["booked"])

    def test_r11_a_new_laptop_gets_the_bookings_and_no_more_hours(self):
        place, clerk, (ada, bo) = self.centre("ada", "bo", switch=True)
        ada.student(0)
        ada.books("Tennis 1", day(1), "18:00")
        # The same person, by what they say; the desk looks at the card.
        mail, number = STUDENTS[0]
        bo.type("venue", "join", "rec", "--name", "Ada", "--mail", mail, "--number", number,
                "--timeout", "2", check=5)
        [form] = clerk.desk("requests")["forms"]
        said = clerk.type("desk").stdout
        self.assertIn(f"wants to join: Ada, {mail}, {number}", said)
        self.assertEqual(bo.bookings(), [])
        code = said.split("\n")[1].split()[0]
        self.assertIn(f"Moved: member 1 has the key {form['who']['tag']} now",
                      clerk.type("desk", "admit", code).stdout)
        self.assertEqual(clerk.desk("requests")["forms"], [])
        until("the new one has it", lambda: bo.states() == ["booked"])
        until("the old one does not", lambda: ada.states("--all") == ["moved"])
        self.assertEqual(bo.told("venue", "join", "rec")["member"], 1)
        self.assertEqual(bo.book("Tennis 2", day(1), "18:00", check=1)["code"], "quota")
        # One that nobody knows joins nothing, and is moved to by its tag.
        cy = Guest(place.plug_in("cy")).take(f"{clerk.host.folder}/rec.venue")
        cy.open("rec")
        tag = cy.told("status", "--profile", "default_rec")["me"]["tag"]
        until("the desk sees it", lambda: tag in [
            one["tag"] for one in clerk.told("peers", "--profile", "default_rec")["peers"]])
        self.assertEqual(clerk.refused("desk", "members", "move", "2", tag)["code"],
                         "no-such-record")
        self.assertIn("1 booking", clerk.type("desk", "members", "move", "1", tag).stdout)
        until("it has the booking", lambda: cy.states() == ["booked"])
        until("bo has not", lambda: bo.states() == [])
        self.assertEqual(cy.told("bookings", "cancel", "1", "--yes")["state"], "cancelled")

    def test_r8_only_the_desk_changes_an_address_once_it_has_admitted_somebody(self):
        _, clerk, (ada, bo) = self.centre("ada", "bo")
        ada.student(0)
        bo.student(1)
        number = next(one["number"] for one in clerk.desk("members")["members"]
                      if one["said"]["name"] == "Ada")
        # The profile's own address changes at once, and the desk's stays.
        done = ada.type("profile", "set", "mail", "ada@new.example")
        self.assertIn("rec goes on knowing you by the address with which you joined",
                      done.stderr)

        def said():
            return {one["number"]: one["said"] for one in clerk.desk("members")["members"]}
        self.assertEqual(said()[number]["mail"].lower(), STUDENTS[0][0])
        self.assertEqual(clerk.refused("desk", "members", "change", str(number), "mail", "nobody")[
            "code"], "usage")
        taken = clerk.refused("desk", "members", "change", str(number), "mail", STUDENTS[1][0])
        self.assertEqual(taken["code"], "already-so")
        clerk.desk("members", "change", str(number), "mail", "ada@new.example")
        clerk.desk("members", "change", str(number), "name", "Ada L.")
        self.assertEqual((said()[number]["mail"], said()[number]["name"]),
                         ("ada@new.example", "Ada L."))
        # What she has stays hers, and her name is what others read of what she says.
        self.assertEqual(ada.books("Tennis 1", day(1), "10:00")["minutes"], 60)
        ada.told("rename", "Ada L.", "--profile", "default_rec")
        until("bo reads it", lambda: "Ada L." in [
            one["name"] for one in bo.told("peers", "--profile", "default_rec")["peers"]], 20)
        # Who leaves keeps what is booked.
        ada.told("venue", "leave", "rec")
        ada.open("rec")
        self.assertEqual(ada.states(), ["booked"])
