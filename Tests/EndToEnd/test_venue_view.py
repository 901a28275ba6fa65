# SPDX-License-Identifier: Apache-2.0
"""The page of a venue on a whole screen, by real agents: what a person types there, and sees."""

import json
import re

import library
import terminal
from agent import BINARY
from case import Case
from library import Reader
from terminal import Terminal


def words():
    """A library whose places have positions, and one with the name of a passenger's command."""
    value = library.words()
    points = ([52.3681, 4.8889], [52.3633, 4.9116], [52.3553, 4.9576])
    for place, at in zip(value["places"], points):
        place["at"] = at
    return value


class VenueView(Case):
    slow = 12

    def setUp(self):
        super().setUp()
        if not terminal.is_there():
            self.skipTest("needs tmux")

    def readers(self, *names):
        """Readers who know the venue, and the file with its words."""
        place = self.cabin(*names)
        self.given = library.sign(place[names[0]], words())
        return [Reader(place[name]).take(self.given) for name in names]

    def page(self, reader, *argv, size=(80, 24), **more):
        screen = Terminal(
            reader.host, [BINARY, *(argv or ("venue", "open", "uva"))], size=size, **more)
        self.addCleanup(screen.close)
        return screen

    def test_counts_follow_a_check_in_by_the_cursor_and_a_friend_is_marked(self):
        ada, bo, cy = self.readers("ada", "bo", "cy")
        bo.told("profile", "set", "mail", "bo@example.org")
        bo.open()
        cy.open()
        mine = self.page(ada)
        mine.wait_for("UvA study places", "2 within reach", "120 of 120 free", "Tab places")
        self.assertTrue(mine.is_alternate)
        theirs = self.page(bo, size=(120, 40))
        # A wide window has the plan beside the list.
        theirs.wait_for("120 of 120 free", re.compile(r"^\S? *.*┌─+ N ─┐", re.M))
        # Closed rooms and keys of flights say so, and nothing is asked.
        theirs.press("Tab", "3")
        theirs.wait_for("arrows move", "Enter: not here")
        theirs.press("Enter")
        theirs.wait_for("Night room is closed; opens")
        theirs.press("F3")
        theirs.wait_for("Nobody has a seat in a venue.")
        # The first check-in asks whether friends may find them.
        theirs.press("1", "Enter")
        theirs.wait_for("by a key that is new each day")
        theirs.answer("y", "Say that you are at UB Singel? y/n")
        theirs.answer("y", "May people who know bo@example.org find you here? y/n")
        theirs.wait_for("You are at UB Singel since", "119 of 120 free", "you: UB Singel since",
                        re.compile(r"1@"))
        mine.wait_for("119 of 120 free")
        # A friend is found by their address, and marked in the list and on the plan.
        mine.enter("/friend bo@example.org")
        mine.wait_for(
            "bo@example.org is at UB Singel, since", re.compile(r"^.o\* 1 UB Singel", re.M))
        mine.press("Tab", "p")
        mine.wait_for(re.compile(r"1\*"), "p list", gone=["119 of 120 free    open"])
        mine.press("p", "Escape")
        # Somebody else comes and leaves by commands; the screens follow.
        cy.told("checkin", "law")
        mine.wait_for("1 of 2 free")
        theirs.wait_for("1 of 2 free")
        cy.told("checkout")
        mine.wait_for("2 of 2 free")
        # One is at one place at a time; Enter on it checks out.
        theirs.press("2", "Enter")
        theirs.wait_for("You are at UB Singel since", "Enter there checks out.")
        theirs.press("1", "Enter")
        theirs.answer("y", "Say that you left UB Singel? y/n")
        theirs.wait_for("You left UB Singel at", "120 of 120 free", gone=["you: UB Singel"])
        mine.wait_for("120 of 120 free", gone=[re.compile(r"o\* 1 UB Singel")])
        self.assertEqual([stay["name"] for stay in bo.told("activity")["stays"]], ["UB Singel"])
        # Words go to everybody, those about seats nowhere.
        mine.enter("is there coffee?")
        theirs.wait_for("is there coffee?")
        mine.enter("/swap 12A")
        mine.wait_for("/swap is for flights", "Nothing was sent.", "[all] /swap 12A")
        mine.press("C-u")
        mine.enter("/help")
        mine.wait_for("Help", "the places; also Tab on an empty line", gone=["F3", "/swap"])
        mine.press("Escape")
        # /quit leaves the agent, /leave ends it.
        mine.enter("/quit")
        self.assertEqual(mine.wait_until_ended(), 0)
        self.assertEqual(mine.is_restored(), "")
        self.assertEqual(ada.open()["linked"], 2)
        theirs.enter("/leave")
        self.assertEqual(theirs.wait_until_ended(), 0)
        self.assertEqual(bo.told("venue", "leave", "uva", check=3)["code"], "no-agent")

    def test_ways_in_newer_words_and_what_the_agent_refuses(self):
        ada, bo = self.readers("ada", "bo")
        bo.open()
        ada.open()
        # The agent's profile opens the page too, with an agent or without; chat is lines.
        ada.told("venue", "leave", "uva")
        screen = self.page(ada, "--profile", "default_uva", "--ascii")
        screen.wait_for("UvA study places", "120 of 120 free", "Tab places")
        self.assertTrue(screen.text().isascii(), screen.framed())
        said = self.page(ada, "venue", "open", "uva", "--plain")
        said.wait_for("within reach.", "UB Singel    120 of 120 free")
        self.assertFalse(said.is_alternate)
        dumb = self.page(bo, term="dumb")
        dumb.wait_for("within reach.", "UB Singel    120 of 120 free")
        # The operator signs newer words; a reader who has them meets the others.
        value = words()
        value["places"][0]["name"] = "UB Rokin"
        path = library.sign(ada.host, value)
        bo.told("venue", "add", path)
        bo.open()
        screen.wait_for("The operator has changed the words", "UB Rokin", seconds=30)
        # Nothing about seats, by any way.
        for argv in (("seats",), ("swap", "12A", "--yes"), ("offer",), ("requests",),
                     ("wish", "window"), ("match",), ("together",), ("party",)):
            error = bo.told(*argv, "--profile", "default_uva", check=1)
            self.assertEqual(error["code"], "not-now", argv)
            self.assertIn("this agent is in a venue", error["what"])
            self.assertEqual(error["try"], "seatagent venue show uva")
        bo.host.run(["sh", "-c", error["try"].replace("seatagent", BINARY, 1)])
        # The profile of the venue means its user, whose list and stays these are.
        shown = bo.type("venue", "show", "uva", "--profile", "default_uva").stdout
        self.assertIn("UB Rokin", shown)
        offered = bo.host.run(
            [BINARY, "__complete", "--", "--profile", "default_uva", ""]).stdout.split("\n")
        names = {line.split("\t")[0] for line in offered}
        self.assertTrue({"checkin", "say", "peers"} <= names, names)
        self.assertFalse({"swap", "offer", "seats", "up"} & names, names)
        # Plain chat has no word about seats either.
        chat = bo.host.run([BINARY, "chat", "--profile", "default_uva"], input="/help\n")
        self.assertIn("/checkin", chat.stdout)
        self.assertNotIn("/swap", chat.stdout)
        # An agent that is gone is waited for, and the line that is said starts it.
        ada.told("venue", "leave", "uva")
        screen.wait_for("The agent has gone.", re.compile(r"uva\s+starts\s+it"))
        screen.enter("/venue open uva")
        screen.wait_for("within reach.", "The agent answers again.")
        self.assertIn("seatagent venue open uva", self.lost(bo))

    def lost(self, reader):
        """What a command says whose venue has no agent."""
        reader.told("venue", "leave", "uva")
        return json.dumps(reader.told("peers", "--profile", "default_uva", check=3))
