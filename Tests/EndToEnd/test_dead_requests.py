# SPDX-License-Identifier: Apache-2.0
"""Requests whose seats went elsewhere end at once, with the reason, on all sides; and ghosts."""

import os
import time

from agent import Agent, finish
from case import for_soak
from views import ViewCase
from waiting import until


#: What malloc gives out is full of something else than zeros.
UNCLEARED = {"GLIBC_TUNABLES": "glibc.malloc.perturb=90:glibc.malloc.tcache_count=0"}
SEATS = {"ada": "14C", "bo": "12A", "cy": "20F", "dee": "3C"}


class Four(ViewCase):
    def four(self, mdns=False):
        """ada in 14C, bo in 12A, cy in 20F and dee in 3C, each linked with all."""
        here = self.loopback()
        aboard = []
        for name, seat in SEATS.items():
            aboard.append(Agent(here, name, seat, peers=aboard, mdns=mdns).board())
        for agent in aboard:
            agent.wait_for(*[other for other in aboard if other is not agent])
            until(f"{agent.name} sees all seats", lambda agent=agent: len(agent.held()) == 4)
        return aboard

    def ends(self, agent, number, reason):
        found = until(f"request {number} of {agent.name} ends", lambda: (
            lambda request: request if request["state"] == "withdrawn"
            and request.get("reason") else None)(agent.request(number)))
        self.assertRegex(found["reason"], reason)
        # Over is not in the list of what is open.
        self.assertNotIn(number, [r["number"] for r in agent.call("requests")["requests"]])
        self.assertRegex(agent.command("requests", "--all", check=0).stdout, reason)


class DeadRequests(Four):
    def test_a_request_ends_when_its_seat_goes_elsewhere(self):
        ada, bo, cy, dee = self.four()
        screen = self.view(dee)
        # Three ask bo for 12A, and one of them gets it.
        waits = ada.begin("swap", "12A", "--wait", "--timeout", "40")
        adas = bo.incoming()
        dees = dee.swap("12A")
        until("bo is asked by two", lambda: len(bo.call("requests")["requests"]) == 2)
        cys = cy.swap("12A")
        until("bo is asked by three", lambda: len(bo.call("requests")["requests"]) == 3)
        asked = [r["number"] for r in bo.call("requests")["requests"]]
        [cy_at_bo] = [n for n in asked if bo.request(n)["with"][0]["name"] == "cy"]
        [dee_at_bo] = [n for n in asked if bo.request(n)["with"][0]["name"] == "dee"]
        bo.call("accept", cy_at_bo, "--yes")
        until("cy sits in 12A", lambda: cy.held().get("12A") == "cy", 15)
        gone = r"^.*12A went to cy #\w{4} in another swap"
        status, text = finish(waits)
        self.assertEqual(status, 6, text)
        self.assertRegex(text, r"12A went to cy #\w{4} in another swap")
        self.ends(ada, 1, gone)
        self.ends(dee, dees, gone)
        screen.wait_for("12A went to cy")
        for number in (adas, dee_at_bo):
            self.ends(bo, number, gone)
        self.assertEqual(cy.request(cys)["state"] in ("agreed", "final"), True)

    def test_it_ends_when_the_seat_is_given_up_or_its_passenger_leaves(self):
        ada, bo, cy, dee = self.four()
        first, second = ada.swap("12A"), cy.swap("3C")
        at_bo, at_dee = bo.incoming(), dee.incoming()
        bo.call("claim", "12B")
        bo.call("release", "12A")
        self.ends(ada, first, r"bo #\w{4} gave 12A up")
        self.ends(bo, at_bo, "you gave 12A up")
        # The one who asked leaves: whoever was asked is not left with a question.
        cy.call("forget", "practice", "--yes")
        until("dee is told", lambda: dee.request(at_dee)["state"] == "withdrawn")
        self.ends(dee, at_dee, r"cy #\w{4} left the flight")
        self.assertEqual(second, 1)
        # And the other way round.
        third = ada.swap("3C")
        dee.incoming()
        dee.call("forget", "practice", "--yes")
        self.ends(ada, third, r"dee #\w{4} left the flight")

    def test_the_same_is_not_asked_twice_nor_a_promised_seat_offered(self):
        ada, bo, cy, dee = self.four()
        number = ada.swap("12A")
        again = ada.call("swap", "12A", expect=1)
        self.assertEqual(again["code"], "already-so")
        self.assertIn(f"in request {number}", again["what"])
        bo.incoming()
        self.assertEqual(len(bo.call("requests")["requests"]), 1)
        # bo offers 12A and asks dee; then promises it to ada, who has just gone out of reach.
        bo.call("offer", "--for", "any")
        until("cy reads the offer", lambda: self.offers(cy, "bo") == ["12A"])
        other = bo.swap("3C")
        dees = dee.incoming()
        ada.leave()
        until("bo misses ada", lambda: not self.person(bo, "ada")["linked"])
        bo.call("accept", 1, "--yes")
        self.assertEqual(bo.request(1)["state"], "agreed")
        self.assertEqual(bo.request(other)["instead"], 1)
        until("dee is told", lambda: dee.request(dees)["state"] == "withdrawn")
        until("the offer is gone", lambda: self.offers(cy, "bo") is None)
        for command in (("swap", "20F"), ("offer", "--for", "any")):
            refused = bo.call(*command, expect=1)
            self.assertIn("you said yes to request 1", refused["what"])
            self.assertEqual(refused["try"], "seatagent cancel 1")
        self.assertIn(
            "Your yes to request 1 is taken back: it waits for you again.",
            bo.command("cancel", 1, check=0).stdout)
        bo.swap("20F")

    def test_who_asks_for_the_same_reads_that_it_is_a_yes(self):
        ada, bo, cy, dee = self.four()
        ada.swap("12A")
        bo.incoming()
        met = bo.command("swap", "14C", "--yes", check=0)
        self.assertIn(
            "They asked for the same, so this is your yes to their request 1.", met.stderr)
        self.assertNotIn("cancel", met.stderr)
        self.assertRegex(met.stdout, r"(?m)^1  ada .*asks for your 12A and gives 14C")
        self.assertIn("Swapped: ada is now in 12A, bo in 14C.", met.stdout)
        until("ada knows it", lambda: ada.request(1)["state"] == "final")
        # Notes are about what is sent: nothing else is said of what is refused.
        cy.swap("3C")
        dee.incoming()
        again = cy.command("swap", "3C", "--yes", check=1)
        self.assertIn("you ask for that already, in request 1", again.stderr)
        self.assertNotIn("note:", again.stderr)
        # A counter-offer of what is on the table is no counter-offer.
        same = dee.command("counter", 1, "--take", "20F", "--yes", check=2)
        self.assertIn("request 1 asks for just that", same.stderr)
        self.assertIn("try: seatagent accept 1", same.stderr)
        follows = dee.command("swap", "20F", "--yes", "--wait", check=0)
        self.assertIn("Swapped: cy is now in 3C, dee in 20F.", follows.stdout)

    def person(self, agent, name):
        return next(p for p in agent.call("peers")["peers"] if p["name"] == name)

    def offers(self, agent, name):
        offer = self.person(agent, name)["offer"]
        return offer and offer["seats"]


