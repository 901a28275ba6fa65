# SPDX-License-Identifier: Apache-2.0
"""The details of a profile, the lock over its private files, and what is asked before."""

import json
import os
import re
import signal
import stat
import time

from agent import BINARY, Agent
from case import Case
from terminal import Terminal

DETAILS = ("name", "Ada L.", "mail", "ada@example.org", "phone", "+44 20 7946-0000", "plate",
           "ab-12 cde")
CAR = ("add", "B7K2Q", "--suite", "12B", "--hours", "4h", "--street", "12 Secret Road")
#: What stands in the two files, and nowhere else once they are sealed.
WORDS = ("Ada L.", "ada@example.org", "7946", "AB12CDE", "B7K2Q", "Secret Road")
PASSPHRASE = "a long enough passphrase"


class Profile(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        self.folder = f"{self.here.env['XDG_DATA_HOME']}/seatagent/default"

    def run_(self, *argv, check=0, **options):
        done = self.here.run([BINARY, *argv], check=False, **options)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done

    def told(self, *argv, **options):
        return json.loads(self.run_(*argv, "--json", **options).stdout)["result"]

    def lock(self, check=0):
        return self.run_("lock", input=PASSPHRASE + "\n", check=check)

    def fill(self):
        self.run_("profile", "set", *DETAILS)
        self.run_("park", *CAR)
        return {name: self.bytes(name) for name in ("profile.json", "parking.json")}

    def bytes(self, name):
        with open(f"{self.folder}/{name}", "rb") as file:
            return file.read()

    def every_byte(self):
        """What all files of the profile hold, by their paths."""
        found = {}
        for base in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
            for path, _, names in os.walk(self.here.env[base]):
                for name in names:
                    if stat.S_ISREG(os.stat(f"{path}/{name}").st_mode):
                        with open(f"{path}/{name}", "rb") as file:
                            found[f"{path}/{name}"] = file.read()
        return found


class Details(Profile):
    def test_p1_details_are_set_shown_cleared_and_deleted(self):
        empty = self.run_("profile")
        self.assertIn("Next: seatagent profile set plate AB12CDE", empty.stderr)
        said = self.run_("profile", "set", *DETAILS)
        self.assertIn("The plate is kept as AB12CDE; you typed \"ab-12 cde\".", said.stderr)
        self.assertEqual(self.told("profile"), {
            "name": "Ada L.", "mail": "ada@example.org", "phone": "+44 20 7946-0000",
            "plate": "AB12CDE"})
        self.assertEqual(stat.S_IMODE(os.stat(f"{self.folder}/profile.json").st_mode), 0o600)
        parked = self.run_("park", *CAR)
        self.assertIn("The plate is that of your profile.", parked.stderr)
        self.assertEqual(self.told("park")["records"][0]["plate"], "AB12CDE")
        other = self.run_("park", "add", "B7K2Q", "--plate", "XY9", *CAR[2:])
        self.assertNotIn("that of your profile", other.stderr)
        self.run_("profile", "set", "mail", "")
        self.run_("profile", "clear", "phone", "name")
        self.assertEqual(self.told("profile"), {"plate": "AB12CDE"})
        refused = self.run_("profile", "delete", check=2)
        self.assertIn("try: seatagent profile delete --yes", refused.stderr)
        self.assertEqual(self.told("profile", "delete", "--yes")["erased"], ["profile", "parking"])
        self.assertEqual((self.told("profile"), self.told("park")["records"]), ({}, []))
        left = self.every_byte()
        self.assertFalse([path for path in left if path.endswith(".json")])

    def test_p1_what_is_wrong_is_named_and_nothing_is_kept(self):
        for argv, words in (
                (("mail", "ada"), "mail: it has 0 @; it needs one @, a dot"),
                (("mail", "ada@example"), "mail: no dot follows the @"),
                (("mail", "a da@example.org"), "mail: there is a blank in it"),
                (("mail", "a" * 243 + "@example.org"), "mail: it has 255 bytes"),
                (("phone", "1234"), "phone: it has 4 digits"),
                (("plate", "A"), "plate: it has 1, and needs 2 to 8 letters and digits"),
                (("plate", "ABCDE12345"), "plate: it has 10"),
                (("name", "n" * 49), "name: the name is too long"),
                (("plate", "AB12CDE", "mail", "ada"), "mail: it has 0 @"),
                (("age", "7"), "it has name, mail, phone, plate"),
                (("mail",), "wants a value after each field"),
                (("plate", "AB1", "plate", "AB2"), "plate is there twice")):
            wrong = self.run_("profile", "set", *argv, check=2)
            self.assertIn(words, wrong.stderr)
            self.assertIn("try: seatagent profile set ", wrong.stderr)
        self.run_("profile", "sett", "mail", "a@b.cd", check=2)
        self.assertEqual(self.told("profile"), {})

    def test_it_is_not_deleted_while_its_agent_runs(self):
        self.fill()
        agent = Agent(self.here, "default", "14C").board()
        self.addCleanup(agent.command, "down")
        refused = self.run_("profile", "delete", "--yes", check=1)
        self.assertIn("a flight is in progress", refused.stderr)
        self.assertIn("try: seatagent down", refused.stderr)
        self.assertEqual(len(self.told("profile")), 4)
        # Locking leaves the agent as it is, and says so.
        said = self.lock()
        self.assertIn("The agent on ", said.stdout)
        self.assertIn(" goes on", said.stdout)
        self.assertEqual(agent.command("status").returncode, 0)
        self.assertNotIn("goes on", self.run_("unlock", input=PASSPHRASE).stdout)


class Locked(Profile):
    def test_a_locked_profile_has_no_plain_word_of_it(self):
        before = self.fill()
        self.assertTrue(all(any(word.encode() in page for page in self.every_byte().values())
                            for word in WORDS))
        self.lock()
        for path, page in self.every_byte().items():
            for word in (*WORDS, PASSPHRASE):
                self.assertNotIn(word.encode(), page, path)
        for argv in (("profile",), ("profile", "set", "plate", "XY9"), ("park",),
                     ("park", "show", "1"), ("park", *CAR)):
            shut = self.run_(*argv, check=8)
            self.assertIn("this profile is locked", shut.stderr)
            self.assertIn("try: seatagent unlock", shut.stderr)
        self.assertIn("locked already", self.lock().stdout)
        wrong = self.run_("unlock", input="a long enough passphrasf\n", check=8)
        self.assertIn("this is not the passphrase", wrong.stderr)
        self.run_("unlock", check=2)
        self.run_("profile", check=8)
        self.run_("unlock", input=PASSPHRASE + "\r\n")
        self.assertEqual({name: self.bytes(name) for name in before}, before)
        self.assertEqual(self.told("unlock")["unlocked"], [])

    def test_a_passphrase_comes_from_a_file_and_has_eight_characters(self):
        self.assertIn("nothing to lock", self.run_("lock", check=1).stderr)
        self.fill()
        path = f"{self.here.folder}/passphrase.txt"
        for text, words in (("short\n", "it has 5 characters, and needs 8"),
                            ("two\nlines of text\n", "more than one line"), ("", "empty")):
            with open(path, "w") as file:
                file.write(text)
            self.assertIn(words, self.run_("lock", "--passphrase-file", path, check=2).stderr)
        with open(path, "w") as file:
            file.write(PASSPHRASE)
        self.assertEqual(
            self.told("lock", "--passphrase-file", path)["locked"], ["profile", "parking"])
        self.assertEqual(
            self.told("unlock", "--passphrase-file", path)["unlocked"], ["profile", "parking"])
        self.run_("lock", "--passphrase-file", f"{path}.none", check=1)

    def test_a_kill_at_any_moment_loses_nothing(self):
        before = self.fill()
        for turn in range(6):
            word = "unlock" if os.path.exists(f"{self.folder}/profile.json.sealed") else "lock"
            child = self.here.popen([BINARY, word, "--passphrase-file", self.passphrase()])
            time.sleep(0.25 + 0.13 * turn)
            child.send_signal(signal.SIGKILL)
            child.wait()
            for name in before:
                self.assertTrue(os.path.exists(f"{self.folder}/{name}")
                                or os.path.exists(f"{self.folder}/{name}.sealed"))
        self.run_("unlock", "--passphrase-file", self.passphrase())
        self.assertEqual({name: self.bytes(name) for name in before}, before)

    def passphrase(self):
        path = f"{self.here.folder}/passphrase.txt"
        with open(path, "w") as file:
            file.write(PASSPHRASE + "\n")
        return path

    def test_on_a_terminal_it_is_asked_twice_and_never_shown(self):
        self.fill()
        with Terminal(self.here, [BINARY, "lock"]) as screen:
            screen.wait_for("New passphrase, at least 8 characters:")
            screen.enter("short")
            screen.wait_for("it has 5 characters, and needs 8")
            screen.enter("quite long one")
            screen.wait_for("The same again:")
            screen.enter("quite long two")
            screen.wait_for("these were two different ones")
            screen.enter("quite long one")
            screen.wait_for(re.compile("(?s)different.*The same again:"))
            screen.enter("quite long one")
            screen.wait_for("Locked: your details, your list of parked cars.")
            self.assertNotIn("quite", screen.text())
        with Terminal(self.here, [BINARY, "unlock"]) as screen:
            screen.wait_for("Passphrase:")
            screen.enter("quite long one")
            screen.wait_for("Unlocked: your details")
            self.assertNotIn("quite", screen.text())
        self.assertEqual(len(self.told("profile")), 4)


class Confirmed(Profile):
    def confirm(self, line):
        """`confirm.command` runs a script; its calls are counted."""
        path = f"{self.here.folder}/confirm"
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\necho asked\necho x >>{path}.log\n{line}\n")
        os.chmod(path, 0o700)
        self.run_("config", "set", "confirm.command", path)

    def asked(self):
        path = f"{self.here.folder}/confirm.log"
        if not os.path.exists(path):
            return 0
        with open(path) as file:
            count = len(file.readlines())
        os.remove(path)
        return count

    def test_a_no_stops_what_binds_and_a_yes_lets_it_go_on(self):
        self.fill()
        self.confirm("exit 1")
        self.lock()
        self.assertEqual(self.asked(), 0, "to lock binds nobody")
        stopped = self.run_("unlock", input=PASSPHRASE, check=8)
        self.assertIn("confirm.command did not say yes", stopped.stderr)
        self.assertIn("failed 3 times, the last time with 1", stopped.stderr)
        self.assertIn("asked", stopped.stderr)
        self.assertEqual(self.asked(), 3)
        self.run_("profile", check=8)
        self.run_("profile", "delete", "--yes", check=8)
        self.assertEqual(self.asked(), 3)
        self.assertTrue(os.path.exists(f"{self.folder}/profile.json.sealed"))
        self.confirm("exit 0")
        self.run_("unlock", input=PASSPHRASE)
        self.assertEqual(self.asked(), 1)
        self.assertEqual(len(self.told("profile")), 4)
        self.run_("config", "set", "confirm.command", "no-such-program-here")
        gone = self.run_("profile", "delete", "--yes", check=8)
        self.assertIn("there is no program no-such-program-here", gone.stderr)
        # A config file that cannot be read says nothing of confirm.command.
        with open(f"{self.here.env['XDG_CONFIG_HOME']}/seatagent/config", "a") as file:
            file.write("moose = on\n")
        self.run_("profile", "delete", "--yes", check=1)
        self.assertTrue(os.path.exists(f"{self.folder}/profile.json"))

    def test_after_three_failures_the_passphrase_stands_in_on_a_terminal(self):
        self.fill()
        self.lock()
        self.confirm("exit 1")
        with Terminal(self.here, [BINARY, "unlock"]) as screen:
            screen.wait_for("failed 3 times, the last time with 1", "Passphrase:")
            screen.enter(PASSPHRASE)
            screen.wait_for("Unlocked: your details")
        self.assertEqual(self.asked(), 3)
        with Terminal(self.here, [BINARY, "profile", "delete", "--yes"]) as screen:
            screen.wait_for("Passphrase:")
            screen.enter("another passphrase")
            screen.wait_for("this is not the passphrase")
        self.assertEqual(len(self.told("profile")), 4)
