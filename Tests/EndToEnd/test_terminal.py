# SPDX-License-Identifier: Apache-2.0
"""The terminal driver itself, and the plain chat in a pane, on a dumb terminal, without one."""

import os
import sys
import time

import terminal
from agent import BINARY, Agent
from case import Case
from terminal import Terminal
from waiting import until

#: Takes the screen over, asks for pasted brackets and the mouse, and shows what it reads.
PROBE = r"""
import os, sys, termios, tty
before = termios.tcgetattr(0)
out = lambda text: (sys.stdout.write(text), sys.stdout.flush())
tty.setraw(0)
out("\033[?1049h\033[?25l\033[?2004h\033[?1000h\033[?1006h\033[2J\033[Hready")
row = 2
while True:
    data = os.read(0, 4096)
    if data == b"b":
        out("\a")
    if data == b"t":
        out("\033]2;a title\033\\")
    if data == b"c":
        out("\033[5;1H\033[31mred\033[0m")
    if data == b"s":
        out("\033[6;1H%dx%d" % os.get_terminal_size())
    if data == b"q":
        break
    if data == b"x":
        os._exit(9)
    out("\033[%d;1H%r   \r\n" % (row, data))
out("\033[?1049l\033[?25h\033[?2004l\033[?1000l\033[?1006l")
termios.tcsetattr(0, termios.TCSANOW, before)
sys.exit(3)
"""


class Driver(Case):
    def setUp(self):
        super().setUp()
        if not terminal.is_there():
            self.skipTest("needs tmux")
        self.here = self.loopback()

    def screen(self, argv, **options):
        screen = Terminal(self.here, argv, **options)
        self.addCleanup(screen.close)
        return screen

    def probe(self):
        screen = self.screen([sys.executable, "-B", "-c", PROBE], size=(60, 12))
        screen.wait_for("ready")
        return screen

    def test_it_types_pastes_clicks_resizes_and_sees(self):
        screen = self.probe()
        self.assertTrue(screen.is_alternate)
        self.assertFalse(screen.has_cursor)
        screen.type("é;")
        screen.wait_for(repr("é;".encode()))
        screen.press("F5")
        screen.wait_for(r"\x1b[15~")
        screen.paste("one\ntwo")
        screen.wait_for(r"\x1b[200~one\rtwo\x1b[201~")
        self.assertTrue(screen.click(4, 2))
        screen.wait_for(r"\x1b[<0;5;3M")
        screen.type("c")
        screen.wait_for("red")
        self.assertIn("\033[31mred", screen.colours())
        self.assertFalse(screen.bell)
        screen.type("b")
        until("the bell rings", lambda: screen.bell)
        screen.type("t")
        until("the title is set", lambda: screen.title == "a title")
        for size in ((100, 30), (40, 8), (60, 12)):
            screen.resize(*size)
            self.assertEqual(screen.size, size)
            screen.type("s")
            screen.wait_for("{}x{}".format(*size))
        screen.type("q")
        self.assertEqual(screen.wait_until_ended(), 3)
        self.assertEqual(screen.is_restored(), "")

    def test_it_sees_a_terminal_that_was_left_in_disorder(self):
        screen = self.probe()
        screen.type("x")
        self.assertEqual(screen.wait_until_ended(), 9)
        self.assertEqual(
            screen.is_restored(), "echo, icanon, isig, icrnl, opost, alternate screen on, "
            "no cursor, mouse on")

    def test_it_ends_nothing_but_its_own(self):
        one = self.probe()
        other = self.probe()
        one.close()
        self.assertIn("ready", other.text())

    def test_it_waits_no_longer_than_it_may(self):
        screen = self.probe()
        began = time.monotonic()
        with self.assertRaisesRegex(AssertionError, r"(?s)does not show.*\|ready"):
            screen.wait_for("never", seconds=0.3)
        self.assertLess(time.monotonic() - began, 5)


class PlainChat(Case):
    def aboard(self):
        if not terminal.is_there():
            self.skipTest("needs tmux")
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return here, ada, bo

    def chat(self, agent, **options):
        screen = Terminal(
            agent.host, [BINARY, "chat", "--profile", agent.name], size=(80, 24), **options)
        self.addCleanup(screen.close)
        screen.wait_for("You are")
        return screen

    def assert_talks(self, screen, ada, bo):
        screen.enter("hello from a pane")
        until("bo reads it", lambda: "hello from a pane" in bo.said())
        bo.call("say", "hello back")
        screen.wait_for("hello back")
        self.assertFalse(screen.is_alternate)
        screen.enter("/sawp 12A")
        screen.wait_for("Did you mean /swap? Nothing was sent.")
        self.assertNotIn("sawp", " ".join(bo.said()))
        screen.enter("/quit")
        self.assertEqual(screen.wait_until_ended(), 0)
        self.assertEqual(screen.is_restored(), "")

    def test_in_a_pane(self):
        here, ada, bo = self.aboard()
        self.assert_talks(self.chat(ada), ada, bo)

    def test_on_a_dumb_terminal_there_is_no_escape(self):
        here, ada, bo = self.aboard()
        screen = self.chat(ada, term="dumb")
        self.assert_talks(screen, ada, bo)
        self.assertNotIn("\033", screen.colours().replace("\033[0m", "").replace("\033[39m", ""))

    def test_without_a_terminal_lines_come_and_end_with_the_input(self):
        here, ada, bo = self.aboard()
        reader, writer = os.pipe()
        chat = ada.host.popen(
            [BINARY, "chat", "--profile", "ada"], log="chat.log", stdin=reader)
        os.close(reader)
        log = here.logs[-1]
        until("it greets", lambda: "You are" in here.text(log))
        bo.call("say", "are you there?")
        until("the line comes", lambda: "are you there?" in here.text(log))
        os.write(writer, b"yes\n")
        until("bo reads it", lambda: "yes" in bo.said())
        os.close(writer)
        self.assertEqual(chat.wait(10), 0)
        self.assertNotIn("\033", here.text(log))
