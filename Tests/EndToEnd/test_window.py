# SPDX-License-Identifier: Apache-2.0
"""The selection window: as the airline does, else 48 hours before departure, to arrival."""

import os
from datetime import datetime, timedelta, timezone

from agent import Agent
from case import Case
from waiting import until

HOUR = timedelta(hours=1)


class Window(Case):
    def aboard(self, departs_in, *options):
        here = self.loopback()
        departs = datetime.now(timezone.utc) + departs_in
        flight = ["--flight", f"XY123/{departs:%Y-%m-%d}/DUB",
                  "--departs", f"{departs:%Y-%m-%dT%H:%M:%SZ}", *options]
        bo = Agent(here, "bo", "12A", options=flight).board()
        ada = Agent(here, "ada", "14C", peers=[bo], options=flight).board()
        ada.wait_for(bo)
        return ada, bo

    def test_before_it_opens_there_is_a_countdown_and_no_swap(self):
        ada, _ = self.aboard(50 * HOUR - timedelta(seconds=30))
        self.assertIn("open in 1 h 59 min", ada.command("status", check=0).stdout)
        refused = ada.command("swap", "12A", check=1)
        self.assertEqual(ada.call("swap", "12A", expect=1)["code"], "window-early")
        self.assertRegex(refused.stderr, r"open[s]? in 1 h 59 min")
        window = ada.call("status")["window"]
        self.assertEqual(window["state"], "early")
        self.assertTrue(0 < window["seconds"] <= 7200, window)

    def test_the_flight_may_open_it_earlier(self):
        ada, bo = self.aboard(50 * HOUR, "--opens-before", "72h")
        self.assertEqual(ada.call("status")["window"]["state"], "open")
        ada.swap("12A")
        bo.incoming()

    def test_after_arrival_it_is_closed(self):
        ada, _ = self.aboard(-21 * HOUR)
        refused = ada.command("swap", "12A", check=1)
        self.assertEqual(ada.call("swap", "12A", expect=1)["code"], "window-closed")
        self.assertIn("closed", refused.stderr)
        self.assertEqual(ada.call("status")["window"]["state"], "closed")

    def test_an_airline_that_is_known_says_when(self):
        here = self.loopback()
        departs = datetime.now(timezone.utc) + 30 * HOUR
        ada = Agent(here, "ada", "14C", options=[
            "--flight", f"FR202/{departs:%Y-%m-%d}/DUB",
            "--departs", f"{departs:%Y-%m-%dT%H:%M:%SZ}"]).board()
        window = ada.call("status")["window"]
        self.assertEqual(window["state"], "early")
        self.assertTrue(5 * 3600 < window["seconds"] <= 6 * 3600, window)
        self.assertEqual(window["opening"]["airline"], "Ryanair")
        self.assertEqual(window["local"]["airport"], "DUB")
        shown = ada.command("status", check=0).stdout
        self.assertIn("from 24 h before departure: Ryanair, as of 2026-11, stated by", shown)
        self.assertIn(f"at {window['local']['opens']}", shown)

    def opening(self, seconds, name):
        """An agent on a flight that opens in some seconds; `None` if it was up too late."""
        here = self.loopback()
        departs = datetime.now(timezone.utc) + 24 * HOUR + timedelta(seconds=seconds)
        ada = Agent(here, name, "14C", options=[
            "--flight", f"FR202/{departs:%Y-%m-%d}/DUB",
            "--departs", f"{departs:%Y-%m-%dT%H:%M:%SZ}"])
        script = os.path.join(here.folder, f"{name}.call")
        with open(script, "w") as text:
            text.write(f'#!/bin/sh\nprintf "%s|" "$@" >"{script}.new"\n'
                       f'mv "{script}.new" "{script}.said"\n')
        os.chmod(script, 0o755)
        ada.command("config", "set", "notify.command", script, check=0)
        ada.board()
        return (ada, script + ".said") if ada.call("status")["window"]["state"] == "early" else None

    def early(self, name):
        """The same, however slow this machine is today."""
        for number, seconds in enumerate((6, 20, 60)):
            found = self.opening(seconds, f"{name}{number}")
            if found:
                return (*found, seconds)
        self.fail("no agent was up before its window opened")

    def test_a_program_is_called_when_it_opens_and_nobody_looks_on(self):
        ada, file, seconds = self.early("ada")
        until("the program is called", lambda: os.path.exists(file), seconds + 20)
        with open(file, encoding="utf-8") as said:
            title, body, rest = said.read().split("|")
        self.assertEqual((title, rest), ("Seats open", ""))
        self.assertRegex(body, r"^Seats on FR202 are open for swaps, until \d{4}-\d\d-\d\d ")
        self.assertEqual(ada.call("status")["window"]["state"], "open")

    def test_who_watches_is_told_and_not_called(self):
        ada, file, seconds = self.early("bo")
        events = ada.watch("window")
        told = events.wait_for("window", seconds=seconds + 20)[0]
        self.assertEqual(told["state"], "open")
        self.assertEqual(told["opening"]["airline"], "Ryanair")
        self.assertFalse(os.path.exists(file))
