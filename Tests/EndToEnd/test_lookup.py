# SPDX-License-Identifier: Apache-2.0
"""The optional lookup of a flight, against a schedule service on this machine."""

import json
import os
import secrets
import shutil
import sys
import unittest
from datetime import datetime, timedelta, timezone

from agent import BINARY
from case import Case
from waiting import until

HERE = os.path.dirname(os.path.abspath(__file__))
#: As the service writes it for days to come: small letters, times without a date.
ENTRY = {"weekday": "3", "departure": {"iataCode": "dub", "scheduledTime": "06:30"},
         "arrival": {"iataCode": "stn", "scheduledTime": "07:50"},
         "airline": {"name": "ryanair", "iataCode": "fr"},
         "flight": {"number": "202", "iataNumber": "fr202"}}
OTHER = {**ENTRY, "flight": {"number": "206", "iataNumber": "fr206"}}


@unittest.skipUnless(shutil.which("curl"), "curl is not installed")
class Lookup(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        # Another one in every test: the programs of tests beside this one are looked at too.
        self.key = f"0a1b2c-{secrets.token_hex(8)}"
        folder = f"{self.here.env['XDG_DATA_HOME']}/seatagent/default"
        os.makedirs(folder, 0o700, exist_ok=True)
        trip = {"flight": "FR202/2031-03-05/DUB", "seats": ["17A"], "aliases": [],
                "added": "2026-11-21T12:00:00Z"}
        with open(f"{folder}/trips.json", "w") as file:
            json.dump({"version": 1, "history": [], "trips": [trip]}, file)

    def run_here(self, *argv, expect=0):
        done = self.here.run([BINARY, *argv], check=False)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def serve(self):
        """Starts a service and makes it the one that is asked."""
        self.folder = f"{self.here.folder}/service"
        os.mkdir(self.folder)
        process = self.here.popen(
            [sys.executable, "-B", f"{HERE}/schedule_service.py", self.folder], log="service.log")
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        until("the service is there", lambda: os.path.exists(f"{self.folder}/port"))
        with open(f"{self.folder}/port") as file:
            port = file.read()
        self.run_here("config", "set", "lookup.key", self.key)
        self.run_here("config", "set", "lookup.url", f"http://127.0.0.1:{port}/v2/public")
        return process

    def answer(self, body, status=200):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        with open(f"{self.folder}/answer", "wb") as file:
            file.write(f"{status}\n".encode() + data)

    def asked(self):
        """What it was asked since the last time."""
        try:
            with open(f"{self.folder}/asked") as file:
                lines = file.read().splitlines()
            os.unlink(f"{self.folder}/asked")
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in lines]

    def look(self):
        return json.loads(self.run_here("lookup", "FR202", "--json").stdout)["result"]

    def test_it_is_off_until_a_key_is_set(self):
        self.serve()
        self.run_here("config", "set", "lookup.key", "")
        refused = self.run_here("lookup", "FR202", expect=2).stderr
        self.assertIn("nobody was asked", refused)
        self.assertEqual(self.asked(), [])

    def test_what_it_finds_and_what_it_gives_away(self):
        self.serve()
        self.answer([OTHER, ENTRY])
        shown = self.run_here("lookup", "FR202").stdout
        self.assertIn("to STN, departs 2031-03-05 06:30, arrives 2031-03-05 07:50", shown)
        asked, = self.asked()
        self.assertEqual(asked["path"], f"/v2/public/flightsFuture?key={self.key}&type=departure"
                                        "&iataCode=DUB&date=2031-03-05&airline_iata=FR")
        self.assertEqual(set(asked["headers"]), {"Host", "User-Agent", "Accept"})
        self.assertEqual(asked["headers"]["User-Agent"], "seatagent")
        self.assertTrue([line for line in asked["programs"] if "--config" in line])
        self.assertFalse([line for line in asked["programs"] if self.key in line])
        again = self.look()
        self.assertEqual(again["answer"], "found")
        self.assertEqual(again["trip"]["departs"], "2031-03-05T06:30")
        self.assertEqual(again["trip"]["seats"], ["17A"])

    def test_a_flight_that_is_added_is_looked_up_and_needs_no_answer(self):
        self.serve()
        self.answer([{**ENTRY, "flight": {"iataNumber": "fr204"}}])
        day = (datetime.now(timezone.utc) + timedelta(days=20)).date().isoformat()
        told = self.run_here("flight", "add", "FR204", day, "DUB", "--departs", "06:35", "--json")
        result = json.loads(told.stdout)["result"]
        trip = result["trip"]
        self.assertEqual(trip["to"], "STN")
        self.assertEqual(trip["departs"], f"{day}T06:35")
        self.assertEqual(trip["arrives"], f"{day}T07:50")
        self.assertIn(f"The schedule differs: it departs at {day} 06:30 there.", result["remarks"])
        self.answer(b"", 500)
        for number in ("FR205", "FR206"):
            self.run_here("flight", "add", number, day, "DUB")
            self.answer([])
        listed = json.loads(self.run_here("flights", "--json").stdout)["result"]["flights"]
        self.assertEqual(len(listed), 4)

    def test_whatever_goes_wrong_changes_nothing(self):
        self.serve()
        for body, status, word in [
                ([OTHER], 200, "unknown"),
                ({"error": "No Record Found", "success": False}, 404, "unknown"),
                ({"error": "Invalid API Key"}, 200, "failed"),
                (b"<html>", 502, "failed"),
                (b"[" * 1000, 200, "failed"),
                (b" " * (9 << 20), 200, "failed"),
                (b"", 302, "failed")]:
            self.answer(body, status)
            told = self.look()
            self.assertEqual(told["answer"], word, body[:80] if isinstance(body, bytes) else body)
            self.assertNotIn("to", told["trip"])
            # A redirection would carry the key elsewhere.
            self.assertEqual(len(self.asked()), 1)

    def test_a_service_that_hangs_is_left(self):
        self.serve()
        self.answer(b"", "hang")
        told = self.look()
        self.assertEqual((told["answer"], told["why"]), ("failed", "the service did not answer"))

    def test_nobody_there(self):
        process = self.serve()
        process.kill()
        process.wait()
        self.assertEqual(self.look()["answer"], "failed")