class Reach(Four):
    slow = 8

    def test_the_view_says_in_red_that_nobody_can_be_found(self):
        ada, *_ = self.four(mdns=True)
        screen = self.view(ada, until_shown=["3 aboard", "/status"])
        what = ada.call("status")["network"]["trouble"]["what"]
        screen.wait_for(f"! {what}  /status")
        alert = next(line for line in screen.colours().split("\n") if "/status" in line)
        self.assertRegex(alert, r"\033\[[0-9;]*(48;5;161|41)[;m]")

    def test_an_agent_outlives_the_bus_while_it_looks_people_up(self):
        here = self.cabin("ada", "bo", avahi=False)["ada"]
        here.start_avahi()
        ada = Agent(here, "ada", "14C").board(env=UNCLEARED)
        few = until("ada is published and browses", lambda: self.has_asked(ada))
        for number in range(4):
            # On a host that there is not: whoever looks for it waits.
            here.popen(["avahi-publish", "-s", "-H", "nowhere.local", f"{number:016x}",
                        "_seatswap._tcp", "7711"], log="publish.log")
        until("ada looks them up", lambda: self.threads(ada) >= few + 3, pause=0.01)
        here.stop_bus()
        trouble = until("ada says that nobody can be found",
                        lambda: ada.call("status")["network"]["trouble"])
        self.assertIn("cannot be found any more", trouble["what"])

    def has_asked(self, agent):
        """How many threads an agent has that asked for nothing but to be seen and to see."""
        # The loop, the one that asks, and one of the library for each question.
        count = self.threads(agent)
        return count if count >= 4 else None

    def threads(self, agent):
        return len(os.listdir(f"/proc/{agent.process.pid}/task"))

    @for_soak
    def test_a_pulled_cable_is_seen(self):
        place = self.cabin("ada", "bo", "cy", "dee")
        aboard = [Agent(place[name], name, seat).board() for name, seat in SEATS.items()]
        ada, *others = aboard
        for agent in aboard:
            agent.wait_for(*[other for other in aboard if other is not agent])
        screen = self.view(ada, until_shown="3 aboard")
        self.assertNotIn("/status", screen.text())
        place["ada"].stop_avahi()
        screen.wait_for("! peers on this network", "/status")
        place["ada"].start_avahi()
        screen.wait_for("3 aboard", gone=["/status"])
        place.cut("ada")
        screen.wait_for("0 of 3 reachable", seconds=60)
        self.assertEqual({p["away"] for p in ada.call("peers")["peers"]}, {True})
        for other in others:
            until(f"{other.name} misses ada",
                  lambda other=other: other.call("status")["away"] == 1, 60)
        place.heal("ada")
        screen.wait_for("3 aboard", seconds=60)


