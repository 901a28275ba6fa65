# SPDX-License-Identifier: Apache-2.0
"""Three passengers, one contract: proposed by hand, ended by a lost seat, and undone."""

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
        # Everybody's moves before anybody is asked, and the own first.
        self.assertRegex(
            ada.typed(["ring", "14C", "12A", "20F"], "y\n"),
            r"If all agree:\r\n  you give 14C \(aisle\) and get 20F \(window\)\r\n"
            r"  bo #\w{4} gives 12A and gets 14C\r\n  cy #\w{4} gives 20F and gets 12A\r\n"
            r"Propose it\? y/n")
        number = bo.incoming()
        said = bo.command("accept", number, "--yes", check=0).stdout
        # Not "agreed, confirming": cy has not said yes.
        self.assertRegex(
            said, r"  \d+:\d\d left  you said yes; it goes through when all have\n$")
        # Who asked knows who has said yes, and sees who has not.
        until("ada sees who is waited for", lambda: ["cy"] == [
            one["name"] for one in ada.request(1)["waits_for"]])
        self.assertRegex(ada.command("requests").stdout, r"  waiting for cy #\w{4}\n$")
        self.assertEqual([one["name"] for one in bo.request(number)["waits_for"]], ["cy"])
        cy.call("accept", cy.incoming(), "--yes")
        for agent in (ada, bo, cy):
            until(f"{agent.name} sees the ring", lambda agent=agent: agent.held() == {
                "14C": "bo", "12A": "cy", "20F": "ada"}, 20)
            agent.call("receipt", "--verify")
        # All read the same plan, each with themselves in it: one waits, and two seats are free.
        plan = ada.call("receipt")["plan"]
        self.assertEqual(
            [(one["who"]["name"], one["step"], one["from"], one.get("to")) for one in plan],
            [("bo", "waits", "12A", None), ("cy", "moves", "20F", "12A"),
             ("ada", "moves", "14C", "20F"), ("bo", "sits", "12A", "14C")])
        until("cy reads in which order they move", lambda: (
            "\n2. you move from 20F to 12A\n" in cy.command("receipt", check=0).stdout))
        self.assertEqual(ada.seats(), bo.seats())
        self.assertEqual(ada.seats(), cy.seats())
        # One who comes late sees the same map, and what was said before.
        ada.call("say", "thank you both")
        late = Agent(cabin.plug_in("dee"), "dee", "1A").board()
        late.wait_for(ada, bo, cy)
        until("dee reads what was said", lambda: "thank you both" in late.said(), 20)
        until("all see one map", lambda: late.seats() == ada.seats() == bo.seats(), 20)
        self.assertEqual(late.held(), {"14C": "bo", "12A": "cy", "20F": "ada", "1A": "dee"})

    def three(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C,14D").board()
        bo = Agent(here, "bo", "12A,12B", peers=[ada]).board()
        cy = Agent(here, "cy", "20F", peers=[ada, bo]).board()
        for agent in (ada, bo, cy):
            agent.wait_for(*[other for other in (ada, bo, cy) if other is not agent])
        return ada, bo, cy

    def test_a_ring_is_proposed_once_and_ends_for_all_with_a_lost_seat(self):
        ada, bo, cy = self.three()
        number = ada.call("ring", "14C", "12A", "20F")["number"]
        error = ada.call("ring", "14C", "12A", "20F", expect=1)
        self.assertEqual(error["code"], "already-so")
        self.assertIn(f"in request {number}", error["what"])
        asked = bo.incoming()
        # The same ring, begun at another seat.
        error = bo.call("ring", "12A", "20F", "14C", expect=1)
        self.assertEqual(error["try"], f"seatagent accept {asked}")
        bo.call("accept", asked, "--yes")
        theirs = cy.incoming()
        cy.call("release", "20F")
        for agent, one in ((ada, number), (bo, asked), (cy, theirs)):
            over = until(f"{agent.name} sees the end", lambda agent=agent, one=one: (
                agent.request(one)["state"] == "withdrawn" and agent.request(one)))
            self.assertRegex(over["reason"], r"^(cy #\w{4}|you) gave 20F up$")
        self.assertEqual(
            ada.call("ring", "14C", "12A", "20F", expect=4)["code"], "empty-seat")

    def test_a_counter_offer_in_a_ring_asks_the_others_anew(self):
        here = self.loopback()
        four = []
        for name, seat in (("ada", "14C"), ("bo", "12A"), ("cy", "20F"), ("dee", "1A")):
            four.append(Agent(here, name, seat, peers=list(four)).board())
        ada, bo, cy, dee = four
        for agent in four:
            agent.wait_for(*[other for other in four if other is not agent])
        # ada 14C to bo, bo 12A to cy, cy 20F to dee, dee 1A to ada.
        ada.call("ring", "14C", "12A", "20F", "1A")
        number = bo.incoming()
        cy.call("accept", cy.incoming(), "--yes")
        error = bo.call("counter", number, "--take", "30F", expect=1)
        self.assertEqual(error["try"], "seatagent wish 30F")
        self.assertRegex(
            bo.typed(["counter", str(number), "--take", "20F"], "y\ny\n"),
            r"  you give 12A \(window\) and get 20F \(window\)\r\n")
        shown = until("ada is asked about it", lambda: (
            ada.request(1)["needs_answer"] and ada.request(1)))
        self.assertEqual(
            {one["seat"]: one["to"]["name"] for one in shown["moves"]},
            {"14C": "dee", "12A": "cy", "20F": "bo", "1A": "ada"})
        ada.call("accept", 1, "--yes")
        # bo has said yes with it; whose part is the same is asked too.
        for agent in (cy, dee):
            asked = until(f"{agent.name} is asked anew", lambda agent=agent: next((
                one for one in agent.call("requests")["requests"]
                if one["needs_answer"] and one.get("moves") and {
                    "20F": "bo"}.items() <= {
                        move["seat"]: move["to"]["name"] for move in one["moves"]}.items()), None))
            agent.call("accept", asked["number"], "--yes")
        for agent in four:
            until(f"{agent.name} sees it", lambda agent=agent: agent.held() == {
                "14C": "dee", "12A": "cy", "20F": "bo", "1A": "ada"}, 20)

    def test_all_of_a_swap_read_who_sits_and_who_has_not_moved(self):
        ada, bo, cy = self.three()
        error = ada.call("seated", expect=1)
        self.assertEqual(error["what"], "no swap of yours is final yet")
        ada.command(*error["try"].split()[1:], check=0)
        number = ada.call("ring", "14C", "12A", "20F")["number"]
        self.assertEqual(ada.call("seated", number, expect=1)["what"],
                         f"request {number} is no swap yet")
        watch = ada.watch("seated")
        self.addCleanup(watch.end)
        theirs = bo.incoming()
        bo.call("accept", theirs, "--yes")
        cy.call("accept", cy.incoming(), "--yes")
        for agent, one in ((ada, number), (bo, theirs), (cy, 1)):
            until(f"it is final for {agent.name}",
                  lambda agent=agent, one=one: agent.request(one)["final"], 20)
        self.assertIn("\nNot moved yet: everybody.\n", bo.command("receipt", check=0).stdout)
        said = cy.command("seated", check=0)
        self.assertRegex(
            said.stdout, r"^You sit in 12A now; not moved yet: bo #\w{4}, ada #\w{4}\.$")
        self.assertIn("seatagent receipt 1", said.stderr)
        told = watch.wait_for("seated")[0]
        self.assertEqual((told["who"]["name"], told["seats"], told["sits"]), ("cy", ["12A"], True))
        text = until("bo reads that cy sits", lambda: (
            bo.call("receipt")["seated"] and bo.command("receipt", check=0)))
        self.assertRegex(
            text.stdout, r"\nSits already: cy #\w{4}\.\nNot moved yet: you, ada #\w{4}\.\n$")
        self.assertRegex(text.stdout, r"\n\d\. cy #\w{4} moves from 20F to 12A: done\n")
        self.assertIn(f"seatagent seated {theirs}", text.stderr)
        # In plain mode it is a command and a line.
        chat = bo.command("chat", input="/seated\n/quit\n", check=0).stdout
        self.assertIn("You sit in 14C now; not moved yet: ada", chat)
        self.assertEqual(cy.call("seated", expect=1)["code"], "already-so")
        ada.call("seated", number)
        for agent in (ada, bo, cy):
            until(f"{agent.name} reads that all sit", lambda agent=agent: (
                "\nEverybody sits in their new seat.\n" in agent.command("receipt").stdout))
        cy.call("seated", "off")
        until("ada reads it", lambda: ["cy"] == [
            one["name"] for one in ada.call("receipt")["missing"]])
        # What nobody's seat depends on is in the records that all keep.
        self.assertEqual(ada.held(), {"14C": "bo", "14D": "ada", "12A": "cy", "12B": "bo",
                                      "20F": "ada"})

    def test_a_restart_ends_a_yes_and_asks_for_it_again(self):
        ada, bo, cy = self.three()
        ada.call("ring", "14C", "12A", "20F")
        number = bo.incoming()
        bo.call("accept", number, "--yes")
        error = bo.call("accept", number, "--yes", expect=7)
        self.assertEqual(error["code"], "changed")
        bo.kill()
        bo.board()
        again = until("bo is asked again", lambda: (
            bo.request(number).get("reason") and bo.request(number)))
        self.assertEqual(again["reason"], "your yes ended when your agent was started anew")
        self.assertTrue(again["needs_answer"])
        bo.wait_for(ada, cy)
        cy.call("accept", cy.incoming(), "--yes")
        self.assertEqual(ada.request(1)["state"], "open")
        bo.call("accept", number, "--yes")
        for agent in (ada, bo, cy):
            until(f"{agent.name} sees the ring", lambda agent=agent: (
                agent.held().get("20F") == "ada" and agent.held().get("14C") == "bo"), 20)

    def test_two_for_two_and_back(self):
        ada, bo, _ = self.three()
        error = ada.call("swap", "12A,12B", "--give", "14C", expect=2, asks=True)
        self.assertEqual(error["try"], "seatagent swap 12A,12B --give 14C,14D")
        number = ada.call("swap", "12A,12B", "--give", "14C,14D")["number"]
        self.assertEqual(ada.call("undo", number, expect=1)["try"], f"seatagent cancel {number}")
        bo.call("accept", bo.incoming(), "--yes", "--wait")
        there = {"12A": "ada", "12B": "ada", "14C": "bo", "14D": "bo", "20F": "cy"}
        back = {"14C": "ada", "14D": "ada", "12A": "bo", "12B": "bo", "20F": "cy"}
        until("ada sees the swap", lambda: ada.held() == there)
        until("it is final", lambda: ada.request(number)["final"])
        again = ada.call("undo", number)["number"]
        bo.call("accept", bo.incoming(), "--yes", "--wait")
        for agent in (ada, bo):
            until(f"{agent.name} sees all back", lambda agent=agent: agent.held() == back)
        error = ada.call("undo", number, expect=7)
        self.assertRegex(error["why"], r"1[24][A-D] is with (you|bo #.*) now$")
        self.assertEqual(error["try"], f"seatagent undo {again}")
