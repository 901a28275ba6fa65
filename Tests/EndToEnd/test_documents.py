# SPDX-License-Identifier: Apache-2.0
"""What README and guide say is so: what they tell people to type is typed, screens are the
program's, and links lead somewhere."""

import datetime
import os
import re
import shlex
import unittest

import documents
import test_guide_meet
from agent import BINARY, ROOT, Agent, finish
from case import Case
from waiting import until

GUIDE = "docs/guide"
#: Building and installing: make test, make demo and make deb-test are those tests.
NOT_TYPED = {("README.md", "Try it"), ("README.md", "Install"),
             (f"{GUIDE}/first-flight.md", "Before you leave")}
README = ("README.md", "First flight")
LIST = (f"{GUIDE}/flights.md", "A flight of your list")
FIRST = [(f"{GUIDE}/first-flight.md", heading)
         for heading in ("Join", "Talk", "Ask for a seat", "Answer", "After the swap", "Leave")]
VERIFY = (f"{GUIDE}/trust.md", "Verify a passenger")
PEERS = (f"{GUIDE}/trouble.md", "Without mDNS")
NOTICES = (f"{GUIDE}/view.md", "Notices")


class Typed(Case):
    """Each block is typed by a passenger as it stands; bo is there too, and answers."""

    slow = 10

    def passengers(self, *options):
        self.here = self.loopback()
        self.bo = Agent(self.here, "bo", "12A", options=options).board()
        self.ada = Agent(self.here, "default", "14C")
        self.addCleanup(self.ada.command, "down")

    def type(self, line):
        """Types a line as ada."""
        words = shlex.split(line)
        if words[:2] == ["seatagent", "swap"]:
            self.assertIn("Go on? y/n", self.ada.typed(words[1:], "y\ny\n"))
            return
        env = {"PATH": f"{os.path.dirname(BINARY)}:{self.here.env['PATH']}"}
        done = self.here.run(["sh", "-c", f"cd {self.here.folder} && {line}"], check=False,
                             timeout=60, env=env)
        self.assertEqual(done.returncode, 0, f"{line}\n{done.stdout}{done.stderr}")

    def type_all(self, block, after=lambda line: None):
        for line in documents.typed(*block):
            self.type(line)
            after(line)

    def link(self):
        """There is no mDNS here: ada is told of bo, as the guide says for that case."""
        lines = [line.replace("10.77.0.2:7711", self.bo.reached_at)
                 for line in documents.typed(*PEERS)]
        self.assertIn(self.bo.reached_at, lines[0])
        for line in lines:
            self.type(line)

    def bo_agrees(self, seat="12A"):
        self.bo.call("accept", self.bo.incoming(), "--yes", "--wait")
        until("ada has it", lambda: self.ada.seats_of_mine() == [seat], 20)

    def after(self, line):
        if line.startswith("seatagent up"):
            self.link()
        elif line.startswith("seatagent swap"):
            self.bo_agrees()

    def test_the_first_flight_of_the_readme(self):
        self.passengers()
        self.assertLessEqual(len(documents.typed(*README)), 6)
        self.type_all(README, self.after)
        self.assertEqual(self.ada.command("status").returncode, 3)

    def test_the_first_flight_of_the_guide(self):
        self.passengers()
        join, talk, ask, answer, receipt, leave = FIRST
        self.type_all(join, self.after)
        self.type_all(talk)
        # Here it is taken back, before bo answers.
        self.type_all(ask, lambda line: line.startswith("seatagent swap") and self.bo.incoming())
        self.type_all(answer)
        for line in documents.typed(*VERIFY):
            if line.startswith("seatagent verify"):
                self.compare(line)
            else:
                self.type(line)
        self.ada.swap("12A", "--yes")
        self.bo_agrees()
        self.type_all(receipt)
        self.type_all(NOTICES)
        self.type_all(leave)
        for name in ("receipt.txt", "mine.json"):
            self.assertGreater(os.path.getsize(f"{self.here.folder}/{name}"), 100)

    def compare(self, line):
        """Off a terminal the numbers are shown, and the words on them are typed by themselves."""
        for words in ((shlex.split(line)[1:], ["verify", "14C"]), [["verify", "--match"]] * 2):
            both = [one.begin(*typed) for one, typed in zip((self.ada, self.bo), words)]
            for process in both:
                status, said = finish(process)
                self.assertEqual(status, 0, said)

    def test_a_flight_of_the_list(self):
        now = datetime.datetime.now(datetime.timezone.utc)
        # In hours, and not over midnight: swaps are open a day before.
        leaves = next(at for at in (now + datetime.timedelta(hours=h) for h in (6, 9, 12))
                      if 2 < at.hour < 22)
        lands = leaves + datetime.timedelta(hours=1)
        self.passengers("--flight", f"FR202/{leaves.date()}/DUB")
        adds = 0
        for line in documents.typed(*LIST):
            if line.startswith("seatagent flight add"):
                adds += 1
                line, dates = re.subn(r"\d{4}-\d\d-\d\d", str(leaves.date()), line)
                self.assertEqual((dates, "06:30" in line, "07:45" in line), (1, True, True))
                line = line.replace("06:30", f"{leaves:%H:%M}").replace("07:45", f"{lands:%H:%M}")
            self.type(line)
            self.after(line)
        self.assertEqual(adds, 1)
        self.assertTrue(os.path.exists(f"{self.here.folder}/flights.ics"))


