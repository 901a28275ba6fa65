# SPDX-License-Identifier: Apache-2.0
"""An agent is killed in the second in which an exchange of four is signed: afterwards all agree.
goldens/stories has each story word by word."""

from case import for_soak
from story import Story
from test_stories import FAMILY, TOGETHER, WISHES
from waiting import until

STRANGERS = {"bo": "14B", "cy": "14C"}
ASKED = ("tom", "bo", "cy")
#: Durable steps of debug builds (SEATAGENT_DIE). Whoever was asked writes "asked", "ready", their
#: yes, and then the outcome; the yes of whoever proposed, their third, is the outcome.
YES_IS_WRITTEN = "after:3"
OUTCOME_IS_NOT_WRITTEN = "before:4"
AFTER = {seat: name for seat, name in TOGETHER.items() if name != "dee"}
BEFORE = {seat: name for name, seat in (FAMILY | STRANGERS).items()}


class Deaths(Story):
    slow = 25

    def all_say_yes_and_dies(self, name, when):
        """The family's exchange; the agent of `name` kills itself at a step, as `kill -9` would."""
        self.settle(**FAMILY, **STRANGERS)
        self.board(env={name: {"SEATAGENT_DIE": when}})
        for who, words in WISHES.items():
            self.people[who].call("wish", *words.split())
        self.say("5 agents are aboard and wish for the same as in family-of-three.txt.")
        self.unite(*FAMILY)
        self.all_hear(lambda agent: set(WISHES) <= {
            peer["name"] for peer in agent.call("peers")["peers"] if peer["offer"]}, "mia")
        self.proposed_and_agreed()
        self.people[name].wait_until_dead()
        self.say(f"mia proposes what she proposes there, and {', '.join(ASKED)} say yes. The agent "
                 f"of {name} is killed in the confirming second.")

    def proposed_and_agreed(self):
        # Nothing takes its place: that is another story.
        self.people["mia"].call("together", "--yes", "--unverified", "--once")
        for who in ASKED:
            self.people[who].call("accept", self.people[who].incoming(), "--yes", "--once")

    def comes_back(self, name):
        self.people[name].board()
        self.all_hear(lambda agent: all(peer["linked"] for peer in agent.call("peers")["peers"]))
        self.say(f"The agent of {name} is started again.")

    def all_read(self, state, *names, seconds=40):
        for name in names:
            until(f"{name} reads it", lambda name=name: (
                self.people[name].request(1)["state"] == state), seconds)
            self.types(name, "requests --all")

    def test_a_companion_is_killed_in_the_binding_second(self):
        self.all_say_yes_and_dies("tom", YES_IS_WRITTEN)
        self.all_read("failed", "mia", "bo", "cy")
        self.comes_back("tom")
        self.all_read("failed", "tom")
        self.all_hold(BEFORE)
        self.say("mia proposes it once more, and all say yes.")
        self.proposed_and_agreed()
        self.all_hold(AFTER)
        self.keep("death-of-a-companion")

    def test_a_stranger_is_killed_in_the_binding_second(self):
        self.all_say_yes_and_dies("bo", OUTCOME_IS_NOT_WRITTEN)
        self.all_read("final", "mia", "tom", "cy")
        self.comes_back("bo")
        self.all_read("final", "bo")
        self.all_hold(AFTER)
        self.keep("death-of-a-stranger")

    def test_the_proposer_is_killed_in_the_binding_second(self):
        self.all_say_yes_and_dies("mia", YES_IS_WRITTEN)
        for name in ASKED:
            agent = self.people[name]
            until(f"{name} misses mia", lambda agent=agent: any(
                peer["away"] for peer in agent.call("peers")["peers"]), 40)
            self.types(name, "requests")
        self.comes_back("mia")
        self.all_read("final", "mia", *ASKED)
        self.all_hold(AFTER)
        self.keep("death-of-the-proposer")

    @for_soak
    def test_the_proposer_does_not_come_back_soon(self):
        self.all_say_yes_and_dies("mia", YES_IS_WRITTEN)
        self.all_read("stranded", *ASKED, seconds=150)
        status = self.people["bo"].command("status", check=0).stdout
        self.assertRegex(status, r"\nRequests +1 without an outcome yet\n")
        self.comes_back("mia")
        self.all_read("final", "mia", *ASKED)
        self.all_hold(AFTER)
        self.keep("proposer-away")
