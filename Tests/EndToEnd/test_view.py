# SPDX-License-Identifier: Apache-2.0
"""The full-screen view in a real terminal: what a person types, and what they see."""

import re
import signal

from agent import BINARY, Agent
from program import has_hooks
from sgr import cell, colour
from terminal import ANSWERABLE, Terminal
from views import ViewCase
from waiting import until

SIZES = ((120, 40), (80, 24), (60, 16), (50, 10))


class Talking(ViewCase):
    def test_chat_goes_both_ways(self):
        ada, bo = self.two()
        screen = self.view(ada)
        self.golden(screen, "start-80x24", "F3: sit together")
        screen.enter("hello bo, is 12A a window?")
        until("bo reads it", lambda: "hello bo, is 12A a window?" in bo.said())
        screen.wait_for("is 12A a window? ", "✓")
        bo.call("say", "it is: 座席を交換 naïve ✈")
        self.golden(screen, "chat-80x24", "座席を交換 naïve ✈")
        screen.press("M-Enter")
        screen.type("two")
        screen.wait_for("2 lines: Enter sends")
        screen.press("C-c")
        screen.enter("/me waves")
        until("bo reads it", lambda: any("waves" in text for text in bo.said()))
        bo.call("say", "Ada, are you there?")
        screen.wait_for(re.compile("@ +bo 12A  Ada, are you there"))
        screen.enter("/msg bo psst")
        screen.wait_for(re.compile(r"- +to bo \(12A\): psst .*✓$", re.M))

    def test_a_message_has_its_own_conversation(self):
        ada, bo = self.two()
        screen = self.view(ada)
        bo.call("msg", "ada", "psst, ada")
        screen.wait_for("bo 1", "1 unread")
        screen.press("M-a")
        screen.wait_for("[bo]", "psst, ada", gone=["unread"])
        screen.enter("what?")
        until("bo reads it", lambda: "what?" in bo.said())
        self.golden(screen, "message-80x24", "what?", "✓")
        screen.press("M-1")
        screen.wait_for("[all]", gone=["psst, ada"])

    def test_a_paste_of_three_lines_is_one_block(self):
        ada, bo = self.two()
        screen = self.view(ada)
        screen.paste("one\ntwo\nthree")
        self.golden(screen, "paste-80x24", "3 lines: Enter sends, Ctrl-X Ctrl-E edits")
        self.assertEqual(bo.said(), [])
        screen.press("Enter")
        until("bo reads one text", lambda: bo.said() == ["one\ntwo\nthree"])
        screen.wait_for("three", gone=["3 lines"])

    def test_an_unknown_command_is_never_sent(self):
        ada, bo = self.two()
        screen = self.view(ada)
        screen.enter("/sawp 12A")
        screen.wait_for("No command /sawp. Did you mean /swap? Nothing was sent.", "/sawp 12A")
        screen.press("C-c")
        screen.enter("//sawp 12A")
        # What came after it has arrived, so the other would have too.
        until("bo reads the second", lambda: bo.said() == ["/sawp 12A"])
        self.assertEqual(ada.said(), ["/sawp 12A"])

    def test_tab_completes_and_the_editor_edits(self):
        ada, bo = self.two()
        script = f"{ada.host.folder}/editor"
        with open(script, "w") as file:
            file.write("#!/bin/sh\nsed s/tea/coffee/ \"$1\" >\"$1.n\" && cat \"$1.n\" >\"$1\"\n")
        screen = self.view(ada, env={"VISUAL": f"sh {script}"})
        screen.type("/rec")
        screen.press("Tab")
        screen.wait_for("[all] /receipt")
        screen.press("C-u")
        screen.type("tea for b")
        screen.press("Tab")
        screen.wait_for("tea for bo")
        screen.press("C-x", "C-e")
        screen.wait_for("coffee for bo")
        self.assertTrue(screen.is_alternate)
        screen.press("Enter")
        until("bo reads it", lambda: [text.strip() for text in bo.said()] == ["coffee for bo"])

    def test_help_and_what_commands_print_are_pages(self):
        ada, bo = self.two()
        screen = self.view(ada)
        screen.press("F1")
        screen.wait_for("Help", "F5")
        screen.press("Escape")
        screen.wait_for(gone=["Help"])
        screen.enter("/who bo")
        screen.wait_for("/who bo", "12A", "claimed only")
        screen.press("Escape")
        screen.wait_for("Enter send", gone=["claimed only"])


