# SPDX-License-Identifier: Apache-2.0
"""Three hosts, three passengers, one contract made through the control socket."""

from agent import Agent
from case import Case
from waiting import until


class Ring(Case):
    def test_three_passengers_swap_in_one_contract(self):
        cabin = self.cabin("ada", "bo", "cy")
        ada = Agent(cabin["ada"], "ada", "14C").board()
        bo = Agent(cabin["bo"], "bo", "12A").board()
        cy = Agent(cabin["cy"], "cy", "20F").board()
        for agent in (ada, bo, cy):
            agent.wait_for(*[other for other in (ada, bo, cy) if other is not agent])
        answer = ada.ask("propose", unverified=True, legs=[
            {"seat": "14C", "to": "bo"}, {"seat": "12A", "to": "cy"}, {"seat": "20F", "to": "ada"}])
        self.assertTrue(answer["ok"], answer)
        number = bo.incoming()
        said = bo.command("accept", number, "--yes", check=0).stdout
        # Not "agreed, confirming": cy has not said yes, and bo is told whose yes is waited for.
        self.assertRegex(said, r"  you said yes, waiting for cy #\w{4}\n$")
        self.assertEqual([one["name"] for one in bo.request(number)["waits_for"]], ["cy"])
        cy.call("accept", cy.incoming(), "--yes")
        for agent in (ada, bo, cy):
            until(f"{agent.name} sees the ring", lambda agent=agent: agent.held() == {
                "14C": "bo", "12A": "cy", "20F": "ada"}, 20)
            agent.call("receipt", "--verify")
        self.assertEqual(ada.seats(), bo.seats())
        self.assertEqual(ada.seats(), cy.seats())
        # One who comes late sees the same map, and what was said before.
        ada.call("say", "thank you both")
        late = Agent(cabin.plug_in("dee"), "dee", "1A").board()
        late.wait_for(ada, bo, cy)
        until("dee reads what was said", lambda: "thank you both" in late.said(), 20)
        until("all see one map", lambda: late.seats() == ada.seats() == bo.seats(), 20)
        self.assertEqual(late.held(), {"14C": "bo", "12A": "cy", "20F": "ada", "1A": "dee"})
