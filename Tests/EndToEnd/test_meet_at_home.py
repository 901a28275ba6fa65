# SPDX-License-Identifier: Apache-2.0
"""Passengers at home: they meet through an operator's brokers before the flight (docs/meet.md)."""

import signal
import time

from agent import Agent
from case import for_soak
from meet_broker import Broker
from meet_case import MeetCase
from waiting import until


class Meet(MeetCase):
    """Hosts that reach a broker, but not each other."""

    def test_two_at_home_see_seats_and_hear_each_other(self):
        self.begin("ada", "bo")
        ada, bo = self.passenger("ada", "14C").board(), self.passenger("bo", "15B").board()
        until("bo sees ada's seat", lambda: bo.held() == {"14C": "ada", "15B": "bo"}, 30)
        until("ada sees bo's seat", lambda: ada.held() == bo.held(), 30)
        began = time.monotonic()
        ada.call("say", "hello from home")
        until("bo hears ada", lambda: "hello from home" in bo.said(), 10)
        self.assertLess(time.monotonic() - began, 4)
        # No connection of the two to each other was needed.
        self.assertEqual([peer["linked"] for peer in bo.call("peers")["peers"]], [False])
        self.assertIn("Said at the meeting point, where 1 is now",
                      bo.command("say", "hello, too", check=0).stderr)
        text = ada.command("status", check=0).stdout
        self.assertRegex(text, r"Meeting +10\.77\.0\.3 up")
        self.assertIn("1 passenger has left records, 1 online", text)
        self.assertEqual(text.count("without --code it can find out the flight"), 1)
        self.assertIn("\nAboard    1 at the meeting point, 0 on this network\n", text)
        self.assertIn("\nNext: seatagent seats\n", text)
        # What the broker keeps is sealed: none of this is in its store or its log.
        stored = self.meet.stored()
        self.assertIn(b"sa1/", stored)
        for name in ("ada", "14C", "hello from home", "seatswap"):
            self.assertNotIn(name.encode(), stored)

    def test_two_who_are_never_online_together(self):
        self.begin("ada", "bo")
        ada, bo = self.passenger("ada", "14C"), self.passenger("bo", "15B")
        ada.board().call("say", "who sits beside 15A?")
        until("ada's records are stored", lambda: self.is_stored(ada, 3), 30)
        ada.kill()
        bo.board()
        until("bo reads what ada left", lambda: "who sits beside 15A?" in bo.said(), 30)
        until("bo sees ada's seat", lambda: bo.held() == {"14C": "ada", "15B": "bo"}, 10)
        # Known by the card alone, which is a moment old.
        self.assertRegex(bo.command("peers", check=0).stdout, "14C +ada .* at the meeting point")
        bo.call("say", "I do")
        until("bo's records are stored", lambda: self.is_stored(bo, 3), 30)
        bo.leave()
        came = ada.command("up", "--seat", "14C", "--name", "ada", *ada.options, check=0)
        # Two seconds are waited for the records; on a busy machine they are still being read.
        self.assertRegex(came.stdout, r"Meeting point 10\.77\.0\.3: (1 passenger has left "
                         r"records, 1 online|reading what others have left)\.\n")
        until("ada's status says who left records", lambda: "1 passenger has left records" in
              ada.command("status", check=0).stdout, 30)
        self.assertIn("Without --code the meeting point can find out", came.stderr)
        until("ada reads the answer", lambda: "I do" in ada.said(), 30)
        ada.command("down", check=0)

    @for_soak
    def test_a_broker_that_dies_freezes_and_comes_back_empty(self):
        self.begin("ada", "bo")
        ada, bo = self.passenger("ada", "14C").board(), self.passenger("bo", "15B").board()
        until("they meet", lambda: ada.held() == bo.held() and len(bo.held()) == 2, 30)
        before = self.meet.topics()
        self.assertEqual(len(before), 4)
        self.meet.kill()
        self.meet.forget()
        ada.call("say", "said while it was gone")
        self.meet.start()
        until("bo hears it", lambda: "said while it was gone" in bo.said(), 60)
        until("the broker is full again", lambda: self.meet.topics() == before, 60)
        self.meet.process.send_signal(signal.SIGSTOP)
        until("ada finds out that it is frozen",
              lambda: not self.meeting(ada)["homes"][0]["up"], 60)
        self.meet.process.send_signal(signal.SIGCONT)
        until("ada is back", lambda: self.meeting(ada)["homes"][0]["up"], 60)
        # The door closes: the network is gone, and comes back.
        self.cabin_.cut("ada")
        ada.call("say", "behind the door")
        until("status says so", lambda: self.meeting(ada)["unreachable"], 150)
        self.cabin_.heal("ada")
        until("bo hears it too", lambda: "behind the door" in bo.said(), 150)

    @for_soak
    def test_a_minute_without_the_broker_is_said_once_and_its_return_too(self):
        self.begin("ada")
        self.meet.kill()
        ada = self.passenger("ada", "14C").board()
        news = ada.watch("trouble")
        self.addCleanup(news.end)
        told = news.wait_for("trouble", 90)
        self.assertEqual([one["code"] for one in told], ["meeting"])
        self.assertRegex(told[0]["what"], "meeting point unreachable since .*; trying again")
        self.meet.start()
        until("it is said to be back",
              lambda: [one["code"] for one in news.events] == ["meeting", "meeting-back"], 150)

    @for_soak
    def test_an_agent_whose_key_was_taken_along_leaves_the_meeting_point(self):
        self.begin("ada", "bo")
        ada, bo = self.passenger("ada", "14C").board(), self.passenger("bo", "15B").board()
        until("they meet", lambda: ada.held() == bo.held() and len(bo.held()) == 2, 30)
        # A key leaves once somebody else has all its records: by a session, so by a tunnel.
        ada.call("msg", "bo", "going on at my laptop")
        with self.meet.operator() as operator:
            def connected():
                """Clients of the broker without this one."""
                counts = operator.collect_kept("$SYS/broker/clients/connected")
                return int(counts[-1].payload) - 1 if counts else None
            until("both are counted", lambda: connected() == 2, 10)
            until("the key goes", lambda: ada.ask("take-key", passphrase="ten or more")["ok"], 60)
            until("ada's agent has gone from there", lambda: connected() == 1, 10)
        # What lies there is the key's, which goes on at another computer.
        self.assertEqual(len(self.meet.topics()), 4)

    def test_a_certificate_of_somebody_else_is_refused(self):
        self.begin("ada")
        other = Broker(self.cabin_["meet"], name="other", at=self.meet.at, names=["DNS:other"])
        ada = self.passenger("ada", "14C")
        ada.command("config", "set", "rendezvous.ca", other.authority, check=0)
        ada.board()
        until("ada is told why", lambda: "signed the certificate"
              in (self.meeting(ada)["trouble"] or ""), 30)
        self.assertEqual(self.meet.topics(), set())

    def test_a_wrong_address_is_refused_before_anything_starts(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C")
        for url, why in (("mqtt://meet.example.org", "TLS is required outside this machine"),
                         ("http://meet.example.org", "does not begin with mqtts://"),
                         ("mqtts://", "is not mqtts://HOST")):
            done = ada.command("up", "--seat", "14C", "--meet", url, check=2)
            self.assertIn(why, done.stderr)
            done = ada.command("config", "set", "rendezvous.url", url, check=2)
            self.assertIn(why, done.stderr)
