# SPDX-License-Identifier: Apache-2.0
"""Discovery alone against real daemons: `scripts/live-discovery.sh`, in a world of its own."""

import os
import subprocess

import world
from agent import ROOT
from case import Case


class Discovery(Case):
    slow = 80

    def test_it_survives_whatever_happens_to_the_daemons(self):
        if world.no_namespaces:
            self.skipTest(f"needs network namespaces: {world.no_namespaces}")
        # The script names its hosts with `ip netns`, below /run, which is this world's own.
        done = subprocess.run(
            ["bash", os.path.join(ROOT, "scripts", "live-discovery.sh")], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240)
        self.note = f"{done.stdout.count('ok  ')} checks"
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertGreater(done.stdout.count("ok  "), 10, done.stdout)
