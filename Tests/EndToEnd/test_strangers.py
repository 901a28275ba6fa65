# SPDX-License-Identifier: Apache-2.0
"""What strangers with free keys tried, played by real speakers of the protocol.

Each note has the figures: keys, bytes, seconds, and what the victim could still do. Logs and
messages without end are in test_storage.py, lost records and forged receipts in test_flights.py and
test_commands.py.
"""

import time

from agent import Agent
from case import Case
from siege import Strangers, compare
from waiting import until

SOURCES = [f"127.0.1.{number}" for number in range(1, 9)]
#: Seats of the practice cabin, and keys that claim all of them, nine each.
SEATS, LIARS = 192, 22


class Aboard(Case):
    def two(self):
        """ada in 14C and bo in 12A, on one machine, linked."""
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def strangers(self, agent, keys, does, **more):
        return Strangers(self, agent.host, [agent], keys, does, sources=SOURCES, **more)

    def swaps(self, one, other, *options):
        """One asks the other for the seat, who says yes; seconds until both sit elsewhere."""
        began = time.monotonic()
        mine, theirs = one.seats_of_mine()[0], other.seats_of_mine()[0]
        one.call("swap", theirs, *options)
        number = until(f"{other.name} sees the request of {one.name}", lambda: [
            request["number"] for request in other.call("requests")["requests"]
            if request["needs_answer"] and request["with"][0]["name"] == one.name], 20)[0]
        other.call("accept", number, "--yes", *options[-1:])
        for agent, seat in ((one, theirs), (other, mine)):
            until(f"{agent.name} has {seat}", lambda agent=agent, seat=seat: [seat]
                  == agent.seats_of_mine(), 30)
        return time.monotonic() - began


class Claims(Aboard):
    def test_a1_twenty_two_keys_claim_every_seat_and_swaps_go_on(self):
        ada, bo = self.two()
        compare(ada, bo)
        cy = Agent(ada.host, "cy", "7F", peers=[ada, bo]).board()
        cy.wait_for(ada, bo)
        liars = self.strangers(ada, LIARS, {"claims": 1})
        told = liars.finish()
        until("every seat is claimed", lambda: len(ada.call("seats")["seats"]) == SEATS, 20)
        verified = self.swaps(ada, bo)
        # With somebody of whom no more is known than of a liar: by name, and knowing it.
        tag = "#" + cy.call("status")["me"]["tag"].removeprefix("#")
        error = ada.call("swap", "7F", "--override", expect=1)
        self.assertEqual(error["code"], "disputed")
        named = self.swaps(ada, cy, "--from", tag, "--override")
        self.note = (f"{LIARS} keys: {liars.figures}, {told['closed']}; a swap with somebody"
                     f" verified took {verified:.1f} s, one with somebody named {named:.1f} s")

    def test_a1_a_claim_between_asking_and_voting_ends_nothing(self):
        ada, bo = self.two()
        eve = Agent(ada.host, "eve", "20F", peers=[ada, bo]).board()
        eve.wait_for(ada, bo)
        ada.call("swap", "12A")
        number = bo.incoming(20)
        eve.call("claim", "12A")
        until("ada sees that eve claims it too", lambda: [
            seat["state"] for seat in ada.call("seats")["seats"]
            if seat["seat"] == "12A"] == ["disputed"], 20)
        bo.call("accept", number, "--yes")
        for agent, seat in ((ada, "12A"), (bo, "14C")):
            until(f"{agent.name} has {seat}", lambda agent=agent, seat=seat: [seat]
                  == agent.seats_of_mine(), 20)


class Asks(Aboard):
    def test_a2_a_stranger_who_proposes_to_one_is_not_heard(self):
        ada, bo = self.two()
        griefer = self.strangers(ada, 1, {"claims": 1, "asks": 8}, rows=[20, 32])
        griefer.finish()
        took = self.swaps(ada, bo)
        self.assertEqual(len(ada.call("requests", "--all")["requests"]), 1)
        self.note = f"{griefer.figures}; nobody was asked, and a swap took {took:.1f} s"

    def test_a2_whoever_asks_and_vanishes_locks_nothing(self):
        ada, bo = self.two()
        cy = Agent(ada.host, "cy", "7F", peers=[bo]).board()
        cy.wait_for(bo)
        notes = []
        for victim, way, end, row in ((ada, "begs", "with PREPARE", 20),
                                      (cy, "binds", "after a yes", 25)):
            griefer = self.strangers(victim, 1, {"claims": 1, way: 1}, rows=[row, 32])
            victim.call("accept", victim.incoming(20), "--yes")
            self.assertEqual(list(griefer.finish()["closed"]), [f"vanished {end}"])
            until("nothing is open", lambda victim=victim: not {"agreed", "stranded"} & {
                request["state"] for request in victim.call("requests", "--all")["requests"]}, 20)
            took = self.swaps(victim, bo)
            notes.append(f"vanished {end}: the next swap took {took:.1f} s")
        self.note = "; ".join(notes)


class Requests(Aboard):
    def test_a3_thirty_two_keys_ask_for_seats_that_do_not_exist_and_for_real_ones(self):
        ada, bo = self.two()
        compare(ada, bo)
        crowd = self.strangers(
            ada, 32, {"claims": 1, "proposals": 12, "wishes": 12}, rows=[20, 32])
        ends = crowd.finish()["closed"]
        kept = len(ada.call("requests")["requests"])
        asked, asks = self.swaps(bo, ada), self.swaps(ada, bo)
        self.assertLessEqual(kept, 128)
        self.note = (f"32 keys: {crowd.figures}, {ends}; {kept} requests kept; one of somebody"
                     f" verified took {asked:.1f} s, an own one {asks:.1f} s")
