# SPDX-License-Identifier: Apache-2.0
"""Calendar files: written by the program, read by everybody else."""

import json
import os
import shutil
import unittest
from datetime import datetime, timedelta, timezone

import calendar_rules
from agent import BINARY, Agent
from calendar_files import CalendarFiles
from case import Case
from waiting import until

TRIPS = [
    {"flight": "FR202/2031-03-05/DUB", "to": "STN", "departs": "2031-03-05T06:30",
     "arrives": "2031-03-05T07:50", "seats": ["17A", "17B"],
     "aliases": ["LH441/2031-03-05/DUB"]},
    {"flight": "ZZ6/2031-03-05/AKL", "to": "LAX", "departs": "2031-03-05T01:00",
     "arrives": "2031-03-04T16:05", "seats": ["12C"]},
    # Across a change of clocks, from a name that is not ASCII, without an arrival.
    {"flight": "ZZ7/2031-03-30/DUB", "to": "EGS", "departs": "2031-03-30T12:00"},
    {"flight": "ZZ8/2031-05-01/EGS", "opens_before": 5400, "departs": "2031-05-01T12:00"},
    # No time is known of it, and no zone of this one: a railway station.
    {"flight": "ZZ9/2031-05-02/DUB"},
    {"flight": "ZZ10/2031-05-03/XHJ", "departs": "2031-05-03T12:00"},
]

#: What is done to a file, and which readers find it: of the table in RFC 5545's shadow, each fault
#: that the program could make.
FAULTS = [
    ("no UID", lambda t: drop(t, "UID"), {"own", "vobject", "libical"}),
    ("no DTSTAMP", lambda t: drop(t, "DTSTAMP"), {"own", "libical"}),
    ("no DTSTART", lambda t: drop(t, "DTSTART:"), {"own", "icalendar", "libical"}),
    ("no VERSION", lambda t: drop(t, "VERSION"), {"own", "libical"}),
    ("no PRODID", lambda t: drop(t, "PRODID"), {"own", "vobject", "libical"}),
    ("bad TRIGGER", lambda t: t.replace("TRIGGER:-PT24H", "TRIGGER:-24H", 1), {"own", "icalendar"}),
    ("days", lambda t: t.replace("TRIGGER:-PT24H", "TRIGGER:-P1D", 1), {"own"}),
    ("no order", lambda t: t.replace("TRIGGER:-PT24H", "TRIGGER:-PT1H1S", 1), {"own"}),
    ("both ends", lambda t: t.replace("SUMMARY", "DURATION:PT1H\r\nSUMMARY", 1),
     {"own", "libical"}),
    ("bad STATUS", lambda t: t.replace("STATUS:CONFIRMED", "STATUS:GONE", 1), {"own", "libical"}),
    ("no END", lambda t: t.replace("END:VEVENT\r\n", "", 1), {"own", "vobject"}),
    ("bad date", lambda t: t.replace("DTSTART:2031", "DTSTART:2x31", 1), {"own", "icalendar"}),
    ("no ACTION", lambda t: drop(t, "ACTION"), {"own"}),
    ("no TRIGGER", lambda t: drop(t, "TRIGGER"), {"own"}),
    ("silent alarm", lambda t: drop(t, "DESCRIPTION:Seats open"), {"own"}),
    ("ends before", lambda t: t.replace("DTEND:20310305T0750", "DTEND:20310305T0550", 1), {"own"}),
    ("LF", lambda t: t.replace("\r\n", "\n"), {"own"}),
    ("wide", lambda t: t.replace("\r\n ", ""), {"own"}),
    ("zone", lambda t: t.replace("DTSTART:", "DTSTART;TZID=Europe/Dublin:", 1), {"own"}),
    ("comma", lambda t: t.replace("\\, seats", ", seats", 1), {"own"}),
    ("METHOD", lambda t: t.replace("CALSCALE", "METHOD:PUBLISH\r\nCALSCALE", 1), {"own"}),
    ("twice", lambda t: t.replace("-opens@", "@", 1), {"own"}),
    ("control", lambda t: t.replace("SUMMARY:F", "SUMMARY:\x07F", 1), {"own"}),
]


def drop(text, start):
    """Takes the first line away that begins so."""
    lines = text.split("\r\n")
    lines.remove(next(line for line in lines if line.startswith(start)))
    return "\r\n".join(lines)


