# SPDX-License-Identifier: Apache-2.0
"""Stories of a cabin: real agents, each on a host of its own. What people type, and what they read,
is kept as a transcript in goldens/stories."""

import re
import shlex
from concurrent.futures import ThreadPoolExecutor

import goldens
from agent import Agent
from case import Case
from waiting import until

#: What is another each time, and what stands in its place.
ALIKE = [
    (r"\b[a-z2-7]{4}(-[a-z2-7]{4}){3}-[a-z2-7]\b", "code-code-code-code-c"),
    (r"k=[a-z2-7]{17}", "k=codecodecodecodec"),
    (r"#\w{4}\b", "#tag"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "yyyy-mm-ddThh:mm:ssZ"),
    (r"\b\d\d:\d\d(:\d\d)?\b", "hh:mm"),
    (r"\b[0-9a-f]{8}\b", "contract"),
    (r"\n  Others are told in \d+ s: .*", ""),
]


class Story(Case):
    slow = 40

    def cast(self, **seats):
        """Everybody boards, each with their seats; the first ones wait for the last."""
        self.settle(**seats)
        self.board()
        self.say(f"{len(seats)} agents are aboard: " + ", ".join(
            f"{name} {words.replace(' ', '+')}" for name, words in seats.items()) + ".")

    def settle(self, **seats):
        """Everybody has a computer, and nothing runs yet."""
        self.text = []
        self.hosts = self.cabin(*seats, switch=True)
        self.people = {}
        for name, words in seats.items():
            own = words.split()
            options = [word for seat in own[1:] for word in ("--seat", seat)]
            self.people[name] = Agent(self.hosts[name], name, own[0], options=options)

    def board(self, meet=True, env=None):
        """All agents start; they hear of each other."""
        for name, agent in self.people.items():
            agent.board(wait=False, env=(env or {}).get(name))
        for agent in self.people.values():
            until(f"the agent of {agent.name} answers", agent.answers, 30)
        if meet:
            self.all_meet()

    def all_meet(self):
        self.all_hear(lambda agent: set(agent.held().values()) == set(self.people))

    def all_hear(self, is_so, *names):
        for name in names or self.people:
            agent = self.people[name]
            until(f"{name} has heard it", lambda agent=agent: is_so(agent), 40)

    def say(self, text):
        """A sentence between what is typed."""
        self.text += ["", text]

    def types(self, name, line, answers="", status=0):
        """Somebody types a command, and answers what it asks."""
        return self.write_down(name, line, self.read_by(name, line, answers, status))

    def read_by(self, name, line, answers="", status=0):
        """What somebody reads who types a command."""
        agent = self.people[name]
        words = shlex.split(line)
        if answers:
            return agent.typed(words, "".join(f"{one}\n" for one in answers.split()))
        done = agent.command(*words, asks=True, check=status)
        return done.stdout + done.stderr

    def write_down(self, name, line, said):
        self.text += ["", f"{name}$ seatagent {line}"]
        self.text += ["  " + text if text else "" for text in said.replace("\r", "").splitlines()]
        return said

    def unite(self, *family):
        """A party: the first one makes it, and everybody says yes to everybody else."""
        made = self.types(family[0], "party new")
        code = re.search(ALIKE[0][0], made).group()
        # Whom it answers with depends on who was heard of by then.
        for name in family[1:]:
            self.people[name].call("party", "join", code)
            self.text += ["", f"{name}$ seatagent party join {code}"]
        for name in family:
            others = [other for other in family if other != name]
            self.all_hear(lambda agent, others=others: set(others) <= {
                who["name"] for who in agent.call("party")["candidates"]}, name)
            for other in others:
                self.people[name].call("party", "yes", other)
        self.say(f"{', '.join(family[:-1])} and {family[-1]} say yes to each other: party yes.")

    def accepts(self, name, answers="y y"):
        """Somebody reads what they are asked, and says yes."""
        return self.types(name, f"accept {self.people[name].incoming()}", answers)

    def all_accept(self, *names, answers="y y"):
        """Several read what they are asked at the same time, and all say yes."""
        lines = [f"accept {self.people[name].incoming()}" for name in names]
        with ThreadPoolExecutor(len(names)) as pool:
            read = pool.map(lambda name, line: self.read_by(name, line, answers), names, lines)
            for name, line, said in zip(names, lines, read):
                self.write_down(name, line, said)

    def all_hold(self, seats):
        """Everybody sees these seats, by name, and nothing is under way."""
        self.all_hear(lambda agent: agent.held() == seats
                      and not agent.call("status")["requests"]["agreed"])
        self.say("Every map has: " + ", ".join(
            f"{seat} {who}" for seat, who in sorted(seats.items())) + ".")

    def holds(self, name, seats):
        """The same, and one of them looks at the map."""
        self.all_hold(seats)
        self.text[-1] += f" {name} sees"
        self.types(name, "seats --ascii")

    def keep(self, name):
        """Compares the transcript with the one that is kept."""
        text = "\n".join(self.text).strip() + "\n"
        for pattern, alike in ALIKE:
            text = re.sub(pattern, alike, text)
        goldens.check(self, f"stories/{name}", text)
