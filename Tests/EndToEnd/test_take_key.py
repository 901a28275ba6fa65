# SPDX-License-Identifier: Apache-2.0
"""A guest takes their key along, from the host's laptop into an agent on their own."""

import os
import subprocess
import unittest

from agent import Agent
from case import Case, for_soak
from page_client import Page, inside
from test_phones import hosted
from waiting import until

PHRASE = "correct horse battery"


class TakeKey(Case):
    """Ada hosts Mia, who has a laptop of her own in her bag; Bo sits elsewhere."""

    def setUp(self):
        super().setUp()
        self.place = self.cabin("ada", "bo", "mia", "phones")
        self.ada = Agent(self.place["ada"], "ada", "14C").board()
        self.bo = Agent(self.place["bo"], "bo", "12A").board()
        self.addCleanup(lambda: self.ada.command("host", "off", check=None))

    def guest(self, **options):
        """Mia comes in and speaks; her page, as it is kept between questions."""
        _, address = hosted(self.ada, **options)

        # Her keys are made here, so each question may come from a process of its own.
        mia = Page(address)

        def come():
            said = mia.join("mia", "14B")["ok"]
            mia.do("say", text="hello from my phone")
            return said
        self.assertTrue(self.inside(come))
        until("bo reads her", lambda: "hello from my phone" in self.bo.said(), 20)
        return mia

    def inside(self, work):
        return inside(self.place["phones"], work)

    def ask(self, mia, op, **more):
        """One question of her page, with what is answered."""
        def question():
            mia.hello()
            return mia.ask({"op": op, **more})
        return self.inside(question)

    def bring(self, text, phrase=PHRASE, check=0):
        """Types the text and the passphrase on her laptop."""
        done = self.mia.command("key", "import", input=f"{text}\n{phrase}\n", check=check)
        return done.stdout + done.stderr

    def key(self, agent, name="mia"):
        return agent.call("who", name)["key"]

    def test_a_key_goes_along_once(self):
        mia = self.guest()
        self.mia = Agent(self.place["mia"], "mia", "14B")
        key = self.key(self.bo)
        short = self.ask(mia, "take-key", passphrase="short")
        self.assertEqual(short["error"]["code"], "bad-request", short)
        taken = self.ask(mia, "take-key", passphrase=PHRASE)["result"]
        text = taken["text"]
        self.assertTrue(text.startswith("seatkey1:"), taken)
        self.assertLess(len(text), 400)
        # An answer that was lost is told again as it was; the page knows after a reload.
        again = self.ask(mia, "take-key", passphrase="another passphrase")["result"]
        self.assertEqual((again["text"], again["again"]), (text, True))
        self.assertTrue(self.inside(mia.hello)["taken"])
        until("her agent has gone from the host",
              lambda: [(one["here"], one["taken"]) for one in
                       self.ada.call("host", "guests")["guests"]] == [(False, True)], 10)
        # On her laptop.
        self.assertIn("try:", self.bring(text, "another passphrase", 8))
        self.assertIn("damaged", self.bring(text[:-3] + "AAA", check=2))
        self.assertIn("later", self.bring("seatkey2:" + text[9:], check=2))
        self.assertIn("begins with seatkey1:", self.bring("hello", check=2))
        self.assertIn("14B", self.bring(text))
        self.assertIn("here already", self.bring(text, check=1))
        self.mia.board()
        until("bo is linked with her again", lambda: any(
            peer["key"] == key and peer["linked"] for peer in self.bo.call("peers")["peers"]), 20)
        self.after(key)

    def after(self, key):
        until("her log goes on", lambda: self.mia.command("say", "and from my laptop").returncode
              == 0, 40)
        until("bo reads her", lambda: "and from my laptop" in self.bo.said(), 20)
        print(self.bo.call("who", "mia"))


if __name__ == "__main__":
    unittest.main()
