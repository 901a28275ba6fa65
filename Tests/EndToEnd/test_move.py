# SPDX-License-Identifier: Apache-2.0
"""A flight that was cancelled: trip, party and wish go along to the one in its place."""

import json

from agent import Agent
from case import Case
from test_trips import day
from waiting import until

CODE = "aaaaaaaaaaaaaaaaa"


class Move(Case):
    def on_the_list(self, here, name, seat, peers=()):
        """An agent on FR202 of its list."""
        agent = Agent(here, name, seat, peers=peers, options=["--flight", "FR202"])
        agent.call("flight", "add", f"FR202/{day(1)}/DUB", "STN", "--departs", "23:50",
                   "--opens-before", "10d", "--seat", seat)
        return agent.board()

    def moved(self, agent, seat):
        """Moves, is told what the new seat needs, says it, and boards."""
        error = agent.call("flight", "move", "FR202", f"FR202/{day(2)}/DUB", expect=2)
        self.assertIn("nobody can be asked", error["what"])
        done = agent.command(*error["try"].split()[1:], check=0)
        agent.process.wait(15)
        self.assertIn(f"In its place: FR 202 on {day(2)} from DUB to STN.", done.stdout)
        self.assertIn("Your party goes along", done.stdout)
        line = f"seatagent flight change FR202/{day(2)}/DUB --seat 14C"
        self.assertIn(line, done.stderr)
        words = line.split()[1:-1]
        agent.call(*words, seat, "--departs", "23:50", "--opens-before", "10d")
        agent.seat = seat
        return done

    def test_two_companions_move_and_find_each_other_without_a_new_code(self):
        here = self.loopback()
        ada = self.on_the_list(here, "ada", "12A")
        bo = self.on_the_list(here, "bo", "15C", peers=[ada])
        ada.wait_for(bo)
        code = ada.call("party", "new")["code"]
        bo.call("party", "join", code)
        ada.call("wish", "12B 12C, next to bo, aisle", "--private")
        done = self.moved(ada, "20A")
        self.assertIn("Your private wish goes along: next to bo, aisle.", done.stdout)
        self.assertIn("Left out of your wish: 12B, 12C.", done.stdout)
        # It is there whole, and no script reads the code.
        row = ada.call("flights")["flights"][-1]
        self.assertEqual(row["trip"]["moved"], {
            "from": f"FR202/{day(1)}/DUB", "party": True, "wish": True})
        self.assertNotIn(code, json.dumps(row))
        self.assertEqual(ada.call("party")["code"], code)
        self.moved(bo, "21C")
        for agent in (ada, bo):
            agent.board()
        until("each is asked about the other", lambda: [
            [who["name"] for who in agent.call("party")["candidates"]]
            for agent in (ada, bo)] == [["bo"], ["ada"]], 10)
        ada.call("party", "yes", "bo")
        bo.call("party", "yes", "ada")
        self.assertEqual(ada.call("who", "bo")["evidence"], {"party": True})
        wish = until("the wish is there whole", lambda: next((
            wish for wish in [ada.call("wish")] if len(wish["choices"]) == 2), None), 10)
        self.assertIn("bo", wish["choices"][0]["words"])
        self.assertEqual((wish["choices"][1]["words"], wish["private"]), ("aisle", True))
        self.assertEqual(bo.call("who", "ada").get("wants"), None)
        # Nothing waits any more, and the old flight is on no list.
        until("all is taken", lambda: "moved" not in ada.call("flights")["flights"][-1]["trip"], 10)
        self.assertEqual([row["flight"] for row in ada.call("flights")["flights"]
                          if row["listed"]], [f"FR202/{day(2)}/DUB"])

    def test_what_was_cut_off_is_finished_and_what_cannot_be_changes_nothing(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C")
        ada.call("flight", "add", f"FR202/{day(1)}/DUB", "--seat", "14C")
        ada.call("flight", "add", f"FR204/{day(1)}/DUB")
        before = ada.call("flights")
        error = ada.call("flight", "move", "FR202", f"FR204/{day(1)}/DUB", expect=1)
        self.assertEqual(error["code"], "already-so")
        error = ada.call("flight", "move", "FR202", f"FR202/{day(1)}/DUB", expect=1)
        self.assertEqual(error["what"], "that is the same flight")
        error = ada.call("flight", "move", "FR202", expect=2)
        self.assertIn("takes its place", error["what"])
        self.assertEqual(ada.call("flights"), before)
        # A code that waits at home for the old flight waits for the new one.
        link = f"seatagent:party?v=1&k={CODE}&f="
        ada.call("party", "join", f"{link}FR202/{day(1)}/DUB")
        words = error["try"].split()[1:]
        done = ada.command(*words, check=0)
        self.assertIn("Your party goes along", done.stdout)
        new = f"FR204/{words[4]}/DUB"
        self.assertEqual(ada.call("party")["link"], link + new)
        self.assertIn("takes along: party", ada.command("flight", "show", new, check=0).stdout)
        # As if the first run had been cut off before it put that code away.
        ada.call("party", "join", f"{link}FR202/{day(1)}/DUB")
        again = ada.call(*words)
        self.assertEqual(again["moved_from"], f"FR202/{day(1)}/DUB")
        self.assertEqual(again["trip"]["seats"], [])
        self.assertEqual(ada.call("party")["link"], link + new)
        ada.call("party", "leave")
        self.assertIsNone(ada.call("party")["code"])
