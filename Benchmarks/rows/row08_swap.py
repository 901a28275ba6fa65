# SPDX-License-Identifier: Apache-2.0
"""Row 8: from a yes to both agents committed."""

import os

from figures import Ratio, Samples
from frame import ROOT

WHAT = "swap, from accept to both committed"
GOAL = 1.5


def measure(bench):
    tools = [bench.tool(name) for name in ("swapclock", "between", "durable")]
    found = bench.run(
        ["python3", "-B", f"{ROOT}/Benchmarks/Ends/swap.py", str(bench.rounds(30, 8)), *tools],
        env={**os.environ, "SEATAGENT": bench.swift("seatagent")})
    if "swap" not in found:
        bench.missing("network namespaces")
    swap, commit, trip = found["swap"], found["commit"], found["round-trip"]
    least = Samples([2 * one + 3 * other for one, other in zip(commit.values, trip.values)], "us")
    return [Ratio.of(
        "two hosts in namespaces, against two commits and three bare round trips", swap, least,
        GOAL, details=[commit.text("durable commit, SQLite in C"), trip.text("bare round trip")])]
