# SPDX-License-Identifier: Apache-2.0
"""A family's hour: six agents, three of them with the view open, and nothing on any screen that
is not so. Every screen of it is kept, in the order of the hour, in goldens/family/hour.txt."""

from agent import Agent
from case import Case
from truth import Truth, entries
from views import ViewCase
from waiting import until

SEATS = {"ada": "14C", "bo": "12A", "cy": "3F", "dev": "20D", "eve": "7E", "fay": "30B"}
TAG = r"( #\w+)?"


class Family(ViewCase):
    slow = 40

    def setUp(self):
        super().setUp()
        self.hosts = self.cabin(*SEATS, switch=True)
        self.people = {name: Agent(self.hosts[name], name, seat) for name, seat in SEATS.items()}
        self.truth = Truth({})
        self.screens = []
        self.transcript = []

    def test_a_familys_hour(self):
        self.they_board()
        self.they_talk()
        self.a_latecomer_reads_the_talk_in_order()
        self.a_request_ends_by_itself()
        self.a_cable_is_pulled()
        self.one_leaves_and_comes_back_with_a_new_key()

    # The hour

    def they_board(self):
        for name in ("ada", "bo", "cy", "dev", "eve"):
            self.boards(name)
        self.opens("ada", (80, 24))
        self.opens("bo", (60, 16))
        self.step("Five are aboard; ada and bo open the view")

    def they_talk(self):
        (_, adas), (_, bos) = self.screens
        self.says("ada", "hello, who sits where?", adas)
        self.says("bo", "I am in 12A, at the window", bos)
        self.says("cy", "row 3 here, I would like to sit behind bo")
        self.says("dev", "I give an aisle for anything in front")
        self.step("They talk")

    def a_latecomer_reads_the_talk_in_order(self):
        self.boards("fay")
        fays = self.opens("fay", (80, 24))
        self.step("fay comes late")
        read = [text for who, text in entries(fays.lines()[11:-2]) if who != "*"]
        self.assertEqual(read, [text for _, _, text in self.truth.talk], fays.framed())

    def a_request_ends_by_itself(self):
        ada, bo, cy, dev = (self.people[name] for name in ("ada", "bo", "cy", "dev"))
        bos = self.screens[1][1]
        self.truth.happened(
            rf"request 1 cy{TAG} \(3F\) asks for your 12A and gives 3F.*",
            rf"request 2 dev{TAG} \(20D\) asks for your 12A and gives 20D.*")
        cy.swap("12A")
        bos.wait_for("1 request")
        dev.swap("12A")
        self.step("cy and dev both ask for 12A")
        self.truth.happened(
            "request 1: agreed, confirming.*",
            r"Swapped: bo is now in 3F, cy in 12A\..*",
            rf"request 2: .*12A went to cy{TAG} in another swap.*")
        bos.press("F5")
        bos.wait_for("a accept")
        bos.press("a")
        bos.answer("y")
        until("they have swapped", lambda: bo.seats_of_mine() == ["3F"]
              and cy.seats_of_mine() == ["12A"])
        until("dev's request has ended", lambda: dev.request(1)["state"] == "withdrawn")
        self.assertRegex(dev.request(1)["reason"], f"^12A went to cy{TAG} in another swap$")
        self.assertEqual(ada.call("requests", "--all")["requests"], [])
        self.step("bo says yes to cy: what dev asked for has gone")

    def a_cable_is_pulled(self):
        self.truth.happened(r"\w+ \(\w+\) is (out of reach|aboard)")
        self.hosts.cut("ada")
        self.truth.cut.add("ada")
        self.step("Somebody pulls the cable of ada", 60)
        self.hosts.heal("ada")
        self.truth.cut.remove("ada")
        self.step("It is put back", 60)

    def one_leaves_and_comes_back_with_a_new_key(self):
        eve = self.people["eve"]
        self.truth.happened(rf"eve{TAG}( \(7E\))? has left", rf"eve{TAG} \(7E\) joined")
        key = eve.call("status")["me"]["key"]
        eve.leave()
        self.truth.away["eve"] = ["7E"]
        self.step("The agent of eve is stopped")
        eve.command("forget", "practice", "--yes", check=0)
        del self.truth.away["eve"]
        self.truth.left.add("eve")
        self.step("eve forgets the flight, and says goodbye")
        self.truth.left.remove("eve")
        eve.board()
        self.assertNotEqual(eve.call("status")["me"]["key"], key)
        self.says("eve", "it is me again, with a new key")
        self.step("eve is back with a new key")

    # How it is done

    def boards(self, name):
        """Comes aboard, and everybody sees it."""
        agent = self.people[name].board()
        self.truth.agents[name] = agent
        self.truth.happened(rf"{name} \({SEATS[name]}\) joined")
        for other in self.truth.agents.values():
            until(f"{other.name} sees everybody", lambda other=other: set(other.held().values())
                  == set(self.truth.agents))

    def opens(self, name, size):
        screen = self.view(self.people[name], size=size)
        self.screens.append((self.people[name], screen))
        return screen

    def says(self, name, text, screen=None):
        """Says it, in the view if it is open; everybody reads it before the next one speaks."""
        self.truth.say(self.people[name], text)
        if screen:
            screen.enter(text)
        else:
            self.people[name].call("say", text)
        for agent in self.truth.agents.values():
            until(f"{agent.name} reads it", lambda agent=agent: text in agent.said())

    def step(self, title, seconds=20):
        """Nothing on any screen that is not so; then the screens are kept for the transcript."""
        self.truth.holds_on(self.screens, seconds)
        self.transcript.append(f"# {title}\n")
        for agent, screen in self.screens:
            self.transcript += [f"{agent.name}:", screen.framed(), ""]

    def evidence(self):
        return "\n".join([*self.transcript, super().evidence()])


class Moved(Case):
    def test_whoever_starts_again_in_another_seat_moves_for_everybody_or_is_refused(self):
        hosts = self.cabin("ada", "bo", "cy", "dev", switch=True, avahi=False)
        others = [Agent(hosts["bo"], "bo", "12A").board()]
        for name, seat in (("cy", "3F"), ("dev", "20D")):
            others.append(Agent(hosts[name], name, seat, peers=others).board())
        ada = Agent(hosts["ada"], "ada", "14C", peers=others)
        self.addCleanup(ada.command, "down")

        def up(seat, *words, check):
            return ada.command(
                "up", "--seat", seat, "--name", "ada", *words, *ada.options, check=check).stderr

        def all_see(*seats):
            for other in others:
                until(f"{other.name} sees ada in {seats}", lambda other=other: {
                    seat for seat, name in other.held().items() if name == "ada"} == set(seats))

        up("14C", check=0)
        all_see("14C")
        ada.command("down", check=0)
        refused = up("5A", check=2)
        self.assertIn("you are still in 14C from before\n", refused)
        self.assertEqual(ada.command("status").returncode, 3)
        up("5A", "--move", check=0)
        all_see("5A")
        ada.command("down", check=0)
        up("6B", "--also", check=0)
        all_see("5A", "6B")
