# SPDX-License-Identifier: Apache-2.0
"""What newcomers tripped over, one by one, as they typed it."""

import os
import re
import subprocess

from agent import BINARY, Agent
from case import Case
from waiting import until


class Newcomers(Case):
    def aboard(self, name="bo", seat="12A"):
        here = self.loopback()
        bo = Agent(here, name, seat).board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def typed(self, agent, line, timeout=20):
        """What a shell makes of a line that the program told to try."""
        path = f"{os.path.dirname(BINARY)}:{agent.host.env['PATH']}"
        return agent.host.run(
            ["sh", "-c", line], check=False, timeout=timeout,
            env={"PATH": path, "SEATAGENT_PROFILE": agent.name})

    def advice(self, done):
        return re.search(r"^  try: (.*)$", done.stderr, re.M)[1]

    def test_answers_say_what_was_asked_for(self):
        ada, bo = self.aboard()
        # A name where a seat belongs.
        failed = ada.command("swap", "bo", check=4, asks=True)
        self.assertRegex(failed.stderr, r"\n  why: bo #\w{4} sits in 12A\n")
        self.assertEqual(self.advice(failed), "seatagent swap 12A")
        # What is over is over, also without the options of a counter-offer.
        number = ada.swap("12A")
        request = bo.incoming()
        ada.command("cancel", number, check=0)
        until("bo sees it", lambda: bo.request(request)["state"] == "withdrawn")
        for more in ((), ("--take", "14C")):
            failed = bo.command("counter", request, *more)
            self.assertIn(f"request {request} can no longer be countered", failed.stderr)
            self.assertRegex(failed.stderr, r"why: .* withdrew it ")
        # Oneself.
        shown = ada.command("who", "ada", check=0).stdout
        self.assertIn("that is you", shown)
        self.assertIn("Here    your own agent\n", shown)
        self.assertNotIn("out of reach", shown)
        # An error of one command is no reason to read about another.
        for argv in (("log", "--since", "x"), ("peers", "--timeout", "x"),
                     ("swap", "12A", "--expires", "x"), ("requests", "--timeout", "x")):
            failed = ada.command(*argv, check=2, asks=True)
            self.assertEqual(self.advice(failed), f"seatagent help {argv[0]}")

    def test_names_are_no_seats_and_no_words_for_others(self):
        ada, bo = self.aboard()
        for name in ("12A", "3f", "all", "Me", "everyone", "#c2d9"):
            failed = bo.command("rename", name, check=2)
            self.assertRegex(failed.stderr, r"nobody here is called .*\n  why: ")
            # Own seat, nobody's name: it works as printed.
            self.assertEqual(self.advice(failed), "seatagent rename passenger-12a")
        self.assertEqual(self.typed(bo, self.advice(failed)).returncode, 0)
        cy = Agent(ada.host, "cy", "20F")
        failed = cy.command("up", "--seat", "20F", "--name", "14C", *cy.options)
        self.assertIn("nobody here is called 14C\n  why: it is a seat, and no name", failed.stderr)
        self.assertEqual(self.advice(failed), "seatagent up --seat 20F")

    def test_lines_to_try_name_nobody_else(self):
        ada, bo = self.aboard()
        cy = Agent(ada.host, "cy", "20F", port=bo.port)
        typed = ("up", "--seat", "20F", "--name", "cy", *cy.options)
        failed = cy.command(*typed, "--port", bo.port)
        self.assertIn(f"port {bo.port} cannot be used", failed.stderr)
        self.assertEqual(self.advice(failed), "seatagent up --seat 20F --name cy --port 0")
        failed = cy.command(
            "up", "--seat", "20F,20E,20D,20C,20B,20A,21F,21E,21D,21C", *cy.options)
        self.assertEqual(
            self.advice(failed), "seatagent up --seat 20F,20E,20D,20C,20B,20A,21F,21E,21D")
        self.assertEqual(self.advice(ada.command("verify", check=2)), "seatagent peers")
        failed = ada.command("verify", "bo", "--key", "x", check=2)
        self.assertEqual(self.advice(failed), "seatagent who bo --key")
        self.assertRegex(self.typed(ada, self.advice(failed)).stdout, r"^(\w{7}-){7}\w{7}\n")

    def test_old_requests_keep_the_seats_and_names_of_their_time(self):
        ada, bo = self.aboard()
        declined = ada.swap("12A", "--note", "please")
        bo.call("decline", bo.incoming(), "--note", "no, sorry")
        until("it is over", lambda: ada.request(declined)["state"] == "declined")
        number = ada.swap("12A")
        bo.call("accept", bo.incoming(), "--yes", "--wait")
        for agent in (ada, bo):
            until(f"{agent.name} sees the swap",
                  lambda agent=agent: agent.held() == {"12A": "ada", "14C": "bo"}
                  and agent.request(number)["state"] == "final")
        ada.call("rename", "lovelace")
        until("bo knows", lambda: "lovelace" in bo.held().values())
        shown = ada.command("requests", "--all", check=0).stdout
        self.assertEqual(
            2, len(re.findall(r"you ask bo #\w{4} \(12A\) for 12A and give 14C", shown)), shown)
        shown = bo.command("requests", "--all", check=0).stdout
        self.assertEqual(2, len(re.findall(
            r"ada #\w{4} \(14C\) asks for your 12A and gives 14C", shown)), shown)
        self.assertNotIn("lovelace", shown)
        self.assertIn("lovelace", bo.command("peers", check=0).stdout)

    def test_a_stream_ends_with_its_reader(self):
        ada, bo = self.aboard()
        for argv in ("watch", "log --follow"):
            with self.subTest(argv):
                process = subprocess.Popen(
                    ada.host.argv(["sh", "-c", f"{BINARY} {argv} --profile ada | head -1"]),
                    env=ada.host.env, stdout=subprocess.PIPE, text=True)
                self.addCleanup(process.stdout.close)
                self.addCleanup(process.kill)
                until("it listens", lambda: bo.call("say", "one") and select(process))
                # Nothing more is said: nobody's line ends it.
                self.assertEqual(process.wait(15), 0)

    def test_what_was_said_keeps_the_name_and_seat_of_its_time(self):
        ada, bo = self.aboard()
        bo.call("say", "before")
        until("ada reads it", lambda: "before" in ada.said())
        number = ada.swap("12A", "--note", "please")
        request = bo.incoming()
        bo.call("accept", request, "--yes", "--wait")
        for agent, known in ((bo, request), (ada, number)):
            until(f"{agent.name} may move", lambda agent=agent, known=known:
                  agent.request(known)["state"] == "final")
        until("ada sits in 12A", lambda: ada.held() == {"12A": "ada", "14C": "bo"})
        failed = bo.command("counter", request, "--give", "12A")
        self.assertRegex(failed.stderr, r"can no longer be countered\n  why: the swap was made ")
        bo.call("rename", "bob")
        bo.call("say", "after")
        until("ada reads it", lambda: "after" in ada.said())
        log = ada.command("log", check=0).stdout
        self.assertRegex(log, r"bo #\w{4} \(12A\)  before\n")
        self.assertRegex(log, r"bob \(14C\)  after\n")
        self.assertRegex(log, r"bo #\w{4} took the name bob\n")
        receipt = ada.command("receipt", "--full", check=0)
        self.assertRegex(receipt.stderr, r"ada #\w{4} has 12A now, and had 14C\.\n")
        self.assertRegex(receipt.stderr, r"bob #\w{4} has 14C now, and had 12A\.\n")
        # The certificate behind the words is base64, in which any letters may stand.
        self.assertNotIn("bob", receipt.stdout.split("-----BEGIN")[0])

    def test_a_counter_offer_s_note_has_its_author(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A,12B").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        number = ada.swap("12A", "--note", "aisle for window")
        request = bo.incoming()
        bo.command("counter", request, "--give", "12B", "--note", "my child sits at the window",
                   check=0)
        until("ada has it", lambda: ada.request(number).get("needs_answer"))
        self.assertRegex(
            ada.command("requests", check=0).stdout,
            r"gives 12B  bo: \"my child sits at the window\"  ")
        self.assertRegex(
            bo.command("requests", check=0).stdout, r"  you: \"my child sits at the window\"  ")

    def test_an_agent_that_ended_says_why_and_where_its_log_is(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C")
        self.addCleanup(ada.command, "down")

        def gone():
            # Whoever asks while it dies is told that it went away, and no more.
            return until("it is gone", lambda: (done := ada.command("status")).returncode == 3
                         and "no agent is running" in done.stderr and done)

        ada.command("up", "--seat", "14C", "--name", "ada", *ada.options, check=0)
        pid = ada.call("status")["pid"]
        os.kill(pid, 9)
        failed = gone()
        found = re.search(r"; the last one was killed or failed; its log is (/\S+?),? ?(and|\n)",
                          failed.stderr)
        self.assertTrue(found, failed.stderr)
        self.assertTrue(os.path.exists(found[1]))
        # Not the seat and name of the manual: those may be somebody else's.
        self.assertEqual(self.advice(failed), "seatagent up")
        self.assertEqual(self.typed(ada, "seatagent up", 60).returncode, 0)
        self.assertEqual(ada.call("status")["me"]["seats"], ["14C"])
        os.kill(ada.call("status")["pid"], 15)
        failed = gone()
        self.assertIn("the last one left because a signal told it to", failed.stderr)
        self.typed(ada, "seatagent up", 60)
        os.kill(ada.call("status")["pid"], 9)
        failed = gone()
        # Killed, and no signal told the one before it anything.
        self.assertRegex(failed.stderr, r"the last one was killed or failed; its log is \S+\n")
        # What ran in the foreground has no log, and older words are not its own.
        ada.board()
        ada.kill()
        self.assertNotIn("the last one", gone().stderr)
        self.typed(ada, "seatagent up", 60)
        ada.command("down", check=0)
        self.assertNotIn("the last one", ada.command("status", check=3).stderr)

    def test_a_seat_of_somebody_else_is_claimed_knowingly(self):
        ada, bo = self.aboard()
        claimed = ada.command("claim", "12A", check=0)
        self.assertRegex(claimed.stderr, r"bo #\w{4} claims 12A too\. If it is not your seat: "
                         r"seatagent release 12A\n")
        self.assertEqual(ada.command("claim", "13A", check=0).stderr, "")
        # Of two in one seat it says who they are, and each by the key.
        cy = Agent(ada.host, "cy", "20F", peers=[ada, bo]).board().wait_for(ada, bo)
        until("cy sees both", lambda: cy.held().get("12A") == {"ada", "bo"})
        failed = cy.command("who", "12A", check=2)
        self.assertRegex(failed.stderr, r"why: .*bo #\w{4} in 12A")
        self.assertRegex(self.advice(failed), r"^seatagent who '#\w{4}'$")
        self.assertIn("12A", self.typed(cy, self.advice(failed)).stdout)
        self.assertEqual(self.typed(ada, "seatagent release 12A").returncode, 0)


def select(process):
    """Whether something was printed; says one more line where not."""
    import select as waiting
    return bool(waiting.select([process.stdout], [], [], 0.2)[0])
