# SPDX-License-Identifier: Apache-2.0
"""What is kept of a passenger is handed out whole; what others keep is said at its deletion."""

import base64
import datetime
import json
import os
import sqlite3

from agent import Agent
from case import Case
from peers import handmade
from waiting import until


class OwnData(Case):
    def test_all_of_it_is_exported_and_forget_says_what_others_keep(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        day = (datetime.date.today() + datetime.timedelta(days=9)).isoformat()
        ada.call("flight", "add", f"FR202/{day}/DUB", "--seat", "17A")
        ada.call("config", "set", "notify.bell", "off")
        ada.call("needs", "paid")
        ada.call("wish", "window,", "next", "to", "bo", "--private")
        ada.call("say", "to everyone")
        ada.call("msg", "bo", "to bo alone", "--wait")
        digest = ada.call("seats")["digest"]
        path = f"{here.folder}/mine.json"
        told = ada.call("export", path)
        self.assertEqual((told["trips"], told["settings"], told["flights"]), (1, 1, 1))
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        # The same without an agent.
        ada.leave()
        ada.call("export", f"{path}.2")
        for name in (path, f"{path}.2"):
            with open(name) as file:
                text = file.read()
            mine = json.loads(text)
            self.assertEqual([trip["flight"] for trip in mine["trips"]], [f"FR202/{day}/DUB"])
            self.assertEqual(mine["settings"], {"notify.bell": "off"})
            self.assertEqual(mine["last_start"]["options"]["seat"], ["14C"])
            flight = mine["flights"][0]
            self.assertEqual((flight["flight"], flight["needs"]),
                             ("XX1/2000-01-01/XXX", {"14C": "paid"}))
            # What others were not told is in it, and a passenger in it is a key.
            self.assertTrue(flight["wish"]["private"])
            self.assertTrue(flight["wish"]["words"].startswith("window, next to "))
            self.assertEqual([line["text"] for line in flight["messages"]], ["to bo alone"])
            records = f"{here.folder}/records"
            with open(records, "wb") as file:
                file.write(base64.b64decode(flight["records"]))
            self.assertEqual(ada.call("audit", records)["digest"], digest)
            seed = self.seed(ada)
            for secret in (seed.hex(), base64.b64encode(seed).decode()):
                self.assertNotIn(secret, text)
        said = ada.command("forget", "practice", "--yes", check=0).stdout
        self.assertIn("practice is forgotten: key and records.\nBut others keep what they have of "
                      "you: lines to everyone, claims and swaps", said)
        self.assertIn("to everyone", bo.said())

    def seed(self, agent):
        folder = f"{agent.host.env['XDG_DATA_HOME']}/seatagent/{agent.name}"
        path = next(f"{folder}/{name}" for name in os.listdir(folder) if name.endswith(".db"))
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            return database.execute("SELECT seed FROM identity").fetchone()[0]


class Versions(Case):
    def test_up_says_when_a_newer_version_is_aboard(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C")
        self.addCleanup(ada.command, "down")
        words = ["up", "--seat", "14C", "--name", "ada", "--port", str(ada.port), *ada.options]
        self.assertNotIn("says that it runs version", ada.command(*words, check=0).stderr)
        for row, program in enumerate(("seatagent 0.1.9", "seatagent 9.9.9 ", "other 9.9.9",
                                       "seatagent 0.10.0"), 20):
            mallory = handmade(self, ada, os.urandom(32))
            mallory("greet")
            mallory("dress", name=f"m{row}", program=program, seat=[row, 5], says=[], messages=[])
            until("the claim is seen", lambda row=row: f"{row}F" in ada.held())
            newer = ada.call("status")["newer"]
            self.assertEqual(newer, "0.10.0" if program.endswith("0.10.0") else None, program)
        ada.command("down", check=0)
        again = ada.command(*words, check=0).stderr
        self.assertIn("Another agent says that it runs version 0.10.0; yours is 0.3.0.", again)
