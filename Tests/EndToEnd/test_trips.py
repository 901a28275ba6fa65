# SPDX-License-Identifier: Apache-2.0
"""The passenger's own list of flights: adding, looking, boarding from it, leaving, and what was."""

import datetime
import json
import os

from agent import Agent
from case import Case
from waiting import until


def day(ahead):
    """The date so many days from now, UTC; far enough from midnight not to matter."""
    return (datetime.datetime.now(datetime.timezone.utc)
            + datetime.timedelta(days=ahead)).date().isoformat()


class List(Case):
    """The acceptance cases of a list of flights, through the command line."""

    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        self.ada = Agent(self.here, "ada", "14C")
        self.folder = f"{self.here.env['XDG_DATA_HOME']}/seatagent/ada"

    def listed(self):
        return [row["flight"] for row in self.ada.call("flights")["flights"]]

    def refused(self, *words, expect=2):
        return self.ada.call("flight", "add", *words, expect=expect)

    def test_add(self):
        self.assertEqual(self.listed(), [])
        shown = self.ada.command(
            "flight", "add", "FR", "202", day(10), "DUB", "STN", "--departs", "06:30", "--arrives",
            "07:45", "--seat", "17A,17B", check=0)
        self.assertIn(f"Added to your list: FR 202 on {day(10)} from DUB to STN, 06:30 to 07:45, in"
                      " 17A, 17B.", shown.stdout)
        self.assertIn(f"Swaps open at {day(9)} 06:30 (", shown.stdout)
        self.assertIn("24 h before departure: Ryanair", shown.stdout)
        self.ada.call("flight", "add", f"FR202/{day(11)}/DUB")
        self.ada.call("flight", "add", "U2", "8724", day(9), "LGW")
        self.assertEqual(self.listed(), [
            f"U28724/{day(9)}/LGW", f"FR202/{day(10)}/DUB", f"FR202/{day(11)}/DUB"])
        page = self.ada.command("flights", check=0).stdout
        self.assertIn("FR 202", page)
        # Eight or nine, by whether it is later than half past six now.
        self.assertRegex(page, "swaps open in [89] d")
        self.assertIn("swaps: times unknown", page)
        self.assertEqual(os.stat(f"{self.folder}/trips.json").st_mode & 0o777, 0o600)

    def test_add_what_is_no_flight(self):
        self.assertEqual(self.refused()["why"], "the flight number is empty")
        self.assertEqual(self.refused("")["why"], "the flight number is empty")
        for words, why in (
                (["INV999", day(10), "DUB"], "the airline INV is unknown"),
                (["11", "123", day(10), "DUB"], "designator"),
                (["FR", day(10), "DUB"], "the number is missing"),
                (["FR12345", day(10), "DUB"], "more than four digits"),
                (["EZY84FX", day(10), "LGW"], "radio call sign"),
                (["FR202"], "comes its date"),
                (["FR202", "05.12.2026", "DUB"], "day of the calendar"),
                (["FR202", day(10)], "airport of departure"),
                (["FR202", day(10), "DUBLIN"], "three letters"),
                (["FR202", day(10), "DUB", "--departs", "6.30pm"], "06:30")):
            self.assertIn(why, self.refused(*words)["why"], words)
        error = self.refused("FR202", day(10), "DUB", "--seat", "front", expect=4)
        self.assertIn("is not a seat", error["what"])
        self.assertEqual(self.listed(), [])
        # Well formed and nobody's: it passes, and the person is told.
        done = self.ada.command("flight", "add", "IV999", day(10), "DUB", check=0)
        self.assertIn("The airline IV is not in the table.", done.stderr)
        self.assertEqual(self.listed(), [f"IV999/{day(10)}/DUB"])

    def test_add_twice(self):
        self.ada.call("flight", "add", "FR", "202", day(10), "DUB")
        for words in (["FR", "202", day(10), "DUB"], [f"ryr0202/{day(10)}/dub", "STN"]):
            error = self.refused(*words, expect=1)
            self.assertEqual(error["code"], "already-so")
            self.assertEqual(error["what"],
                             f"FR 202 on {day(10)} from DUB is already in your list")
            # What is advised works.
            self.ada.command(*error["try"].split()[1:], check=0)
        self.assertEqual(len(self.listed()), 1)

    def test_departure_too_far_or_over(self):
        error = self.refused("FR202", day(740), "DUB")
        self.assertIn("too far away", error["what"])
        self.assertIn("two years ahead", error["why"])
        error = self.refused("FR202", day(-3), "DUB")
        self.assertIn("is over", error["what"])
        # What is advised can be added today.
        self.ada.command(*error["try"].split()[1:], check=0)
        self.ada.command("flight", "remove", "FR202", check=0)
        self.assertEqual(self.listed(), [])

    def test_check_seats_and_select_one(self):
        self.ada.call("flight", "add", "FR202", day(10), "DUB", "STN", "--departs", "06:30")
        shown = self.ada.command("flight", "show", "fr", "202", check=0).stdout
        self.assertIn("FR 202 (Ryanair)", shown)
        self.assertIn("not known", shown)
        self.ada.command("flight", "change", "FR202", "--seat", "aisle", check=4)
        # No layout is sure to be that of the aeroplane: the label rules, and the person is told.
        other = self.ada.command("flight", "change", "FR202", "--seat", "33Z", check=0)
        self.assertIn("33Z is not in the layout standard", other.stderr)
        self.ada.command("flight", "change", "FR202", "--seat", "17a,17B", check=0)
        self.assertIn("17A, 17B", self.ada.command("flight", "show", "FR202", check=0).stdout)
        self.assertIn("17A, 17B", self.ada.command("flights", check=0).stdout)
        try:
            begun = self.ada.command("up", "FR202", "--name", "ada", "--no-mdns", "--interface",
                                     "lo", "--party", check=0, timeout=40)
            self.assertIn("aboard: ada in 17A, 17B", begun.stdout)
            status = self.ada.call("status")
            self.assertEqual(status["flight"]["name"], f"FR202/{day(10)}/DUB")
            self.assertEqual(status["window"]["state"], "early")
            self.assertEqual(set(self.ada.held()), {"17A", "17B"})
            row = self.ada.call("flights")["flights"][0]
            self.assertTrue(row["running"] and row["listed"] and row["bytes"] > 0)
            self.assertEqual(row["state"], "early")
            self.assertIn("on it", self.ada.command("flight", "show", "FR202", check=0).stdout)
            # The airline moved her: what is claimed and what is not is said, and how to mend it.
            moved = self.ada.command("flight", "change", "FR202", "--seat", "18C", check=0).stderr
            for line in ("seatagent claim 18C", "seatagent release 17A", "seatagent release 17B"):
                self.assertIn(line, moved)
            self.ada.command("claim", "18C", check=0)
            self.ada.command("release", "17B", check=0)
            self.ada.command("down", check=0)
            # Only the first seat of the list is her own; what is left from before is said.
            self.ada.command("flight", "change", "FR202", "--seat", "18C,18D", check=0)
            again = self.ada.command("up", "FR202", "--no-mdns", "--interface", "lo", check=0,
                                     timeout=40)
            self.assertEqual(set(self.ada.held()), {"17A", "18C"})
            self.assertIn("18D: for the agents of your party", again.stderr)
            self.assertIn("seatagent release 17A", again.stderr)
        finally:
            self.ada.command("down")

    def test_find_and_the_words_for_what_is_not_there(self):
        for ahead in (10, 11):
            self.ada.call("flight", "add", "FR202", day(ahead), "DUB")
        error = self.ada.call("flight", "show", "FR202", expect=2)
        self.assertEqual(error["code"], "ambiguous")
        self.assertIn(f"FR202/{day(10)}/DUB, FR202/{day(11)}/DUB", error["why"])
        self.assertEqual(self.ada.call("flight", "show", f"FR202/{day(11)}")["flight"],
                         f"FR202/{day(11)}/DUB")
        self.assertEqual(self.ada.call("flight", "show", "FR203", expect=4)["code"],
                         "no-such-flight")
        self.assertEqual(self.ada.call("up", "FR203", expect=4)["code"], "no-such-flight")
        self.assertEqual(self.ada.call("up", "--seat", "1A", "--flight", "FR202", expect=2)["code"],
                         "ambiguous")
        self.assertIn("knows add, show", self.ada.call("flight", "sho", "x", expect=2)["why"])
        self.ada.call("flight", "show", "FR202", "--seat", "1A", expect=2)
        self.ada.command("flight", "remove", f"FR202/{day(10)}", check=0)
        self.assertEqual(self.listed(), [f"FR202/{day(11)}/DUB"])

    def test_past_flights_clear_themselves_into_the_history(self):
        self.ada.call("flight", "add", "FR202", day(10), "DUB", "STN", "--seat", "17A")
        self.ada.call("flight", "add", "FR203", day(20), "STN")
        path = f"{self.folder}/trips.json"
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text.replace(day(10), day(-10)))
        self.assertEqual(self.listed(), [f"FR203/{day(20)}/STN"])
        past = self.ada.call("history")["items"]
        self.assertEqual([(item["kind"], item["flight"]) for item in past],
                         [("flight", f"FR202/{day(-10)}/DUB")])
        self.assertIn("FR 202 DUB-STN, in 17A", self.ada.command("history", check=0).stdout)
        for words, count in ((["dublin"], 1), (["fr", "202", "17a"], 1), (["7a"], 0)):
            self.assertEqual(len(self.ada.call("history", *words)["items"]), count, words)
        self.ada.call("forget", "FR202", "--yes")
        self.assertEqual(self.ada.call("history")["items"], [])

    def test_a_list_that_is_damaged_or_newer_is_left_as_it_is(self):
        self.ada.call("flight", "add", "FR202", day(10), "DUB")
        path = f"{self.folder}/trips.json"
        with open(path) as file:
            good = file.read()
        newer = json.dumps({**json.loads(good), "version": 2})
        for text, word in ((good[:-9], "at byte"), ("", "at byte"), (newer, "version 2")):
            with open(path, "w") as file:
                file.write(text)
            for words in (["flights"], ["flight", "add", "FR203", day(10), "DUB"], ["history"],
                          ["flight", "remove", "FR202"], ["up", "FR202"]):
                error = self.ada.call(*words, expect=1)
                self.assertEqual(error["code"], "file", words)
                self.assertIn(word, error["why"])
            with open(path) as file:
                self.assertEqual(file.read(), text)


