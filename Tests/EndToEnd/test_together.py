# SPDX-License-Identifier: Apache-2.0
"""A scattered family sits together with one command and one yes each, and strangers who wish get
what they like better."""

import json
import os

from agent import Agent
from case import Case
from views import ViewCase
from waiting import until

FAMILY = {"ada": "3F", "mia": "9C", "tom": "20D"}
# Everybody else, and what they would take instead.
STRANGERS = {"bo": ("14A", "window front"), "cy": ("14B", "aisle"), "dee": ("14C", "20D")}


class Together(Case):
    slow = 20

    def people(self, seats):
        here = self.loopback()
        agents = {}
        for name, seat in seats.items():
            agents[name] = Agent(here, name, seat, peers=list(agents.values())).board()
        for agent in agents.values():
            agent.wait_for(*(other for other in agents.values() if other is not agent))
        return agents

    def wishing(self, agents, wishes):
        """Everybody says their wish, and all have heard of all."""
        for name, words in wishes.items():
            agents[name].call("wish", *words.split())
        for agent in agents.values():
            until(f"{agent.name} has heard the wishes", lambda agent=agent: set(wishes) <= {
                peer["name"] for peer in agent.call("peers")["peers"] if peer["offer"]}
                | {agent.name}, 20)

    def unite(self, *family):
        """A party by code, with a yes to each."""
        code = family[0].call("party", "new")["code"]
        for one in family[1:]:
            one.call("party", "join", code)
        for one in family:
            others = {other.name for other in family if other is not one}
            until(f"{one.name} is asked about all", lambda one=one, others=others: others <= {
                who["name"] for who in one.call("party")["candidates"]}, 10)
            for other in others:
                one.call("party", "yes", other)
        for one in family:
            until(f"{one.name} has companions", lambda one=one: len(family) - 1 == len(
                [c for c in one.call("party")["companions"] if c["here"]]), 10)

    def closes(self, number, proposer, others):
        """Everybody who is asked says yes; it is final for all."""
        for agent in others:
            agent.command("accept", agent.incoming(), "--yes", check=0)
        until("it is final", lambda: proposer.request(number)["final"], 20)

    def test_a_family_of_three_among_strangers_with_wishes(self):
        agents = self.people(FAMILY | {name: seat for name, (seat, _) in STRANGERS.items()})
        ada, mia, tom = (agents[name] for name in FAMILY)
        error = ada.call("together", expect=1)
        self.assertEqual(error["code"], "nothing-found")
        self.assertEqual(error["try"], "seatagent party new")
        self.assertEqual(agents["bo"].call("match", expect=1)["try"],
                         "seatagent wish window, aisle")
        self.wishing(agents, {name: words for name, (_, words) in STRANGERS.items()})
        self.unite(ada, mia, tom)
        found = ada.call("together")
        best = found["plans"][0]
        self.assertTrue(found["whole"])
        self.assertEqual([who["name"] for who in found["party"]][0], "ada")
        self.assertEqual((best["shape"], best["together"], best["yours"]), ("block", 3, True))
        # Without a terminal nobody is asked, and the picture shows where all would sit.
        said = ada.command("together", check=0)
        self.assertRegex(said.stdout, r"\A1  All 3 of you in one block; 3 people get what they "
                                      r"like better\.\n   You give 3F \(window\) and get 14")
        self.assertRegex(said.stdout, r"\n  14  x x x   (. ?){3} +@ @ @ ")
        self.assertIn("seatagent together --pick 1 --yes", said.stderr)
        self.assertEqual(mia.call("requests")["requests"], [])
        number = ada.call("together", "--yes")["number"]
        # The same of the same people is asked for once.
        again = ada.call("together", "--yes", expect=1)
        self.assertEqual(again["code"], "already-so")
        self.assertIn(f"in request {number}", again["what"])
        others = [agent for agent in agents.values() if agent is not ada]
        self.closes(number, ada, others)
        for agent in agents.values():
            until(f"{agent.name} sees the family in one block", lambda agent=agent: {
                seat for seat, name in agent.held().items() if name in FAMILY
            } == {"14A", "14B", "14C"}, 20)
        # Nobody else is worse off by their own words: bo is at a window in front, cy at an aisle.
        held = {name: seat for seat, name in ada.held().items()}
        self.assertEqual((held["bo"], held["cy"], held["dee"]), ("3F", "9C", "20D"))
        error = mia.call("together", expect=1)
        self.assertEqual(error["what"], "you sit together already")

    def test_strangers_close_a_ring_that_match_found(self):
        agents = self.people({"ada": "14C", "bo": "12A", "cy": "20F"})
        ada, bo, cy = agents.values()
        self.wishing(agents, {"ada": "12A", "bo": "20F", "cy": "14C"})
        found = {agent.name: agent.call("match")["plans"] for agent in (ada, bo, cy)}
        # Everybody finds the same ring, each in their own words.
        seats = {name: [[c["from"], c["to"]] for c in plans[0]["changes"]]
                 for name, plans in found.items()}
        ring = [["12A", "20F"], ["14C", "12A"], ["20F", "14C"]]
        self.assertEqual(seats, {"ada": ring, "bo": ring, "cy": ring})
        self.assertTrue(found["bo"][0]["sentences"][0].startswith(
            "You give 12A (window) and get 20F (window), your first wish."))
        text = ada.typed(["match"], "y\n")
        self.assertIn("You give 14C (aisle) and get 12A (window), your first wish.", text)
        self.assertIn("If all agree:\r\n  you give 14C", text)
        number = ada.call("requests")["requests"][0]["number"]
        # The others need not look for it: it waits for them.
        error = bo.call("match", "--yes", expect=1)
        self.assertEqual(error["try"], f"seatagent accept {bo.incoming()}")
        self.closes(number, ada, (bo, cy))
        for agent in (ada, bo, cy):
            until(f"{agent.name} sees the ring", lambda agent=agent: agent.held() == {
                "12A": "ada", "20F": "bo", "14C": "cy"})
        self.assertEqual(ada.call("match", expect=1)["what"], "you have what you wish for first")

    def test_after_a_no_somebody_else_is_asked(self):
        agents = self.people({"ada": "14C", "bo": "12A", "cy": "12C"})
        ada, bo, cy = agents.values()
        ada.call("claim", "12B", "--dependant")
        self.wishing(agents, {"bo": "14C", "cy": "14C"})
        asked = {}
        for other in (bo, cy):
            found = ada.call("together")
            name = found["plans"][0]["moves"][0]["to"]["name"]
            number = ada.call("together", "--yes", "--unverified", "--once")["number"]
            asked[name] = agents[name]
            if other is bo:
                self.assertEqual(len(found["plans"]), 2)
                agents[name].call("decline", agents[name].incoming(), "--note", "I stay")
                until("ada reads the no", lambda: ada.request(number)["state"] == "declined")
            else:
                self.assertEqual(len(found["plans"]), 1)
                self.closes(number, ada, [agents[name]])
        self.assertEqual(set(asked), {"bo", "cy"})
        self.assertEqual(ada.held()["12B"], "ada")


