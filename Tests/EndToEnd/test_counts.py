# SPDX-License-Identifier: Apache-2.0
"""What `make bench-count` says of counts of instructions."""

import os
import sys
import unittest

from agent import ROOT

sys.path.append(os.path.join(ROOT, "Benchmarks"))
import counts  # noqa: E402


class CountsCase(unittest.TestCase):
    def test_a_tenth_more_is_too_much(self):
        kept = {"join": 1000, "fold": 1000, "more": 1000}
        lines, bad = counts.compare(kept, {"join": 1100, "fold": 1101, "more": 500})
        self.assertEqual(bad, ["fold"])
        self.assertEqual([line.split()[-1] for line in lines], ["ok", "GREW", "ok"])

    def test_what_is_missing_on_either_side_is_told(self):
        _, bad = counts.compare({"join": 1}, {"fold": 1})
        self.assertEqual(bad, ["fold", "join"])

    def test_what_is_kept_is_read_again_and_has_every_count(self):
        made = {name: 1000 + place for place, name in enumerate(counts.TEXTS)}
        self.assertEqual(counts.parse(counts.render(made)), made)
        with open(counts.KEPT) as file:
            kept = counts.parse(file.read())
        self.assertEqual(set(kept), set(counts.TEXTS))
        self.assertTrue(all(count > 0 for count in kept.values()))
