# SPDX-License-Identifier: Apache-2.0
"""What somebody finds who sees the view for the first time."""

from views import ViewCase


class FirstLook(ViewCase):
    def test_people_commands_and_candidates_are_listed(self):
        ada, bo = self.two()
        screen = self.view(ada)
        bo.call("offer", "--for", "aisle")
        bo.call("msg", "ada", "psst")
        screen.wait_for("bo 1", "1 unread")
        screen.press("F4")
        self.golden(screen, "people-80x24", "an aisle seat", "direct")
        screen.type("14")
        screen.wait_for("People: 0 of 1", "[people] 14")
        screen.press("C-u")
        screen.type("aisle")
        screen.press("Enter")
        screen.wait_for("[bo]", "psst", gone=["unread"])
        screen.type("/s")
        self.golden(screen, "commands-80x24", "[to bo] /s", "/seats")
        screen.press("Tab")
        screen.wait_for("[/search]  /seat  /seated  /seats")
        screen.resize(60, 16)
        screen.press("C-u", "F1")
        self.golden(screen, "help-60x16", "Help  1 to 13 of")
        # Escape and a letter that come in one piece are two keys.
        screen.press_at_once("Escape", "/")
        screen.wait_for("[to bo] /", gone=["Help"])
