# SPDX-License-Identifier: Apache-2.0
"""Output that cannot be written is an error, of every command; and what stands under a name that is
written to stays what it is."""

import os
import re
import stat

from agent import BINARY, Agent
from case import Case

SAID = "seatagent: standard output cannot be written\n  why: No space left on device\n"


class Output(Case):
    def commands(self, here):
        """The table of commands, as the help has it."""
        text = here.run([BINARY, "help"]).stdout
        table = text.split("Commands\n")[1].split("\n\n")[0]
        named = re.findall(r"^Venues: (.*)$", text, re.M)
        return [re.match(r"  (\S+)", line)[1] for line in table.splitlines()] + [
            name for line in named for name in line.split(", ")]

    def test_every_command_says_so_and_ends_with_1(self):
        here = self.loopback()
        names = self.commands(here)
        self.assertGreater(len(names), 40)
        # Where no agent runs and with no more words each of them answers with one line, mostly an
        # error; doctor would look around first.
        script = "\n".join(
            f"{BINARY} {words} --json --profile nobody >/dev/full 2>{here.folder}/err.{place}; "
            f"echo $? >{here.folder}/rc.{place}" for place, words in enumerate(self.words(names)))
        here.run(["sh", "-c", script], timeout=60)
        for place, words in enumerate(self.words(names)):
            with self.subTest(words):
                self.assertEqual(here.text(f"{here.folder}/rc.{place}"), "1\n")
                self.assertEqual(here.text(f"{here.folder}/err.{place}"), SAID)

    def words(self, names):
        return [name + (" --help" if name == "doctor" else "") for name in names] + [
            "", "--version", "help swap"]

    def test_what_is_printed_and_exported_arrives_or_is_said_not_to(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C").board()

        def shell(words, after):
            done = here.run(
                ["sh", "-c", f"{BINARY} {words} --profile ada {after}"], check=False, timeout=30)
            return done.returncode, done.stderr
        ada.call("say", "hello")
        for words in ("status", "seats", "log --export -", "export -", "log -f"):
            self.assertEqual(shell(words, ">/dev/full"), (1, SAID), words)
        status, said = shell("status", ">&-")
        self.assertEqual(status, 1)
        self.assertIn("standard output cannot be written\n  why: Bad file descriptor", said)
        # A reader that has had enough is no error.
        self.assertEqual(shell("seats", "| head -c 1"), (0, ""))
        self.replaces_files_only(here, ada)

    def replaces_files_only(self, here, ada):
        def at(name):
            return f"{here.folder}/{name}"
        ada.command("log", "--export", at("first"), check=0)
        with open(at("first"), "rb") as file:
            records = file.read()
        self.assertTrue(records)
        for name in ("file", "target", "file.new"):
            with open(at(name), "w") as file:
                file.write("mine")
        os.symlink(at("target"), at("link"))
        os.mkfifo(at("pipe"))
        reader = here.popen(["sh", "-c", f"cat {at('pipe')} >{at('through')}"])
        for name in ("file", "link", "pipe"):
            ada.command("log", "--export", at(name), check=0, timeout=20)
        self.assertEqual(reader.wait(10), 0)
        for name in ("file", "target", "through"):
            with open(at(name), "rb") as file:
                self.assertEqual(file.read(), records, name)
        self.assertTrue(os.path.islink(at("link")))
        self.assertTrue(stat.S_ISFIFO(os.stat(at("pipe")).st_mode))
        with open(at("file.new")) as file:
            self.assertEqual(file.read(), "mine")
        try:
            os.mknod(at("full"), 0o666 | stat.S_IFCHR, os.makedev(1, 7))
        except PermissionError:
            return
        for words in (["log", "--export"], ["export"]):
            done = ada.command(*words, at("full"), check=1)
            self.assertIn("full cannot be written\n  why: ", done.stderr)
            self.assertTrue(stat.S_ISCHR(os.stat(at("full")).st_mode))