class Swapping(ViewCase):
    def test_a_stray_key_puts_a_question_away(self):
        ada, bo = self.two()
        screen = self.view(ada)
        screen.enter("/swap 12A aisle for window")
        screen.wait_for("for 12A (window)? y/n", ANSWERABLE)
        screen.type("okay")
        screen.wait_for("[all] /swap 12A aisle for windowkay", gone=["y/n"])
        self.assertEqual(ada.call("requests", "--all")["requests"], [])
        bo.swap("14C")
        screen.wait_for("F5 answer")
        screen.press("F5", "a")
        screen.wait_for("y/n", ANSWERABLE)
        screen.press("Space", "y")
        screen.wait_for("[all] /swap 12A aisle for windowkayy", gone=["y/n"])
        self.assertEqual(ada.request(ada.incoming())["state"], "open")
        # Codes to compare come by themselves: what is being typed goes on.
        screen.press("C-c")
        waits = bo.begin("verify", "ada")
        self.addCleanup(waits.communicate)
        self.addCleanup(waits.kill)
        screen.enter("/verify bo")
        screen.wait_for("read the same numbers?", ANSWERABLE)
        screen.type("hello")
        screen.wait_for("[all] hello", "F5 answer", gone=[ANSWERABLE])

    def test_a_request_with_y_and_n_then_the_swap(self):
        ada, bo = self.two()
        screen, other = self.view(ada), self.view(bo)
        screen.enter("/swap 12A aisle for window")
        screen.wait_for("Ask bo", "to swap your 14C (aisle) for 12A (window)? y/n")
        screen.answer("x")
        screen.wait_for("Your line is back.", "[all] /swap 12A aisle for window")
        screen.press("Enter")
        screen.answer("n")
        screen.wait_for("Nothing was sent.")
        self.assertEqual(ada.call("requests", "--all")["requests"], [])
        screen.press("Up", "Enter")
        self.golden(screen, "question-80x24", "for 12A (window)? y/n", ANSWERABLE)
        screen.answer("y", "for 12A (window)? y/n")
        # Whoever is asked votes last, and nobody has verified bo.
        screen.wait_for("Nobody has verified them: if bo", "14C is stuck", "Go on? y/n")
        screen.answer("y")
        self.golden(other, "asked-80x24", "asks for your 12A", "1 request", "F5 answer")
        other.press("F5")
        self.golden(other, "box-80x24", "a accept", "aisle for window")
        # Esc puts it off, and changes nothing.
        other.press("Escape")
        other.wait_for("F5 answer", gone=["a accept"])
        other.press("F5", "a")
        other.answer("n")
        other.wait_for("Nothing was sent.")
        self.assertEqual(bo.request(1)["state"], "open")
        other.press("F5", "a")
        other.answer("y")
        screen.wait_for(" seatagent   ada 12A")
        other.wait_for(" seatagent   bo 14C")
        self.golden(screen, "swapped-80x24", "ada is now in 12A", gone=["1 request"])
        self.assertEqual(ada.held(), {"12A": "ada", "14C": "bo"})

    def test_a_request_is_declined(self):
        ada, bo = self.two()
        screen = self.view(bo)
        ada.swap("12A")
        screen.wait_for("F5 answer")
        screen.enter("/decline 1 no thanks")
        screen.wait_for("y/n")
        self.assertEqual(bo.request(1)["state"], "open")
        screen.answer("y")
        until("it is declined", lambda: ada.request(1)["state"] == "declined")
        screen.wait_for(gone=["F5 answer"])

    def test_a_seat_that_two_claim(self):
        ada, bo = self.two()
        cy = Agent(ada.host, "cy", "12A", peers=[ada, bo]).board()
        until("ada sees both", lambda: ada.held()["12A"] == {"bo", "cy"})
        self.assertTrue(cy.answers())
        screen = self.view(ada)
        screen.press("F2")
        screen.wait_for("[@]", "arrows move")
        screen.type("12A")
        # They stand in the order of their keys.
        self.golden(screen, "disputed-80x24", "12A  claimed by", "[?]",
                    alike=("bo #tttt and cy #tttt", "cy #tttt and bo #tttt"))
        screen.press("Enter")
        screen.wait_for("12A is claimed by two")
        screen.press("Escape")
        screen.wait_for("Enter send")
        screen.enter("/swap 12A")
        screen.wait_for("claimed by more than one passenger")
        self.assertEqual(ada.call("requests", "--all")["requests"], [])

    def test_the_mouse_works_in_the_cabin_only(self):
        ada, bo = self.two()
        screen = self.view(ada)
        self.assertFalse(screen.wants_mouse)
        screen.press("Tab")
        until("the cabin wants the mouse", lambda: screen.wants_mouse)
        screen.wait_for("[@]", "arrows move")
        # 12A: the twelfth row from the nose, the lowest letter.
        self.assertTrue(screen.click(5 + 2 * 11, 8))
        screen.wait_for("[o]", "12A  bo #")
        # A finger that rests on the button, and a button that means nothing, stop nothing.
        screen.click(5 + 2 * 12, 8, ends=["press"])
        screen.wait_for("13A  nobody is known here")
        screen.click(5 + 2 * 12, 8, ends=["release"])
        screen.click(5 + 2 * 12, 8, button=2)
        bo.call("say", "still there?")
        screen.wait_for("still there?")
        screen.click(5 + 2 * 11, 8)
        screen.wait_for("[o]", "12A  bo #")
        screen.click(5 + 2 * 11, 8)
        screen.wait_for("to swap your 14C (aisle) for 12A (window)? y/n")
        screen.answer("n")
        screen.wait_for("Nothing was sent.")
        screen.press("Escape")
        until("the mouse is free again", lambda: not screen.wants_mouse)
        self.assertEqual(ada.call("requests", "--all")["requests"], [])