class Watching(Case):
    slow = 12

    def caller(self, agent):
        """The file into which the program writes that calls this passenger."""
        script = os.path.join(agent.host.folder, f"{agent.name}.call")
        with open(script, "w", encoding="utf-8") as text:
            text.write(f'#!/bin/sh\nprintf "%s|" "$@" >"{script}.new"\n'
                       f'mv "{script}.new" "{script}.said"\n')
        os.chmod(script, 0o755)
        agent.command("config", "set", "notify.command", script, check=0)
        agent.command("config", "set", "notify.desktop", "on", check=0)
        return script + ".said"

    def test_together_watch_calls_when_something_is_found_and_ends_in_one_block(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        file = self.caller(ada)
        # Somebody in the user's care; bo wants no requests.
        ada.call("claim", "12B", "--dependant")
        bo.call("wish", "--asks", "nothing")
        until("ada heard it", lambda: ada.call("who", "12A").get("asks") == "nothing")
        refused = ada.call("together", "--watch", "--yes", expect=2)
        self.assertEqual(refused["try"], "seatagent together --watch")
        watch = ada.begin("together", "--watch", "--timeout", "60")
        self.addCleanup(watch.kill)
        self.assertIn("Nothing yet: there is nobody to ask", watch.stderr.readline())
        bo.call("wish", "14C", "--asks", "anything")
        self.assertIn("Both of you in one block", watch.stdout.readline())
        until("ada is called", lambda: os.path.exists(file))
        with open(file, encoding="utf-8") as said:
            self.assertIn("Seat swap|Found: Both of you in one block", said.read())
        # Nobody was asked. A script reads the same as JSON, and the error when time runs out.
        self.assertEqual(ada.call("requests")["requests"], [])
        lines = ada.command("together", "--watch", "--json", "--timeout", "1", check=5).stdout
        found, end = map(json.loads, lines.splitlines())
        self.assertEqual((found["event"], found["plans"][0]["shape"]), ("found", "block"))
        self.assertEqual(end["error"]["code"], "timeout")
        ada.call("together", "--yes", "--unverified")
        bo.command("accept", bo.incoming(), "--yes", check=0)
        out, errors = watch.communicate(timeout=30)
        self.assertEqual(watch.returncode, 0, errors)
        self.assertTrue(out.endswith("You sit together.\n"), out)


class TogetherInTheView(ViewCase):
    def test_f3_shows_what_was_found_and_asks_whether_to_propose_it(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        screen = self.view(ada)
        screen.press("F3")
        screen.wait_for("there is nobody to sit with", "/party new ", "/wish SEAT ")
        screen.press("Escape")
        # Somebody in the user's care, and somebody who would take the user's seat.
        ada.call("claim", "12B", "--dependant")
        bo.call("wish", "14C")
        until("ada has heard the wish", lambda: ada.call("peers")["peers"][0]["offer"], 20)
        screen.press("F3")
        self.golden(screen, "together-80x24", "Together: 1 of 1", "Both of you in one block",
                    "Enter propose it")
        screen.press("Enter")
        screen.answer("y", "for 12A (window)? y/n")
        screen.wait_for("Go on? y/n")
        screen.answer("y")
        bo.call("accept", bo.incoming(), "--yes")
        screen.wait_for("Swapped: ada is now in 12A, bo in 14C", seconds=20)
        until("ada has both seats", lambda: ada.seats_of_mine() == ["12A", "12B"])