class Ghosts(Four):
    def person(self, agent, tag):
        return next(p for p in agent.call("peers")["peers"] if p["tag"] == tag)

    def test_whose_agent_is_away_is_marked_and_not_counted(self):
        ada, bo, cy, dee = self.four()
        screen = self.view(ada, until_shown="3 aboard")
        bo.leave()
        cy.kill()
        until("two are away", lambda: ada.call("status")["away"] == 2)
        self.assertEqual(ada.call("status")["aboard"], 1)
        self.assertIn("1 other, 1 within reach; 2 more whose agents are away",
                      ada.command("status", check=0).stdout)
        for words in (["peers"], ["who", "bo"]):
            self.assertRegex(ada.command(*words, check=0).stdout,
                             r"here, agent away since \d\d:\d\d")
        self.assertRegex(ada.command("seats", check=0).stdout, r" z away ")
        self.assertEqual(ada.held()["12A"], "bo")
        screen.wait_for("1 aboard, 2 away")
        screen.press("F2")
        screen.wait_for("[@]")
        screen.type("12A")
        screen.wait_for("[z]", "agent away since")
        # Asking somebody who is away says so.
        screen.press("Enter")
        screen.wait_for("not within reach", "y/n")
        screen.answer("n")
        screen.press("Escape")
        said = ada.command("swap", "12A", check=0)
        self.assertRegex(said.stderr, r"bo #\w{4} is not within reach, agent away since \d\d:\d\d")
        dee.leave()
        screen.wait_for("0 of 3 reachable")
        self.assertIn("0 of 3 within reach", ada.command("status", check=0).stdout)

    def test_a_new_key_in_an_old_seat_is_a_remark(self):
        ada, bo, cy, dee = self.four()
        old = self.key_of(ada, "bo")
        # Of what was heard of in one second nobody says which was first.
        heard = int(time.time())
        until("a second is over", lambda: int(time.time()) > heard)
        bo.kill()
        for agent in (ada, cy, dee):
            until("bo is away", lambda agent=agent: agent.call("status")["away"] == 1)
        back = Agent(ada.host, "bo2", "12A", peers=[ada, cy, dee]).board()
        for agent in (ada, cy, dee):
            seat = until(f"{agent.name} sees both", lambda agent=agent: self.claimed(agent))
            self.assertEqual(seat["state"], "held")
            self.assertEqual([h["key"] for h in seat["holders"]], [old])
            self.assertEqual([c.get("remark", False) for c in seat["claims"]], [False, True])
        # Until evidence decides nobody is taken for the other one.
        self.assertEqual(ada.call("swap", "12A", expect=1)["code"], "disputed")

    def key_of(self, agent, name):
        return next(p["key"] for p in agent.call("peers")["peers"] if p["name"] == name)

    def claimed(self, agent):
        return next((s for s in agent.call("seats")["seats"]
                     if s["seat"] == "12A" and len(s.get("claims", [])) == 2), None)

    def test_forget_after_down_says_goodbye(self):
        ada, bo, cy, dee = self.four()
        reached = [f"--peer={other.reached_at}" for other in (ada, bo, cy)]
        dee.leave()
        dee.command("up", "--seat", "3C", "--name", "dee", "--interface", "lo",
                    "--port", dee.port, *reached, check=0)
        dee.command("down", check=0)
        until("dee is away", lambda: ada.call("status")["away"] == 1)
        dee.command("forget", "practice", "--yes", check=0)
        for agent in (ada, bo, cy):
            until("dee has left", lambda agent=agent: "3C" not in agent.held()
                  and agent.call("status")["away"] == 0)