class Windows(ViewCase):
    def test_it_fits_every_size_at_once(self):
        ada, bo = self.two()
        screen = self.view(ada, size=SIZES[0])
        bo.call("say", "anyone want a window?")
        screen.wait_for("anyone want a window?")
        screen.type("half a li")
        for size in SIZES + SIZES[-2::-1]:
            screen.resize(*size)
            name = "{}x{}".format(*size)
            if size[0] >= 60:
                screen.wait_for(" seatagent   ada 14C")
            else:
                screen.wait_for("make the window 60x16 for the cabin")
            self.golden(screen, f"resized-{name}", "half a li", "anyone want a window?")
        screen.enter("ne")
        until("bo reads it", lambda: "half a line" in bo.said())

    def test_without_colours_the_letters_stay(self):
        ada, bo = self.two()
        coloured = self.view(ada)
        coloured.wait_until_still()
        self.assertRegex(coloured.colours(), r"\033\[[0-9;]*(38|48|3[1-7]|4[1-7])[;m]")
        for more in ({"env": {"NO_COLOR": "1"}}, {"term": "vt100"}):
            plain = self.view(ada, **more)
            plain.wait_until_still()
            self.assertNotRegex(plain.colours(), r"\033\[[0-9;]*(38|48|3[1-7]|4[1-7])[;m]")
            self.assertEqual(plain.lines()[1:9], coloured.lines()[1:9])

    def test_marks_have_letters_first_and_colours_as_pairs(self):
        ada, bo = self.two()
        grounds = {"tmux-256color": (25, 214, 121, 161), "screen": (4, 3, 6, 1), "vt100": None}
        for term, numbers in grounds.items():
            screen = self.view(ada, term=term)
            screen.wait_until_still()
            lines = screen.colours().split("\n")
            # The legend has all of them, each on a line of its own.
            for y, mark in zip((2, 3, 4, 5, 7, 8), "@oSW!?"):
                letter, pen = cell(lines, 70, y)
                self.assertEqual(letter, mark)
                if mark == "@":
                    self.assertTrue(pen.reversed and pen.bold)
                elif mark == "?":
                    self.assertTrue(pen.underlined and pen.bold)
                elif numbers is None:
                    self.assertEqual((pen.text, pen.ground), (None, None))
                else:
                    self.assertEqual(pen.ground, colour(numbers["oSW!".index(mark)]), mark)
                    self.assertIsNotNone(pen.text)
            # Text keeps the terminal's own colours: nobody knows whether it is dark or light.
            for text in ("joined", "Enter send"):
                y = next(y for y, line in enumerate(screen.lines()) if text in line)
                _, pen = cell(lines, screen.lines()[y].index(text), y)
                self.assertEqual((pen.text, pen.ground), (None, None))
            screen.close()

    def test_it_is_the_same_whatever_the_language_is(self):
        ada, bo = self.two()
        bo.call("say", "座席 naïve ✈")
        for env in ({"LC_ALL": "C"}, {"LC_ALL": "", "LANG": ""}, {"LANG": "xx_YY.ISO-8859-1"}):
            screen = self.view(ada, env=env)
            screen.wait_for("座席 naïve ✈")
            self.assert_undisturbed(screen, ada)
            screen.enter("é")
            until("bo reads it", lambda: "é" in bo.said())
            screen.close()

    def test_ascii_only(self):
        ada, bo = self.two()
        screen = self.view(ada, "--ascii")
        bo.call("say", "hello")
        self.golden(screen, "ascii-80x24", "hello")
        self.assertTrue(screen.text().isascii())

    def test_where_no_screen_can_be_drawn_there_are_lines(self):
        ada, bo = self.two()
        for term in ("dumb", None):
            screen = self.view(ada, term=term, until_shown=["You are ada"])
            self.assertFalse(screen.is_alternate)
            bo.call("say", f"to {term}")
            screen.wait_for(f"to {term}")
            screen.enter("/quit")
            self.assert_leaves(screen)
        done = ada.host.run([BINARY, "--profile", "ada"], input="from a pipe\n/quit\n")
        self.assertIn("You are ada", done.stdout + done.stderr)
        self.assertNotIn("\033", done.stdout + done.stderr)
        until("bo reads it", lambda: "from a pipe" in bo.said())


