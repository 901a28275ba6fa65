# SPDX-License-Identifier: Apache-2.0
"""`seatagent` without words where no agent runs: four questions, or one, or none."""

import datetime
import json
import os
import time

import terminal
from agent import BINARY, Agent
from case import Case
from terminal import Terminal
from waiting import READING, until

JOIN = "Network: lo 127.0.0.1, this computer alone. Join it? [Y/n]"


class FirstRun(Case):
    def setUp(self):
        super().setUp()
        if not terminal.is_there():
            self.skipTest("needs tmux")
        self.here = self.loopback()
        self.ada = Agent(self.here, "ada", "14C")
        self.addCleanup(self.ada.command, "down")

    def start(self, *options, term="dumb"):
        screen = Terminal(
            self.here, [BINARY, "--profile", "ada", *options], size=(100, 30), term=term)
        self.addCleanup(screen.close)
        return screen

    def is_running(self):
        return self.ada.command("status").returncode == 0

    def finds_its_way(self, screen):
        """Answers the four questions, two of them wrongly at first."""
        screen.wait_for("Welcome aboard. Four questions; nothing leaves this computer until")
        screen.wait_for("Your flight (for example FR202; Enter: a practice flight):")
        screen.enter("hello")
        screen.wait_for('"hello" is not a flight:')
        screen.enter("")
        screen.wait_for("The practice flight: everybody who names none is on it.")
        screen.wait_for("Your seat (for example 14C; with your party 14C,14D):")
        screen.enter("33")
        screen.wait_for('"33" is not a seat on this plane: a seat is a row from 1 to 255 and a')
        screen.enter("14 c")
        screen.wait_for("A name others will see [")
        screen.enter("ada")
        # Nothing but the loopback is here: alone nobody is met, and what to do is said.
        screen.wait_for("This computer is on no network.", "join the Wi-Fi of the cabin")
        self.joins(screen, JOIN)

    def joins(self, screen, question):
        """Presses Enter once the question could be read."""
        screen.wait_for(question)
        self.assertFalse(self.is_running())
        time.sleep(READING)
        screen.enter("")

    def test_an_enter_before_the_last_question_could_be_read_joins_nothing(self):
        screen = self.start()
        for answer in ("", "14C"):
            screen.wait_for("Your seat" if answer else "Your flight")
            screen.enter(answer)
        screen.wait_for("A name others will see [")
        asked = time.monotonic()
        screen.enter("ada")
        screen.wait_for(JOIN)
        screen.enter("")
        if time.monotonic() - asked < 0.5:
            screen.wait_for("That came before the question could be read.")
            self.joins(screen, JOIN)
        screen.wait_for("You are aboard: ada in 14C.")

    def test_a_flight_of_the_list_that_is_near_is_asked_for_first(self):
        tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=24)
        name = f"FR202/{tomorrow.date()}/DUB"
        self.ada.command("flight", "add", name, "--departs", f"{tomorrow:%H:%M}", "--seat", "17A",
                         check=0)
        screen = self.start()
        screen.wait_for(f"FR 202 on {tomorrow.date()} from DUB, in 17A: join it? [Y/n]")
        screen.enter("")
        screen.wait_for("A name others will see [")
        screen.enter("ada")
        self.joins(screen, JOIN)
        screen.wait_for("You are aboard: ada in 17A.")
        status = until("it answers", self.is_running, 20) and self.ada.call("status")
        self.assertEqual(status["flight"]["name"], name)
        self.assertEqual(status["window"]["opening"]["source"], "airline")

    def test_four_questions_and_the_agent_leaves_with_the_view(self):
        screen = self.start()
        self.finds_its_way(screen)
        screen.wait_for("You are aboard: ada in 14C. Looking for others ... nobody yet.")
        screen.wait_for("You are ada")
        status = self.ada.call("status")
        self.assertEqual((status["stays"], status["linger"]), (False, 5))
        self.assertEqual(status["network"]["interface"], "lo")
        screen.enter("/quit")
        self.assertEqual(screen.wait_until_ended(), 0)
        until("the agent has left", lambda: not self.is_running(), 20)
        # Within twelve hours nothing is asked again.
        again = self.start()
        again.wait_for("You are aboard: ada in 14C.")
        self.assertNotIn("?", again.text().split("You are aboard")[0])

    def test_the_full_screen_view_follows_the_questions(self):
        screen = self.start(term="tmux-256color")
        self.finds_its_way(screen)
        until("the view is open", lambda: screen.is_alternate, 15)
        screen.wait_for("ada 14C")

    def test_it_says_who_was_found(self):
        bo = Agent(self.here, "bo", "12A").board()
        # What an earlier start stored names the peer; three days ago it was.
        self.store(["--peer", bo.reached_at], "2026-01-01T00:00:00Z")
        screen = self.start()
        self.joins(screen, "Still 14C? [Y/n]")
        screen.wait_for("You are aboard: ada in 14C. Looking for others ... 1 found in")

    def test_a_network_that_is_gone_is_asked_for_at_once(self):
        # A minute ago.
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 60))
        self.store([], now, interface="wlan9")
        screen = self.start()
        screen.wait_for("wlan9 is not there now.")
        self.joins(screen, JOIN)
        screen.wait_for("You are aboard: ada in 14C.")

    def store(self, options, at, interface="lo"):
        self.ada.command("up", "--seat", "14c", "--name", "ada", "--interface", "lo", *options,
                         check=0)
        self.ada.command("down", check=0)
        path = os.path.join(self.here.env["XDG_STATE_HOME"], "seatagent", "ada", "options.json")
        with open(path) as file:
            stored = json.load(file)
        with open(path, "w") as file:
            stored["options"]["interface"] = [interface]
            json.dump({**stored, "at": at}, file)

    def test_whoever_leaves_at_a_question_has_done_nothing(self):
        for answers in ([], ["FR202", "DUB"], ["", "14C", "ada"]):
            with self.subTest(answers=answers):
                screen = self.start()
                screen.wait_for("Your flight")
                first = ["Your seat"] if not answers or not answers[0] else [
                    "The airport", f"FR202/{time.strftime('%Y-%m-%d')}/DUB. That is today."]
                for answer, question in zip(answers, [*first, "A name", "Network: "]):
                    screen.enter(answer)
                    screen.wait_for(question)
                screen.press("C-d")
                screen.wait_for("Nothing was joined.")
                self.assertEqual(screen.wait_until_ended(), 0)
                self.assertFalse(self.is_running())
        folder = self.here.env["XDG_STATE_HOME"]
        self.assertFalse([f for _, _, files in os.walk(folder) for f in files])

    def test_nobody_is_asked_off_a_terminal(self):
        done = self.ada.command(check=2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.splitlines(), [
            "seatagent: no agent is running, and nobody can be asked for a seat here",
            "  why: standard input is not a terminal",
            "  try: seatagent up --seat 14C --name ada"])
        screen = self.start("--no-input")
        screen.wait_for("why: --no-input was given")
        self.assertEqual(screen.wait_until_ended(), 2)
        self.store(["--port", "7799"], "2026-01-01T00:00:00Z")
        self.assertIn("  try: seatagent up --seat 14c --name ada --interface lo --port 7799",
                      self.ada.command(check=2).stderr)
        self.assertFalse(self.is_running())
