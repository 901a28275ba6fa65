# SPDX-License-Identifier: Apache-2.0
"""The man pages as mandoc sees them, and that a build of them can be repeated."""

import os
import re
import shutil
import subprocess
import unittest

from agent import BINARY, ROOT
from case import Case

PAGES = (["1"], ["7", os.path.join(ROOT, "docs", "control.md")])


class Manual(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()

    def page(self, words, **env):
        return self.here.run([BINARY, "__manual", *words], env=env).stdout

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_mandoc_finds_nothing_and_shows_the_text(self):
        for words in PAGES:
            page = self.page(words)
            lint = self.here.run(
                ["mandoc", "-T", "lint", "-W", "warning"], input=page, check=False)
            self.assertEqual((lint.stdout, lint.stderr), ("", ""))
            shown = self.here.run(["mandoc", "-T", "ascii"], input=page).stdout
            for leftover in ("\\f", "\\&", "`"):
                self.assertFalse(leftover in shown, leftover)

    def commands(self):
        """Those that the help lists."""
        text = self.here.run([BINARY, "help"]).stdout
        part = text.split("\nCommands\n")[1].split("\n\n")[0]
        named = re.findall(r"^Venues: (.*)$", text, re.M)
        return [line.split()[0] for line in part.splitlines()] + [
            name for line in named for name in line.split(", ")]

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_each_command_has_a_page_that_says_what_its_help_says(self):
        names = self.commands()
        self.assertGreater(len(names), 30)
        self.assertEqual(sorted(self.page(["commands"]).split()), sorted(names))
        for name in names:
            with self.subTest(name):
                page = self.page(["1", name])
                lint = self.here.run(
                    ["mandoc", "-T", "lint", "-W", "warning"], input=page, check=False)
                self.assertEqual((lint.stdout, lint.stderr), ("", ""))
                shown = self.here.run(
                    ["mandoc", "-T", "utf8", "-O", "width=1000"], input=page).stdout
                while "\b" in shown:
                    shown = re.sub(".\b", "", shown)
                shown = " ".join(shown.split()).replace("\u2019", "'").replace("\u2010", "-")
                self.assertIn(f"seatagent-{name} ", shown)
                help_text = self.here.run([BINARY, "help", name]).stdout.split("\n", 1)
                for line in [help_text[0].split(": ", 1)[1]] + help_text[1].splitlines():
                    # What leads on to other texts, and headings, are the help's own.
                    if line in ("Examples", "Usage", "Options") or line.startswith("Options of"):
                        continue
                    for word in line.replace("`", " ").replace("[OPTIONS]", "").split():
                        self.assertIn(word.removeprefix("(repeatable").rstrip(".;)"), shown)

    def test_the_date_is_that_of_the_source(self):
        for words in PAGES:
            page = self.page(words, SOURCE_DATE_EPOCH="951782400")
            self.assertIn("\n.Dd February 29, 2000\n", page)
            self.assertEqual(page, self.page(words, SOURCE_DATE_EPOCH="951782400"))

    def test_what_is_staged_for_a_package_is_whole(self):
        for prefix, unit in (("/usr", "lib"), ("/opt/seat", "share")):
            folder = f"{self.here.folder}/staged{unit}"
            self.here.run(["sh", f"{ROOT}/scripts/stage", folder, prefix,
                           os.path.dirname(BINARY)])
            files = subprocess.run(
                ["find", folder + prefix, "-type", "f", "-size", "+0", "-printf", "%P %m\\n"],
                text=True, stdout=subprocess.PIPE, check=True).stdout
            zsh = "vendor-completions" if prefix == "/usr" else "site-functions"
            pages = [f"share/man/man1/seatagent-{name}.1 644" for name in self.commands()]
            with open(f"{ROOT}/packaging/programs") as file:
                programs = [f"{line.split()[1]} 755" for line in file if not line.startswith("#")]
            self.assertIn("bin/seatagent 755", programs)
            self.assertEqual(sorted(files.splitlines()), sorted(pages + programs + [
                "share/man/man1/seatagent.1 644",
                "share/man/man7/seatagent-api.7 644",
                "share/bash-completion/completions/seatagent 644",
                f"share/zsh/{zsh}/_seatagent 644",
                "share/fish/vendor_completions.d/seatagent.fish 644",
                *(f"share/seatagent/wireshark/{name} 644" for name in (
                    "README.md", "seatagent.lua", "seatagent/cbor.lua", "seatagent/entries.lua",
                    "seatagent/rules.lua")),
                f"{unit}/systemd/user/seatagent.service 644"]))
            with open(f"{folder}{prefix}/{unit}/systemd/user/seatagent.service") as file:
                self.assertIn(f"\nExecStart={prefix}/bin/seatagent agent --stored\n", file.read())

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd is not installed")
    def test_systemd_understands_the_unit(self):
        unit = f"{self.here.folder}/seatagent.service"
        with open(f"{ROOT}/packaging/seatagent.service") as file:
            text = file.read().replace("/usr/bin/seatagent", BINARY)
        with open(unit, "w") as file:
            # The page is looked for as well, and is not installed here.
            file.write("\n".join(
                line for line in text.split("\n") if not line.startswith("Documentation=")))
        done = self.here.run(["systemd-analyze", "--user", "verify", unit], check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
