# SPDX-License-Identifier: Apache-2.0
"""How people come to sit together: goldens/stories has each story word by word."""

import re

from siege import compare
from story import ALIKE, Story
from waiting import until

#: Who travels with ada, and three strangers. Only one exchange seats the family together and gives
#: everybody what they wish, so that the story is the same each time.
FAMILY = {"ada": "14A", "mia": "9B", "tom": "20D"}
STRANGERS = {"bo": "14B", "cy": "14C", "dee": "3F"}
WISHES = {"bo": "9B", "cy": "20D", "tom": "aisle"}
TOGETHER = {"14A": "ada", "14B": "mia", "14C": "tom", "9B": "bo", "20D": "cy", "3F": "dee"}

#: Nobody of them travels with anybody: what each wishes for, ring by ring.
ALONE = {"ada": "14C", "bo": "12A", "cy": "20F", "dee": "3D", "eve": "8B"}
RINGS = [
    {"ada": "12A", "bo": "14C"},
    {"cy": "14C", "bo": "3D", "dee": "20F"},
    {"eve": "20F", "dee": "14C", "cy": "12A", "ada": "8B"},
]


class Stories(Story):
    def offered(self, agent):
        """Whether they know of all who wish."""
        return set(WISHES) <= {
            peer["name"] for peer in agent.call("peers")["peers"] if peer["offer"]}

    def wishes(self, wishes):
        """Everybody says theirs, and all have heard of all."""
        for name, words in wishes.items():
            self.types(name, f"wish {words}")
        self.all_hear(lambda agent: all(
            any(peer["name"] == name and peer["offer"]
                and words.replace(" ", ",") in peer["offer"]["wants"]
                for peer in agent.call("peers")["peers"])
            for name, words in wishes.items() if name != agent.name))

    def test_five_strangers_find_rings_of_two_three_and_four(self):
        self.cast(**ALONE)
        seats = {seat: name for name, seat in ALONE.items()}
        for ring in RINGS:
            self.wishes(ring)
            first, *others = ring
            self.types(first, "match", "y y")
            if len(ring) == 4:
                # Who looks for themselves finds the same, and is told that it waits for them.
                self.all_hear(lambda agent: agent.incoming(), *others)
                self.types(others[-1], "match", "y")
            self.all_accept(*others)
            seats |= {wanted: name for name, wanted in ring.items()}
            self.all_hold(seats)
        self.keep("rings-of-strangers")

    def test_a_family_of_three_sits_together_and_takes_it_back(self):
        self.cast(**FAMILY, **STRANGERS)
        for name, words in WISHES.items():
            self.types(name, f"wish {words}")
        self.unite(*FAMILY)
        self.all_hear(self.offered, "mia")
        before = self.people["mia"].held()
        self.types("mia", "together", "y y")
        self.all_accept("tom", "bo", "cy")
        self.holds("dee", TOGETHER)
        self.say("mia thinks again.")
        self.types("mia", "undo 1", "y y")
        self.all_accept("tom", "bo", "cy")
        # They have again what they wished to leave, so their wishes stand again.
        self.all_hear(self.offered, "dee")
        self.holds("dee", before)
        self.keep("family-of-three")

    def test_a_family_finds_each_other_by_a_code_from_home(self):
        self.settle(ada="14A", mia="14B", tom="20D", bo="9C")
        for name in self.people:
            self.hosts.cut(name)
        self.say("At home. No agent runs, and there is no network.")
        code = re.search(ALIKE[0][0], self.types("ada", "party new")).group()
        self.say("ada sends the code to mia and tom, in a message.")
        for name in ("mia", "tom"):
            self.types(name, f"party join {code}")
        self.types("tom", "party")
        self.board(meet=False)
        self.say("Aboard. Four agents start, bo's too, and there is still no network.")
        self.types("ada", "party")
        for name in self.people:
            self.hosts.heal(name)
        self.all_meet()
        self.say("The network of the cabin appears.")
        for name in ("ada", "mia", "tom"):
            self.all_hear(lambda agent: len(agent.call("party")["candidates"]) == 2, name)
            self.types(name, "party")
        for name in ("ada", "mia", "tom"):
            for other in ("ada", "mia", "tom"):
                if other != name:
                    self.types(name, f"party yes {other}")
        for name in ("ada", "mia", "tom"):
            self.all_hear(lambda agent: 2 == len(
                [one for one in agent.call("party")["companions"] if one["here"]]), name)
            self.types(name, "party")
        self.types("bo", "party")
        self.types("tom", "party say 'I am in 20D, and you?'")
        self.all_hear(lambda agent: "I am in 20D, and you?" in agent.said(), "ada", "mia")
        # The order of the rest depends on who was heard of first.
        for name in ("ada", "bo"):
            talk = [line for line in self.read_by(name, "log").splitlines() if "[party]" in line]
            self.write_down(name, "log | grep -F '[party]'", "\n".join(talk))
        self.keep("code-from-home")

    def test_two_families_want_one_block(self):
        self.cast(ada="14A", mia="9B", tom="14C", zoe="20E", cy="14B", dee="20D")
        seats = self.people["dee"].held()
        self.unite("ada", "mia")
        self.unite("tom", "zoe")
        self.wishes({"cy": "9B 20E"})
        cy, mia, zoe = (self.people[name] for name in ("cy", "mia", "zoe"))
        self.types("mia", "together", "y y")
        number = cy.incoming()
        self.types("zoe", "together --once", "y y")
        until("cy is asked by both", lambda: len(cy.call("requests")["requests"]) == 2)
        self.say("cy is asked by both, and says yes to mia.")
        self.types("cy", f"accept {number}", "y y")
        self.all_hold(seats | {"14B": "mia", "9B": "cy"})
        until("it is final", lambda: mia.request(1)["final"])
        until("zoe's has ended", lambda: zoe.request(1)["state"] == "withdrawn")
        self.types("mia", "requests --all")
        self.types("zoe", "requests --all")
        self.say("Nobody asks mia to leave ada again: there is another block.")
        self.types("zoe", "together")
        self.types("tom", "together", "y y")
        self.accepts("dee")
        self.all_hold(seats | {"14B": "mia", "9B": "cy", "20D": "tom", "14C": "dee"})
        self.keep("two-families")

    def test_a_party_of_four_on_two_agents_with_a_child(self):
        self.cast(ada="9A 9B", tom="17C 17D", bo="17A", cy="17B", dee="3F")
        self.types("ada", "needs 9B child")
        self.unite("ada", "tom")
        self.wishes({"bo": "9A", "cy": "9B"})
        self.say("ada's agent does nothing that leaves the child alone.")
        self.types("ada", "swap 17B --give 9A", status=1)
        self.types("dee", "swap 9B", "y y")
        self.types("ada", f"accept {self.people['ada'].incoming()}", status=1)
        self.types("ada", "together", "y y")
        self.all_accept("bo", "cy")
        self.all_hold({"17A": "ada", "17B": "ada", "17C": "tom", "17D": "tom", "9A": "bo",
                       "9B": "cy", "3F": "dee"})
        until("it is final", lambda: self.people["ada"].request(2)["final"])
        self.types("ada", "receipt")
        self.types("ada", "needs")
        until("dee's has ended", lambda: self.people["dee"].request(1)["state"] == "withdrawn")
        self.types("dee", "requests --all")
        self.keep("party-of-four")

    def test_two_of_a_family_trust_the_third(self):
        self.cast(ada="3F", mia="9B", tom="20E", bo="14A", cy="14B", dee="14C")
        self.unite("ada", "mia", "tom")
        self.wishes({"mia": "window", "tom": "aisle", "bo": "3F", "cy": "9B", "dee": "20E"})
        self.types("mia", "party trust on")
        self.types("tom", "party trust on")
        self.types("ada", "together", "y y")
        for name in ("mia", "tom"):
            self.all_hear(lambda agent: agent.call("requests")["requests"], name)
            self.types(name, "requests")
        self.say("Nobody asks mia and tom. bo, cy and dee read what they are asked, and say yes.")
        self.all_accept("bo", "cy", "dee")
        self.all_hold({"14A": "mia", "14B": "ada", "14C": "tom", "3F": "bo", "9B": "cy",
                       "20E": "dee"})
        until("it is final", lambda: self.people["tom"].request(1)["final"])
        self.types("tom", "requests --all")
        self.keep("two-who-trust")

    def test_two_strangers_need_no_word_for_what_they_wish(self):
        self.cast(kim="14C", lee="12A")
        kim, lee = self.people.values()
        compare(kim, lee)
        self.say("kim and lee compare codes: verify.")
        self.wishes({"kim": "12A", "lee": "14C"})
        self.types("kim", "wish --auto")
        # The seat may be promised before the answer is written.
        lee.call("wish", "--auto")
        self.write_down("lee", "wish --auto", "")
        self.say("Nobody types a yes.")
        self.all_hold({"14C": "lee", "12A": "kim"})
        until("it is final", lambda: all(
            agent.call("requests", "--all")["requests"][-1]["final"] for agent in (kim, lee)))
        for agent in (kim, lee):
            last = agent.call("requests", "--all")["requests"][-1]
            self.assertTrue(last["automatic"])
        self.types("kim", "wish")
        self.keep("wishes-without-a-word")
