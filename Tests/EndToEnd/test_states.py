# SPDX-License-Identifier: Apache-2.0
"""What the view says about the state of things: news, time, trust, swaps in doubt, nobody there."""

import re
import time
from datetime import datetime, timedelta, timezone

from agent import BINARY, Agent
from binding import steps, steps_file
from program import has_hooks
from terminal import Terminal
from views import ViewCase
from waiting import READING, until

#: A part of the question about codes.
SAME = "read the same numbers?"


class News(ViewCase):
    def test_what_came_meanwhile_stands_under_a_line(self):
        ada, bo = self.two()
        screen = self.view(ada)
        bo.call("say", "before")
        screen.wait_for("before")
        screen.enter("/to bo")
        screen.wait_for("[bo]", "Only bo will read what you type here")
        for text in ("meanwhile one", "meanwhile two"):
            bo.call("say", text)
        screen.wait_for("all 2", "2 unread")
        screen.press("M-1")
        self.golden(screen, "unread-80x24", "new", "meanwhile two", gone=["unread"])
        # Own lines never count.
        screen.enter("mine")
        screen.wait_for("mine")
        self.assertNotIn("unread", screen.text())

    def test_scrolling_back_stays_there(self):
        ada, bo = self.two()
        for number in range(60):
            bo.call("say", f"line {number}.")
        until("all have come", lambda: "line 59." in ada.said())
        screen = self.view(ada, until_shown=["line 59."])
        screen.press("PPage", "PPage")
        screen.wait_for(gone=["line 59."])
        shown = re.findall(r"line \d+\.", screen.wait_until_still())
        bo.call("say", "the newest")
        until("it has come", lambda: "the newest" in ada.said())
        self.assertEqual(re.findall(r"line \d+\.", screen.wait_until_still()), shown)
        screen.press("End")
        screen.wait_for("the newest")
        for _ in range(12):
            screen.press("PPage")
        screen.wait_for("line 0.")
        screen.press("NPage")
        screen.wait_for(gone=["line 0."])

    def test_a_line_that_reached_nobody_says_so(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C").board()
        screen = self.view(ada, until_shown=["nobody else yet"])
        screen.wait_for("Nobody found yet. People appear here by themselves.", "F6", seconds=20)
        self.golden(screen, "alone-80x24")
        screen.enter("hello?")
        screen.wait_for("No one else is aboard yet", re.compile(r"hello\? .*!$", re.M))

    def test_search_and_clear(self):
        ada, bo = self.two()
        screen = self.view(ada)
        bo.call("say", "the naïve café is in row 3")
        screen.wait_for("row 3")
        screen.enter("/search café")
        screen.wait_for("/search café", "bo", "the naïve café is in row 3", "Esc back")
        screen.press("Escape")
        screen.wait_for("Enter send")
        screen.enter("/clear")
        screen.wait_for("Nothing was said yet", gone=["row 3"])


class Trust(ViewCase):
    def test_codes_are_compared_in_two_views(self):
        ada, bo = self.two()
        screen, other = self.view(ada), self.view(bo)
        screen.enter("/verify bo")
        other.wait_for("wants to compare codes with you")
        other.enter("/verify ada")
        codes = []
        for view in (screen, other):
            text = view.wait_for(re.compile(r"\d{4} - \d{4} - \d{4}"), SAME)
            codes.append(re.search(r"\d{4} - \d{4} - \d{4}", text)[0])
        self.assertEqual(codes[0], codes[1])
        screen.answer("y", SAME)
        other.answer("y", SAME)
        for view in (screen, other):
            view.wait_for("you verified")
        bo.call("say", "it is me")
        screen.wait_for(re.compile("✓ +bo 12A  it is me"))
        screen.press("F2")
        screen.wait_for("[@]")
        screen.type("12A")
        screen.wait_for(re.compile(r"12A  bo .*verified"))
        screen.press("Escape")
        screen.wait_for("Enter send")
        # Somebody else under that name gets nothing that is meant for bo.
        fake = Agent(ada.host, "fake", "27F", peers=[ada], options=["--name", "bo"]).board()
        until("it is seen", lambda: "27F" in ada.held())
        screen.enter("/msg 27F for bo alone")
        screen.wait_for("bo's key is not the one you verified")
        screen.enter("/msg 12A for bo alone")
        until("bo reads it", lambda: "for bo alone" in bo.said())
        self.assertNotIn("for bo alone", fake.said())

    def test_a_difference_is_loud(self):
        ada, bo = self.two()
        screen, other = self.view(ada), self.view(bo)
        screen.enter("/verify bo")
        other.wait_for("wants to compare codes with you")
        other.enter("/verify ada")
        screen.wait_for(SAME)
        other.answer("n", SAME)
        screen.wait_for("numbers", "differ", "Do not trust this link.")
        other.wait_for("numbers", "differ", "Do not trust this link.")


class Time(ViewCase):
    def test_the_window_counts_down(self):
        here = self.loopback()
        departs = datetime.now(timezone.utc) + timedelta(hours=50) - timedelta(seconds=30)
        ada = Agent(here, "ada", "14C", options=[
            "--flight", f"XY123/{departs:%Y-%m-%d}/DUB", "--departs",
            f"{departs:%Y-%m-%dT%H:%M:%SZ}"]).board()
        screen = self.view(ada, until_shown=["XY123", "swaps open in 1 h 59 min"])
        screen.enter("/swap 12A")
        screen.wait_for("cannot be swapped yet")
        screen.press("C-c")
        self.assertTrue(screen.lines()[0].endswith("swaps open in 1 h 59 min"), screen.framed())


class Doubt(ViewCase):
    def test_a_swap_without_outcome_is_named(self):
        if not has_hooks():
            self.skipTest("needs a debug build, which alone can be told to die")
        # Once undisturbed, to learn at which step the one who asks signs: the other has by then.
        ada, bo = self.pair({"SEATAGENT_STEPS": "steps"})
        self.agree(ada, bo)
        until("they have swapped", lambda: ada.held() == {"12A": "ada", "14C": "bo"}, 20)
        number = next(number for number, step in enumerate(steps(steps_file(ada)), 1)
                      if "vote-yes" in step)
        ada, bo = self.pair({"SEATAGENT_DIE": f"before:{number}"})
        screen = self.view(bo)
        self.agree(ada, bo)
        ada.wait_until_dead()
        self.golden(
            screen, "doubt-80x24", "waiting for 14C", "your seat is held", "is out of reach")
        ada.board()
        screen.wait_for(gone=["your seat is held"], seconds=30)

    def pair(self, env):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo])
        ada.board(env={**env, "SEATAGENT_STEPS": steps_file(ada)})
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def agree(self, ada, bo):
        ada.command("swap", "12A")
        bo.call("accept", bo.incoming(), "--yes")


class First(ViewCase):
    def test_four_questions_and_the_cabin(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C")
        self.addCleanup(ada.command, "down")
        screen = Terminal(here, [BINARY, "--profile", "ada"], size=(80, 24))
        self.addCleanup(screen.close)
        self.golden(screen, "first-flight-80x24", "Your flight")
        screen.enter("")
        screen.wait_for("Your seat")
        screen.enter("14c")
        screen.wait_for("A name others will see")
        screen.enter("ada")
        self.golden(screen, "first-network-80x24", "[Y/n]")
        time.sleep(READING)
        screen.enter("")
        screen.wait_for(" seatagent   ada 14C", seconds=25)
        self.assertTrue(screen.is_alternate)
        screen.enter("/quit")
        self.assert_leaves(screen)