class Calendar(CalendarFiles, Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()

    def keep(self, *trips):
        """Makes `trips` the passenger's list."""
        folder = f"{self.here.env['XDG_DATA_HOME']}/seatagent/default"
        os.makedirs(folder, 0o700, exist_ok=True)
        added = {"seats": [], "aliases": [], "added": "2026-11-21T12:00:00Z"}
        with open(f"{folder}/trips.json", "w") as file:
            json.dump({"version": 1, "history": [], "trips": [{**added, **t} for t in trips]}, file)

    def kept(self):
        path = f"{self.here.env['XDG_DATA_HOME']}/seatagent/default/trips.json"
        with open(path) as file:
            return json.load(file)["trips"]

    def test_everybody_can_read_it(self):
        self.needs_readers()
        self.keep(*TRIPS)
        data = self.file()
        nothing = {"own": [], "libical": [], "icalendar": [], "vobject": []}
        self.assertEqual(self.readers(data), nothing)
        self.assertEqual(len(calendar_rules.events(data)), 10)
        for trip in TRIPS:
            self.assertEqual(self.readers(self.file(trip["flight"])), nothing, trip)

    def test_everybody_can_read_parked_cars(self):
        self.needs_readers()
        self.keep(TRIPS[0])
        for street in ("12 Main St, rear; \\left", "Straße 5"):
            self.here.run([BINARY, "park", "add", "B7K2Q", "--plate", "AB12CDE", "--suite", "12B",
                           "--hours", "24h", "--street", street, "--at", "45.5017,-73.5673"])
        data = self.file()
        self.assertEqual(self.readers(data), {"own": [], "libical": [], "icalendar": [],
                                              "vobject": []})
        cars = [e for e in calendar_rules.events(data) if e["SUMMARY"].startswith("Parked")]
        self.assertEqual(len(cars), 2)
        self.assertEqual(data.count(b"TRIGGER;RELATED=END:-PT15M\r\n"), 2)
        self.assertEqual(len(calendar_rules.events(self.file("FR202"))), 2)

    def test_the_readers_find_what_is_wrong(self):
        self.needs_readers()
        self.keep(TRIPS[0])
        text = self.file().decode()
        for name, change, finders in FAULTS:
            wrong = change(text)
            self.assertNotEqual(wrong, text, name)
            found = {reader for reader, words in self.readers(wrong.encode()).items() if words}
            self.assertLessEqual(finders, found, name)

    # What stands in it

    def test_moments_are_exact_whatever_clocks_do(self):
        self.keep(*TRIPS)
        events = calendar_rules.events(self.file())
        times = {event["SUMMARY"]: event["DTSTART"] for event in events}
        self.assertEqual(times["Flight FR202 DUB-STN\\, seats 17A\\, 17B"], "20310305T063000Z")
        self.assertEqual(times["Seats open on FR202: DUB-STN"], "20310304T063000Z")
        # Over the date line: it arrives on the day before.
        self.assertEqual(times["Flight ZZ6 AKL-LAX\\, seat 12C"], "20310304T120000Z")
        self.assertEqual(times["Seats open on ZZ6: AKL-LAX"], "20310302T120000Z")
        # Clocks go forward on 30 March 2031: 48 hours before, they show 11:00.
        self.assertEqual(times["Flight ZZ7 DUB-EGS"], "20310330T110000Z")
        self.assertEqual(times["Seats open on ZZ7: DUB-EGS"], "20310328T110000Z")
        self.assertEqual(times["Seats open on ZZ8: EGS"], "20310501T103000Z")
        self.assertEqual(times["Flight ZZ9 DUB"], "20310502")
        self.assertEqual(times["Flight ZZ10 XHJ"], "20310503")
        for event in events:
            if event["SUMMARY"].startswith("Flight FR202"):
                self.assertEqual(event["alarms"][0]["TRIGGER"], "-PT24H")
                self.assertIn("Others call this flight LH 441.", event["DESCRIPTION"])
            if event["SUMMARY"].startswith("Flight ZZ8"):
                self.assertEqual(event["alarms"][0]["TRIGGER"], "-PT1H30M")

    def test_a_change_is_the_next_in_sequence(self):
        self.keep(TRIPS[0], TRIPS[1])
        first = calendar_rules.events(self.file())
        again = calendar_rules.events(self.file())
        self.assertEqual({event["SEQUENCE"] for event in first + again}, {"0"})
        self.assertEqual([e["UID"] for e in first], [e["UID"] for e in again])
        self.assertEqual(len({event["UID"] for event in first}), 4)
        trips = self.kept()
        next(trip for trip in trips if "FR202" in trip["flight"])["seats"] = ["12C", "17B"]
        self.keep(*trips)
        swapped = calendar_rules.events(self.file())
        self.assertEqual([e["UID"] for e in first], [e["UID"] for e in swapped])
        self.assertEqual(
            {(event["SUMMARY"].split()[1], event["SEQUENCE"]) for event in swapped
             if event["SUMMARY"].startswith("Flight")}, {("FR202", "1"), ("ZZ6", "0")})

    def test_a_swap_is_the_next_in_sequence(self):
        day = (datetime.now(timezone.utc) + timedelta(days=1)).date().isoformat()
        name = f"FR202/{day}/DUB"
        bo = Agent(self.here, "bo", "12A", options=["--flight", name]).board()
        ada = Agent(self.here, "ada", "17A", peers=[bo], options=["--flight", "FR202"])
        ada.call("flight", "add", name, "STN", "--departs", "00:01", "--opens-before", "10d",
                 "--seat", "17A")
        ada.board().wait_for(bo)

        def flight():
            return calendar_rules.events(ada.call("calendar", "FR202")["calendar"].encode())[0]
        before = flight()
        ada.swap("12A")
        bo.call("accept", bo.incoming(), "--yes")
        until("the list has the new seat", lambda: ["12A"] == ada.call(
            "flights")["flights"][0]["trip"]["seats"], 20)
        after = flight()
        self.assertEqual(before["UID"], after["UID"])
        self.assertEqual((before["SEQUENCE"], after["SEQUENCE"]), ("0", "1"))
        self.assertIn("seat 17A", before["SUMMARY"])
        self.assertIn("seat 12A", after["SUMMARY"])

    def test_where_it_goes(self):
        self.keep(TRIPS[0], TRIPS[4])
        text = self.write().stdout
        # Read as text, in which every end of line is one letter.
        self.assertTrue(text.startswith("BEGIN:VCALENDAR\n") and text.endswith("END:VCALENDAR\n"))
        told = json.loads(self.write("--json", "FR202").stdout)["result"]
        self.assertEqual(told["flights"][0]["opens"], "2031-03-04T06:30:00Z")
        self.assertEqual(calendar_rules.faults(told["calendar"].encode()), [])
        self.assertIn("the time of departure is not known", self.write("ZZ9").stderr)
        path = f"{self.here.folder}/notes.txt"
        with open(path, "w") as file:
            file.write("mine")
        self.assertIn("is not written over", self.write("--out", path, expect=1).stderr)
        # Somebody's whole calendar, and what would be waited for without end.
        with open(path, "w") as file:
            file.write("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//mine//EN\r\nEND:VCALENDAR\r\n")
        self.assertIn("is not written over", self.write("--out", path, expect=1).stderr)
        pipe = f"{self.here.folder}/pipe"
        os.mkfifo(pipe)
        self.assertIn("is not a file", self.write("--out", pipe, expect=1).stderr)
        with open(path) as file:
            self.assertIn("-//mine//", file.read())
        self.write("ZZ77", expect=4)
        self.keep()
        self.assertIn("your list of flights is empty", self.write(expect=4).stderr)

    # As people do

    @unittest.skipUnless(shutil.which("khal"), "khal is not installed")
    def test_a_real_calendar_takes_it_and_its_changes(self):
        folder = self.here.folder
        os.makedirs(f"{folder}/calendars/mine", exist_ok=True)
        settings = f"{folder}/khal.conf"
        with open(settings, "w") as file:
            file.write(f"[calendars]\n[[mine]]\npath = {folder}/calendars/mine\n"
                       "[locale]\nlocal_timezone = Europe/Dublin\n"
                       "default_timezone = Europe/Dublin\ntimeformat = %H:%M\n"
                       "dateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n"
                       "datetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n"
                       f"[sqlite]\npath = {folder}/khal.db\n[default]\ndefault_calendar = mine\n")

        def khal(*argv):
            done = self.here.run(["khal", "-c", settings, *argv], check=False,
                                 env={"LC_ALL": "C.UTF-8"})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return done.stdout

        def listed():
            return khal("list", "--format", "{start-time} {title}", "2031-03-01", "70d")

        self.keep(*TRIPS)
        path = f"{folder}/flights.ics"
        self.write("--out", path)
        khal("import", "--batch", path)
        shown = listed()
        self.assertIn("06:30 Flight FR202 DUB-STN, seats 17A, 17B", shown)
        self.assertIn("06:30 Seats open on FR202: DUB-STN", shown)
        # By Dublin's clocks, from Auckland.
        self.assertIn("12:00 Flight ZZ6 AKL-LAX, seat 12C", shown)
        self.assertIn("12:00 Flight ZZ7 DUB-EGS", shown)
        trips = self.kept()
        next(trip for trip in trips if "FR202" in trip["flight"])["seats"] = ["12C"]
        self.keep(*trips)
        self.write("--out", path)
        khal("import", "--batch", path)
        shown = listed()
        self.assertIn("06:30 Flight FR202 DUB-STN, seat 12C", shown)
        self.assertEqual(shown.count("Flight FR202"), 1)
        self.assertEqual(len(os.listdir(f"{folder}/calendars/mine")), 10)
