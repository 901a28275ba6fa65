# SPDX-License-Identifier: Apache-2.0
"""A driver's list of parked cars, with the program alone."""

import json
import os
import shutil
import stat
import sys
import unittest

import calendar_rules
from agent import BINARY, ROOT
from parking import CAR, ParkingCase
from waiting import until

HERE = os.path.dirname(os.path.abspath(__file__))
STREETS = """name,lat,lon,city\r
Main St 12,51.05,3.72,Gent\r
12 Main St,50.94,4.04,Aalst\r
"Rue ""Zola"", 3",50.85,4.35,Brussels\r
"""


class Parking(ParkingCase):
    def test_a_car_is_saved_listed_changed_found_and_removed(self):
        self.assertEqual(self.told()["records"], [])
        first = self.park("add", "b7k2q", *CAR)
        self.assertIn("The plate is kept as AB12CDE", first.stderr)
        self.assertIn("seatagent park change 1 --at 45.5017,-73.5673", first.stderr)
        self.park("route", "1", check=1)
        self.park("change", "1", "--at", "45.5017,-73.5673", "--street", " 12  Main St")
        self.park("add", "B7K2Q", "--plate", "XY9", "--suite", "33", "--hours", "24h",
                  "--street", "12 main st")
        rows = self.told()["records"]
        self.assertEqual([row["number"] for row in rows], [2, 1])
        self.assertEqual([row["street"] for row in rows], ["12 main st", "12 Main St"])
        self.assertEqual(rows[0]["at"], rows[1]["at"], "the street was known")
        self.assertEqual(rows[0]["left"], "24:00 left")
        self.assertIn("AB12CDE", self.park("show", "1").stdout)
        way = self.told("route", "1", "--from", "45.5088,-73.5542")
        self.assertEqual(way["geo"], "geo:45.5017,-73.5673")
        self.assertLess(abs(way["metres"] - 1293), 13)
        drawn = self.park("route", "1", "--from", "45.5088,-73.5542").stdout
        self.assertIn("1.3 km, south-west", drawn)
        self.assertNotIn("1.3 km", self.park("route", "1", "--no-qr").stdout)
        self.park("remove", "1", check=2)
        self.park("remove", "1", "--yes")
        self.assertEqual([row["number"] for row in self.told()["records"]], [2])
        self.assertIn("there are 2", self.park("show", "1", check=4).stderr)
        wrong = self.park("show", "x", check=2).stderr
        self.assertIn("\"x\" is not a number\n  why: the N of park show N is one\n"
                      "  try: seatagent park\n", wrong)
        kept = f"{self.here.env['XDG_DATA_HOME']}/seatagent/default/parking.json"
        self.assertEqual(stat.S_IMODE(os.stat(kept).st_mode), 0o600)

    def test_what_is_wrong_is_named_and_nothing_is_saved(self):
        for argv, words in (
                (("B7K2", *CAR), "building: it has 4, and needs 5 letters and digits"),
                (("B7K2Qx", *CAR), "building: it has 6"),
                (("B7K2Q", *CAR[:4], "--hours", "5h"), "hours: \"5h\" is none; it needs 1h, 4h"),
                (("B7K2Q", "--plate", "a", *CAR[2:]), "plate: it has 1"),
                (("B7K2Q", *CAR, "--at", "91,0"), "at: \"91,0\" is none"),
                (("B7K2Q",), "plate, suite and hours are missing"[:5])):
            wrong = self.park("add", *argv, check=2)
            self.assertIn(words, wrong.stderr)
            self.assertIn("try: seatagent park add B7K2Q", wrong.stderr)
        self.assertEqual(self.told()["records"], [])

    # P3, offline

    def test_a_street_is_found_in_what_is_here(self):
        unknown = self.add("--street", "12 Main St").stderr
        self.assertIn("Nothing here knows where that street is.", unknown)
        self.assertIn("It has no position, so there is no route yet.", unknown)
        self.assertNotIn("at", self.told()["records"][0])
        shown = self.run_here("places", "import", self.write("Streets.csv", STREETS)).stdout
        self.assertIn("Imported streets: 3 places.", shown)
        folder = f"{self.here.env['XDG_DATA_HOME']}/seatagent/default/places"
        self.assertEqual(stat.S_IMODE(os.stat(f"{folder}/streets.csv").st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)
        # Two cities have it: a list, and nothing is saved, until the line to try is typed.
        several = self.add("--street", "12 main street", check=2).stderr
        self.assertIn("12 Main St, Aalst (imported: streets) at 50.94, 4.04", several)
        self.assertEqual(len(self.told()["records"]), 1)
        line = several.split("  try: ")[1].strip()
        self.assertIn("--street 'Main St 12, Gent'", line)
        done = self.here.run(["sh", "-c", line.replace("seatagent", BINARY, 1)], check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("The position is that of Main St 12, Gent (imported: streets).", done.stderr)
        # An own record comes before what was imported, and the file of a venue before both.
        self.assertIn("(record 2)", self.add("--street", "main st 12, gent").stderr)
        self.run_here("places", "import", f"{ROOT}/examples/venues/parking.json")
        told = self.told("add", "A1B2C", *CAR, "--street", "12 MAIN ST.")
        self.assertEqual((told["found"]["by"], told["at"]), ("venue", "43.6535, -79.3839"))
        # The venue says where its building is, too.
        self.assertEqual(self.told("add", "B7K2Q", *CAR)["at"], "43.6535, -79.3839")
        self.assertNotIn("at", self.told("add", "A1B2C", *CAR))
        rows = json.loads(self.run_here("places", "--json").stdout)["result"]["places"]
        self.assertEqual(rows, [{"count": 1, "kind": "venue", "name": "parking"},
                                {"count": 3, "kind": "gazetteer", "name": "streets"}])
        self.run_here("places", "forget", "street", check=4)
        self.run_here("places", "forget", "streets")
        self.assertNotIn("streets", self.run_here("places").stdout)
        # A street that is added later is looked for, if there is no position yet.
        self.assertIn("(venue Maple Towers)", self.park("change", "1", "--street",
                                                        "12 main st").stderr)

    def test_a_wrong_list_of_streets_is_named_by_its_line(self):
        wrong = self.run_here("places", "import", self.write("x.csv", STREETS + "a,b,4,c\n"),
                              check=1).stderr
        self.assertIn("why: line 5: \"b,4\" is no position", wrong)
        self.run_here("places", "import", f"{self.here.folder}/none.csv", check=1)
        self.run_here("places", "import", check=2)
        self.assertIn("Nothing is imported.", self.run_here("places").stdout)

    def test_here_is_what_a_program_says(self):
        off = self.add("--here", check=2).stderr
        self.assertIn("location.command is not set", off)
        self.assertEqual(self.told()["records"], [])
        self.run_here("places", "import", self.write("s.csv", STREETS))
        program = self.write("where", "#!/bin/sh\necho 51.0507 3.7200\n", 0o700)
        self.run_here("config", "set", "location.command", program)
        saved = self.add("--here")
        self.assertIn("You are 80 m from Main St 12, Gent (imported: s).", saved.stderr)
        told = self.told("show", "1")
        self.assertEqual((told["at"], told["near"]["metres"]), ("51.0507, 3.72", 78.0))
        self.assertIn("80 m from Main St 12, Gent", self.park("show", "1").stdout)
        self.assertEqual(self.told("route", "1", "--here")["metres"], 0.0)
        self.write("where", "#!/bin/sh\necho 51.053,3.72\n", 0o700)
        self.assertIn("no address within 200 m is known here",
                      self.park("change", "1", "--here").stderr)
        # What it prints instead keeps nobody from saving a car.
        for words in ("echo lost", "exit 1", "echo 1 2; exit 3", "echo 91,0"):
            self.write("where", f"#!/bin/sh\n{words}\n", 0o700)
            saved = self.add("--here").stderr
            self.assertIn("the program of location.command says no position", saved)
            self.assertIn("It has no position", saved)
        self.park("change", "1", "--here", check=1)
        self.add("--here", "--at", "1,2", check=2)

    # P3, by a service on this machine

    def serve(self):
        folder = f"{self.here.folder}/service"
        os.mkdir(folder)
        process = self.here.popen(
            [sys.executable, "-B", f"{HERE}/schedule_service.py", folder], log="service.log")
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        until("the service is there", lambda: os.path.exists(f"{folder}/port"))
        with open(f"{folder}/port") as file:
            base = f"http://127.0.0.1:{file.read()}"

        def answer(body, status=200):
            with open(f"{folder}/answer", "w") as file:
                file.write(f"{status}\n{body if isinstance(body, str) else json.dumps(body)}")

        def asked():
            try:
                with open(f"{folder}/asked") as file:
                    lines = file.read().splitlines()
                os.unlink(f"{folder}/asked")
            except FileNotFoundError:
                return []
            return [json.loads(line) for line in lines]
        return base, answer, asked

    @unittest.skipUnless(shutil.which("curl"), "curl is not installed")
    def test_a_geocoder_is_asked_only_if_it_is_set_and_nothing_here_knows(self):
        base, answer, asked = self.serve()
        hit = {"lat": "45.50171234567", "lon": "-73.5673", "display_name": "12, Main \x1bSt, X",
               "place_id": 7}
        answer([hit])
        self.add("--street", "12 Main St & Co")
        self.assertEqual(asked(), [], "nobody is asked unless it is set")
        self.run_here("config", "set", "geocode.url", base)
        saved = self.add("--street", "12 Main St & Co")
        self.assertIn(f"{base} was asked, and learns your internet address and the street.",
                      saved.stderr)
        self.assertNotIn("\x1b", saved.stdout + saved.stderr)
        request, = asked()
        self.assertEqual(
            request["path"], "/search?format=jsonv2&limit=8&q=12%20Main%20St%20%26%20Co")
        self.assertEqual(set(request["headers"]), {"Host", "User-Agent", "Accept"})
        # The plate, the suite and the building stay here.
        self.assertFalse([word for word in ("AB12CDE", "12B", "B7K2Q") if word in str(request)
                          .replace(str(request["programs"]), "")])
        self.assertEqual(self.told()["records"][0]["at"], "45.5017123, -73.5673")
        self.assertIn("(record 2)", self.add("--street", "12 main street & co").stderr)
        self.assertEqual(asked(), [], "an own record knows it")
        answer([hit, {**hit, "lat": "45.6"}])
        several = self.add("--street", "9 Far Rd", check=2).stderr
        line = several.split("  try: ")[1].strip()
        done = self.here.run(["sh", "-c", line.replace("seatagent", BINARY, 1)], check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        for body, status, words in (
                ([], 200, "; it does not know it."), ("<html>", 502, "form that is known"),
                ("", 302, "form that is known"), ({"error": "x"}, 200, "form that is known"),
                ([{**hit, "lat": 45.5}], 200, "form that is known"), ("x" * (9 << 20), 200,
                                                                      "did not answer")):
            answer(body, status)
            saved = self.add("--street", "8 Far Rd").stderr
            self.assertIn(words, saved)
            self.assertIn("It has no position", saved)
        asked()

        # The other way round: what is at a position.
        program = self.write("where", "#!/bin/sh\necho 46.5,-73.5673\n", 0o700)
        self.run_here("config", "set", "location.command", program)
        answer({**hit, "lat": "46.501"})
        saved = self.add("--here").stderr
        self.assertIn("learns your internet address and position.", saved)
        self.assertIn("You are 110 m from 12, Main", saved)
        request, = asked()
        self.assertEqual(request["path"], "/reverse?format=jsonv2&lat=46.5&lon=-73.5673")
        for body, words in (({"error": "Unable to geocode"}, "no address within 200 m is known"),
                            ({**hit, "lat": "46.51"}, "no address within 200 m is known"),
                            ([], "form that is known")):
            answer(body)
            self.assertIn(words, self.add("--here").stderr)
        answer("x")
        asked()
        self.park("show", "1")
        self.assertEqual(asked(), [], "looking asks nobody")

    # P5

    def test_only_open_opens_a_page(self):
        said = f"{self.here.folder}/opened"
        folder = f"{self.here.folder}/bin"
        os.mkdir(folder)
        self.write("bin/xdg-open", f'#!/bin/sh\necho "$@" >{said}\n', 0o700)
        env = {"PATH": f"{folder}:{self.here.env['PATH']}"}
        self.add("--at", "45.5017,-73.5673")
        self.run_here("park", "route", "1", **env)
        self.assertFalse(os.path.exists(said))
        self.run_here("park", "route", "1", "--open", "--no-qr", **env)
        until("a page is opened", lambda: os.path.exists(said) and os.path.getsize(said))
        with open(said) as file:
            self.assertEqual(file.read(), "https://www.openstreetmap.org/?mlat=45.5017"
                                          "&mlon=-73.5673#map=18/45.5017/-73.5673\n")
        self.write("bin/xdg-open", "#!/bin/sh\nexit 3\n", 0o700)
        self.assertIn("xdg-open found nothing that shows a page",
                      self.run_here("park", "route", "1", "--open", check=1, **env).stderr)

    # P6

    def test_the_calendar_has_the_cars_whose_time_runs(self):
        self.assertIn("there is nothing to write", self.run_here("calendar", check=4).stderr)
        self.add("--street", "12 Main St")
        self.add()
        self.end_in(-60, 2)
        path = f"{self.here.folder}/cars.ics"
        self.assertIn("cars.ics has 1 parked car.",
                      self.run_here("calendar", "--out", path).stdout)
        with open(path, "rb") as file:
            data = file.read()
        self.assertEqual(calendar_rules.faults(data), [])
        event, = calendar_rules.events(data)
        self.assertEqual(event["SUMMARY"], "Parked: AB12CDE at B7K2Q")
        self.assertEqual([alarm["TRIGGER"] for alarm in event["alarms"]], ["-PT15M", "PT0S"])
        self.park("change", "1", "--hours", "12h")
        self.run_here("calendar", "--out", path)
        with open(path, "rb") as file:
            again, = calendar_rules.events(file.read())
        self.assertEqual((event["UID"], again["SEQUENCE"]), (again["UID"], "1"))
        self.assertNotIn("calendar", self.told()["records"][0])
        with open(self.list, "w") as file:
            file.write("{")
        self.run_here("calendar", check=4)
