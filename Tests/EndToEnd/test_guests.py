# SPDX-License-Identifier: Apache-2.0
"""A passenger whose name and texts would take the screen over, seen in the full-screen view."""

import re

from agent import Agent
from peers import NOTE, PIECES, cut, dressed, token_of
from views import ViewCase
from waiting import until


class Guests(ViewCase):
    slow = 20

    def test_hostile_texts_disturb_neither_screen_nor_title(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        screen = self.view(ada)
        titles = {screen.title}
        token = token_of(ada)
        for row, piece in enumerate(PIECES.values(), 20):
            mallory = dressed(self, ada, piece, row)
            until("the seat is seen", lambda row=row: f"{row}F" in ada.held())
            mallory("ask", token=token, note=cut(piece * 200, NOTE))
            until("it has asked", lambda row=row: len(
                ada.call("requests")["requests"]) == row - 19)
            screen.wait_for(f"{row - 19} request")
            screen.wait_until_still()
            self.assert_undisturbed(screen, ada)
            titles.add(screen.title)
        count = len(PIECES)
        screen.press("F5")
        for number in range(count):
            screen.wait_for(f"Request {number + 1}, {number + 1} of {count}", "a accept")
            self.assert_undisturbed(screen, ada)
            screen.press("n")
        screen.press("a")
        screen.wait_for("y/n")
        self.assert_undisturbed(screen, ada, " ")
        screen.answer("n")
        screen.wait_for("Nothing was sent.")
        self.look_at_seats(screen, ada)
        for command in ("/peers", "/who 20F", "/status", "/log", "/seats"):
            screen.enter(command)
            screen.wait_for(command, "Esc back", gone=["..."])
            self.assert_undisturbed(screen, ada)
            screen.press("Escape")
            screen.wait_for("Enter send")
        for number in range(2, 2 + count):
            screen.press(f"M-{number}")
            screen.wait_until_still()
            self.assert_undisturbed(screen, ada, "[")
        titles.add(screen.title)
        for title in titles:
            self.assertNotIn("pwned", title)
            self.assertNotRegex(title, r"[^ -~]")
        self.note = f"titles: {sorted(titles)}"
        # Everyone else can be heard as before.
        screen.press("M-1")
        bo.call("say", "still here")
        screen.wait_for("still here", "[all]")
        screen.press("C-c", "C-c")
        self.assert_leaves(screen)

    def look_at_seats(self, screen, ada):
        screen.press("F2")
        screen.wait_for("arrows move")
        for row, _ in enumerate(PIECES, 20):
            screen.type(f"{row}F")
            screen.wait_for(re.compile(rf"^ {row}F  ", re.M), "[!]")
            self.assert_undisturbed(screen, ada)
        screen.press("Escape")
        screen.wait_for("Enter send")

    def test_long_lines_of_every_kind_stay_in_their_window(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C").board()
        for row, piece in enumerate(PIECES.values(), 20):
            dressed(self, ada, piece, row)
        until("all are seen", lambda: len(ada.held()) == 1 + len(PIECES))
        screen = self.view(ada, size=(120, 40))
        for size in ((120, 40), (80, 24), (60, 16)):
            screen.resize(*size)
            screen.wait_until_still()
            lines = screen.lines()
            self.assertTrue(lines[0].startswith(" seatagent   ada 14C"), screen.framed())
            self.assertTrue(lines[-1].startswith("[all]"), screen.framed())
            if size[0] >= 100:
                # The line between the cabin and the chat stands in one column.
                self.assertEqual({line[29:30] for line in lines[1:-2]}, {"│"}, screen.framed())
