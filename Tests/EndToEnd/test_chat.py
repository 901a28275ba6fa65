# SPDX-License-Identifier: Apache-2.0
"""The plain chat: lines that are only added, marks, requests by number, nothing that acts."""

import os
import pty
import re
import select
import subprocess
import time

import terminal
from agent import BINARY, Agent
from case import Case
from waiting import READING, TimeRanOut, until


class Typed:
    """`seatagent chat` on a terminal of its own; every byte that it writes is kept."""

    def __init__(self, agent, *argv, term="xterm-256color"):
        leader, follower = pty.openpty()
        self.process = subprocess.Popen(
            agent.host.argv([BINARY, "chat", *argv, "--profile", agent.name]),
            env={**agent.host.env, "TERM": term}, stdin=follower, stdout=follower,
            stderr=follower, start_new_session=True)
        os.close(follower)
        self.leader = leader
        self.bytes = b""
        self.seen = 0

    def wait_for(self, *patterns, seconds=15):
        """Until what came since the last wait has all of these in their order."""
        pattern = "(?s)" + ".*".join(patterns)
        end = time.monotonic() + seconds
        while True:
            text = self.bytes[self.seen:].decode(errors="replace")
            found = re.search(pattern, text)
            if found:
                self.seen += len(text[:found.end()].encode())
                return found[0]
            if time.monotonic() > end:
                raise TimeRanOut(f"the chat does not say {pattern!r}: {text!r}")
            if select.select([self.leader], [], [], 0.2)[0]:
                try:
                    self.bytes += os.read(self.leader, 4096)
                except OSError:
                    raise TimeRanOut(f"the chat ended without {pattern!r}: {text!r}") from None

    def type(self, text):
        os.write(self.leader, text.encode())

    def answer(self, text):
        """Answers the question that stands: what comes before it could be read is no answer."""
        time.sleep(READING)
        self.type(text)

    def leave(self):
        self.type("/quit\n")
        status = self.process.wait(10)
        os.close(self.leader)
        return status


