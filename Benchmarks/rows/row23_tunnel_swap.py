# SPDX-License-Identifier: Apache-2.0
"""Row 23: a swap through a tunnel beside a swap over the LAN, with 20 ms on each way.

From accept to both committed, as in row 8. Each message of a tunnel takes two ways, to the broker
and from it, so 2 is what the road alone makes; half as much again is left for what a broker does.
"""

import os

from figures import Ratio
from frame import ROOT

WHAT = "swap through a tunnel"
GOAL = 2.5
DELAY = 0.02


def measure(bench):
    found = bench.run(
        ["python3", "-B", f"{ROOT}/Benchmarks/Ends/meeting.py", "swap",
         str(bench.rounds(15, 5)), bench.tool("swapclock"), str(DELAY)],
        timeout=300, env={**os.environ, "SEATAGENT": bench.swift("seatagent")})
    if "tunnel" not in found:
        bench.missing("network namespaces")
    return [Ratio.of("from accept to both committed, beside the LAN, 20 ms a way", found["tunnel"],
                     found["lan"], GOAL, names=("through a tunnel", "over the LAN"))]
