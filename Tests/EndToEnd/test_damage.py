# SPDX-License-Identifier: Apache-2.0
"""A bit of the flight's file flips while the agent is down: nobody is blamed, all comes back."""

import glob
import os
import sqlite3

from agent import Agent
from case import Case, for_soak
from cbor import decode
from waiting import until

CLAIM, CHAT = 2, 7


class Damage(Case):
    slow = 60

    def flip(self, agent, *entries):
        """Flips a bit in the first entry of each of these keys and types."""
        path, = glob.glob(
            os.path.join(agent.host.folder, "**", agent.name, "*.db"), recursive=True)
        database = sqlite3.connect(path)
        rows = database.execute("SELECT place, bytes FROM entry").fetchall()
        for key, kind in entries:
            place, whole = next(
                (place, whole) for place, whole in rows for said in [decode(decode(whole)[2])]
                if said[2].hex() == key and said[5] == kind)
            # Behind the author and the number, before the signature: what the entry says.
            byte = len(whole) - 64 - 4
            whole = whole[:byte] + bytes([whole[byte] ^ 4]) + whole[byte + 1:]
            database.execute("UPDATE entry SET bytes = ? WHERE place = ?", (whole, place))
        database.commit()
        database.close()

    def entries(self, agent):
        return agent.call("status")["log"]["entries"]

    def two(self):
        """ada and bo, and what each damage is."""
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.call("say", "from bo")
        ada.call("say", "from ada")
        until("both have six records", lambda: self.entries(ada) == self.entries(bo) == 6, 20)
        mine, his = (agent.call("status")["me"]["key"] for agent in (ada, bo))
        return ada, bo, {
            "a line of bo": (his, CHAT), "bo's claim": (his, CLAIM),
            "an own line": (mine, CHAT), "the own claim": (mine, CLAIM)}

    def damage(self, ada, bo, what, *entries):
        ada.leave()
        self.flip(ada, *entries)
        ada.board()
        until("ada has all again", lambda: self.entries(ada) == self.entries(bo), 60)
        until("ada may write", lambda: ada.call("status")["log"]["open"], 60)
        ada.call("say", f"after {what}")
        until("bo hears it", lambda: f"after {what}" in bo.said(), 20)
        for agent in (ada, bo):
            self.assertEqual(agent.held(), {"14C": "ada", "12A": "bo"})
            people = agent.call("peers")["peers"]
            self.assertFalse([one for one in people if one.get("misdeed")])
            self.assertEqual(agent.call("status")["digest"], bo.call("status")["digest"])

    def test_a_flipped_bit_makes_nobody_a_liar(self):
        """A bit in each kind of entry at once."""
        ada, bo, damages = self.two()
        self.damage(ada, bo, "all of it", *damages.values())

    @for_soak
    def test_a_flipped_bit_in_each_kind_of_entry_makes_nobody_a_liar(self):
        ada, bo, damages = self.two()
        for what, entry in damages.items():
            with self.subTest(what):
                self.damage(ada, bo, what, entry)