class Chat(Case):
    def aboard(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def test_two_people_swap_by_lines(self):
        ada, bo = self.aboard()
        one, other = Typed(ada, term="dumb"), Typed(bo)
        one.wait_for(r"You are ada #\w+ \(14C\), talking to everyone\. 1 aboard\.", "/help")
        other.wait_for("You are bo", "/help")
        one.type("is 12A a window?\n")
        one.wait_for(r"is 12A a window\?\r\n  ✓\r\n")
        other.wait_for(r"\d\d:\d\d  ada \(14C\)  is 12A a window\?\r\n")
        other.type("/me nods\n")
        one.wait_for(r"bo \(12A\)  \* bo nods")
        # No is what Enter says, and what anything but y says.
        for answer, said in (("\n", ""), ("okay\n", '"okay" is neither y nor n.')):
            one.type("/swap 12A aisle for window\n")
            one.wait_for(r"Ask bo #\w+ \(12A\) to swap your 14C \(aisle\) for 12A \(window\)\? y/n")
            one.type(answer)
            one.wait_for(said, r"Nothing was sent\.")
        # Nor is it read at once; on a busy machine it may have stood there for long.
        for _ in range(5):
            one.type("/swap 12A\n")
            one.wait_for("y/n")
            one.type("n\n")
            if one.wait_for("could be read|Nothing was sent").endswith("read"):
                break
        one.wait_for("y/n")
        one.answer("n\n")
        one.wait_for(r"Nothing was sent\.")
        # What was typed before the question stood there is no answer, and is a line of its own.
        one.type("/swap 12A\ny\n")
        one.wait_for("y/n")
        one.type("\n")
        one.wait_for(r"Nothing was sent\.")
        other.wait_for(r"ada \(14C\)  y\r\n")
        self.assertEqual(bo.call("requests", "--all")["requests"], [])
        one.type("/swap 12A aisle for window\n")
        one.wait_for("y/n")
        one.answer("y\n")
        one.wait_for(r"Go on\? y/n")
        one.answer("y\n")
        one.wait_for("Request 1: you ask bo")
        other.wait_for(r"\* request 1  ada #\w+ \(14C\) asks for your 12A and gives 14C  "
                       r'"aisle for window".*/accept 1\r\n')
        # Whoever comes later is told what waits for them.
        self.assertEqual(other.leave(), 0)
        other = Typed(bo)
        other.wait_for(r"\* request 1  ada", "/accept 1")
        other.type("/accept 1\n")
        other.wait_for(r"Give your 12A \(window\) to ada #\w+ \(14C\) and take 14C \(aisle\)\? y/n")
        other.answer("y\n")
        for chat in (one, other):
            chat.wait_for(r"Swapped: ada is now in 12A, bo in 14C\. Receipt 1, signed by both\.")
        for chat in (one, other):
            self.assertEqual(chat.leave(), 0)
            self.assertNotIn(b"\033", chat.bytes)
            controls = set(chat.bytes) & (set(range(32)) - {10, 13})
            self.assertEqual(controls, set())

    def test_whom_one_talks_to_can_change(self):
        ada, bo = self.aboard()
        chat = Typed(ada)
        chat.wait_for("/help")
        chat.type("/to bo\n")
        chat.wait_for(r"Now talking to bo #\w+ \(12A\)\.")
        chat.type("psst\n")
        chat.wait_for(r"to bo \(12A\): psst  ✓")
        chat.type("/to all\n")
        chat.wait_for("Now talking to everyone")
        chat.type("/to zed\n")
        chat.wait_for("no passenger is called zed")
        # What was meant for somebody else is not said to everyone.
        chat.type("private\n")
        chat.wait_for(r"Not sent: say first to whom")
        chat.type("/to all\n")
        chat.wait_for("Now talking to everyone")
        bo.call("rename", "bob")
        chat.wait_for(r"\* bo is now called bob \(12A\)")
        # A paste is lines, each for itself; what is no command is not sent with the others.
        chat.type("one\n/tow\nthree\n")
        chat.wait_for(r"No command /tow\. Did you mean /to\? Nothing was sent\.", "✓")
        until("bo has two of them", lambda: {"one", "three"} <= set(bo.said()))
        chat.type("/search psst\n")
        # They are called what they were called then; what came within one second came together.
        chat.wait_for(r"\d\d:\d\d  to bo(b| #\w+) \(12A\): psst")
        chat.type("/name ada l.\n")
        chat.wait_for(r"Others now see you as ada l\.")
        chat.type("/seat 3A\n")
        chat.wait_for(r"Tell everyone that you sit in 3A and not in 14C\? y/n")
        chat.answer("y\n")
        chat.wait_for("14C is not yours any more")
        until("the map says so", lambda: bo.held() == {"12A": "bob", "3A": "ada l."})
        self.assertEqual(chat.leave(), 0)
        texts = {item["text"]: item["event"] for item in bo.call("log")["items"]
                 if item.get("text")}
        self.assertEqual(texts, {"psst": "message", "one": "chat", "three": "chat"})

    def test_it_says_before_when_nobody_is_there(self):
        ada = Agent(self.loopback(), "ada", "14C").board()
        chat = Typed(ada)
        chat.wait_for(r"No one else is aboard yet\.")
        chat.type("hello?\n")
        chat.wait_for(r"No one else is aboard yet\. Whoever comes later will read it\.\r\n  !")
        self.assertEqual(chat.leave(), 0)

    def test_a_message_to_somebody_out_of_reach_waits(self):
        ada, bo = self.aboard()
        bo.leave()
        until("ada sees it", lambda: ada.call("status")["linked"] == 0)
        chat = Typed(ada, "bo")
        chat.wait_for("talking to bo")
        chat.type("see you\n")
        chat.wait_for(r"bo #\w+ \(12A\) is out of reach: it waits here until that changes\.",
                      r"  …\r\n")
        bo.board()
        chat.wait_for(r"to bo \(12A\): see you  ✓", seconds=30)
        self.assertEqual(chat.leave(), 0)

    def test_a_pipe_gets_lines_with_their_marks_and_no_questions(self):
        ada, bo = self.aboard()
        bo.call("swap", "14C")
        number = ada.incoming()
        done = ada.command(
            "chat", check=0, input=f"hello\n/accept {number}\n/seat 3A\n/help\n/status\n"
            "/together\n")
        self.assertRegex(done.stdout, r"\d\d:\d\d  ada \(14C\)  hello  ✓\n")
        # Commands are named as they are typed here.
        self.assertIn(f"try: /accept {number} --yes", done.stderr)
        self.assertIn("try: /party new", done.stderr)
        self.assertIn("Nobody can be asked here: /claim 3A and /release 14C do it.", done.stderr)
        self.assertIn("/to WHO|all", done.stdout)
        self.assertEqual(ada.request(number)["state"], "open")
        self.assertNotIn("\033", done.stdout + done.stderr)
        ada.command("chat", check=0, input=f"/accept {number} --yes\n")
        until("they have swapped", lambda: ada.held() == {"12A": "ada", "14C": "bo"}, 15)


class LateReader(Case):
    slow = 20

    def test_a_latecomer_reads_the_talk_of_four_in_order(self):
        names = {"ada": "14C", "bo": "12A", "cy": "20F", "dee": "3A"}
        cabin = self.cabin(*names)
        agents = [Agent(cabin[name], name, seat) for name, seat in names.items()]
        ada = agents[0].board()
        for agent in agents[1:]:
            agent.options += ["--peer", ada.reached_at]
            agent.board()
        for agent in agents:
            agent.wait_for(*[other for other in agents if other is not agent])
        said = []
        for turn in range(12):
            # Not one author after the other, and each has read what came before.
            speaker = agents[(3, 0, 2, 1, 0, 3)[turn % 6]]
            said.append(f"{speaker.name} says {turn}")
            speaker.call("say", said[-1])
            for agent in agents:
                until(f"{agent.name} reads it", lambda agent=agent: agent.said() == said)
        eve = Agent(cabin.plug_in("eve"), "eve", "1A", peers=[ada])
        eve.board()
        watch = eve.watch("chat")
        until("eve reads all in order", lambda: eve.said() == said, 20)
        # And so does whoever looks at the lines, or at the plain chat's words for them.
        lines = [line for line in eve.command("log", check=0).stdout.splitlines()
                 if " says " in line]
        self.assertEqual([line.split("  ")[-1] for line in lines], said)
        self.assertNotIn("late", "".join(lines))
        if terminal.is_there():
            screen = terminal.Terminal(eve.host, [BINARY, "--profile", "eve"], size=(100, 40))
            self.addCleanup(screen.close)
            screen.wait_for("dee says 0", "dee says 11")
            shown = re.findall(r"\w+ says \d+", screen.text())
            self.assertEqual(shown, said)
        items = [item for item in eve.call("log")["items"] if item.get("text")]
        stated = [item["said_at"] for item in items]
        self.assertEqual(stated, sorted(stated))
        ada.call("say", "welcome, eve")
        until("eve reads it below", lambda: eve.said() == [*said, "welcome, eve"])
        until("and is told of it", lambda: any(
            event.get("text") == "welcome, eve" for event in watch.events))
        heard = [event["text"] for event in watch.events if event.get("text")]
        self.assertEqual(heard, [*said, "welcome, eve"][-len(heard):])
        watch.end()
        # A start from the disk keeps the order.
        eve.leave()
        eve.board()
        self.assertEqual(eve.said(), [*said, "welcome, eve"])
