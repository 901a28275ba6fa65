"""A bit of the flight's file flips while the agent is down: nobody is blamed, all comes back."""

import glob
import os
import sqlite3

from agent import Agent
from case import Case
from cbor import decode
from waiting import until

CLAIM, CHAT = 2, 7


class Damage(Case):
    slow = 60

    def flip(self, agent, key, kind):
        """Flips a bit in the first entry of that type by `key`; gives the number of rows."""
        path, = glob.glob(
            os.path.join(agent.host.folder, "**", agent.name, "*.db"), recursive=True)
        database = sqlite3.connect(path)
        rows = database.execute("SELECT place, bytes FROM entry").fetchall()
        for place, whole in rows:
            payload = decode(decode(whole)[2])
            if payload[2].hex() == key and payload[5] == kind:
                # Behind the author and the number, before the signature: what the entry says.
                byte = len(whole) - 64 - 4
                whole = whole[:byte] + bytes([whole[byte] ^ 4]) + whole[byte + 1:]
                database.execute("UPDATE entry SET bytes = ? WHERE place = ?", (whole, place))
                database.commit()
                database.close()
                return len(rows)
        raise AssertionError(f"no entry of type {kind} by {key}")

    def entries(self, agent):
        return agent.call("status")["log"]["entries"]

    def test_a_flipped_bit_makes_nobody_a_liar(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.call("say", "from bo")
        ada.call("say", "from ada")
        until("both have six records", lambda: self.entries(ada) == self.entries(bo) == 6, 20)
        keys = {agent: agent.call("status")["me"]["key"] for agent in (ada, bo)}
        for what, author, kind in (
                ("a line of bo", bo, CHAT), ("bo's claim", bo, CLAIM), ("an own line", ada, CHAT),
                ("the own claim", ada, CLAIM)):
            with self.subTest(what):
                ada.leave()
                self.flip(ada, keys[author], kind)
                ada.board()
                until("ada has all again", lambda: self.entries(ada) == self.entries(bo), 60)
                until("ada may write", lambda: ada.call("status")["log"]["open"], 60)
                ada.call("say", f"after {what}")
                until("bo hears it", lambda: f"after {what}" in bo.said(), 20)
                for agent in (ada, bo):
                    self.assertEqual(agent.held(), {"14C": "ada", "12A": "bo"})
                    people = agent.call("peers")["peers"]
                    self.assertFalse([one for one in people if one.get("misdeed")])
                    self.assertEqual(
                        agent.call("status")["digest"], bo.call("status")["digest"])
