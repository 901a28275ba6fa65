# SPDX-License-Identifier: Apache-2.0
"""The commands as typed: starting and stopping, what failures say, pipes, a terminal."""

import os
import re

from agent import BINARY, Agent, finish
from case import Case
from waiting import until


class Aboard(Case):
    def aboard(self, *options):
        """ada in 14C and bo in 12A, on one machine, linked."""
        here = self.loopback()
        bo = Agent(here, "bo", "12A", options=options).board()
        ada = Agent(here, "ada", "14C", peers=[bo], options=options).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def swapped(self, *options):
        ada, bo = self.aboard(*options)
        asked = ada.begin("swap", "12A", "--wait", "--timeout", "20")
        bo.call("accept", bo.incoming(), "--yes", "--wait")
        self.assertEqual(finish(asked)[0], 0)
        return ada, bo


class Commands(Aboard):
    def test_up_restart_and_down_keep_seat_and_name(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C")

        def seatagent(*argv, check):
            return ada.command(*argv, check=check, timeout=40).stdout
        try:
            said = seatagent("up", "--seat", "14C", "--name", "ada", *ada.options, check=0)
            self.assertRegex(said, r"^You are aboard: ada in 14C on lo\. ")
            again = ada.command("up", "--seat", "14C", check=1)
            self.assertIn("already running", again.stderr)
            until("ada holds 14C", lambda: ada.held() == {"14C": "ada"})
            before = ada.call("status")
            seatagent("restart", check=0)
            after = ada.call("status")
            self.assertNotEqual(before["pid"], after["pid"])
            self.assertEqual(before["me"], after["me"])
            seatagent("down", check=0)
            seatagent("status", check=3)
            # Without options: as the last time.
            seatagent("up", check=0)
            self.assertEqual(ada.call("status")["me"], before["me"])
        finally:
            ada.command("down")

    def test_another_seat_or_name_than_before_is_moved_to_or_refused_and_never_passed_over(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C")
        self.addCleanup(ada.command, "down")

        def up(*words, **options):
            return ada.command("up", *words, *ada.options, timeout=40, **options)
        up("--seat", "14C", "--name", "ada", check=0)
        ada.command("down", check=0)
        # Nobody can be asked: nothing is started, and the line to try does what it says.
        refused = up("--seat", "3F", "--name", "eve", check=2)
        self.assertIn("seatagent: you are still in 14C from before\n", refused.stderr)
        self.assertIn("--move gives that back, --also holds both", refused.stderr)
        self.assertEqual(ada.command("status").returncode, 3)
        self.assertEqual(ada.call("up", "--seat", "3F", "--move", "--also", expect=2)["code"],
                         "usage")
        line = re.search(r"^  try: seatagent (.*)$", refused.stderr, re.M)[1]
        moved = ada.command(*line.split(), check=0, timeout=60)
        self.assertIn("You are aboard: eve in 3F", moved.stdout)
        me = ada.call("status")["me"]
        self.assertEqual((me["name"], me["seats"]), ("eve", ["3F"]))
        ada.command("down", check=0)
        # As the last time is as it was left.
        self.assertIn("eve in 3F", ada.command("up", check=0, timeout=40).stdout)
        ada.command("down", check=0)
        # The foreground asks nobody either.
        self.assertIn("you are still in 3F from before", ada.command(
            "agent", "--seat", "5A", check=2).stderr)
        said = ada.typed(["agent", "--seat", "5A", *ada.options], "perhaps\n", "move/both")
        self.assertIn("nothing was joined", said)
        # It carries out by itself what was decided.
        ada.seat, ada.name = "3G", "ada"
        ada.options.append("--move")
        ada.board()
        until("the seat and the name are changed", lambda: (
            lambda me: (me["name"], me["seats"]) == ("ada", ["3G"]))(ada.call("status")["me"]))
        ada.leave()
        ada.options.remove("--move")
        ada.command("up", "--seat", "3F", "--name", "eve", "--move", *ada.options, check=0,
                    timeout=60)
        ada.command("down", check=0)
        said = ada.typed(["up", "--seat", "5A", *ada.options], "perhaps\n", "move/both")
        self.assertIn('"perhaps" is neither move nor both.', said)
        self.assertIn("nothing was joined", said)
        said = ada.typed(["up", "--seat", "5A", *ada.options], "both\n", "move/both")
        self.assertIn("You are still in 3F from before. Move to 5A, or hold both?", said)
        self.assertIn("You are aboard: eve in 3F, 5A", said)

    def test_an_agent_that_cannot_start_says_why_to_whoever_started_it(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C")
        for wrong, status in ((("--interface", "nope0"), 1), (("--seat", "256A"), 4),
                              (("--flight", "nonsense"), 2)):
            done = ada.command("up", "--seat", "14C", *wrong, check=status)
            self.assertRegex(done.stderr, r"^seatagent: .*\n  why: ")

    def test_what_a_message_says_to_try_can_be_typed(self):
        ada, bo = self.aboard()
        path = {"PATH": f"{os.path.dirname(BINARY)}:{ada.host.env['PATH']}"}
        for argv in (["swap", "33B"], ["swap", "20F"], ["swap", "14C"], ["who", "zed"],
                     ["accept", "7", "--yes"], ["sawp", "12A"], ["peers", "--wait", "9",
                     "--timeout", "1"], ["withdraw"], ["receipt"], ["msg", "1A", "x"],
                     ["seats", "--color", "red"], ["watch", "requets"], ["log", "--snce", "1m"],
                     ["up", "--seta", "14C"], ["decline"], ["counter", "1"], ["swap"],
                     ["verify", "bo", "--key", "k7q2"], ["verify", "--key"]):
            with self.subTest(" ".join(argv)):
                failed = ada.command(*argv)
                self.assertNotEqual(failed.returncode, 0, failed.stdout)
                lines = failed.stderr.splitlines()
                self.assertTrue(lines[0].startswith("seatagent: "), failed.stderr)
                self.assertLessEqual(len(lines), 3)
                advice = re.search(r"^  try: (.*)$", failed.stderr, re.M)
                self.assertTrue(advice, failed.stderr)
                # Streams and waits are only begun.
                done = ada.host.run(
                    ["timeout", "3", "sh", "-c", advice[1]], check=False,
                    env={**path, "SEATAGENT_PROFILE": "ada"})
                self.assertNotIn(done.returncode, (2, 3, 127), f"{advice[1]}\n{done.stderr}")

    def test_every_command_fails_alike_without_an_agent(self):
        here = self.loopback()
        nobody = Agent(here, "nobody", "1A")
        for argv in (["status"], ["seats"], ["say", "x"], ["swap", "12A"], ["down"], ["chat"],
                     ["watch"], ["log"], ["requests"], ["receipt"]):
            error = nobody.call(*argv, expect=3)
            self.assertEqual(error["code"], "no-agent")
            self.assertTrue(error["why"].startswith("nothing answers at /"), error)

    def test_waiting_ends_in_time(self):
        ada, bo = self.aboard()
        self.assertEqual(
            ada.call("swap", "12A", "--wait", "--timeout", "1", expect=5)["code"], "timeout")
        number = bo.incoming()
        # Off a terminal nobody can be asked, and a yes is never taken for granted.
        refused = bo.command("accept", number, check=2)
        self.assertIn(f"try: seatagent accept {number} --unverified --yes", refused.stderr)
        self.assertEqual(bo.request(number)["state"], "open")

    def test_chat_works_in_a_pipe(self):
        ada, bo = self.aboard()
        done = ada.command(
            "chat", check=0, input="hello\n/sawp 12A\n//not a command\n/who bo\n\n/quit\nlate\n")
        self.assertIn("Did you mean /swap? Nothing was sent.", done.stderr)
        self.assertIn("Seat    12A", done.stdout)
        until("bo reads both", lambda: {"hello", "/not a command"} <= set(bo.said()))
        self.assertNotIn("late", bo.said())
        ada.command("chat", "bo", check=0, input="psst\n")
        until("bo gets it", lambda: "psst" in bo.said())
        private = [i for i in bo.call("log")["items"] if i.get("text") == "psst"]
        self.assertEqual([item["event"] for item in private], ["message"])

    def test_on_a_terminal_it_asks_before_it_binds(self):
        ada, bo = self.aboard()
        self.assertIn("y/n", ada.typed(["swap", "12A"], "n\n"))
        self.assertEqual(ada.call("requests", "--all")["requests"], [])
        text = ada.typed(["swap", "12A"], "y\nokay\n")
        self.assertIn("14C is stuck until they come back or you claim it anew. Go on? y/n", text)
        self.assertIn('"okay" is neither y nor n.', text)
        # One yes does not answer two questions.
        ada.typed(["swap", "12A", "--yes"], "\n")
        refused = ada.command("swap", "12A", "--yes", check=1, asks=True)
        self.assertIn("seatagent swap 12A --unverified", refused.stderr)
        self.assertEqual(ada.call("requests", "--all")["requests"], [])
        text = ada.typed(["swap", "12A"], "y\ny\n")
        self.assertIn("swap your 14C (aisle) for 12A (window)? y/n", text)
        number = bo.incoming()
        text = bo.typed(["accept", str(number)], "\n")
        self.assertIn("Nothing was sent", text)
        self.assertEqual(bo.request(number)["state"], "open")
        bo.typed(["accept", str(number), "--wait"], "y\n")
        until("both see the swap",
              lambda: ada.held() == bo.held() == {"12A": "ada", "14C": "bo"}, 15)


class Crossing(Case):
    def test_two_who_ask_each_other_at_once_are_both_told_of_the_swap(self):
        cabin = self.cabin("ada", "bo", delay=0.2)
        ada = Agent(cabin["ada"], "ada", "14C").board()
        bo = Agent(cabin["bo"], "bo", "12A").board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        waits = [one.begin("swap", seat, "--wait", "--timeout", "20")
                 for one, seat in ((ada, "12A"), (bo, "14C"))]
        for process in waits:
            status, said = finish(process)
            self.assertEqual(status, 0, said)
            self.assertIn("Swapped", said)
        taken_back = [one.request(1) for one in (ada, bo) if one.request(1)["state"] != "final"]
        self.assertEqual([(one["state"], one["instead"]) for one in taken_back],
                         [("withdrawn", 2)])


class Papers(Aboard):
    """What is handed to others: the receipt and the exported log."""

    def test_a_receipt_is_checked_without_an_agent(self):
        ada, bo = self.swapped()
        receipt = ada.command("receipt", "--full", check=0).stdout
        # Without the signatures it is short, and proves nothing.
        short = ada.command("receipt", check=0)
        self.assertRegex(short.stdout, r"\nada #\w{4} has 12A now, and had 14C\.\n")
        self.assertNotIn("CERTIFICATE", short.stdout)
        bad = ada.command("receipt", "--verify", "-", check=1, input=short.stdout)
        self.assertIn("whoever swapped has the whole one (seatagent receipt --full)", bad.stderr)
        for agent in (ada, bo):
            agent.leave()
        good = ada.command("receipt", "--verify", "-", check=0, input=receipt)
        self.assertRegex(good.stdout, r"^Valid: both passengers signed this swap")
        self.assertIn("12A ", good.stdout)
        lines = receipt.splitlines()
        middle = lines.index("-----BEGIN SEATAGENT CERTIFICATE-----") + 9
        letter = "A" if lines[middle][5] != "A" else "B"
        lines[middle] = lines[middle][:5] + letter + lines[middle][6:]
        for text in ("\n".join(lines), "", receipt.replace("XX1/", "XX2/"),
                     receipt.replace("12A ", "1A  "), receipt + "The captain agrees.\n",
                     receipt.replace("The crew decides.", "The captain has approved it.")):
            bad = ada.command("receipt", "--verify", "-", check=1, input=text)
            self.assertIn("seatagent: the receipt", bad.stderr)

    def test_a_receipt_of_a_flight_with_a_cabin_code_is_checked_with_the_code(self):
        ada, _ = self.swapped("--flight", "XY123/2099-11-22/DUB", "--code", "k7q2m5")
        receipt = ada.command("receipt", "--full", check=0).stdout
        self.assertIn("XY123/2099-11-22/DUB, with a cabin code\n", receipt)
        self.assertNotIn("k7q2m5", receipt)
        # One's own agent knows the flight.
        ada.call("receipt", "--verify")
        check = ["receipt", "--verify", "-", "--code"]
        good = ada.command(*check, "K7Q2-m5", check=0, input=receipt)
        self.assertRegex(good.stdout, r"^Valid: both passengers signed this swap")
        self.assertIn("another flight", ada.command(
            *check, "zzzzzz", check=1, input=receipt).stderr)
        without = ada.command("receipt", "--verify", "-", check=2, input=receipt)
        self.assertIn("cannot be checked without the cabin code", without.stderr)

    def test_what_never_ends_is_not_read_to_its_end(self):
        ada = Agent(self.loopback(), "ada", "14C")
        for words in (["audit", "/dev/zero"], ["receipt", "--verify", "/dev/zero"],
                      ["board", "/dev/zero"]):
            done = ada.command(*words, check=1, timeout=60)
            self.assertIn("seatagent: ", done.stderr)
        pipe = f"head -c 200M /dev/zero | {BINARY} "
        for words in ("audit -", "receipt --verify -", "say -"):
            done = ada.host.run(["sh", "-c", pipe + words], check=False, timeout=60)
            self.assertNotEqual(done.returncode, 0, words)
            self.assertIn("standard input is too long to be read", done.stderr)

    def test_an_exported_log_is_audited_without_an_agent(self):
        ada, bo = self.swapped()
        file = os.path.join(ada.host.folder, "flight.log")
        ada.call("log", "--export", file)
        digest = ada.call("seats")["digest"]
        for agent in (ada, bo):
            agent.leave()
        report = ada.call("audit", file)
        self.assertEqual(report["digest"], digest)
        self.assertEqual(
            {seat["seat"]: seat["holders"][0]["name"] for seat in report["seats"]},
            {"12A": "ada", "14C": "bo"})
        self.assertEqual([c["status"] for c in report["contracts"]], ["applied"])
        self.assertEqual(report["forks"], [])
        with open(file, "r+b") as log:
            log.seek(150)
            byte = log.read(1)
            log.seek(150)
            log.write(bytes([byte[0] ^ 1]))
        self.assertEqual(ada.call("audit", file, expect=1)["code"], "bad-records")
