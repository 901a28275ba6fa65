# SPDX-License-Identifier: Apache-2.0
"""kill -9 of either agent before and after every durable step of the binding phase.

A hook of debug builds (SEATAGENT_DIE) makes the agent kill itself at the N-th durable step of a
swap, just before or just after the transaction commits. It is started again; then both agents
must have committed, or both aborted.
"""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

from agent import Agent
from binding import AFTER, settled, steps, steps_file
from case import Case
from waiting import until

AT_ONCE = 3


class Crash(Case):
    slow = 100

    def aboard(self, env):
        here = self.loopback()
        bo = Agent(here, "bo", "12A")
        ada = Agent(here, "ada", "14C", peers=[bo])
        bo.options += ["--peer", ada.reached_at]
        for agent in (bo, ada):
            agent.board(env={"SEATAGENT_STEPS": steps_file(agent), **env.get(agent.name, {})})
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def negotiate(self, ada, bo):
        """Starts a swap and lets it run; either agent may die at any point of it."""
        ada.command("swap", "12A")
        try:
            number = bo.incoming(5)
        except AssertionError:
            return
        bo.command("accept", number, "--yes", "--json")

    def test_both_commit_or_both_abort_wherever_one_is_killed(self):
        ada, bo = self.aboard({})
        self.negotiate(ada, bo)
        self.assertTrue(settled(ada, bo))
        # One kill for each step in every run, before one step and after the next; both in the soak.
        points = [(agent.name, when, number)
                  for agent in (ada, bo)
                  for number in range(1, len(steps(steps_file(agent))) + 1)
                  for when in ("before", "after")
                  if "SEATAGENT_SOAK" in os.environ or (number % 2 == 0) == (when == "after")]
        self.assertGreaterEqual(len(points), 4, "fewer durable steps than a binding phase has")
        for agent in (ada, bo):
            agent.kill()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            outcomes = list(pool.map(lambda point: self.kill_at(*point), points))
        committed = sum(outcomes)
        self.note = (f"killed at {len(points)} points: {committed} ended committed,"
                     f" {len(points) - committed} aborted")
        self.assertTrue(0 < committed < len(points), self.note)

    def kill_at(self, name, when, number):
        point = f"{when}:{number}"
        ada, bo = self.aboard({name: {"SEATAGENT_DIE": point}})
        victim = ada if name == "ada" else bo
        try:
            self.negotiate(ada, bo)
            status = victim.wait_until_dead()
            if status != -signal.SIGKILL:
                raise AssertionError(f"{name} ended with {status}, not by its own hand")
            victim.board(env={"SEATAGENT_STEPS": steps_file(victim)})
            return settled(ada, bo)
        except AssertionError as error:
            raise AssertionError(f"{name} killed {point}: {error}") from error
        finally:
            for agent in (ada, bo):
                if agent.process.poll() is None:
                    agent.kill()


class Cut(Case):
    """The cable is pulled in the middle of the binding phase, and put back."""

    slow = 50
    DELAY = 0.8

    def aboard(self):
        cabin = self.cabin("ada", "bo", delay=self.DELAY)
        ada = Agent(cabin["ada"], "ada", "14C")
        bo = Agent(cabin["bo"], "bo", "12A")
        for agent in (ada, bo):
            agent.board(env={"SEATAGENT_STEPS": steps_file(agent)})
        ada.wait_for(bo)
        bo.wait_for(ada)
        return cabin, ada, bo

    def cut_after_yes_of(self, name):
        """Pulls the cable when `name` has voted yes on disk, while its message is under way."""
        cabin, ada, bo = self.aboard()
        voter = ada if name == "ada" else bo
        bo.command("swap", "14C", check=0)
        ada.call("accept", ada.incoming(), "--yes")
        try:
            until(f"{name} votes yes",
                  lambda: any("vote-yes" in step for step in steps(steps_file(voter))),
                  15, pause=0.005)
        except AssertionError as error:
            seen = [(one.call("requests", "--all"), steps(steps_file(one))) for one in (ada, bo)]
            raise AssertionError(f"{error}; {seen}") from error
        cabin.cut("ada")
        return cabin, ada, bo

    def test_cut_after_the_participant_s_yes_and_healed_at_once(self):
        cabin, ada, bo = self.cut_after_yes_of("bo")
        self.assertFalse(any("vote-yes" in step for step in steps(steps_file(ada))))
        cabin.heal("ada")
        self.note = "committed" if settled(ada, bo) else "aborted"

    def test_cut_after_the_participant_s_yes_until_the_coordinator_gives_up(self):
        cabin, ada, bo = self.cut_after_yes_of("bo")
        until("ada votes no",
              lambda: any("vote-no" in step for step in steps(steps_file(ada))), 20)
        cabin.heal("ada")
        self.assertFalse(settled(ada, bo))

    def test_cut_after_the_coordinator_s_yes(self):
        cabin, ada, bo = self.cut_after_yes_of("ada")
        until("ada shows the swap", lambda: ada.held() == AFTER, 15)
        cabin.heal("ada")
        self.assertTrue(settled(ada, bo))
