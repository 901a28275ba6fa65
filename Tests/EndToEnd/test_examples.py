"""What is shown to people runs: the demo, in every way it can run, and each file of examples/."""

import os
import signal
import subprocess
import sys
import time

import world
from agent import BINARY, ROOT
from case import Case
from waiting import until

DEMO = [sys.executable, "-B", os.path.join(ROOT, "Tests", "EndToEnd", "demo.py"), "--play"]


def agents():
    """Process numbers of all agents in this world that run below a demo."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if b"DEMO_UNDER_TEST=1" in file.read():
                    found.append(int(pid))
        except OSError:
            pass
    return found


class Demo(Case):
    slow = 20

    def test_two_hosts_swap_and_print_the_transcript(self):
        if world.no_namespaces:
            self.skipTest(f"needs network namespaces: {world.no_namespaces}")
        done = subprocess.run(
            DEMO, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
        self.assertEqual(done.returncode, 0, done.stdout)
        for line in ("two hosts", "ada$ seatagent swap 12A", "bo$ seatagent accept 1", "equal"):
            self.assertIn(line, done.stdout)

    def test_without_namespaces_it_says_so_and_uses_loopback(self):
        here = self.loopback()
        done = here.run(DEMO, check=False, timeout=200,
                        env={"SEATAGENT_E2E_NO_NAMESPACES": "1", "SEATAGENT": BINARY})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("no network namespaces here", done.stdout)
        self.assertIn("equal", done.stdout)

    def test_nothing_is_left_after_it_was_interrupted(self):
        for more in ({}, {"SEATAGENT_E2E_NO_NAMESPACES": "1"}):
            here = self.loopback()
            demo = here.popen(DEMO, log="demo.log", env={
                "DEMO_UNDER_TEST": "1", "SEATAGENT": BINARY, **more})
            log = here.logs[-1]
            until("both are aboard", lambda: "peers --wait" in here.text(log), 60)
            demo.send_signal(signal.SIGINT)
            self.assertEqual(demo.wait(15), 130)
            until("all is gone", lambda: not agents(), 10)


class Examples(Case):
    def test_two_terminals_plays_over_loopback(self):
        here = self.loopback()
        began = time.monotonic()
        done = here.run(["sh", f"{ROOT}/examples/two-terminals.sh", "--play"], check=False,
                        timeout=120, env={"SEATAGENT": BINARY})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("bo$ seatagent accept 1", done.stdout)
        self.note = f"{time.monotonic() - began:.0f} s"
