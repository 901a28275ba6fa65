# SPDX-License-Identifier: Apache-2.0
"""A passenger who signs two things: both are shown, and nobody trades unknowingly."""

import os

from agent import Agent
from case import Case
from peers import handmade
from waiting import until


class Misdeeds(Case):
    def aboard(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def assert_shown(self, agent, kind, what, *says):
        """`peers`, `who` and the text of `who` name both entries."""
        person = until(
            f"{agent.name} sees what mallory did",
            lambda: [p for p in agent.call("peers")["peers"] if p["misdeed"]], 20)[0]
        self.assertEqual(person["misdeed"]["kind"], kind)
        entries = person["misdeed"]["entries"]
        self.assertEqual([entry["says"] for entry in entries], list(says))
        self.assertEqual(agent.call("who", "mallory")["misdeed"], person["misdeed"])
        text = agent.command("who", "mallory", check=0).stdout
        for part in (what + ": do not trade", *says, entries[0]["id"][:8], entries[1]["id"][:8]):
            self.assertIn(part, text)
        self.assertIn(what, agent.command("peers", check=0).stdout)

    def test_a_fork_is_told_with_both_entries_and_known_to_all(self):
        ada, bo = self.aboard()
        events = ada.watch("trouble")
        mallory = handmade(self, bo, os.urandom(32))
        mallory("greet")
        mallory("fork")
        lines = sorted(['says "one thing"', 'says "another thing"'])
        for agent in (bo, ada):
            found = until("the fork is known", lambda agent=agent: [
                p for p in agent.call("peers")["peers"] if p["forked"]], 20)[0]
            says = [entry["says"] for entry in found["misdeed"]["entries"]]
            self.assertEqual(sorted(says), lines)
            self.assert_shown(agent, "fork", "signed two things at one place", *says)
        trouble = events.wait_for("trouble")[0]
        self.assertEqual((trouble["code"], trouble["misdeed"]["kind"]), ("fork", "fork"))
        for line in lines:
            self.assertIn(line, trouble["what"])
        events.end()
        # The log ends before the fork, on both.
        self.assertEqual([item for item in ada.said() if "thing" in item], [])

    def test_a_yes_and_a_no_are_told_with_both_entries(self):
        ada, bo = self.aboard()
        events = ada.watch("trouble")
        mallory = handmade(self, bo, os.urandom(32))
        mallory("greet")
        mallory("lie")
        for agent in (bo, ada):
            self.assert_shown(
                agent, "contradiction", "signed two things that exclude each other",
                "yes to swap 00000000, giving 30F", "no to swap 00000000")
        self.assertEqual(events.wait_for("trouble")[0]["code"], "misdeed")
        events.end()
        error = ada.call("swap", "30F", expect=1)
        self.assertIn("should not be traded with", error["what"])
        self.assertEqual(error["try"], "seatagent swap 30F --override --unverified")
