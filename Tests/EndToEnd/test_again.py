# SPDX-License-Identifier: Apache-2.0
"""What a refusal prints to try, typed as it stands until it goes; and the reason of a swap that
ended."""

import os
import re

from agent import BINARY, Agent, finish
from case import Case
from waiting import until


class Again(Case):
    def two(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        return here, ada, bo

    def shell(self, agent, line):
        path = f"{os.path.dirname(BINARY)}:{agent.host.env['PATH']}"
        return agent.host.run(
            ["sh", "-c", line], check=False, timeout=60,
            env={"PATH": path, "SEATAGENT_PROFILE": agent.name})

    def typed(self, agent, line, most):
        """Types the line and what is printed to try; the last line, which worked."""
        for _ in range(most):
            done = self.shell(agent, line)
            if done.returncode == 0:
                return line
            line = re.search(r"^  try: (.*)$", done.stderr, re.M)[1]
        self.fail(f"{line}\n{done.stdout}{done.stderr}")

    def test_lines_to_try_lead_to_a_request_with_two_seats_and_without_a_terminal(self):
        here, ada, bo = self.two()
        cy = Agent(here, "cy", "12A", peers=[ada, bo]).board()
        cy.wait_for(ada, bo)
        ada.call("claim", "14D")
        until("ada sees both claims", lambda: ada.held().get("12A") == {"bo", "cy"})
        line = self.typed(
            ada, "seatagent swap 12A --note 'it'\\''s $mine' --expires 10m", 4)
        self.assertRegex(line, r"--from '#\w{4}' --give 14C --note 'it'\\''s \$mine' --expires "
                               r"600s --override --unverified$")
        request = ada.call("requests")["requests"][0]
        self.assertEqual(request["note"], "it's $mine")
        self.assertLessEqual(request["left"], 600)
        asked = bo if request["with"][0]["name"] == "bo" else cy
        number = asked.incoming()
        line = self.typed(asked, f"seatagent accept {number}", 3)
        self.assertIn("--yes", line)
        until("they swapped", lambda: asked.seats_of_mine() == ["14C"], 20)

    def test_a_swap_that_a_check_ended_says_so_on_both_sides(self):
        here, ada, bo = self.two()
        number = ada.swap("12A")
        asked = bo.incoming()
        carl = Agent(here, "carl", "12A", peers=[ada, bo]).board()
        carl.wait_for(ada, bo)
        until("ada sees both claims", lambda: ada.held().get("12A") == {"bo", "carl"})
        processes = []
        for one, other in ((ada, carl), (carl, ada)):
            processes.append(one.begin("verify", other.name, "--json"))
            until("it is under way", lambda other=other: other.call(
                "status")["verification"]["state"] != "idle", 10)
        for process in processes:
            self.assertEqual(finish(process)[0], 0)
        waits = ada.begin("verify", "--match")
        carl.call("verify", "--match")
        self.assertEqual(finish(waits)[0], 0)
        error = bo.call("accept", asked, "--yes", "--wait", "--timeout", "30", expect=1)
        self.assertEqual(error["code"], "aborted")
        self.assertRegex(error["why"], r"^the agent of ada #\w{4} in 14C signed a no$")
        ended = until("ada's request is over", lambda: (
            ada.request(number)["state"] == "failed" and ada.request(number)), 10)
        self.assertEqual(
            ended["reason"], "a check of your own agent ended it: another passenger claims 12A, "
                             "with as much evidence or more")
