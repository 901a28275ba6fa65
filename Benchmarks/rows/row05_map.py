# SPDX-License-Identifier: Apache-2.0
"""The fold of 192 tokens and 300 contracts, and one more entry on top of it, in processor time."""

import math

from figures import Ratio, Samples

WHAT = "map"
# Entries that the fold reads: a claim of each passenger, two votes and two certificates a contract.
SMALL = 192 + 4 * 300
LARGE = 850 + 4 * 2000


def measure(bench):
    found = bench.run([bench.swift("core"), "map", str(bench.rounds(15, 5))], timeout=300)
    ratios = [absolute("the whole fold", found["map.full.processor"], 10)]
    for name, what in (("vote", "one more vote"), ("certificate", "one more certificate"),
                       ("second", "the other party's certificate"), ("claim", "one more claim")):
        ratios.append(absolute(what, found[f"map.{name}.processor"], 0.2))
    large, small = found["map.large.processor"], found["map.full.processor"]
    grown = Samples([one / other for one, other in zip(large.values, small.values)], "x")
    allowed = LARGE * math.log(LARGE) / (SMALL * math.log(SMALL))
    ratios[0].details.append(
        large.text("850 tokens and 2000 contracts") + "; "
        + grown.text("growth") + f"; n log n would be {allowed:.3g} x")
    return ratios


def absolute(what, samples, goal):
    low, high = min(samples.values), max(samples.values)
    return Ratio(what, samples.median, goal, low=low, high=high, unit=samples.unit)
