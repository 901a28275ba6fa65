# SPDX-License-Identifier: Apache-2.0
"""Somebody who sees the program for the first time, and knows nothing but what is on the screen.

Every key and every command is taken from the text on the screen, and typed as it stands there. What
the screen does not name cannot be typed: the test fails, with the screen."""

import re

from terminal import Terminal
from waiting import TimeRanOut, until

#: A key as the screen names it, and tmux's name for it where that is another one.
KEY = r"(?<![\w/])(F\d+|Enter|Esc|Tab|PgUp|PgDn|Up|Down|Left|Right|[a-z/]):? "
NAMES = {"Esc": "Escape", "PgUp": "PPage", "PgDn": "NPage"}
ANSWERS = re.compile(r"(?m)^ (\w) or (\w) answers,")


class Reader:
    """One passenger in front of a terminal in which `argv` runs."""

    def __init__(self, case, name, host, argv):
        self.name = name
        self.screen = Terminal(host, argv)
        case.addCleanup(self.screen.close)

    def reads(self, *patterns, gone=()):
        """Waits until the screen has all of it; the last one's match."""
        found = []

        def probe():
            text = self.screen.text()
            self.finds_nothing_for_a_shell(text)
            found[:] = [re.search(pattern, text) for pattern in patterns]
            return all(found) and not any(re.search(pattern, text) for pattern in gone)
        try:
            until(f"the screen of {self.name} shows {patterns}", probe, 20)
        except TimeRanOut:
            raise TimeRanOut(
                f"{self.name} does not read {patterns}"
                + (f" without {gone}" if gone else "") + f":\n{self.screen.framed()}") from None
        return found[-1] if found else None

    def finds_nothing_for_a_shell(self, text):
        """The full screen names no command that works in a shell alone."""
        if text.startswith(" seatagent  ") and (found := re.search(r"seatagent [a-z]\w+", text)):
            raise AssertionError(
                f"{found.group()!r} cannot be typed here:\n{self.screen.framed()}")

    def answers(self, question, text):
        """Types what only the passenger knows, on the line of a question that asks for it."""
        self.reads(question)
        self.screen.enter(text)

    def presses(self, what):
        """Presses the key that the screen names for `what`: for "together" the one of
        "F3 together"."""
        key = self.reads(KEY + what).group(1)
        self.screen.press(NAMES.get(key, key)) if len(key) > 1 else self.screen.type(key)

    def types(self, command, **blanks):
        """Types a command that stands on the screen, with something in the place of each word in
        capitals, where the screen says that a command can be typed and which key sends it."""
        words = self.reads(r"(?m)^ .*(?:\bEnter send\b|/ command\b)",
                           r"\s+".join(map(re.escape, command.split())) + r"(?: [A-Z]{2,}\b)*")
        typed = " ".join(blanks[word] if word.isupper() else word for word in words.group().split())
        self.screen.type(typed)
        self.reads(r"(?m)^\[[^\]]*\] " + re.escape(typed) + "$")
        self.presses("send")

    def says_yes(self, question, *parts):
        """Reads a question that ends with `y/n`, and what stands above it, and answers with the
        letter that the screen names first."""
        self.screen.type(self.reads(*parts, question + " y/n", ANSWERS).group(1))
        self.reads(gone=[question + " y/n"])
