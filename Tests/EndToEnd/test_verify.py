# SPDX-License-Identifier: Apache-2.0
"""Two passengers compare codes: both say yes, one says no, and what makes it void."""

import json

from agent import Agent, finish
from case import Case
from waiting import until


class Verify(Case):
    def two(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def compare(self, one, other):
        """Both type it; the code that both see."""
        first = one.begin("verify", other.seat, "--json")
        until(f"{other.name} is asked", lambda: other.call("status")["verification"]["state"]
              == "asked", 10)
        second = other.begin("verify", one.seat, "--json")
        codes = []
        for process in (first, second):
            status, output = finish(process)
            self.assertEqual(status, 0, output)
            codes.append(json.loads(output)["result"]["code"])
        self.assertEqual(codes[0], codes[1])
        return codes[0]

    def assurance(self, agent, name):
        return agent.call("who", name).get("evidence")

    def test_two_verify_each_other_and_a_rename_or_another_seat_makes_it_void(self):
        ada, bo = self.two()
        self.assertIsNone(self.assurance(ada, "bo"))
        code = self.compare(ada, bo)
        self.assertRegex(code, r"^\d{4} - \d{4} - \d{4}$")
        waits = ada.begin("verify", "--match", "--json")
        until("ada has pressed", lambda: ada.call("status")["verification"]["state"]
              == "matched", 10)
        self.assertIsNone(self.assurance(bo, "ada"))
        bo.call("verify", "--match")
        self.assertEqual(finish(waits)[0], 0)
        self.assertEqual(self.assurance(ada, "bo"), {"verified": True})
        self.assertEqual(self.assurance(bo, "ada"), {"verified": True})
        self.assertIn("verified", bo.command("who", "ada", check=0).stdout)
        self.assertIn("bo", ada.command("peers", check=0).stdout)
        ada.leave()
        ada.board().wait_for(bo)
        self.assertEqual(self.assurance(ada, "bo"), {"verified": True})
        ada.call("vouch", "bo")
        bo.call("rename", "bob")
        until("the new name makes it void", lambda: not self.assurance(ada, "bob"), 10)
        self.assertEqual(self.assurance(bo, "ada"), {"verified": True})
        ada.call("claim", "14D")
        until("the new seat makes it void", lambda: not self.assurance(bo, "ada"), 10)

    def test_a_liar_in_bo_s_seat_stops_no_swap(self):
        ada, bo = self.two()
        liar = Agent(ada.host, "carl", "12A", peers=[ada, bo]).board()
        liar.wait_for(ada, bo)
        until("ada sees both claims", lambda: ada.held()["12A"] == {"bo", "carl"})
        error = ada.call("swap", "12A", expect=1)
        self.assertEqual(error["code"], "disputed")
        self.assertIn("carl", error["why"])
        self.assertIn("face to face", error["why"])
        self.assertRegex(
            error["try"], r"^seatagent swap 12A --from '#\w{4}' --override --unverified$")
        self.assertEqual(ada.call("swap", "12A", "--override", expect=1)["code"], "disputed")
        # The way out without evidence, as it is printed, for the one who is meant.
        tag = ada.call("who", "bo")["tag"]
        number = ada.swap("12A", "--from", tag, "--override")
        self.assertEqual(ada.request(number)["with"][0]["name"], "bo")
        bo.incoming()
        ada.call("cancel", number)
        # The way out by evidence: the liar is a remark then.
        self.compare_by_name(ada, bo)
        waits = ada.begin("verify", "--match")
        bo.call("verify", "--match")
        self.assertEqual(finish(waits)[0], 0)
        until("ada sees bo in it", lambda: ada.held()["12A"] == "bo")
        seat = next(s for s in ada.call("seats")["seats"] if s["seat"] == "12A")
        self.assertEqual(seat["state"], "held")
        self.assertEqual([(c["name"], c.get("remark")) for c in seat["claims"]],
                         [("bo", None), ("carl", True)])
        self.assertIn("also claimed by carl", ada.command("seats", check=0).stdout)
        asked = ada.begin("swap", "12A", "--wait", "--timeout", "30")
        bo.call("accept", bo.incoming(), "--yes", "--wait")
        status, text = finish(asked)
        self.assertEqual(status, 0, text)
        until("bo sits in 14C", lambda: ada.held()["14C"] == "bo", 15)
        # The swap voids nothing.
        self.assertEqual(self.assurance(ada, "bo"), {"verified": True})

    def compare_by_name(self, one, other):
        """As `compare`, where a seat would not say who is meant."""
        processes = []
        for agent, peer in ((one, other), (other, one)):
            processes.append(agent.begin("verify", peer.name, "--json"))
            until("it is under way", lambda peer=peer: peer.call(
                "status")["verification"]["state"] != "idle", 10)
        for process in processes:
            status, output = finish(process)
            self.assertEqual(status, 0, output)

    def test_a_mismatch_is_loud_on_both_sides_and_three_of_them_rest(self):
        ada, bo = self.two()
        watch = ada.watch("verify")
        for _ in range(3):
            self.compare(ada, bo)
            error = bo.call("verify", "--mismatch", expect=1)
            self.assertEqual(error["code"], "alarm")
        alarms = until("ada is alarmed", lambda: [
            event for event in watch.events if event.get("state") == "alarm"][2:], 10)
        self.assertEqual(alarms[0]["why"], "differs-there")
        watch.end()
        self.assertEqual(ada.call("verify", "bo", expect=1)["code"], "not-now")
        self.assertEqual(bo.call("verify", "ada", expect=1)["code"], "not-now")
        self.assertIsNone(self.assurance(ada, "bo"))

    def test_a_whole_key_is_compared_and_a_slip_is_told_from_another_key(self):
        ada, bo = self.two()
        key = bo.command("who", "--key", check=0).stdout.strip()
        self.assertRegex(key, r"^([a-z2-7]{7}-){7}[a-z2-7]{7}$")
        self.assertEqual(ada.command("who", "12A", "--key", check=0).stdout.strip(), key)
        self.assertEqual(ada.call("who", "bo")["spelled"], key)
        groups = key.upper().split("-")
        for typed in ([key], groups, [key.replace("-", "")]):
            self.assertIs(ada.call("verify", "bo", *typed, "--key")["same"], True)
        done = ada.command("verify", "bo", "--key", "-", check=0, input=" ".join(groups) + "\n")
        self.assertIn("The same", done.stdout)
        # To compare keys says so, and does no more.
        self.assertIsNone(self.assurance(ada, "bo"))
        self.assertEqual(ada.call("status")["verification"], {"state": "idle"})
        slip = key[:20] + ("b" if key[20] != "b" else "c") + key[21:]
        error = ada.call("verify", "bo", "--key", slip, expect=2)
        self.assertEqual(error["code"], "usage")
        self.assertIn(slip[16:31], error["why"])
        mine = ada.command("who", "--key", check=0).stdout.strip()
        error = ada.call("verify", "bo", "--key", mine, expect=1)
        self.assertEqual(error["code"], "alarm")
        self.assertIn("it is the key of ada", error["why"])
        stranger = "-".join(["aaaaaaa"] * 8)
        error = ada.call("verify", "bo", "--key", stranger, expect=1)
        self.assertEqual(error["code"], "alarm")
        self.assertIn("another key", error["why"])
        for wrong in (["bo"], ["bo", "short"], ["bo", key + "\u202e"]):
            self.assertEqual(ada.call("verify", *wrong, "--key", expect=2)["code"], "usage")
        self.assertEqual(ada.call("verify", "bo", key, expect=2)["code"], "usage")
        self.assertEqual(ada.call("verify", "cy", "--key", key, expect=4)["code"],
                         "no-such-passenger")

    def test_a_vouch_counts_for_those_who_verified_the_voucher(self):
        ada, bo = self.two()
        cy = Agent(ada.host, "cy", "7F", peers=[ada, bo]).board()
        cy.wait_for(ada, bo)
        ada.wait_for(cy)
        self.assertEqual(bo.call("vouch", "cy", expect=1)["code"], "not-now")
        for one, other in ((ada, bo), (bo, cy)):
            self.compare(one, other)
            waits = one.begin("verify", "--match")
            other.call("verify", "--match")
            self.assertEqual(finish(waits)[0], 0)
        self.assertIsNone(self.assurance(ada, "cy"))
        bo.call("vouch", "cy")
        until("ada sees the vouch", lambda: self.assurance(ada, "cy") == {"vouched": 1}, 10)
        self.assertIn("vouched by 1", ada.command("peers", check=0).stdout)
        self.assertEqual(bo.call("vouch", "cy", expect=1)["code"], "already-so")
