# SPDX-License-Identifier: Apache-2.0
"""What a screen says, compared with what is so: the states of all agents of a test together.

    truth = Truth(agents)                  # by name; those that have gone keep their last seats
    truth.say(ada, "hello")                # who said what, from which seat, in this order
    truth.lies(screen, ada)                # what the screen says that is not so; empty if nothing

The full-screen view is read line by line: bar, cabin, news above the talk, the talk itself.
"""

import re

from waiting import TimeRanOut, until

#: How the cabin marks a seat in which nobody sits.
FREE = "·"
STAMP = re.compile(r"(\d\d:\d\d) +(@  +)?(\S.*)")
#: What stands between the news and the line that is typed.
FOOT = re.compile(r" (Enter send|↑↓|PgUp)")


class Truth:
    """What the agents of one cabin know together."""

    def __init__(self, agents):
        self.agents = agents
        self.away = {}  # name: seats, of those whose agents are down or cut off
        self.cut = set()
        self.left = set()
        self.talk = []  # (name, seat, text)
        self.events = []

    # What happens

    def say(self, agent, text):
        self.talk.append((agent.name, agent.seats_of_mine()[0], text))

    def happened(self, *patterns):
        """From now on a line about such a thing may stand on a screen, and no other."""
        self.events += [re.compile(pattern) for pattern in patterns]

    # What is so

    def aboard(self, owner):
        """Names of the others who are within reach of `owner`."""
        if owner.name in self.cut:
            return set()
        return self.others(owner) - set(self.away) - self.cut

    def others(self, owner):
        return set(self.agents) - self.left - {owner.name}

    def marks(self, owner):
        """Seat -> the mark that `owner` should see, taken from the agent of whoever sits there."""
        within = self.aboard(owner)
        marks = {}
        for name in self.others(owner):
            agent = self.agents[name]
            seats = self.away[name] if name in self.away else agent.seats_of_mine()
            for seat in seats:
                marks[seat] = "o" if name in within else "z"
        for request in self.open_for(owner):
            marks[request["gives"]] = "!"
        return {**marks, **{seat: "@" for seat in owner.seats_of_mine()}}

    def open_for(self, owner):
        """What the agents of others, within reach, ask of `owner`, as these agents have it."""
        found = []
        for name in sorted(self.aboard(owner)):
            for request in self.agents[name].call("requests")["requests"]:
                if request["direction"] == "out" and request["state"] == "open":
                    legs = {move["from"]["name"]: move["seat"] for move in request["moves"]}
                    if owner.name in legs:
                        found.append({"name": name, "gives": legs[name],
                                      "takes": legs[owner.name]})
        return found

    # What a screen says

    def lies(self, screen, owner):
        lines = screen.lines()
        lies = self.bar(lines[0], owner) + self.cabin(lines, owner)
        foot = next((y for y, line in enumerate(lines) if FOOT.match(line)), len(lines) - 1)
        for line in lines[9:foot]:
            lies += self.news(line, owner)
        return lies + self.chat(lines[11:foot], owner)

    def bar(self, line, owner):
        parts = re.split(r" {3}", line.strip())
        within, others = len(self.aboard(owner)), len(self.others(owner))
        people = f"{within} aboard" if within == others else \
            f"{within} aboard, {others - within} away" if within else f"0 of {others} reachable"
        waiting = len(self.open_for(owner))
        wanted = ["seatagent", f"{owner.name} {','.join(owner.seats_of_mine())}", people]
        if waiting:
            wanted.append(f"{waiting} request{'s' if waiting > 1 else ''}")
        return [] if parts[:len(wanted)] == wanted and \
            ("request" in line) == bool(waiting) else [f"bar: {parts}, and so is {wanted}"]

    def cabin(self, lines, owner):
        wanted = self.marks(owner)
        lies = []
        for line in lines[2:9]:
            letter = line[1:4].strip()
            if len(letter) != 1 or letter not in "ABCDEF":
                continue
            for row in range(1, 33):
                mark = line[2 + 2 * row:][1:2]
                seat = f"{row}{letter}"
                if 3 + 2 * row < min(len(line), 68) and mark != wanted.get(seat, FREE):
                    lies.append(f"cabin: {seat} {mark!r}, and so is {wanted.get(seat, FREE)!r}")
        return lies

    def news(self, line, owner):
        """`! cy #nwfj (3F) asks for your 12A a…  30:00 left  F5 answer`"""
        found = re.match(r" ! (\w+) #\w+ \((\w+)\) asks for your (\w+)", line)
        if not found:
            return []
        name, gives, takes = found.groups()
        so = {"name": name, "gives": gives, "takes": takes} in self.open_for(owner)
        return [] if so else [f"news: {line.strip()}"]

    def chat(self, lines, owner):
        """Everything in the talk was said, by them, from that seat, in this order; and every
        line about what happened is of a thing that did."""
        last, lies = -1, []
        for who, text in entries(lines):
            if who == "*":
                if not any(event.fullmatch(text) for event in self.events):
                    lies.append(f"talk: * {text}")
                continue
            text = re.sub(r" +[✓…!]\d*$", "", text)
            said = [(n, s, t) for n, s, t in self.talk[last + 1:] if t == text]
            if not said:
                lies.append(f"talk: {who}: {text!r} was not said, or not behind what is above it")
                continue
            name, seat, _ = said[0]
            shown = name if name == owner.name else f"{name} {seat}"
            if name != owner.name and owner.name in re.findall(r"\w+", text):
                shown = "@" + shown
            # Where two keys had the name the tag stands in the place of the seat.
            if who != shown and not re.fullmatch(rf"{name} #\w+", who):
                lies.append(f"talk: {text!r} is of {who}, and {name} said it in {seat}")
            last = self.talk.index(said[0])
        return lies

    # Waiting

    def holds_on(self, screens, seconds=20):
        """Until no screen says what is not so."""
        def all_lies():
            return [f"{owner.name}: {lie}" for owner, screen in screens
                    for lie in self.lies(screen, owner)]
        seen = []

        def none():
            seen[:] = all_lies()
            return not seen
        try:
            until("every screen says what is so", none, seconds)
        except TimeRanOut as error:
            frames = "\n".join(screen.framed() for _, screen in screens)
            raise TimeRanOut(f"{error}\n" + "\n".join(seen) + f"\n{frames}") from None


def entries(lines):
    """Who and what, of each entry of the talk that begins on the screen; `@` before the name where
    the line speaks of whoever reads it."""
    found = []
    for line in lines:
        new = STAMP.match(line)
        if new:
            who, _, text = new[3].partition("  ")
            found.append(["@" * bool(new[2]) + who, text.strip()])
        elif found and line.strip():
            found[-1][1] += " " + line.strip()
    return [(who, re.sub(" +", " ", text)) for who, text in found]
