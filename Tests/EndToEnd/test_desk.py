# SPDX-License-Identifier: Apache-2.0
"""A desk that orders bookings in its ledger (docs/protocol.md sections 32 and 33): what people type
at a recreation centre, and what they get."""

import os
import re
import subprocess
import time
import urllib.parse

import courts
import library
from agent import BINARY
from courts import Centre, Guest, day
from waiting import until

HERE = os.path.dirname(os.path.abspath(__file__))


def graymap(drawn, scale=4):
    """A picture of a code that was drawn with two characters a module."""
    rows = [row for row in drawn.splitlines() if re.fullmatch(r"[# ]{58,}", row)]
    pixels = b"".join(
        b"".join((b"\xff" if row[x] == "#" else b"\x00") * scale for x in range(0, len(row), 2))
        * scale for row in rows)
    return b"P5 %d %d 255\n" % (len(rows) * scale, len(rows) * scale) + pixels


class Desk(Centre):
    def test_r1_a_desk_is_found_and_says_what_it_has(self):
        place, _, (ada,) = self.centre("ada", switch=True)
        bo = Guest(place.plug_in("bo"))
        begun = time.monotonic()
        found = bo.told("venue", "find")["venues"]
        self.note = f"found in {time.monotonic() - begun:.2f} s"
        self.assertEqual([one["slug"] for one in found], ["rec"])
        # The words come from the agents there: nobody gave bo a file.
        bo.told("venue", "add", found[0]["link"], "--yes")
        bo.open("rec")
        shown = bo.type("venue", "show", "rec").stdout
        for words in ("Rec Center  (rec)", "It is open until 22:00.", "Mo-Su 06:00-22:00",
                      "10  Basketball   2 x hall  1 h to 4 h", "on the venue's list",
                      "at most 4 h and 1 booking a day", "10.00 EUR an hour"):
            self.assertIn(words, shown)
        self.assertNotIn("Next:", shown)
        self.assertEqual(bo.told("book", "tennis", day(1), "18:00", "--yes", check=1)["try"],
                         "seatagent venue join rec")
        bo.guest()
        ada.student(0)
        booked = bo.books("Tennis 2", day(1), "18:00")
        self.assertEqual(bo.told("venue", "show", "rec")["next"]["token"], booked["token"])
        self.assertRegex(bo.type("venue", "show", "rec").stdout,
                         r"\nNext: Tennis 2, .* 18:00-19:00, code [A-Z2-7]{8}\n$")
        self.assertNotIn("Next:", ada.type("venue", "show", "rec").stdout)

    def test_r4_words_book_and_what_is_missing_is_said_with_a_line_that_works(self):
        value = courts.words(together=9)
        value["classes"][1]["quota"] = []
        _, _, (ada, bo) = self.centre("ada", "bo", value=value)
        ada.student(0)
        bo.guest()
        booked = ada.type("book", "Tennis 2", day(1), "18:00", "2h", "--yes").stdout
        self.assertRegex(booked, r"^Booked: Tennis 2, .* 18:00-20:00, code [A-Z2-7]{8}\n$")
        until("bo sees that it is taken", lambda: bo.book(
            "Tennis 2", day(1), "19:00", check=1)["code"] == "full")
        for words, missing in (
                (("tennis",), "the day and the time are missing"),
                (("tennis", "18:00"), "the day is missing"),
                (("tennis", day(1)), "the time is missing"),
                ((day(1), "18:00"), "the place is missing"),
                (("18:00",), "the place and the day are missing"),
                (("Tennis 2", day(1), "18:00"), "others have Tennis 2 then")):
            refused = bo.refused("book", *words, "--yes")
            self.assertEqual(refused["what"], missing, words)
            self.assertRegex(refused["try"], "^seatagent book ")
            line = refused["try"].replace("seatagent", BINARY, 1)
            done = bo.host.run(["sh", "-c", f"{line} --yes"], check=False)
            self.assertEqual(done.returncode, 0, f"{refused['try']}\n{done.stderr}")
        for words, code in ((("nowhere", day(1), "18:00"), "usage"),
                            (("tennis", day(1), "18:30"), "closed"),
                            (("tennis", day(1), "05:00"), "closed"),
                            (("tennis", day(1), "18:00", "5h"), "closed"),
                            (("tennis", "2001-01-01", "18:00"), "too-soon"),
                            (("tennis", day(15), "18:00"), "too-far")):
            self.assertEqual(bo.refused("book", *words, "--yes")["code"], code, words)
        # Several courts at once are several bookings.
        two = bo.book("Tennis 1", "badminton", day(2), "09:00")["bookings"]
        self.assertEqual([one["name"] for one in two], ["Tennis 1", "Badminton A"])
        # A hall that is one court of basketball is no court of badminton beside.
        self.assertEqual(ada.book("Basketball", day(2), "09:00", check=1)["code"], "full")
        # What is given back is free again.
        [one] = ada.bookings()
        self.assertEqual((one["name"], one["state"]), ("Tennis 2", "booked"))
        self.assertEqual(ada.told("bookings", "cancel", "1", "--yes")["state"], "cancelled")
        until("it is free again", lambda: bo.books(
            "Tennis 2", day(1), "18:00", "2h")["outcome"] == "done")

    def test_r5_quotas_hold_to_the_minute_and_the_desk_may_set_them_aside(self):
        value = courts.words()
        value["places"][0].update(grain=1, min=60, max=600)
        _, clerk, (ada, bo) = self.centre("ada", "bo", value=value)
        ada.student(0)
        bo.guest()
        for length in ("5h", "241min"):
            refused = ada.book("Tennis 1", day(1), "08:00", length, check=1)
            self.assertEqual(refused["code"], "quota")
            self.assertIn("you have 4 h of 4 h, 1 of 1 booking left that day", refused["why"])
        sentence = ada.told("book", "Tennis 1", day(1), "08:00", "90min", check=2)["why"]
        self.assertIn("free for you; after it 2 h 30 min of 4 h, no booking left that day",
                      sentence)
        booked = ada.books("Tennis 1", day(1), "08:00", "4h")
        self.assertEqual((booked["outcome"], booked["minutes"]), ("done", 240))
        self.assertEqual(ada.book("Tennis 2", day(1), "20:00", check=1)["code"], "quota")
        self.assertEqual(ada.books("Tennis 2", day(2), "20:00")["outcome"], "done")
        # A guest pays, and has half as much.
        self.assertEqual(bo.book("Tennis 1", day(1), "14:00", "121min", check=1)["code"], "quota")
        sentence = bo.told("book", "Tennis 1", day(1), "14:00", "2h", check=2)["why"]
        self.assertIn("20.00 EUR, to be paid by", sentence)
        self.assertIn("after it 0 h of 2 h, no booking left that day", sentence)
        self.assertEqual(bo.books("Tennis 1", day(1), "14:00", "2h")["amount"], 2000)
        # The desk may set that aside, and everybody can see that it did.
        words = ("Tennis 2", day(1), "20:00", "1h", "--member", "1", "--mail", "s@example.org")
        wrong = clerk.desk("book", *words, check=1)
        self.assertEqual(wrong["why"], "their quota of that day would be exceeded")
        [token] = clerk.desk("book", *words, "--override")["bookings"]
        until("ada has it", lambda: token in {one["token"] for one in ada.bookings()})
        for who in (ada, bo):
            [seen] = who.bookings("--mail", "s@example.org")
            self.assertEqual((seen["token"], seen["override"], seen["member"]), (token, True, 1))

    def test_r6_what_is_due_is_paid_by_link_account_code_or_at_the_counter(self):
        _, clerk, (bo,) = self.centre("bo")
        bo.guest()
        self.assertIn("How to pay: seatagent bookings pay", bo.type(
            "book", "Tennis 1", day(1), "14:00", "2h", "--yes").stderr)
        said = bo.told("bookings", "pay")
        code = said["code"]
        self.assertRegex(code, "^[A-Z2-7]{8}$")
        self.assertEqual((said["due"], said["link"]), (
            "20.00 EUR", f"https://pay.example/rec?ref={code}"))
        payto = urllib.parse.urlsplit(said["payto"])
        self.assertEqual((payto.scheme, payto.netloc, payto.path),
                         ("payto", "iban", "/BE71096123456769"))
        self.assertEqual(urllib.parse.parse_qs(payto.query), {
            "amount": ["EUR:20.00"], "receiver-name": ["Rec Center"], "message": [code]})
        self.assertEqual(said["transfer"].split("\n"), [
            "BCD", "002", "1", "SCT", "", "Rec Center", "BE71096123456769", "EUR20.00", "", "",
            code])
        drawn = bo.type("bookings", "pay", "1", "--ascii").stdout
        self.assertEqual(self.read_back(bo.host, drawn), said["transfer"])
        # The desk notes what it got, and no more than that.
        self.assertIn("10.00 EUR for", clerk.type("desk", "paid", code, "10").stdout)
        until("half of it is paid", lambda: bo.bookings()[0].get("paid") == 1000)
        self.assertIn("booked, due 10.00 EUR", bo.type("bookings").stdout)
        self.assertEqual(bo.told("bookings", "pay")["due"], "10.00 EUR")
        clerk.desk("paid", code, "--by", "card")
        until("all of it is paid", lambda: bo.bookings()[0].get("paid") == 2000)
        self.assertIn("booked, paid", bo.type("bookings").stdout)
        self.assertEqual(bo.refused("bookings", "pay", "1")["code"], "already-so")
        self.assertEqual(clerk.refused("desk", "paid", code)["code"], "already-so")

    def read_back(self, host, drawn):
        """What another program reads off a code that was drawn on a terminal."""
        if not os.path.exists("/usr/include/ZXing/ReadBarcode.h"):
            self.skipTest("needs libzxing-dev")
        program = f"{host.folder}/zxing"
        subprocess.run(["g++", "-std=c++20", "-o", program, f"{HERE}/code_zxing.cpp", "-lZXing"],
                       check=True)
        return subprocess.run(
            [program], input=graymap(drawn), stdout=subprocess.PIPE, check=True).stdout.decode()

    def test_r7_the_list_goes_on_over_volumes_newest_first(self):
        value = courts.words(ahead=0)
        value.update(volume="day", hours={"Mo-Su": "00:00-24:00"})
        _, clerk, (ada,) = self.centre("ada", value=value)
        ada.student(0)
        first = ada.books("Tennis 1", courts.day(0), "20:00")
        # Another day: the clocks of the venue are put on by half a day or so.
        value["zone"] = library.zone_of_another_day()
        path = library.sign(clerk.host, value, "rec")
        clerk.told("desk", "up", "rec")
        ada.take(path)
        ada.open("rec")
        clerk.opens()
        # Another ledger knows nobody.
        self.assertEqual(ada.student(0)["member"], 1)
        line = ada.told("book", "tennis", check=2)["try"].removeprefix("seatagent ")
        done = ada.host.run(["sh", "-c", f"{BINARY} {line} --yes"])
        self.assertIn("Booked: ", done.stdout)
        [new, old] = ada.bookings("--all")
        self.assertEqual(old["token"], first["token"])
        self.assertEqual((new["number"], old["number"]), (2, 1))
        self.assertEqual((new["state"], old["state"]), ("booked", "booked"))
        self.assertNotEqual(new["day"], old["day"])
        ada.told("bookings", "cancel", "2", "--yes")
        self.assertEqual(ada.states("--all"), ["cancelled", "booked"])
        self.assertEqual([one["number"] for one in ada.bookings()], [1])

    def test_the_desk_says_something_and_a_court_is_booked_for_weeks(self):
        value = courts.words(ahead=20)
        value["volume"] = courts.kind(15)
        _, clerk, (ada, bo) = self.centre("ada", "bo", value=value)
        ada.student(0)
        bo.student(1)
        clerk.desk("say", "Court", "3", "is", "wet")
        until("bo reads it", lambda: re.search(
            r"the desk says: \d\d:\d\d Court 3 is wet", bo.type("venue", "show", "rec").stdout), 20)
        if value["volume"] == "week":
            return  # At the end of a year no ledger has three of them.
        # Somebody has the second one: the others are booked all the same.
        taken = bo.books("Tennis 1", day(8), "10:00")
        done = ada.told("book", "Tennis 1", day(1), "10:00", "--weekly", "3", "--yes",
                        check=None)
        self.assertEqual(
            [(one["day"], one["outcome"]) for one in done["bookings"]],
            [(day(1), "done"), (taken["day"], "refused"), (day(15), "done")])
        wrong = ada.refused("book", "Tennis 1", day(1), "10:00", "--weekly", "40", "--yes")
        self.assertEqual(wrong["code"], "usage")
