# SPDX-License-Identifier: Apache-2.0
"""Passengers at home who meet through NATS JetStream (docs/meet.md section 10)."""

import json
import signal

from agent import Agent
from case import Case, for_soak
from meet_stream import Cluster, StreamCase, streams
from waiting import until

SECRET = "the aisle knocks twice at midnight"


class Stream(StreamCase):
    """Hosts that reach a cluster, but not each other."""

    def met(self, **options):
        self.begin("ada", "bo", **options)
        ada, bo = self.passenger("ada", "14C").board(), self.passenger("bo", "15B").board()
        until("they see each other",
              lambda: ada.held() == bo.held() == {"14C": "ada", "15B": "bo"}, 60)
        return ada, bo

    def test_two_isolated_agents_write_and_swap_through_one_server(self):
        ada, bo = self.met()
        ada.call("msg", "bo", SECRET)
        until("bo has the message", lambda: SECRET in bo.said(), 10)
        ada.swap("15B")
        bo.call("accept", bo.incoming(10), "--yes")
        until("both have the new map",
              lambda: ada.held() == bo.held() == {"14C": "bo", "15B": "ada"}, 10)
        until("all is stored", lambda: self.is_stored(ada) and self.is_stored(bo), 30)
        # Cards and parts lie in streams, and letters where one was due; live messages and tunnels
        # do not.
        kinds = {subject.split(".")[3] for subject in self.meet.kept()}
        self.assertEqual(kinds - {"q"}, {"c", "l"})

    @for_soak
    def test_a_frozen_server_is_found_and_one_that_died_is_full_again(self):
        ada, bo = self.met()
        server = self.meet.servers[0]
        before = set(self.meet.kept())
        server.kill()
        ada.call("say", "said while it was gone")
        server.start()
        until("bo hears it", lambda: "said while it was gone" in bo.said(), 90)
        until("ada's records are stored", lambda: self.is_stored(ada), 60)
        self.assertEqual(set(self.meet.kept()), before)
        server.process.send_signal(signal.SIGSTOP)
        until("ada finds out that it is frozen",
              lambda: not self.meeting(ada)["homes"][0]["up"], 90)
        server.process.send_signal(signal.SIGCONT)
        until("ada is back", lambda: self.meeting(ada)["homes"][0]["up"], 60)


class StreamCheck(Case):
    """`seatagent meet check` of servers that are well, and of those that are not."""

    def check(self, ada, url, cause):
        code = 0 if cause in ("well", "meet-wide") else 9
        done = ada.command("meet", "check", url, "--json", check=code)
        reply = json.loads(done.stdout)
        self.assertEqual(reply["result"]["cause"], cause, done.stdout)
        return {finding["name"]: finding for finding in reply["result"]["findings"]}

    def test_a_server_as_the_example_has_it_is_well_and_what_is_wrong_is_named(self):
        here = self.loopback()
        meet = Cluster(here).start(has_streams=False)
        ada = meet.admit(Agent(here, "ada", "14C"))
        url = f"nats+tls://localhost:{meet.servers[0].port}"
        until("it answers", meet.answers, 20)
        found = self.check(ada, url, "meet-features")
        self.assertIn("has no stream for what it should keep", found["meet-features"]["what"])
        self.assertIn("streams.py", str(found["meet-features"]))
        self.assertTrue(meet.make())
        found = self.check(ada, url, "well")
        self.assertEqual(
            [(name, one["state"]) for name, one in found.items()],
            [(f"meet-{name}", "ok") for name in
             ("name", "reach", "tls", "login", "features", "store", "wide", "loop")])
        self.assertRegex(found["meet-tls"]["what"], "good for (29|30) more days")
        self.assertIn("for 96 hours", found["meet-features"]["what"])
        # Nothing of it stays there but that it is empty.
        self.assertEqual(set(meet.kept().values()), {""})
        # One stream of sixteen is missing.
        operator = meet.client()
        operator.ask("$JS.API.STREAM.DELETE.SA1_7")
        found = self.check(ada, url, "meet-features")
        self.assertIn("lacks streams, or has them otherwise: SA1_7", found["meet-features"]["what"])
        # Passengers may neither make nor empty streams, nor ask for all subjects.
        for subject in ("$JS.API.STREAM.CREATE.SA1_7", "$JS.API.STREAM.PURGE.SA1_1"):
            with self.assertRaisesRegex(OSError, "Permissions Violation"):
                meet.client(user="ada").ask(subject, streams.settings("7", 1, 2**24))
        stranger = meet.client(user="ada")
        stranger.send(b"SUB sa1.> 9\r\nPING\r\n")
        with self.assertRaisesRegex(OSError, "Permissions Violation"):
            stranger.operation()
        # Who has no name is not let in.
        ada.command("config", "set", "rendezvous.user", "", check=0)
        found = self.check(ada, url, "meet-login")
        self.assertIn("wants a user name", found["meet-login"]["what"])
