# SPDX-License-Identifier: Apache-2.0
"""A family and others at home: they find each other at the meeting point by a code and by wishes,
and change seats without a network in common (docs/meet.md, section 30 of the protocol)."""

from case import for_soak
from meet_case import MeetCase
from waiting import until


class Family(MeetCase):
    """Agents that reach a broker and not each other."""

    def people(self, seats):
        """They are there, and each knows where all sit."""
        self.begin(*seats)
        agents = [self.passenger(name, seat) for name, seat in seats.items()]
        for one in agents:
            one.board(wait=False)
        for one in agents:
            until(f"{one.name}'s agent answers", one.answers, 20)
        everybody = {seat: name for name, seat in seats.items()}
        for one in agents:
            until(f"{one.name} sees all seats", lambda one=one: one.held() == everybody, 30)
        return agents

    def wishes(self, agents, words):
        for one in agents:
            if one.name in words:
                one.call("wish", words[one.name])
        for one in agents:
            until(f"{one.name} has read the wishes", lambda one=one: set(words) - {one.name} <= {
                peer["name"] for peer in one.call("peers")["peers"] if peer["offer"]}, 30)

    def test_a_family_finds_each_other_at_home_and_gets_seats_together(self):
        ada, mia, bo = agents = self.people({"ada": "3F", "mia": "9C", "bo": "3E"})
        mia.call("party", "join", ada.call("party", "new")["code"])
        self.wishes(agents, {"bo": "aisle"})
        for one, other in ((ada, "mia"), (mia, "ada")):
            until(f"{one.name} is asked about {other}", lambda one=one, other=other: [
                who["name"] for who in one.call("party")["candidates"]] == [other], 30)
            one.call("party", "yes", other)
        for one in (ada, mia):
            self.assertEqual([who["here"] for who in one.call("party")["companions"]], [True])
        # All of that lies in their boxes: nobody needed a session for it.
        reach = {peer["reach"] for one in agents for peer in one.call("peers")["peers"]}
        self.assertEqual(reach, {"none"})
        number = mia.call("together", "--unverified", "--yes")["number"]
        bo.command("accept", bo.incoming(30), "--yes", check=0)
        new = {"3F": "ada", "3E": "mia", "9C": "bo"}
        until("all see the family side by side",
              lambda: all(one.held() == new for one in agents), 30)
        self.assertIn(mia.request(number)["state"], ("agreed", "final"))

    @for_soak
    def test_three_strangers_at_home_close_a_ring(self):
        ada, bo, cy = agents = self.people({"ada": "14C", "bo": "12A", "cy": "20F"})
        self.wishes(agents, {"ada": "12A", "bo": "20F", "cy": "14C"})
        number = ada.call("match", "--unverified", "--yes")["number"]
        for one in (bo, cy):
            one.command("accept", one.incoming(30), "--yes", check=0)
        new = {"12A": "ada", "20F": "bo", "14C": "cy"}
        until("all see the ring", lambda: all(one.held() == new for one in agents), 60)
        self.assertIn(ada.request(number)["state"], ("agreed", "final"))
