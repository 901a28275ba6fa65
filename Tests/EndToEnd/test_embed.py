# SPDX-License-Identifier: Apache-2.0
"""The example of a program that embeds the core."""

import os
import re
import subprocess
import tempfile
import unittest

from agent import ROOT
from case import for_soak
from documents import blocks, typed

HERE = f"{ROOT}/examples/embed"
README = "examples/embed/README.md"


def printed(command, **options):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


class Embed(unittest.TestCase):
    def expected(self):
        """What the README says that it prints."""
        return blocks(README, "")["The core in a program of your own"]

    def test_two_nodes_swap_with_what_is_public(self):
        # As part of this package it is built without access to what is not public.
        with open(f"{ROOT}/Package.swift") as file:
            target = file.read().split('name: "embed"')[1].split(".executableTarget")[0]
        self.assertIn("packageAccess: false", target.split(".testTarget")[0])
        lines = printed([f"{ROOT}/.build/debug/embed"], timeout=20).splitlines()
        self.assertEqual(lines, self.expected())
        self.assertEqual(lines[-2:], ["ada has 12A", "bo has 14C"])

    def test_it_takes_sixty_lines(self):
        with open(f"{HERE}/Sources/embed/main.swift") as file:
            code = [line for line in file if re.match(r"\s*[^\s/]", line)]
        self.assertLessEqual(len(code), 60)

    @for_soak
    def test_a_package_of_its_own_depends_on_a_version(self):
        version = re.search(r'from: "([0-9.]+)"\)\],', open(f"{HERE}/Package.swift").read())[1]
        self.assertEqual(typed(README, "The core in a program of your own"),
                         [f"git tag {version}", "cd examples/embed", "swift run"])
        with tempfile.TemporaryDirectory() as scratch:
            # Nothing of it stays in the user's caches: SwiftPM never lets a tag move.
            places = [word for kind in ("cache", "config", "security")
                      for word in (f"--{kind}-path", f"{scratch}/{kind}")]
            clone = f"{scratch}/a clone"
            printed(["git", "clone", "--quiet", ROOT, clone])
            printed(["git", "-C", clone, "tag", "--force", version])
            done = printed(["swift", "run", *places], cwd=f"{clone}/examples/embed", timeout=600)
        self.assertEqual(done.splitlines()[-len(self.expected()):], self.expected())