class Leaving(ViewCase):
    def test_control_c_clears_then_says_how_then_leaves(self):
        ada, bo = self.two()
        screen = self.view(ada)
        screen.type("never sent")
        screen.wait_for("[all] never sent")
        screen.press("C-c")
        screen.wait_for(gone=["never sent"])
        screen.press("C-c")
        screen.wait_for("Ctrl-C again leaves")
        # Another key in between, and it has to be said again.
        screen.type("x")
        screen.press("BSpace", "C-c")
        screen.wait_for("Ctrl-C again leaves")
        screen.press("C-c")
        self.assert_leaves(screen)
        self.assertEqual(ada.call("status")["me"]["name"], "ada")
        self.assertEqual(bo.said(), [])

    def test_quit_leaves_the_agent_and_leave_stops_it(self):
        ada, bo = self.two()
        screen = self.view(ada)
        screen.enter("/quit")
        self.assert_leaves(screen)
        self.assertTrue(ada.answers())
        screen = self.view(ada)
        screen.enter("/leave")
        screen.wait_until_ended()
        self.assertEqual(screen.is_restored(), "")
        self.assertEqual(ada.process.wait(15), 0)

    def test_signals_leave_the_terminal_in_order(self):
        ada, bo = self.two()
        for number in (signal.SIGTERM, signal.SIGHUP):
            screen = self.view(ada)
            screen.signal(number)
            screen.wait_until_ended()
            self.assertEqual(screen.is_restored(), "")

    def test_a_trap_leaves_the_terminal_in_order(self):
        if not has_hooks():
            self.skipTest("needs a debug build, which alone can be told to trap")
        ada, bo = self.two()
        screen = self.view(ada, env={"SEATAGENT_VIEW_TRAP": "1"})
        screen.press("F2")
        screen.wait_for("arrows move")
        screen.press("F12")
        self.assertGreater(screen.wait_until_ended(), 128)
        self.assertEqual(screen.is_restored(), "")
        self.assertTrue(ada.answers())

    def test_control_z_and_fg(self):
        ada, bo = self.two()
        screen = Terminal(
            ada.host, ["bash", "--norc", "--noprofile", "-i"], shell=True, env={"PS1": "ready> "})
        self.addCleanup(screen.close)
        screen.wait_for("ready>")
        screen.enter(f"{BINARY} --profile ada")
        screen.wait_for(" seatagent   ada 14C")
        screen.type("half")
        screen.wait_for("[all] half")
        screen.press("C-z")
        screen.wait_for("Stopped", gone=["Enter send"])
        self.assertFalse(screen.is_alternate)
        bo.call("say", "while it slept")
        screen.enter("stty -a | grep -o ' echo ' && fg")
        screen.wait_for("while it slept", "[all] half", " seatagent   ada 14C")
        self.assertTrue(screen.is_alternate)
        screen.press("C-c", "C-c", "C-c")
        screen.wait_for("ready>", gone=["while it slept"])
        screen.enter("echo status $?")
        screen.wait_for("status 0")

    def test_the_agent_is_killed_while_the_view_runs(self):
        ada, bo = self.two()
        screen = self.view(ada)
        screen.type("kept")
        screen.wait_for("[all] kept")
        ada.kill()
        self.golden(screen, "lost-80x24", "The agent has gone.", "[all] kept")
        ada.board()
        ada.wait_for(bo)
        screen.wait_for("[all] kept", "The agent answers again.", seconds=20)
        screen.press("Enter")
        until("bo reads it", lambda: "kept" in bo.said())
