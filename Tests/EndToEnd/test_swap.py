# SPDX-License-Identifier: Apache-2.0
"""The main job: two hosts, mDNS, a swap; and every way a request can end without one."""

from agent import Agent, finish
from case import Case
from waiting import until


class Swap(Case):
    def aboard(self, *more):
        """ada in 14C and bo in 12A, on one machine, linked."""
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def assert_unchanged(self, *agents):
        for agent in agents:
            self.assertEqual(agent.held(), {"14C": "ada", "12A": "bo"})

    def assert_swapped(self, *agents):
        for agent in agents:
            until(f"{agent.name} sees the swap",
                  lambda agent=agent: agent.held() == {"12A": "ada", "14C": "bo"}, 15)
        for agent in agents[1:]:
            self.assertEqual(agents[0].seats(), agent.seats())

    def test_two_hosts_find_each_other_by_mdns_chat_and_swap(self):
        cabin = self.cabin("ada", "bo")
        ada = Agent(cabin["ada"], "ada", "14C").board()
        bo = Agent(cabin["bo"], "bo", "12A").board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        ada.call("say", "hello bo, is 12A a window?")
        bo.call("say", "yes. swap?")
        for agent in (ada, bo):
            until(f"{agent.name} reads both lines", lambda agent=agent: {
                "hello bo, is 12A a window?", "yes. swap?"} <= set(agent.said()))
        asked = ada.begin("swap", "12A", "--wait", "--timeout", "30")
        bo.call("accept", bo.incoming(), "--yes", "--wait")
        status, text = finish(asked)
        self.assertEqual(status, 0, text)
        self.assert_swapped(ada, bo)
        for agent in (ada, bo):
            # Nothing is open any more: whoever asks how it went is told.
            done = agent.command("requests", check=0)
            self.assertEqual(done.stdout, "no open requests\n")
            self.assertRegex(done.stderr, r"The last one is over: 1 .* done  seatagent receipt 1")
            agent.call("receipt", "--verify")
            # The letters of the certificate may say any name.
            receipt = agent.command("receipt", "--full", check=0).stdout
            words, begin, _ = receipt.partition("-----BEGIN")
            self.assertTrue(begin)
            self.assertIn("12A", words)
            # Nor may the letters of the contract's number.
            self.assertNotRegex(words, r"\bada\b")

    def test_agents_find_each_other_again_when_avahi_starts_again(self):
        cabin = self.cabin("ada", "bo")
        ada = Agent(cabin["ada"], "ada", "14C").board()
        cabin["ada"].restart_avahi()
        bo = Agent(cabin["bo"], "bo", "12A").board()
        ada.wait_for(bo, seconds=40)

    def test_a_declined_request_changes_nothing(self):
        ada, bo = self.aboard()
        asked = ada.begin("swap", "12A", "--wait")
        bo.call("decline", bo.incoming(), "--note", "my wife sits here")
        status, text = finish(asked)
        self.assertEqual(status, 6, text)
        self.assertIn("my wife sits here", text)
        self.assert_unchanged(ada, bo)

    def test_a_cancelled_request_cannot_be_accepted(self):
        ada, bo = self.aboard()
        mine = ada.swap("12A")
        number = bo.incoming()
        ada.call("cancel", mine)
        until("bo sees it withdrawn", lambda: bo.request(number)["state"] != "open")
        bo.call("accept", number, "--yes", expect=7)
        self.assert_unchanged(ada, bo)

    def test_an_expired_request_cannot_be_accepted(self):
        ada, bo = self.aboard()
        asked = ada.begin("swap", "12A", "--expires", "2s", "--wait")
        number = bo.incoming()
        status, text = finish(asked)
        self.assertEqual(status, 6, text)
        until("bo sees it expired", lambda: bo.request(number)["state"] != "open")
        bo.call("accept", number, "--yes", expect=7)
        self.assert_unchanged(ada, bo)

    def test_one_s_own_seat_and_an_empty_seat_cannot_be_asked_for(self):
        ada, bo = self.aboard()
        for seat, status, code in (
                ("14C", 1, "own-seat"), ("20F", 4, "empty-seat"), ("99Ω", 4, "no-such-seat")):
            error = ada.call("swap", seat, expect=status)
            self.assertEqual(error["code"], code)
            self.assertIn(seat, error["what"])
        self.assert_unchanged(ada, bo)

    def test_a_counter_offer_is_accepted(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A,12B").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        mine = ada.swap("12A")
        bo.call("counter", bo.incoming(), "--give", "12B")
        until("the counter-offer reaches ada",
              lambda: "12B" in str(ada.request(mine)))
        ada.call("accept", mine, "--yes", "--wait")
        for agent in (ada, bo):
            until(f"{agent.name} sees the swap", lambda agent=agent: agent.held() == {
                "12A": "bo", "12B": "ada", "14C": "bo"}, 15)
        self.assertEqual(ada.seats(), bo.seats())

    def test_a_disputed_seat_is_shown_and_not_swapped(self):
        ada, bo = self.aboard()
        cy = Agent(ada.host, "cy", "12A", peers=[ada, bo]).board()
        cy.wait_for(ada, bo)
        until("ada sees the dispute", lambda: ada.held().get("12A") == {"bo", "cy"})
        # Who sits there knows.
        for agent in (bo, cy):
            until(f"{agent.name} sees both claims", lambda agent=agent: [
                len(s.get("claims", [])) for s in agent.seats()["seats"] if s["seat"] == "12A"]
                == [2])
            self.assertEqual(agent.held()["12A"], agent.name)
        seat = next(s for s in ada.seats()["seats"] if s["seat"] == "12A")
        self.assertEqual(seat["state"], "disputed")
        error = ada.call("swap", "12A", expect=1)
        self.assertEqual(error["code"], "disputed")
        self.assertIn("12A", error["what"])

    def test_a_direct_message_reaches_one_and_says_so(self):
        ada, bo = self.aboard()
        ada.call("msg", "bo", "psst")
        until("bo reads it", lambda: "psst" in bo.said())
        self.assertIn("psst", ada.said())

    def test_a_blocked_passenger_cannot_ask(self):
        ada, bo = self.aboard()
        bo.call("block", "ada")
        ada.command("swap", "12A", "--timeout", "3")
        self.assertEqual([r for r in bo.call("requests")["requests"] if r["state"] == "open"], [])
        bo.call("unblock", "ada")
        self.assert_unchanged(ada, bo)
