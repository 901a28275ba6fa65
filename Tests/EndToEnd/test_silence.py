# SPDX-License-Identifier: Apache-2.0
"""Who is turned away hears no more than silence: blocked keys, requests declined without a note."""

import os

from agent import Agent, finish
from case import Case
from views import ViewCase
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
        # For her, bo is still there: nothing has ended the connection.
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


class Pressed(ViewCase):
    slow = 14

    def test_whoever_asks_too_often_is_one_key_away_from_silence(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C").board()
        others = [Agent(here, name, seat, peers=[ada]).board()
                  for name, seat in (("bo", "12A"), ("cy", "22D"), ("dev", "20F"))]
        bo = others[0]
        ada.wait_for(*others)
        screen = self.view(ada)
        # Strangers together, in turns: no one of them asks that often.
        for times in range(1, 4):
            self.assertIsNone(ada.call("status")["pressing"])
            for other in others:
                number = self.asks(other, ada, times)
                if times < 3:
                    other.call("cancel", number)
        pressing = ada.call("status")["pressing"]
        self.assertEqual((pressing["strangers"], pressing["times"]), (3, 9))
        self.assertIn("asked 9 times in 30 minutes: seatagent silence lets them ask in vain",
                      ada.command("requests", check=0).stderr)
        screen.wait_for("asks for your 14C", "F7 silence")
        screen.press("F5")
        screen.wait_for("3 passengers whom nobody verified have asked 9 times", "F7 silence")
        screen.press("F7")
        screen.wait_for("can ask you. /silence off ends", gone=["F7 silence"])
        until("nothing waits", lambda: not ada.call("requests")["requests"])
        self.assertGreater(ada.call("status")["silenced"], 1700)
        # What is asked now is declined without a word, and no event tells of it.
        watch = ada.watch("request", "swap")
        self.addCleanup(watch.end)
        number = self.again(bo)
        until("it is declined here", lambda: [
            (r["by"]["name"], r["state"]) for r in ada.call("requests", "--all")["requests"]
        ][-1] == ("bo", "declined"))
        self.assertEqual(bo.request(number)["state"], "open")
        self.assertEqual([e for e in watch.events if e["state"] != "withdrawn"], [])
        ada.command("silence", "off", check=0)
        self.assertIsNone(ada.call("status")["silenced"])
        # One alone, for the fifth time.
        self.again(bo)
        ada.incoming()
        self.assertEqual(ada.call("status")["pressing"]["who"]["name"], "bo")
        screen.wait_for("F7 silence")
        screen.press("F7")
        screen.wait_for("is hidden and refused, here only. /unblock #", gone=["F7 silence"])
        until("bo is blocked", lambda: [
            peer["name"] for peer in ada.call("peers")["peers"] if peer["blocked"]] == ["bo"])

    def again(self, one):
        one.call("cancel", one.call("requests")["requests"][0]["number"])
        return one.swap("14C")

    def asks(self, one, ada, times):
        number = one.swap("14C", f"--note=time {times}")
        until("it is there", lambda: [
            r for r in ada.call("requests")["requests"]
            if r["needs_answer"] and r["note"] == f"time {times}"
            and r["by"]["name"] == one.name])
        return number
