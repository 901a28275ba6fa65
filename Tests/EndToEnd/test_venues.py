# SPDX-License-Identifier: Apache-2.0
"""Files of venues, as operators make, check and show them with the program."""

import json
import os

from agent import BINARY
from case import Case

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = f"{ROOT}/examples/venues"


class Venues(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        self.file = f"{self.here.env['XDG_DATA_HOME']}/venue.json"
        os.makedirs(os.path.dirname(self.file), exist_ok=True)

    def venue(self, *argv, check=0):
        done = self.here.run([BINARY, "venue", *argv], check=False)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done

    def test_each_example_is_made_checked_and_shown_without_an_agent(self):
        for name in sorted(os.listdir(EXAMPLES)):
            kind = name.removesuffix(".json")
            path = f"{self.file}.{kind}"
            self.venue("new", path, "--like", kind)
            with open(path, encoding="utf-8") as made, open(
                    f"{EXAMPLES}/{name}", encoding="utf-8") as kept:
                self.assertEqual(json.load(made), json.load(kept))
            said = json.loads(self.venue("check", path, "--json").stdout)["result"]
            shown = json.loads(self.venue("show", path, "--json").stdout)["result"]["venue"]
            self.assertEqual(said["slug"], shown["slug"])
            self.assertEqual(said["places"], len(shown["places"]))
            self.assertIn("is there already", self.venue("new", path, check=1).stderr)

    def test_f2_the_map_has_a_number_for_each_place(self):
        drawn = self.venue("map", f"{EXAMPLES}/study.json", "--ascii").stdout
        spots = json.loads(self.venue("map", f"{EXAMPLES}/study.json", "--json").stdout)
        for spot in spots["result"]["spots"]:
            self.assertIn(f"{spot['number']}  {spot['name']}", drawn)
        self.assertEqual(
            [spot["name"] for spot in spots["result"]["spots"]][:2], ["UB Singel", "Law library"])

    def test_what_is_wrong_is_named_with_what_it_needs(self):
        with open(f"{EXAMPLES}/study.json", encoding="utf-8") as file:
            venue = json.load(file)
        venue["places"][1]["hours"] = {"Mo-Fr": "9-20"}
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump(venue, file)
        wrong = self.venue("check", self.file, check=1).stderr
        self.assertIn("places[1].hours.Mo-Fr: hours as 08:00-22:00 are wanted", wrong)
        self.assertIn("try: seatagent help venue", wrong)
        self.assertIn("seatagent venue new", self.venue("show", "none.json", check=1).stderr)
        self.assertIn("no place", self.venue(
            "show", f"{EXAMPLES}/study.json", "Nowhere", check=4).stderr)
