# SPDX-License-Identifier: Apache-2.0
"""Wishes in words: what others see of them, what follows when somebody moves, what stays here."""

import os

from agent import BINARY, Agent
from case import Case
from waiting import until

# What `201-203A` is on the wire: no other record has these bytes.
BLOCK = bytes([0x83, 0x01, 0x18, 201, 0x18, 203])


class Wish(Case):
    slow = 12

    def pair(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def seen(self, bo):
        """What bo sees of ada's offer, and what she may be asked for."""
        ada = next(peer for peer in bo.call("peers")["peers"] if peer["name"] == "ada")
        offer = ada["offer"] and (ada["offer"]["seats"], ada["offer"]["wants"])
        return offer, ada["asks"]

    def test_words_become_seats_that_others_see_and_follow_who_is_named(self):
        ada, bo = self.pair()
        self.assertEqual(ada.call("wish")["choices"], [])
        said = ada.command("wish", "window,", "next", "to", "bo", check=0).stdout
        self.assertIn("You offer 14C", said)
        self.assertIn("  1. window: 1-32AF\n  2. next to bo: 12B\n", said)
        self.assertIn("Others see 14C and the seats above, not your words.", said)
        until("bo sees the seats",
              lambda: self.seen(bo) == ((["14C"], ["window", "12B"]), "similar"))
        # Each command changes one thing, and the next wish waits for its turn.
        self.assertIn(ada.call("wish", "--asks", "anything")["left"], range(1, 7))
        ada.call("withdraw")
        bo.call("claim", "20F")
        bo.call("release", "12A")
        until("the words follow bo", lambda: ["1-32AF", "20E"] == [
            choice.get("seats") for choice in ada.call("wish")["choices"]])
        until("bo sees that, once", lambda: self.seen(bo) == (None, "anything"))
        # Words that are no wish change nothing, and what is to be tried works.
        for line, status, code in [
                ("windoww, aisle", 2, "usage"), ("away from toilets", 4, "no-such-seat"),
                ("next to nobody", 4, "no-such-passenger"), ("--asks evrything", 2, "usage"),
                ("1 then 2 then 3 then 4 then 5", 2, "too-long"), ("row 99999;rm", 2, "usage")]:
            before = ada.call("wish")
            error = ada.call("wish", *line.split(), expect=status)
            self.assertEqual(error["code"], code)
            after = ada.call("wish")
            self.assertEqual({**after, "left": 0}, {**before, "left": 0})
            again = error["try"].replace("seatagent", f"{BINARY} --profile ada", 1)
            tried = ada.host.run(["sh", "-c", again], check=False)
            self.assertEqual(tried.returncode, 0, (error, tried.stderr))
        ada.call("wish", "next", "to", "bo", "--stay-unless-better")
        ada.leave()
        ada.board()
        wish = ada.call("wish")
        self.assertEqual([choice["words"] for choice in wish["choices"]], ["next to bo"])
        self.assertTrue(wish["stay"])

    def test_a_private_wish_stays_here_and_less_is_met_with_silence(self):
        ada, bo = self.pair()
        told = ada.watch("request", "swap")
        ada.call("wish", "201-203A", "--private", "--note", "near-mum")
        until("bo sees the offer alone", lambda: self.seen(bo) == ((["14C"], []), "similar"))
        number = bo.swap("14C", "--expires", "4s")
        until("her agent says no", lambda: ada.request(1) and ada.request(1)["state"] == "declined")
        self.assertEqual(bo.request(number)["state"], "open")
        self.assertEqual(ada.call("requests")["requests"], [])
        until("for bo it runs out", lambda: bo.request(number)["state"] == "expired")
        self.assertEqual(told.events, [])
        told.end()
        # Nothing that bo has of her says what she wished, until she says so.
        self.assertEqual(self.traces(bo), [False, False])
        ada.call("wish", "--public")
        until("bo sees the seats", lambda: self.seen(bo)[0] == (["14C"], ["201-203A"]))
        self.assertEqual(self.traces(bo), [True, True])
        self.assertTrue(ada.call("wish", "--private", "--asks", "nothing")["known"])
        until("bo sees that she is not to be asked", lambda: self.seen(bo)[1] == "nothing")
        self.assertIn("does not want to be asked",
                      bo.command("swap", "14C", "--note", "please").stderr)
        until("her agent says no again",
              lambda: ada.request(2) and ada.request(2)["state"] == "declined")
        self.assertIn("nobody may ask you", ada.command("status").stdout)

    def traces(self, agent):
        """Whether the block and the note stand in what an agent exports or keeps."""
        path = f"{agent.host.folder}/{agent.name}.records"
        agent.call("log", "--export", path)
        kept = [path]
        data_home = agent.host.env["XDG_DATA_HOME"]
        for folder, _, names in os.walk(f"{data_home}/seatagent/{agent.name}"):
            kept += [os.path.join(folder, name) for name in names]
        data = b""
        for name in kept:
            with open(name, "rb") as file:
                data += file.read()
        return [BLOCK in data, b"near-mum" in data]
