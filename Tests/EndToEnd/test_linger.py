# SPDX-License-Identifier: Apache-2.0
"""Agents that a view started: they leave with the last view, unless somebody wants them to stay."""

from agent import Agent
from case import Case
from waiting import until


class Linger(Case):
    def lingering(self, seconds="1"):
        ada = Agent(self.loopback(), "ada", "14C")
        ada.options += ["--linger", seconds]
        return ada.board()

    def says_until(self, agent, what, seen):
        def said():
            agent.call("say", "hello")
            return seen()
        until(what, said)

    def test_it_leaves_after_the_last_view_as_down_does(self):
        ada = self.lingering()
        self.assertEqual(ada.call("status")["stays"], False)
        self.assertEqual(ada.call("status")["linger"], 1)
        first, second = ada.watch(), ada.watch("chat")
        self.says_until(ada, "both views are told", lambda: first.events and second.events)
        first.end()
        # One is left: the agent answers, and tells that view.
        told = len(second.events)
        self.says_until(ada, "the other view is told", lambda: len(second.events) > told)
        second.end()
        self.assertEqual(ada.wait_until_dead(15), 0)
        ada.command("status", check=3)
        with open(ada.host.logs[0]) as log:
            self.assertIn("left: the last view has gone", log.read())

    def test_up_makes_it_stay(self):
        ada = self.lingering()
        other = ada.command("up", "--seat", "14D", check=1)
        self.assertIn("already running", other.stderr)
        self.assertEqual(ada.call("status")["stays"], False)
        said = ada.command("up", "--seat", "14c", "--name", "ada", check=0)
        self.assertRegex(said.stdout, r"^The agent of ada .* stays now, until seatagent down\.\n$")
        self.assertEqual(ada.call("status")["stays"], True)
        again = ada.command("up", check=1)
        self.assertIn("already running", again.stderr)
        ada.leave()

    def test_a_restart_keeps_it_as_it_was(self):
        ada = Agent(self.loopback(), "ada", "14C")
        ada.options += ["--linger", "600"]
        ada.board()
        try:
            ada.command("restart", check=0)
            self.assertEqual(ada.call("status")["linger"], 600)
        finally:
            ada.command("down")

    def test_a_swap_without_outcome_keeps_it_until_there_is_one(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A")
        # Asked, and dead before the yes to PREPARE is on the disk.
        bo.board(env={"SEATAGENT_DIE": "before:2"})
        ada = Agent(here, "ada", "14C", peers=[bo])
        ada.options += ["--linger", "1"]
        ada.board()
        view = ada.watch("chat")
        self.says_until(ada, "the view is told", lambda: view.events)
        ada.wait_for(bo)
        bo.wait_for(ada)
        bo.swap("14C")
        number = ada.incoming()
        ada.call("accept", number, "--yes")
        bo.wait_until_dead()
        self.assertEqual(ada.request(number)["state"], "agreed")
        view.end()
        until("it says what it waits for", lambda: "waiting for it" in here.text(here.logs[1]))
        self.assertEqual(ada.request(number)["state"], "agreed")
        # Nobody else has said yes, so that it ends with a no of its own; then nothing keeps it.
        self.assertEqual(ada.wait_until_dead(60), 0)
        self.assertIn("left: the last view has gone", here.text(here.logs[1]))
