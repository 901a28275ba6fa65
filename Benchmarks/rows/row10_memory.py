# SPDX-License-Identifier: Apache-2.0
"""Row 10: what an agent takes from the machine and nobody can take back: its written pages."""

import os

from figures import Ratio
from frame import ROOT

WHAT = "memory written"
FEW, MANY = 9, 25
PASSENGERS, ENTRIES = 192, 12


def measure(bench):
    found = bench.run(
        ["python3", "-B", f"{ROOT}/Benchmarks/Ends/memory.py", str(FEW), str(MANY),
         str(bench.rounds(20, 5)), bench.swift("crowd"), str(PASSENGERS), str(ENTRIES)],
        timeout=300, env={**os.environ, "SEATAGENT": bench.swift("seatagent")})
    if "idle" not in found:
        bench.missing("network namespaces")
    return [
        ratio(f"idle with {MANY - 1} links", found["idle"], 6),
        ratio(f"{PASSENGERS} passengers known, {ENTRIES} records of each", found["cabin"], 9),
        ratio(f"a further link, of those from {FEW} to {MANY - 1}", found["link"], 40)]


def ratio(what, samples, goal):
    """Judged as it is: bytes do not depend on the machine."""
    return Ratio(what, samples.median, goal, details=[samples.text("Private_Dirty")],
                 low=min(samples.values), high=max(samples.values), unit=samples.unit)
