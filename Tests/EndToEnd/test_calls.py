# SPDX-License-Identifier: Apache-2.0
"""What calls a person who looks elsewhere: the bell, the title, a program of their own."""

import os
import unicodedata

from agent import Agent
from peers import PIECES, dressed
from views import BAD, ViewCase
from waiting import until

FOCUS_IN, FOCUS_OUT = "\033[I", "\033[O"


class Calls(ViewCase):
    def called(self, agent, **settings):
        """Sets a program that writes down how it was called; gives what reads that."""
        script = os.path.join(agent.host.folder, "call")
        file = f"{script}.said"
        with open(script, "w") as text:
            text.write("#!/bin/sh\n"
                       f'printf "%s\\0" "$@" >"{file}.new" && mv "{file}.new" "{file}"\n')
        os.chmod(script, 0o755)
        for name, value in {"command": script, **settings}.items():
            agent.command("config", "set", f"notify.{name}", value, check=0)

        def read():
            try:
                with open(file, encoding="utf-8") as said:
                    words = said.read().split("\0")[:-1]
                os.unlink(file)
            except FileNotFoundError:
                return None
            return words
        return read

    def test_who_looks_elsewhere_is_called_once(self):
        ada, bo = self.two()
        read = self.called(ada)
        screen = self.view(ada)
        until("it has a title", lambda: screen.title == "seatagent")
        screen.type(FOCUS_OUT)
        bo.call("msg", "ada", "a secret")
        said = until("the program is called", read)
        self.assertEqual(said, ["Message", "bo (12A) writes to you"])
        until("the title counts", lambda: screen.title == "(1) seatagent")
        until("the bell rings", lambda: screen.bell)
        bo.call("msg", "ada", "another")
        until("the title counts", lambda: screen.title == "(2) seatagent")
        self.assertIsNone(read())
        number = bo.swap("14C")
        until("the title says so", lambda: screen.title == "(!) seatagent")
        screen.type(FOCUS_IN)
        screen.press("M-a")
        screen.wait_for("another")
        ada.call("decline", number)
        until("all is seen", lambda: screen.title == "seatagent")

    def test_who_looks_is_left_alone(self):
        ada, bo = self.two()
        read = self.called(ada)
        screen = self.view(ada)
        screen.type(FOCUS_IN)
        for text in ("hello", "ada, are you there?", "is 14C an aisle?"):
            bo.call("say", text)
            screen.wait_for(text)
        self.assertFalse(screen.bell)
        self.assertEqual(screen.title, "seatagent")
        # Off is off, wherever one looks.
        screen.enter("/notify off")
        screen.wait_until_still()
        screen.type(FOCUS_OUT)
        bo.call("msg", "ada", "psst")
        screen.wait_for("bo 1")
        screen.wait_until_still()
        self.assertFalse(screen.bell)
        self.assertEqual(screen.title, "seatagent")
        self.assertIsNone(read())

    def test_hostile_texts_are_harmless_in_calls_too(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C").board()
        bo = Agent(here, "bo", "12A", peers=[ada]).board()
        bo.wait_for(ada)
        read = self.called(ada, preview="on")
        for row, piece in enumerate(PIECES.values(), 20):
            # Each view calls anew at once; the next within ten seconds would be put together.
            screen = self.view(ada, until_shown=[" seatagent   ada 14C"])
            screen.wait_until_still()
            screen.type(FOCUS_OUT)
            dressed(self, ada, piece, row)
            words = until("the program is called", read)
            self.assertEqual(len(words), 2)
            # One of them has her name in it.
            self.assertIn(words[0], ("Message", "In the cabin"))
            bad = {f"U+{ord(letter):04X}" for letter in "".join(words)
                   if unicodedata.category(letter) in BAD}
            self.assertEqual(bad, set(), words)
            self.assertLess(len(words[1]), 900)
            until("the title counts", lambda: screen.title.endswith(") seatagent"))
            self.assertRegex(screen.title, r"^\(\d\) seatagent$")
            screen.close()
