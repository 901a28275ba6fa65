# SPDX-License-Identifier: Apache-2.0
"""Row 21: private memory of an agent for its meeting point: pages that it wrote, which row 10
counts, and those of files that nobody else on the machine has mapped.

Two agents alone at home, one of which is connected to a broker over TLS, has left its box there and
has read those of four days.
"""

import os

from figures import Ratio
from frame import ROOT

WHAT = "memory of meeting others"
GOAL = 1.5


def measure(bench):
    found = bench.run(
        ["python3", "-B", f"{ROOT}/Benchmarks/Ends/meeting.py", "memory",
         str(bench.rounds(5, 2)), str(bench.rounds(10, 5))],
        timeout=200, env={**os.environ, "SEATAGENT": bench.swift("seatagent")})
    if "more" not in found:
        bench.missing("network namespaces")
    more = found["more"]
    return [Ratio("private pages with a meeting point, beyond those without", more.median, GOAL,
                  details=[found["met"].text("with"), found["alone"].text("without"),
                           found["written"].text("of the difference written")],
                  low=min(more.values), high=max(more.values), unit=more.unit)]
