# SPDX-License-Identifier: Apache-2.0
"""Companions: a code makes a question, a yes makes a companion, and only they read what is said."""

import json
import re

from agent import Agent
from case import Case
from waiting import until

CODE = r"^[a-z2-7]{4}(-[a-z2-7]{4}){3}-[a-z2-7]$"


class Party(Case):
    def people(self, *names):
        here = self.loopback()
        agents = []
        for place, name in enumerate(names):
            agents.append(Agent(here, name, f"{12 + place}A", peers=agents[:]).board())
        for agent in agents:
            agent.wait_for(*(other for other in agents if other is not agent))
        return agents

    def asked(self, agent):
        return [who["name"] for who in agent.call("party")["candidates"]]

    def companions(self, agent):
        return [one["who"]["name"] for one in agent.call("party")["companions"] if one["here"]]

    def trusted(self, agent, name):
        return agent.call("who", name).get("evidence")

    def test_three_with_the_code_of_whom_two_are_companions(self):
        ada, bo, eve = self.people("ada", "bo", "eve")
        made = ada.call("party", "new")
        self.assertRegex(made["code"], CODE)
        self.assertTrue(580 < made["open_for"] <= 600, made)
        news = ada.watch("party")
        until("the watch sees an invitation",
              lambda: ada.call("party", "invite") and news.events, 10)
        bo.call("party", "join", made["link"])
        until("ada is asked about bo", lambda: self.asked(ada) == ["bo"], 10)
        until("bo is asked about ada", lambda: self.asked(bo) == ["ada"], 10)
        # A code alone is no evidence.
        self.assertIsNone(self.trusted(ada, "bo"))
        said = ada.command("party", check=0).stdout
        self.assertRegex(said, r"#\w{4} bo \(13A\) has your code: with you\?\n")
        ada.call("party", "yes", "13A")
        bo.command("party", "yes", "ada", check=0)
        self.assertEqual(self.companions(ada), ["bo"])
        self.assertEqual(self.trusted(ada, "bo"), {"party": True})
        self.assertEqual(self.trusted(bo, "ada"), {"party": True})
        # Somebody overheard the code: a question, and no more.
        eve.call("party", "join", made["code"].upper().replace("-", " "))
        until("ada is asked about eve", lambda: self.asked(ada) == ["eve"], 10)
        ada.call("party", "no", "eve")
        ada.call("party", "say", "galley in five")
        until("bo reads it", lambda: "galley in five" in bo.said(), 10)
        self.assertIn("[party] ada (12A)  galley in five", bo.command("log", check=0).stdout)
        eve.call("party", "say", "and me?")
        # Taken out, eve can read nothing from now on.
        ada.call("party", "remove", "eve", "--yes")
        until("bo has the new code",
              lambda: bo.call("party")["code"] == ada.call("party")["code"] != made["code"], 10)
        self.assertEqual(self.companions(bo), ["ada"])
        bo.call("party", "say", "just us")
        until("ada reads it", lambda: "just us" in ada.said(), 10)
        self.assertNotIn("and me?", ada.said())
        self.assertNotIn("just us", eve.said())
        self.assertEqual([m for m in bo.said() if m.startswith("seatagent:")], [])
        kinds = [(e["change"], e.get("who", {}).get("name")) for e in news.wait_for("party")]
        self.assertIn(("asked", "bo"), kinds)
        self.assertIn(("asked", "eve"), kinds)
        news.end()
        # Everything is there after a restart, and nothing on the disk of eve.
        ada.leave()
        ada.board().wait_for(bo)
        until("bo is a companion again", lambda: self.companions(ada) == ["bo"], 10)
        self.assertLessEqual({"galley in five", "just us"}, set(ada.said()))
        bo.call("party", "leave")
        until("bo has left", lambda: self.companions(ada) == [], 10)
        self.assertIsNone(self.trusted(ada, "bo"))

    def test_a_code_from_home_needs_no_agent_and_no_invitation(self):
        here = self.loopback()
        ada, bo = Agent(here, "ada", "12A"), Agent(here, "bo", "13A")
        none = "No code of a party waits for your next agent.\n"
        self.assertEqual(ada.command("party", check=0).stdout, none)
        code = ada.call("party", "new")["code"]
        self.assertRegex(code, CODE)
        self.assertEqual(ada.call("party", "new", expect=1)["code"], "already-so")
        error = bo.call("party", "join", code[:-1] + ("a" if code[-1] != "a" else "b"), expect=2)
        self.assertIn("mistyped", error["why"])
        bo.call("party", "join", code)
        shown = ada.command("party", "show", "--qr", check=0).stdout
        self.assertIn(f"Code: {code}\n", shown)
        self.assertRegex(shown, r"Link: seatagent:party\?v=1&k=[a-z2-7]{17}\n")
        self.assertGreater(len(re.findall("[█▀▄]", shown)), 300)
        ada.board()
        bo = Agent(here, "bo", "13A", peers=[ada]).board()
        ada.wait_for(bo)
        until("each is asked about the other",
              lambda: (self.asked(ada), self.asked(bo)) == (["bo"], ["ada"]), 10)
        self.assertTrue(ada.call("party")["from_home"])
        # The agent took it along; on the practice flight it waits for the real one too.
        ada.leave()
        self.assertEqual(ada.call("party")["code"], code)
        ada.board()
        self.assertEqual(ada.call("party")["code"], code)
        ada.call("party", "leave")
        ada.leave()
        self.assertEqual(ada.command("party", check=0).stdout, none)

    def test_the_question_in_the_plain_chat_and_the_conversation(self):
        ada, bo = self.people("ada", "bo")
        code = ada.call("party", "new")["code"]
        bo.call("party", "join", code)
        until("ada is asked", lambda: self.asked(ada) == ["bo"], 10)
        tag = bo.call("status")["me"]["tag"]
        typed = ada.command(
            "chat", input=f"/party yes {tag}\n/to party\nhello you\n/quit\n", check=0)
        self.assertIn(f"* {tag} bo (13A) has your code: with you? /party yes {tag}",
                      typed.stdout + typed.stderr)
        self.assertIn("Now talking to your party.", typed.stderr)
        bo.call("party", "yes", "ada")
        until("bo reads it", lambda: "hello you" in bo.said(), 10)
        items = [json.dumps(item) for item in ada.call("log")["items"]]
        self.assertEqual(sum("hello you" in item for item in items), 1)
