# SPDX-License-Identifier: Apache-2.0
"""What takes the place of a swap that came to nothing: goldens/stories has it word by word."""

import re
import time

from story import Story
from waiting import until

#: A family apart. With bo in the middle, three would get what they like better; with eve, who only
#: does a favour, two. cy and tom give and get the same either way.
FAMILY = {"ada": "15C", "mia": "9B", "tom": "20E"}
AROUND = {"bo": "14B", "cy": "14C", "eve": "15B"}
WISHES = {"bo": "9B", "cy": "20E", "eve": "middle", "tom": "aisle"}
BESIDE = {"15C": "ada", "15B": "mia", "14C": "tom", "20E": "cy", "9B": "eve", "14B": "bo"}


class Replaced(Story):
    def proposed(self):
        """mia proposes what brings the family together, and all but bo agree."""
        self.cast(**FAMILY, **AROUND)
        for name, words in WISHES.items():
            self.types(name, f"wish {words}")
        self.wished = time.monotonic()
        self.unite(*FAMILY)
        self.all_hear(lambda agent: set(WISHES) <= {
            peer["name"] for peer in agent.call("peers")["peers"] if peer["offer"]}, "mia")
        # Those further down are as good as others: which of them stand there is another each time.
        said = self.read_by("mia", "together", "y").replace("\r", "")
        self.write_down("mia", "together", re.sub(
            r"\n3  .*?(?=\n {6}before)", "\n(two more)\n", said, flags=re.S))
        self.all_accept("tom", "cy")

    def replaced(self):
        """What took its place waits for eve alone."""
        mia = self.people["mia"]
        until("it waits for eve alone", lambda: [
            [who["name"] for who in one.get("waits_for", [])]
            for one in mia.call("requests")["requests"] if one.get("after") == 1] == [["eve"]], 20)
        for name in ("mia", "tom", "cy"):
            self.types(name, "requests --all")
        self.accepts("eve")
        self.holds("bo", BESIDE)

    def test_a_no_from_the_middle_and_the_next_best_is_proposed(self):
        self.proposed()
        self.types("bo", 'decline 1 --note "I stay here"')
        self.replaced()
        self.keep("no-from-the-middle")

    def test_who_waits_follows_what_takes_its_place(self):
        self.cast(**FAMILY, **AROUND)
        for name, words in WISHES.items():
            self.people[name].call("wish", words)
        self.unite(*FAMILY)
        self.all_hear(lambda agent: set(WISHES) <= {
            peer["name"] for peer in agent.call("peers")["peers"] if peer["offer"]}, "mia")
        mia, bo, tom = (self.people[name] for name in ("mia", "bo", "tom"))
        waiting = mia.begin("together", "--yes", "--wait")
        asked = tom.begin("accept", tom.incoming(), "--yes", "--wait")
        self.people["cy"].call("accept", self.people["cy"].incoming(), "--yes")
        bo.call("decline", bo.incoming(), "--note", "I stay here")
        eve = self.people["eve"]
        eve.call("accept", eve.incoming(), "--yes")
        for process, name in ((waiting, "mia"), (asked, "tom")):
            said, more = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 0, f"{name}: {said}{more}")
            self.assertIn("Swapped", said)
        self.all_hold(BESIDE)

    def test_a_wish_that_changes_while_others_agree(self):
        self.proposed()
        # A wish is written for others once in five seconds.
        until("bo may wish again", lambda: time.monotonic() > self.wished + 5.5)
        self.say("cy likes another seat now, and reads that their yes stands.")
        self.types("cy", "wish front", status=1)
        self.say("bo has not answered, and likes another seat now.")
        self.types("bo", "wish window")
        self.replaced()
        self.keep("another-wish")
