# SPDX-License-Identifier: Apache-2.0
"""Searching for what was said: who, when, where; nothing of blocked passengers."""

from agent import Agent
from case import Case
from waiting import until


class Search(Case):
    def test_chat_and_messages_are_found_in_both_agents_and_after_a_restart(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        ada.call("say", "Anyone by the window? Café after?")
        ada.call("msg", "bo", "the window, for my aisle", "--wait")
        bo.call("say", "no windows here, 座席を交換")
        until("bo has it all", lambda: len(bo.said()) == 3)
        until("ada has it all", lambda: len(ada.said()) == 3)

        def found(agent, *words):
            return [(item["where"], item["who"]["name"], item["text"].split(",")[0])
                    for item in agent.call("search", *words)["items"]]
        expected = [("all", "bo", "no windows here"), ("from", "ada", "the window"),
                    ("all", "ada", "Anyone by the window? Café after?")]
        self.assertEqual(found(bo, "window"), expected)
        self.assertEqual(found(bo, "cafe"), expected[2:])
        self.assertEqual(found(bo, "交換"), expected[:1])
        self.assertEqual(found(ada, "window", "aisle"), [("to", "bo", "the window")])
        self.assertEqual(ada.call("search", "window", "--limit", 1)["more"], True)
        shown = ada.command("search", "aisle", check=0).stdout
        self.assertRegex(shown, r"^\d\d:\d\d  to bo \(12A\): the window, for my aisle")
        self.assertEqual(ada.command("search", "zeppelin", check=0).stdout, "nothing found\n")
        self.assertEqual(ada.call("search", "?!", expect=2)["code"], "empty-text")
        bo.leave()
        bo.board()
        self.assertEqual(found(bo, "window"), expected)
        bo.call("block", "ada")
        self.assertEqual(found(bo, "window"), expected[:1])
        bo.call("unblock", "ada")
        self.assertEqual(found(bo, "window"), expected)
