# SPDX-License-Identifier: Apache-2.0
"""How people come to sit together: goldens/stories has each story word by word."""

from story import Story

#: Who travels with ada, and three strangers. Only one exchange seats the family together and gives
#: everybody what they wish, so that the story is the same each time.
FAMILY = {"ada": "14A", "mia": "9B", "tom": "20D"}
STRANGERS = {"bo": "14B", "cy": "14C", "dee": "3F"}
WISHES = {"bo": "9B", "cy": "20D", "tom": "aisle"}
TOGETHER = {"14A": "ada", "14B": "mia", "14C": "tom", "9B": "bo", "20D": "cy", "3F": "dee"}


class Stories(Story):
    def accepted(self, *names):
        for name in names:
            self.accepts(name)

    def test_a_family_of_three_sits_together_and_takes_it_back(self):
        self.cast(**FAMILY, **STRANGERS)
        for name, words in WISHES.items():
            self.types(name, f"wish {words}")
        self.unite(*FAMILY)
        self.all_hear(lambda agent: set(WISHES) <= {
            peer["name"] for peer in agent.call("peers")["peers"] if peer["offer"]}, "mia")
        before = self.people["mia"].held()
        self.types("mia", "together", "y y")
        self.accepted("tom", "bo", "cy")
        self.holds("dee", TOGETHER)
        self.say("mia thinks again.")
        self.types("mia", "undo 1", "y y")
        self.accepted("tom", "bo", "cy")
        self.holds("dee", before)
        self.keep("family-of-three")
