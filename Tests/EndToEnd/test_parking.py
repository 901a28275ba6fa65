# SPDX-License-Identifier: Apache-2.0
"""A driver's list of parked cars, with the program alone."""

import json
import os
import stat

from agent import BINARY
from case import Case

CAR = ("--plate", "ab-12 cde", "--suite", "12b", "--hours", "4h")


class Parking(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()

    def park(self, *argv, check=0):
        done = self.here.run([BINARY, "park", *argv], check=False)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done

    def told(self, *argv):
        return json.loads(self.park(*argv, "--json").stdout)["result"]

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
