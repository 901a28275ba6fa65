# SPDX-License-Identifier: Apache-2.0
"""What tests of the full-screen view share: passengers, and the view of one in a terminal."""

import os
import re
import unicodedata

import goldens
import terminal
from agent import BINARY, Agent
from case import Case
from masks import masked
from terminal import Terminal

#: Categories that no screen has: controls, formats, surrogates, private, unassigned, separators.
BAD = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

#: The history is there: what comes now is new.
LOADED = re.compile(r" joined|Nothing was said yet")


class ViewCase(Case):
    slow = 12

    def setUp(self):
        super().setUp()
        if not terminal.is_there():
            self.skipTest("needs tmux")

    def two(self):
        """ada in 14C and bo in 12A, on one machine, linked."""
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def view(self, agent, *options, size=(80, 24), until_shown=None, **more):
        screen = Terminal(
            agent.host, [BINARY, "--profile", agent.name, *options], size=size, **more)
        self.addCleanup(screen.close)
        screen.wait_for(*(until_shown or [f" seatagent   {agent.name} ", " aboard", LOADED]))
        return screen

    def golden(self, screen, name, *parts, gone=(), alike=None):
        """Compares the screen, once it shows `parts` and is at rest, with a kept one. `alike` is
        two texts of which either may stand there: the first is kept."""
        screen.wait_for(*parts, gone=gone)
        text = masked(screen.wait_until_still())
        goldens.check(self, f"view/{name}", text.replace(*reversed(alike)) if alike else text)

    def assert_leaves(self, screen, status=0):
        """The view has ended, and the terminal is as it was."""
        self.assertEqual(screen.wait_until_ended(), status, screen.framed())
        self.assertEqual(screen.is_restored(), "")

    def assert_undisturbed(self, screen, agent, line="[all]"):
        """Bar, map, footer and line stand where they belong, and every cell is harmless."""
        lines = screen.lines()
        framed = screen.framed()
        bad = {f"U+{ord(letter):04X}" for letter in "".join(lines)
               if unicodedata.category(letter) in BAD}
        self.assertEqual(bad, set(), framed)
        self.assertTrue(lines[0].startswith(f" seatagent   {agent.name} {agent.seat}"), framed)
        for y, letter in zip((2, 3, 4, 6, 7, 8), "FEDCBA"):
            self.assertEqual(lines[y][:4].strip(), letter, framed)
        for y, mark in zip((2, 3, 4, 5, 7, 8), "@oSW!?"):
            self.assertEqual(lines[y][70:72].strip(), mark, framed)
        self.assertTrue(lines[-1].startswith(line), framed)
        self.assertTrue(screen.is_alternate)
