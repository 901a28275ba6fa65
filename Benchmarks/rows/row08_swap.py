# SPDX-License-Identifier: Apache-2.0
"""Row 8: from a yes to both agents committed."""

import os

from figures import Ratio
from frame import ROOT

WHAT = "swap, from accept to both committed"
GOAL = 2.5


def measure(bench):
    tools = [bench.tool(name) for name in ("swapclock", "steps", "between", "durable")]
    found = bench.run(
        ["python3", "-B", f"{ROOT}/Benchmarks/Ends/swap.py", str(bench.rounds(30, 8)), *tools],
        env={**os.environ, "SEATAGENT": bench.swift("seatagent")})
    if "swap" not in found:
        bench.missing("network namespaces")
    swap, least = found["swap"], found["steps"]
    return [Ratio.of(
        "two hosts in namespaces, against four commits and three messages in C", swap, least,
        GOAL, details=[least.text("commits and messages in C"),
                       found["commit"].text("one durable commit, SQLite in C"),
                       found["round-trip"].text("bare round trip")])]
