# SPDX-License-Identifier: Apache-2.0
"""A family of three who sit apart, and three strangers: those in front of a screen have never seen
the program, and type what stands there and nothing else."""

import re
import time

from agent import BINARY, Agent
from reader import Reader
from views import ViewCase
from waiting import READING, until

FAMILY = {"ada": "14A", "mia": "9B", "tom": "20D"}
STRANGERS = {"bo": "14B", "cy": "14C", "dee": "3F"}
SEATS = FAMILY | STRANGERS
CODE = r"[a-z2-7]{4}(?:-[a-z2-7]{4}){3}-[a-z2-7]"
TOGETHER = {"14A": "ada", "14B": "mia", "14C": "tom", "9B": "bo", "20D": "cy", "3F": "dee"}


class ByTheScreen(ViewCase):
    slow = 40

    def test_a_family_and_a_stranger_need_nothing_but_their_screens(self):
        hosts = self.cabin(*SEATS, switch=True)
        self.people = {name: Agent(hosts[name], name, seat) for name, seat in SEATS.items()}
        for name in ("cy", "dee"):
            self.people[name].board(wait=False)
        self.readers = {name: self.starts(name) for name in ("ada", "mia", "tom", "bo")}
        self.all_join(self.readers.values())
        ada, mia, tom, bo = self.readers.values()
        self.two_wish_from_a_shell()
        self.wishes(bo, "9B")
        self.wishes(tom, "aisle")
        for agent in self.people.values():
            until(f"{agent.name} hears of all", lambda agent=agent: {"bo", "cy", "tom"} <= {
                peer["name"] for peer in agent.call("peers")["peers"] if peer["offer"]}
                | {agent.name} and len(agent.held()) == len(SEATS), 40)
        self.unite(ada, mia, tom)
        # The one who moves is told so, and how to propose it; the map has both cabins.
        mia.presses("together")
        mia.reads("Together: 1 of", "All 3 of you in one block; 2 people get what they like")
        mia.reads(r"\n  A  (?:. ){13}@ ", r"\n  B  (?:. ){8}x (?:. ){4}@ ", r"\n  C  (?:. ){13}@ ")
        mia.presses("before it")
        mia.reads(r"\n  B  (?:. ){8}@ (?:. ){4}x ", r"\n  D  (?:. ){19}@ ")
        mia.presses("propose it")
        mia.says_yes(r"Propose it\?", "If all agree:", "you give 9B")
        mia.reads("request 1: your 9B for 14B, waiting for", "/cancel 1")
        # Everybody else says yes: two on their screens, one in a shell.
        self.agrees(tom)
        self.agrees(bo, "Nobody has verified them")
        self.cy_agrees()
        for agent in self.people.values():
            until(f"{agent.name} sees them together", lambda agent=agent: agent.held() == TOGETHER,
                  30)
        self.reads_who_stands_up_when(mia)

    # The way there

    def starts(self, name):
        self.addCleanup(self.people[name].command, "down")
        return Reader(self, name, self.people[name].host, [BINARY, "--profile", name])

    def all_join(self, readers):
        """The four questions of the first start."""
        for reader in readers:
            reader.presses("a practice flight")
        for reader in readers:
            reader.answers(r"Your seat \(for example ", SEATS[reader.name])
        for reader in readers:
            reader.answers("A name others will see", reader.name)
        letters = [reader.reads(r"Join it\? \[(Y)/n\]").group(1) for reader in readers]
        time.sleep(READING)
        for reader, letter in zip(readers, letters):
            reader.answers("Join it", letter)
        # What there is to do stands on the first screen.
        for reader in readers:
            reader.reads("F3: sit together, or a better seat", r"\n\[all\]$")

    def wishes(self, reader, seat):
        """F3 says what somebody can do who has nobody to sit with."""
        reader.presses("sit together, or a better seat")
        reader.reads("there is nobody to sit with", "window, aisle")
        reader.types("/wish", SEAT=seat)
        reader.reads("You offer ", "Others see ", "Whoever finds a swap for it asks you")
        reader.presses("back")

    def two_wish_from_a_shell(self):
        for name, words in {"cy": "20D", "dee": "window"}.items():
            agent = self.people[name]
            until(f"{name} is aboard", agent.answers, 30)
            agent.call("wish", words)

    def unite(self, first, *others):
        """The first one makes a code, tells it to the others, and all say yes to each other."""
        first.presses("together")
        first.types("/party new")
        code = first.reads(f"Code: ({CODE}) ").group(1)
        self.assertEqual(first.reads(f"/party join ({CODE})").group(1), code)
        for other in others:
            other.presses("together")
            other.types("/party join", CODE=code)
        family = [first, *others]
        for reader in family:
            left = {other.name for other in family if other is not reader}
            while left:
                question = r"#\w{4} (%s) \(\w+\) has your code: with you\?"
                name = reader.reads(question % "|".join(left) + " y/n").group(1)
                reader.says_yes(question % name)
                left.remove(name)
        for reader in family:
            for other in family:
                if other is not reader:
                    reader.reads(rf"{other.name} \(\w+\): with you")
            reader.reads("To look for seats side by side: /together")
            reader.presses("back")

    def agrees(self, reader, *more):
        reader.presses("answer")
        reader.reads("proposes:", "you give ")
        reader.presses("accept")
        reader.says_yes(r"Agree\?", "proposes:", "you give ")
        for question in more:
            reader.says_yes(r"Go\s+on\?", question)
        reader.reads("you said yes")

    def cy_agrees(self):
        """In a shell the list of requests names the command."""
        cy = self.people["cy"]
        cy.incoming()
        line = re.search(r"seatagent (accept \d+)", cy.command("requests", check=0).stdout)
        cy.typed(line.group(1).split(), "y\ny\n")

    def reads_who_stands_up_when(self, reader):
        reader.reads("Swapped: ", r"stands\s+up\s+when")
        reader.types("/receipt 1")
        reader.reads("Seat swap agreed by all passengers concerned")
        reader.presses("scroll")
        reader.reads("How to move: ask the crew first", "you move|you stand|you sit")