class Aboard(Case):
    """With agents that run."""

    def pair(self, seats="17A"):
        """bo in 12A, ada in `seats` on a flight of her list."""
        here = self.loopback()
        name = f"FR202/{day(1)}/DUB"
        bo = Agent(here, "bo", "12A", options=["--flight", name]).board()
        ada = Agent(here, "ada", seats, peers=[bo], options=["--flight", "FR202"])
        ada.call("flight", "add", name, "STN", "--departs", "00:01", "--opens-before", "10d",
                 "--seat", "17A,17B")
        ada.board().wait_for(bo)
        return ada, bo

    def final(self, *agents):
        for agent in agents:
            until(f"{agent.name}'s swap is final",
                  lambda: (agent.request(1) or {}).get("state") == "final", 20)

    def items(self, agent):
        return agent.call("history")["items"]

    def test_a_swap_is_remembered_by_both_and_changes_the_trip(self):
        ada, bo = self.pair()
        self.assertEqual(ada.call("status")["window"]["state"], "open")
        ada.swap("12A")
        bo.call("accept", bo.incoming(), "--yes")
        self.final(ada, bo)
        until("ada's history has it", lambda: self.items(ada), 10)
        until("bo's history has it", lambda: self.items(bo), 10)
        swap = self.items(ada)[0]["swap"]
        self.assertEqual((swap["gave"], swap["got"], swap["with"]), (["17A"], ["12A"], ["bo"]))
        self.assertEqual(self.items(bo)[0]["swap"]["got"], ["17A"])
        self.assertIn("17A for 12A with bo, on FR 202",
                      ada.command("history", "12a", check=0).stdout)
        # Nothing of others but the name they had: no key.
        key = ada.call("who", "bo")["key"]
        with open(f"{ada.host.env['XDG_DATA_HOME']}/seatagent/ada/trips.json") as file:
            self.assertNotIn(key[:16], file.read())
        row = ada.call("flights")["flights"][0]
        self.assertEqual(row["trip"]["seats"], ["12A", "17B"])
        # Once is enough, however often the agent begins.
        ada.leave()
        ada.board()
        self.assertEqual(len(self.items(ada)), 1)
        ada.call("forget", "FR202", "--yes")
        self.assertEqual(self.items(ada), [])
        self.assertEqual(len(ada.call("flights")["flights"]), 1)

    def test_a_history_that_cannot_be_written_waits_and_holds_nothing_up(self):
        ada, bo = self.pair()
        path = f"{ada.host.env['XDG_DATA_HOME']}/seatagent/ada/trips.json"
        with open(path) as file:
            good = file.read()
        with open(path, "w") as file:
            file.write("{")
        ada.swap("12A")
        bo.call("accept", bo.incoming(), "--yes")
        self.final(ada, bo)
        until("the agent says why", lambda: "not in the history yet" in ada.host.text(
            f"{ada.host.folder}/ada.log"), 10)
        with open(path, "w") as file:
            file.write(good)
        until("it is written later", lambda: self.items(ada), 20)

    def test_removing_takes_back_the_own_seats_only_and_leaves(self):
        ada, bo = self.pair("17A,17B")
        until("bo sees both", lambda: {"17A", "17B"} <= set(bo.held()), 10)
        error = ada.call("flight", "remove", "FR202", expect=2)
        self.assertIn("nobody can be asked", error["what"])
        self.assertEqual(set(bo.held()), {"12A", "17A", "17B"})
        done = ada.command("flight", "remove", "FR202", "--yes", check=0)
        self.assertIn("off your list", done.stdout)
        ada.process.wait(15)
        until("ada's seats are open", lambda: set(bo.held()) == {"12A"}, 10)
        rows = ada.call("flights")["flights"]
        self.assertEqual([(row["listed"], row["bytes"] > 0) for row in rows], [(False, True)])
        # Nothing joins it again by itself.
        self.assertEqual(ada.call("restart", expect=1)["code"], "no-start")

    def test_removing_without_an_agent_says_that_claims_stand(self):
        ada, bo = self.pair()
        ada.leave()
        error = ada.call("flight", "remove", "FR202", expect=2)
        self.assertIn("still see", error["what"])
        self.assertIn("seatagent up FR202", error["why"])
        ada.command(*error["try"].split()[1:], check=0)
        self.assertEqual([row["listed"] for row in ada.call("flights")["flights"]], [False])

    def test_who_joined_under_a_partners_number_is_named(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A", options=["--flight", f"LH440/{day(1)}/FRA"]).board()
        ada = Agent(here, "ada", "17A", options=["--flight", "UA8839"])
        ada.call("flight", "add", "UA8839", day(1), "FRA", "--alias", "LH440")
        self.assertEqual(ada.call("flight", "add", "LH440", day(1), "FRA", expect=1)["why"],
                         "LH 440 is there as UA 8839")
        watch = ada.board().watch("trouble")
        there = bo.watch("trouble")
        self.assertEqual(ada.call("status")["flight"]["aliases"], [f"LH440/{day(1)}/FRA"])
        self.assertIn("also LH440", ada.command("status", check=0).stdout)
        ada.call("peers", "--add", bo.reached_at)

        def told(who):
            return [event for event in who.events if event.get("code") == "alias-only"]
        event = until("ada is told", lambda: told(watch), 20)[0]
        self.assertEqual(event["flight"], f"LH440/{day(1)}/FRA")
        self.assertIn("others call this flight LH 440", event["what"])
        self.assertNotIn("flight", until("bo is told", lambda: told(there), 20)[0])
        watch.end()
        there.end()
        self.assertEqual(ada.call("peers")["peers"], [])
        # Nobody is at fault: once she joins what the message names, they meet at once.
        self.assertIn(f"seatagent up LH440/{day(1)}/FRA", event["what"])
        ada.leave()
        again = Agent(here, "ada", "17A", peers=[bo], options=["--flight", f"LH440/{day(1)}/FRA"])
        again.board().wait_for(bo)
        status = again.call("status")["flight"]
        self.assertEqual((status["designator"], status["aliases"]),
                         ("LH440", [f"UA8839/{day(1)}/FRA"]))
        row = [row for row in again.call("flights")["flights"] if row["running"]][0]
        self.assertEqual(row["trip"]["flight"], f"UA8839/{day(1)}/FRA")
