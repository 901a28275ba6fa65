# SPDX-License-Identifier: Apache-2.0
"""The page of a venue's bookings on a whole screen: what a person types there, and sees."""

import re

import terminal
from agent import BINARY
from courts import Centre, day
from terminal import Terminal
from waiting import until


def column(screen, hour):
    """Where the marks of an hour stand."""
    [head] = [line for line in screen.lines() if re.match(r"^ {10,}\d\d( \d\d)+", line)]
    return head.index(f"{hour:02}") + 1


def mark(screen, place, hour):
    """The letter of a place at an hour."""
    [line] = [line for line in screen.lines() if line.startswith(f" {place} ")]
    return line[column(screen, hour)]


class BookingView(Centre):
    slow = 25

    def setUp(self):
        super().setUp()
        if not terminal.is_there():
            self.skipTest("needs tmux")

    def page(self, person, size=(100, 30)):
        screen = Terminal(person.host, [BINARY, "venue", "open", "rec"], size=size)
        self.addCleanup(screen.close)
        return screen

    def go(self, screen, place, hour):
        """Moves the cursor to a place and an hour by the arrows."""
        line = re.compile(r"^ (\S.*?), \w+ \d+ \w+ (\d\d):00-", re.M)

        def here():
            found = line.search(screen.text())
            return found and (found[1], int(found[2]))

        def row(name):
            [at] = [at for at, text in enumerate(screen.lines()) if text.startswith(f" {name} ")]
            return at

        # A key counts once the page has drawn it: a place that is read before is where it was.
        at = until("the cursor is somewhere", here)
        while at[0] != place:
            screen.press("Down" if row(place) > row(at[0]) else "Up")
            at = until("the cursor moves",
                       lambda left=at: here() not in (None, left) and here())
        for _ in range(abs(hour - at[1])):
            screen.press("Right" if hour > at[1] else "Left")
        screen.wait_for(re.compile(rf"^ {place}, .* {hour:02}:00-", re.M))

    def test_r4_the_cursor_books_waits_swaps_and_cancels(self):
        _, clerk, (ada, bo) = self.centre("ada", "bo")
        ada.student(0)
        bo.student(1)
        mine = self.page(ada)
        mine.wait_for("Rec Center", "open 06:00-22:00", "desk: here",
                      "you: student, 4 h of 4 h left", re.compile(r"^ +06 07 08 .* 21", re.M),
                      ". free", "x taken", "~ asked")
        mine.press("Tab", "]")
        self.go(mine, "Tennis 1", 8)
        mine.press("+")
        mine.wait_for("08:00-10:00   free   Enter books")
        mine.press("Enter")
        mine.wait_for("free for you; after it 2 h of 4 h")
        mine.answer("y", "Book it? y/n")
        mine.wait_for("Booked: Tennis 1", "you: student, no booking left")
        self.assertEqual([mark(mine, "Tennis 1", hour) for hour in (7, 8, 9, 10)],
                         [".", "+", "+", "."])
        [booked] = ada.bookings()
        self.assertEqual((booked["day"], booked["from"], booked["minutes"]),
                         (day(1), 8 * 60, 120))
        # Another sees it, and waits for it.
        theirs = self.page(bo, size=(80, 24))
        theirs.wait_for("desk: here", "you: student")
        theirs.enter(f"/day {day(1)}")
        theirs.press("Tab")
        self.go(theirs, "Tennis 1", 8)
        theirs.wait_for("08:00-09:00   taken   w waits   s swaps")
        self.assertEqual(mark(theirs, "Tennis 1", 9), "x")
        theirs.press("Enter")
        theirs.wait_for("Others have it then: w waits for it, s asks for a swap.")
        theirs.press("s")
        theirs.wait_for("You have no booking on this page to give for it.")
        theirs.press("w")
        theirs.answer("y", "Wait for it? y/n")
        theirs.wait_for("08:00-09:00, number 1 on the")
        until("it is marked", lambda: mark(theirs, "Tennis 1", 8) == "~", 10)
        # Enter on one's own cancels it, and who waits has it.
        mine.press("Enter")
        mine.wait_for(f"code {booked['code']}: can")
        mine.answer("y", "Cancel it? y/n")
        mine.wait_for("Cancelled: Tennis 1", "you: student, 4 h of 4 h left")
        theirs.wait_for("08:00-09:00   yours   code")
        until("ada sees it", lambda: mark(mine, "Tennis 1", 8) == "x", 10)
        # What is closed says why; no day of another ledger is shown.
        mine.press("g")
        mine.wait_for("[all] /day")
        mine.type("nonsense")
        mine.press("Enter")
        mine.wait_for("nonsense is no day: try /day")
        mine.enter("/day 2031-01-01")
        mine.wait_for("The ledger of now has the days of")
        # What the desk says stands above the chat, until somebody looks at a time.
        clerk.desk("say", "Doors close at nine")
        mine.wait_for("Desk: Doors close at nine")

    def test_a_swap_is_asked_for_by_the_cursor(self):
        _, clerk, (ada, bo) = self.centre("ada", "bo")
        ada.student(0)
        bo.student(1)
        ada.books("Tennis 1", day(2), "10:00")
        bo.books("Tennis 2", day(2), "11:00")
        mine = self.page(bo)
        mine.wait_for("desk: here", "you: student")
        mine.enter(f"/day {day(2)}")
        mine.press("Tab", "n")
        mine.wait_for("11:00-12:00   yours   code")
        self.go(mine, "Tennis 1", 10)
        mine.press("s")
        mine.wait_for("If somebody disappears in the confirming second")
        mine.answer("y", "it? y/n")
        until("ada is asked", lambda: ada.told("bookings", "requests")["swaps"], 20)
        ada.told("bookings", "accept", "1", "--yes")
        until("it is swapped", lambda: (
            mark(mine, "Tennis 1", 10), mark(mine, "Tennis 2", 11)) == ("+", "x"), 20)
