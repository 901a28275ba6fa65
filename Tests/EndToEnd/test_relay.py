# SPDX-License-Identifier: Apache-2.0
"""Two passengers whom the network keeps apart: all goes through a third, who reads nothing."""

import json
import re

from agent import Agent, finish
from case import Case
from hosts import Cabin
from waiting import until

SECRET = "the aisle knocks twice at midnight"


def apart(cabin, *names):
    """These reach all others, but not each other: as clients that an access point isolates."""
    for name in names:
        cabin.switch.run(
            ["bridge", "link", "set", "dev", cabin[name].switch_end, "isolated", "on"])


def together(cabin, *names):
    """These reach each other again."""
    for name in names:
        cabin.switch.run(
            ["bridge", "link", "set", "dev", cabin[name].switch_end, "isolated", "off"])


def in_memory(agent, text):
    """Whether the bytes of `text` stand anywhere in the memory of the agent's process."""
    wanted = text.encode()
    with open(f"/proc/{agent.process.pid}/maps") as maps, \
            open(f"/proc/{agent.process.pid}/mem", "rb", 0) as memory:
        for line in maps:
            found = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
            if not found:
                continue
            start, end = (int(word, 16) for word in found.groups())
            memory.seek(start)
            try:
                if wanted in memory.read(end - start):
                    return True
            except OSError:
                continue  # a mapping that cannot be read
    return False


class Relay(Case):
    slow = 60

    def test_two_who_reach_only_a_third_chat_verify_and_swap_and_the_third_reads_nothing(self):
        cabin = self.cabin("ada", "bo", "cy", switch=True)
        apart(cabin, "ada", "cy")
        ada = Agent(cabin["ada"], "ada", "14C").board()
        bo = Agent(cabin["bo"], "bo", "12A").board()
        cy = Agent(cabin["cy"], "cy", "7F").board()
        bo.wait_for(ada, cy, seconds=30)
        self.assertNotEqual(
            cabin["ada"].run(["ping", "-c1", "-W1", cy.host.address], check=False).returncode, 0)
        until("ada knows the way to cy", lambda: self.reach(ada, "cy") == "through", 30)
        ada.call("say", "hello, both of you")
        until("cy reads it", lambda: "hello, both of you" in cy.said(), 10)
        ada.call("msg", "cy", SECRET)
        until("cy has the message", lambda: SECRET in cy.said(), 30)
        self.assertEqual(self.reach(ada, "cy"), "relayed")
        self.assertIn("relayed through bo", ada.command("peers", check=0).stdout)
        self.assertEqual(bo.call("status")["network"]["mesh"]["carrying"], 1)
        self.assertTrue(in_memory(ada, SECRET) or in_memory(cy, SECRET), "the search finds nothing")
        first = ada.begin("verify", "7F", "--json")
        until("cy is asked", lambda: cy.call("status")["verification"]["state"] == "asked", 30)
        second = cy.begin("verify", "14C", "--json")
        codes = [json.loads(finish(process)[1])["result"]["code"] for process in (first, second)]
        self.assertEqual(codes[0], codes[1])
        waits = ada.begin("verify", "--match")
        cy.call("verify", "--match")
        self.assertEqual(finish(waits)[0], 0)
        self.assertEqual(ada.call("who", "cy")["evidence"], {"verified": True})
        self.assertFalse(in_memory(bo, codes[0]))
        number = ada.swap("7F", "--note", "for my knees")
        cy.call("accept", cy.incoming(30), "--yes", "--wait")
        wanted = {"14C": "cy", "12A": "bo", "7F": "ada"}
        for agent in (ada, bo, cy):
            until(f"{agent.name} has the new map", lambda: agent.held() == wanted, 30)
        self.assertEqual(ada.seats(), cy.seats())
        self.assertEqual(ada.request(number)["state"], "final")
        self.assertFalse(in_memory(bo, SECRET))
        self.assertFalse(in_memory(bo, "for my knees"))

    def test_what_is_seen_and_does_not_answer_is_named(self):
        cabin = self.cabin("ada", "bo", switch=True)
        bo = Agent(cabin["bo"], "bo", "12A").board()
        ada = Agent(cabin["ada"], "ada", "14C", peers=["10.77.0.77:7711"]).board()
        ada.wait_for(bo)
        until("ada names the silent place", lambda: [
            place["address"] for place in ada.call("peers")["silent"]] == ["10.77.0.77:7711"], 20)
        shown = ada.command("peers", check=0).stdout
        self.assertIn("10.77.0.77:7711", shown)
        self.assertIn("seen, does not answer", shown)

    def reach(self, agent, name):
        found = [p["reach"] for p in agent.call("peers")["peers"] if p["name"] == name]
        return found[0] if found else None
