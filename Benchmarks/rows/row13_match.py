# SPDX-License-Identifier: Apache-2.0
"""Proposals for a scattered party of 2 to 4, where everybody aboard has wishes, in processor time.

The process holds the flights too: its memory is that of all of them and of the search.
"""

from figures import Ratio, Samples

WHAT = "matcher"


def measure(bench):
    found = bench.run([bench.swift("core"), "match", str(bench.rounds(12, 3))], timeout=600)
    small, large = found["match.small.processor"], found["match.large.processor"]
    shown = [found[f"match.small.{name}"].text(what) for name, what in (
        ("steps", "of the steps for plans"), ("found", "found"))]
    more = [found[f"match.large.{name}"].text(what) for name, what in (
        ("steps", "of the steps for plans"), ("found", "found"))]
    more.append(found["match.memory-large"].text("memory with the flights"))
    return [
        Ratio("192 people", small.median, 1000, low=min(small.values), high=max(small.values),
              unit="ms", details=shown),
        worst("192 people, the slowest", small, 5000),
        Ratio("850 people", large.median, 20000, low=min(large.values), high=max(large.values),
              unit="ms", details=more),
        worst("memory with 192 people", found["match.memory"], 100),
    ]


def worst(what, samples: Samples, goal):
    return Ratio(what, max(samples.values), goal, unit=samples.unit)
