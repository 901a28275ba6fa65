"""Who is turned away hears no more than silence: blocked keys, requests declined without a note."""

import os

from agent import Agent, finish
from case import Case
from peers import handmade
from waiting import until


class Silence(Case):
    slow = 40

    def pair(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def test_a_blocked_key_finds_a_network_that_fails(self):
        bo = Agent(self.loopback(), "bo", "12A").board()
        seed = os.urandom(32)
        mallory = handmade(self, bo, seed)
        mallory("greet")
        self.assertEqual(mallory("ping"), "pong")
        tag = bo.call("peers")["peers"][0]["tag"]
        bo.call("block", tag)
        mallory("listen")
        mallory("shout")
        self.assertEqual(mallory("listen"), ["open"])
        # A new connection, also after a restart, gets through TLS and no further.
        for _ in range(2):
            self.assertEqual(mallory("connect"), "connected")
            self.assertEqual(mallory("listen"), ["open"])
            bo.call("down")
            bo.board()
        self.assertEqual(
            [(peer["tag"], peer["blocked"]) for peer in bo.call("peers")["peers"]], [(tag, True)])
        self.assertEqual(bo.said(), [])
        # Another key is served as ever, and so is this one once it is unblocked.
        self.assertEqual(handmade(self, bo, os.urandom(32))("greet"), "open")
        bo.call("unblock", tag)
        self.assertEqual(mallory("greet"), "open")
        self.assertEqual(mallory("ping"), "pong")

    def test_a_blocked_agent_asks_in_vain_and_is_told_nothing(self):
        ada, bo = self.pair()
        bo.call("block", "ada")
        number = ada.swap("12A", "--expires", "3s")
        ada.call("msg", "bo", "hello?")
        # For her he is still there: nothing has ended the connection.
        self.assertTrue(ada.call("peers")["peers"][0]["linked"])
        until("the request runs out", lambda: ada.request(number)["state"] == "expired")
        self.assertEqual(bo.call("requests", "--all")["requests"], [])
        self.assertEqual(bo.said(), [])
        message = [item for item in ada.call("log")["items"] if item["event"] == "message"]
        self.assertEqual([item["state"] for item in message], ["waiting"])

    def test_a_decline_without_a_note_looks_like_no_answer(self):
        ada, bo = self.pair()
        asked = ada.begin("swap", "12A", "--expires", "3s", "--wait")
        number = bo.incoming()
        bo.call("decline", number)
        self.assertEqual(bo.request(number)["state"], "declined")
        self.assertEqual(ada.call("requests")["requests"][0]["state"], "open")
        status, text = finish(asked)
        self.assertEqual(status, 6, text)
        self.assertNotIn("declined", text)
        self.assertEqual(ada.request(1)["state"], "expired")
