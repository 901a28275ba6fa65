# SPDX-License-Identifier: Apache-2.0
"""What a guide shows of a console is typed word by word, and the program says what it shows."""

import re
import shlex

import documents
import library
from agent import Agent
from case import Case
from terminal import Terminal

#: What differs each time, and what stands for it. A guide shows one day; the test has another.
ALIKE = [
    (r"\b[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{5}\b", "TAG"), (r"k=[\w.-]+", "k=KEY"),
    (r"^  [a-z]+( [a-z]+){5}$", "SIX WORDS"),
    (r"#\w{4}\b", "#TAG"), (r"code [A-Z2-9]{8}\b", "code CODE"),
    (r"\b\d+ other agents?\b", "N agents"), (r"member \d+", "member N"),
    (r"\b(\d+ h )?\d+ (min|s)\b|\b(\d+:)?\d+:\d\d left\b", "SPAN"),
    (r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ [A-Z][a-z]{2}\b", "DAY"), (r"\d+", "N"),
]


def shape(line):
    for pattern, alike in ALIKE:
        line = re.sub(pattern, alike, line)
    return " ".join(line.split())


class GuideCase(Case):
    slow = 10

    def play(self, block, who, answers=(), change=lambda line: line):
        """Types a block on the host of `who`, and looks for what it shows; what was said last.
        `answers` has what is typed for a question of each line that asks one."""
        path, number = block
        said = ""
        for line, shown in documents.dialogues(path)[number]:
            words = shlex.split(change(line))
            self.assertEqual(words.pop(0), "seatagent", line)
            said = self.said(who, words, dict(answers).get(words[0]), line)
            self.shows(shown, said, line)
        return said

    def said(self, who, words, answer, line):
        if answer:
            return who.typed(words, *answer, cwd=who.host.folder)
        done = who.host.run(["sh", "-c", f"cd {who.host.folder} && exec {who.binary} "
                             + shlex.join(words)], check=False, timeout=60)
        self.assertIn(done.returncode, (0,), f"{line}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def shows(self, shown, said, line):
        """Each shown line is among what was said, in this order."""
        rest = iter([shape(one) for one in said.replace("\r", "").splitlines()])
        for one in shown:
            wanted = shape(one.removesuffix("..."))
            if wanted:
                self.assertTrue(any(wanted in heard for heard in rest),
                                f"{line}\nshows: {one}\nsaid: {said}")

    def somebody(self, host):
        """Whoever sits there, with the profile that everybody has."""
        person = Agent(host, "default", "1A")
        person.binary = library.BINARY
        return person

    def serves(self, block, who, change=lambda line: line):
        """A terminal in which the one line of a block goes on; what the guide shows of it."""
        path, number = block
        [(line, shown)] = documents.dialogues(path)[number]
        words = shlex.split(change(line))
        self.assertEqual(words.pop(0), "seatagent", line)
        screen = Terminal(who.host, [who.binary, *words], size=(150, 60))
        self.addCleanup(screen.close)
        return screen, shown
