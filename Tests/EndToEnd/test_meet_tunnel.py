# SPDX-License-Identifier: Apache-2.0
"""Passengers at home who cannot reach each other, and what needs both at once: a tunnel through the
broker (docs/meet.md section 8)."""

import json

from agent import finish
from case import for_soak
from meet_case import MeetCase
from test_relay import together
from waiting import until

SECRET = "the aisle knocks twice at midnight"


class Tunnel(MeetCase):
    """Two agents and one broker between them."""

    def met(self):
        """Ada in 14C and bo in 15B, who have read each other's records."""
        self.begin("ada", "bo")
        ada = self.passenger("ada", "14C").board()
        # Bo knows where ada is and tries: nothing gets through while the switch keeps them apart.
        bo = self.passenger("bo", "15B", peers=[ada]).board()
        until("they see each other",
              lambda: ada.held() == bo.held() == {"14C": "ada", "15B": "bo"}, 30)
        return ada, bo

    def reach(self, agent):
        return agent.call("peers")["peers"][0]["reach"]

    def swapped(self, *agents):
        wanted = {"14C": "bo", "15B": "ada"}
        return all(agent.held() == wanted for agent in agents)

    def test_two_at_home_write_verify_and_swap(self):
        ada, bo = self.met()
        self.assertEqual(self.reach(ada), "none")
        ada.call("msg", "bo", SECRET)
        until("bo has the message", lambda: SECRET in bo.said(), 10)
        self.assertEqual(self.reach(ada), "relayed")
        self.assertIn("through the meeting point", ada.command("peers", check=0).stdout)
        first = ada.begin("verify", "15B", "--json")
        until("bo is asked", lambda: bo.call("status")["verification"]["state"] == "asked", 10)
        second = bo.begin("verify", "14C", "--json")
        codes = [json.loads(finish(process)[1])["result"]["code"] for process in (first, second)]
        self.assertEqual(codes[0], codes[1])
        number = ada.swap("15B", "--note", "for my knees")
        accepted = bo.command("accept", bo.incoming(10), "--yes", check=0).stdout
        self.assertIn("Swapped: bo is now in 14C, ada in 15B.", accepted)
        until("both have the new map", lambda: self.swapped(ada, bo), 10)
        # It is final once ada's agent heard that bo's has it, with the next round at the latest.
        self.assertIn(ada.request(number)["state"], ("agreed", "final"))
        self.assertEqual(ada.seats(), bo.seats())
        # The broker carried sealed bytes and kept none of them.
        stored = self.meet.stored()
        for words in (SECRET, "for my knees"):
            self.assertNotIn(words.encode(), stored)
        self.assertFalse(any("/t/" in topic for topic in self.meet.topics()))

    @for_soak
    def test_a_broker_that_dies_in_the_middle_of_a_swap(self):
        ada, bo = self.met()
        number = ada.swap("15B")
        request = bo.incoming(30)
        waits = bo.begin("accept", request, "--yes")
        self.meet.kill()
        self.meet.start()
        waits.communicate(timeout=60)
        ada.call("msg", "bo", SECRET)
        until("what was said while it was gone is there once",
              lambda: bo.said().count(SECRET) == 1, 90)
        until("the request has its end", lambda: ada.request(number)["state"] != "open", 90)
        until("the maps are equal", lambda: ada.held() == bo.held(), 60)
        self.assertIn(ada.held(), ({"14C": "bo", "15B": "ada"}, {"14C": "ada", "15B": "bo"}))
        self.assertEqual(bo.said().count(SECRET), 1)

    @for_soak
    def test_a_connection_of_their_own_takes_the_place_of_a_tunnel(self):
        ada, bo = self.met()
        ada.call("msg", "bo", SECRET)
        until("there is a tunnel", lambda: self.reach(bo) == "relayed", 30)
        together(self.cabin_, "ada", "bo")
        until("they have a connection of their own",
              lambda: self.reach(ada) == self.reach(bo) == "linked", 120)
        ada.call("msg", "bo", "closer now")
        until("bo has it", lambda: bo.said().count("closer now") == 1, 30)
        self.assertEqual(bo.said().count(SECRET), 1)
