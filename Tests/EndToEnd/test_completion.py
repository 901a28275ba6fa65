# SPDX-License-Identifier: Apache-2.0
"""Completion in the three shells: what they offer, and that nobody's words are run by them."""

import os
import shlex
import shutil
import unittest

from agent import BINARY, Agent
from case import Case
from waiting import until

#: Names with which a passenger could harm whoever completes a line.
TRAP = "$(touch pwned)"

#: Stand in for what zsh's own completion defines.
ZSH = """
compdef() {{ }}
_files() {{ print -r -- FILES }}
_describe() {{ print -rl -- "${{(@P)2}}" }}
source {script}
words=({words}) CURRENT={count}
_seatagent
"""


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


class Completion(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        self.folder = self.here.folder
        os.symlink(BINARY, f"{self.folder}/seatagent")
        self.env = {"PATH": f"{self.folder}:{self.here.env['PATH']}", "TERM": "dumb"}
        self.scripts = {}
        for shell in ("bash", "zsh", "fish"):
            self.scripts[shell] = f"{self.folder}/completion.{shell}"
            with open(self.scripts[shell], "w") as file:
                file.write(self.run_here("seatagent", "completion", shell))

    def run_here(self, *argv, **env):
        done = self.here.run(
            list(argv), check=False, cwd=self.folder, env={**self.env, **env})
        self.assertEqual(done.stderr, "", argv)
        return done.stdout

    def bash(self, *words, **env):
        array = " ".join(map(shlex.quote, words))
        return self.run_here("bash", "--norc", "-c", (
            f"source {self.scripts['bash']}; COMP_WORDS=(seatagent {array});"
            f" COMP_CWORD={len(words)};"
            " _seatagent seatagent; printf '%s\\n' \"${COMPREPLY[@]}\""), **env).split("\n")[:-1]

    def zsh(self, *words, **env):
        array = " ".join(["seatagent", *map(shlex.quote, words)])
        return self.run_here("zsh", "-f", "-c", ZSH.format(
            script=self.scripts["zsh"], words=array, count=len(words) + 1), **env).splitlines()

    def fish(self, line, **env):
        return self.run_here("fish", "--no-config", "-c", (
            f"source {self.scripts['fish']}; complete -C {shlex.quote(line)}"),
            **env).splitlines()

    def aboard(self):
        trap = Agent(self.here, "trap", "12A").board()
        ada = Agent(self.here, "ada", "14C", peers=[trap]).board()
        ada.wait_for(trap)
        trap.command("rename", TRAP, check=0)
        until("ada knows the name", lambda: TRAP in ada.command("peers").stdout)
        trap.command("swap", "14C", "--note", "`touch pwned`; \x1b[2J'\"", check=0)
        ada.incoming()
        return {"SEATAGENT_PROFILE": "ada"}

    def test_bash(self):
        self.assertEqual(self.bash("swa"), ["swap"])
        self.assertEqual(self.bash("seats", "--color", "=", "al"), ["always"])
        self.assertEqual(self.bash("swap", ""), [""])
        env = self.aboard()
        self.assertEqual(self.bash("swap", "1", **env), ["12A"])
        self.assertEqual(self.bash("swap", "--profile", "ada", ""), ["12A"])
        self.assertEqual(self.bash("msg", "", **env), ["12A"])
        self.assertEqual(self.bash("accept", "", **env), ["1"])
        self.assertFalse(os.path.exists(f"{self.folder}/pwned"))

    @needs("zsh")
    def test_zsh(self):
        self.run_here("zsh", "-n", self.scripts["zsh"])
        self.assertEqual(
            self.zsh("swa"), ["swap:ask for a seat in exchange for yours"])
        self.assertEqual(self.zsh("audit", ""), ["FILES"])
        self.assertEqual(self.zsh("swap", ""), [])
        env = self.aboard()
        self.assertEqual(self.zsh("swap", "", **env), [f"12A:window of {TRAP}"])
        self.assertTrue(self.zsh("accept", "", **env)[0].startswith(f"1:{TRAP}"))
        self.assertFalse(os.path.exists(f"{self.folder}/pwned"))

    @needs("fish")
    def test_fish(self):
        self.assertEqual(
            self.fish("seatagent swa"), ["swap\task for a seat in exchange for yours"])
        self.assertEqual(self.fish("seatagent swap "), [])
        env = self.aboard()
        self.assertEqual(self.fish("seatagent swap ", **env), [f"12A\twindow of {TRAP}"])
        self.assertEqual(self.fish("seatagent msg 1", **env)[0].split("\t")[0], "12A")
        self.assertFalse(os.path.exists(f"{self.folder}/pwned"))

    @needs("shellcheck")
    def test_shellcheck_finds_nothing(self):
        self.run_here("shellcheck", self.scripts["bash"])

    def test_silent_whatever_is_wrong(self):
        os.makedirs(f"{self.here.env['XDG_CONFIG_HOME']}/seatagent")
        with open(f"{self.here.env['XDG_CONFIG_HOME']}/seatagent/config", "w") as file:
            file.write("nonsense\n")
        for words in (["swap", ""], ["swap", "--profile", "a/b", ""], ["\x1b", ""], ["--", ""]):
            self.assertEqual(self.run_here("seatagent", "__complete", "--", *words), "")
