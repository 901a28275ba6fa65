# SPDX-License-Identifier: Apache-2.0
"""The bench's own arithmetic and its clean hands: no program of ours is measured here."""

import os
import subprocess
import sys
import tempfile
import unittest

from agent import ROOT

sys.path.append(os.path.join(ROOT, "Benchmarks"))
import frame  # noqa: E402
import table  # noqa: E402
from figures import Ratio, Samples, verdict  # noqa: E402


class Bench(unittest.TestCase):
    def setUp(self):
        self.bench = frame.Bench(quick=True)
        self.addCleanup(self.bench.close)

    def test_figures_are_read_and_nothing_else_is(self):
        found = frame.parse("a 1 2.5 us\nb 3 M/s\na 4 us\n")
        self.assertEqual(found, {"a": Samples([1, 2.5, 4], "us"), "b": Samples([3], "M/s")})
        for line in ("a us", "a one us", "trouble"):
            self.assertRaises(frame.Broken, frame.parse, line)

    def test_a_goal_is_met_or_missed_by_the_rounds(self):
        # The machine was twice as slow in the second and the fifth; the medians are 6 and 2.
        ours, theirs = Samples([3, 8, 4, 6, 6], "us"), Samples([2, 4, 2, 2, 4], "us")
        ratio = Ratio.of("beside", ours, theirs, 2)
        self.assertEqual((ratio.value, ratio.low, ratio.high), (2, 1.5, 3))
        self.assertRaises(ValueError, Ratio.of, "beside", ours, Samples([2], "us"), 2)
        self.assertEqual(ratio.verdict, "met")
        self.assertEqual(Ratio.of("beside", ours, theirs, 1.99).verdict, "MISSED")
        self.assertEqual(Ratio.of("beside", ours, theirs, 2.01, at_most=False).verdict, "MISSED")

    def test_a_row_is_met_when_all_of_it_is(self):
        met, missed = Ratio("a", 1, 2), Ratio("b", 3, 2)
        missing = Ratio.missing("c", 2, "no mosquitto")
        self.assertEqual(verdict([met, met]), "met")
        self.assertEqual(verdict([met, missing]), "not measured: no mosquitto")
        self.assertEqual(verdict([missing, missed]), "MISSED")
        self.assertNotEqual(verdict([]), "met")

    def test_what_is_missing_is_left_out_and_named(self):
        found, reasons = self.bench.interleave(2, {
            "here": lambda: self.bench.run(["echo", "x", "1", "us"])["x"],
            "not": lambda: self.bench.needs("/nowhere/at/all", "mosquitto")})
        self.assertEqual(found, {"here": Samples([1, 1], "us")})
        self.assertEqual(reasons, {"not": "no mosquitto"})

    def test_a_program_that_fails_or_stays_is_no_figure(self):
        self.assertRaises(frame.Broken, self.bench.run, ["false"])
        self.assertRaises(frame.Broken, self.bench.run, ["sleep", "600"], timeout=0.1)

    def test_what_was_started_ends_with_the_bench(self):
        stubborn = self.bench.start(
            [sys.executable, "-c", "import signal, time; signal.signal(15, signal.SIG_IGN); "
             "print('on', flush=True); time.sleep(600)"], stdout=subprocess.PIPE)
        stubborn.stdout.readline()
        self.bench.end(stubborn, patience=0.1)
        self.assertEqual(stubborn.returncode, -9)
        other = self.bench.start(["sleep", "600"])
        self.bench.close()
        self.assertEqual(other.returncode, -15)

    def test_a_full_run_is_put_between_its_marks(self):
        row = table.Row(1, "round trip", [Ratio("beside raw TCP", 1.5, 1.6)], ["wire ping"])
        with tempfile.NamedTemporaryFile("w+", suffix=".md") as page:
            page.write(f"above\n{table.BEGIN}\nold\n{table.END}\nbelow\n")
            page.flush()
            for _ in range(2):
                table.write(page.name, "2 cores", [row], 60)
            with open(page.name) as file:
                text = file.read()
        self.assertTrue(text.startswith("above\n") and text.endswith("\nbelow\n"))
        self.assertNotIn("old", text)
        self.assertEqual(text.count("| 1 | round trip | 1.5 x | at most 1.6 x | met |"), 1)
        self.assertIn("1 of 1 rows met", text)
        self.assertIn("$ wire ping", text)