def flat(suite):
    """The tests of a suite and of those in it."""
    if not isinstance(suite, unittest.TestSuite):
        return [suite]
    return [test for one in suite for test in flat(one)]


class Documents(Case):
    def test_every_block_of_commands_is_typed(self):
        typed = {README, LIST, VERIFY, PEERS, NOTICES, *FIRST, *test_guide_meet.TYPED}
        there = {(path, heading) for path in documents.GUIDE
                 for heading in documents.blocks(path, "sh")}
        self.assertEqual(there, typed | NOT_TYPED)
        for block in NOT_TYPED:
            for line in documents.typed(*block):
                self.assertIn(line.split()[0], ("make", "sudo"), line)

    def test_every_verb_of_make_they_name_is_one(self):
        targets = set(re.findall(r"(?m)^([\w-]+):", documents.text("Makefile")))
        for path in documents.every():
            # A decision tells what was so when it was made.
            if path.startswith("docs/decisions/"):
                continue
            for verb in re.findall(r"`make ([\w-]+)", documents.text(path)):
                self.assertIn(verb, targets, path)
        for block in NOT_TYPED:
            for line in documents.typed(*block):
                if line.startswith("make "):
                    self.assertIn(line.split()[1], targets)

    def test_every_command_they_name_is_one(self):
        here = self.loopback()
        env = {"PATH": f"{os.path.dirname(BINARY)}:{here.env['PATH']}"}
        lines = {line for path in documents.GUIDE for line in documents.commands(path)}
        self.assertGreater(len(lines), 50)
        script = []
        for line in sorted(lines):
            # Standard input and output are not what is asked for.
            words = shlex.split(line.split(" > ")[0])
            script.append(f"{shlex.join(words)} --help >answer 2>&1 || cat answer - <<'END'\n"
                          f"{line}\nEND\n")
        done = here.run(["sh", "-c", f"cd {here.folder}\n" + "".join(script)], env=env, timeout=60)
        self.assertEqual(done.stdout, "")

    def test_links_lead_somewhere(self):
        for path in documents.every():
            for link in re.findall(r"\]\(([^)\s]+)\)", documents.without_code(path)):
                if re.match(r"[a-z]+:", link):
                    continue
                with self.subTest(f"{path}: {link}"):
                    name, _, anchor = link.partition("#")
                    target = os.path.normpath(os.path.join(os.path.dirname(path), name))
                    target = target if name else path
                    self.assertTrue(os.path.exists(f"{ROOT}/{target}"))
                    if anchor:
                        self.assertIn(anchor, documents.anchors(target))

    def test_sections_they_cite_are_there(self):
        there = set(re.findall(r"(?m)^## (\d+)\.", documents.text("docs/protocol.md")))
        self.assertGreater(len(there), 20)
        cited = r"(?:protocol\.md`?,? |[Ss]ections? )((?:\d+(?:\.\d+)*(?:,? (?:and|to|or) |, )?)+)"
        for path in documents.every():
            text = re.sub(r"(?:RFC \d+|UTS #\d+),? sections? [\d.]+", "", " ".join(
                documents.text(path).split()))
            for numbers in re.findall(cited, text):
                for number in re.findall(r"\d+(?:\.\d+)*", numbers):
                    self.assertIn(number, there, f"{path}: {numbers}")

    def test_screens_are_the_program_s_own(self):
        for path, golden in (("README.md", "asked-80x24"), (f"{GUIDE}/view.md", "start-80x24")):
            kept = iter(documents.text(f"Tests/EndToEnd/goldens/view/{golden}.txt").splitlines())
            [shown] = documents.blocks(path, "").values()
            for line in shown:
                # Times and key tags differ from run to run.
                line = re.sub(r"\b\d\d:\d\d\b", "hh:mm", line)
                line = re.sub(r"#\w{4}\b", "#tttt", line)
                self.assertTrue(any(line == other for other in kept), f"{path}: {line}")

    def test_the_changelog_begins_with_the_version_of_the_program(self):
        [said, *_] = re.findall(r"(?m)^## (.*)$", documents.text("CHANGELOG.md"))
        version = re.search(r'text = "([0-9.]+)"', documents.text("Sources/Text/Version.swift"))[1]
        self.assertRegex(said, rf"^{re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$")
        self.assertEqual(self.loopback().run([BINARY, "--version"]).stdout.split()[1], version)

    def test_make_soak_has_every_test_that_is_for_it(self):
        named = set()
        for script in ("scripts/soak", "scripts/upgrade-test"):
            named |= set(re.findall(r" -k (\w+)", documents.text(script)))
        tests = unittest.TestLoader().discover(f"{ROOT}/Tests/EndToEnd", "test_*.py")
        left = [test for test in flat(tests)
                if getattr(getattr(test, test._testMethodName), "is_for_soak", False)]
        self.assertGreater(len(left), 50)
        self.assertEqual([], [test.id() for test in left
                              if not any(word in test.id() for word in named)])

    def test_the_readme_stays_short(self):
        self.assertLessEqual(len(documents.text("README.md").splitlines()), 90)
