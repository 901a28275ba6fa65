# SPDX-License-Identifier: Apache-2.0
"""Row 14: from typing `checkin` to all five others having counted it, on six hosts.

Beside it, a message that mosquitto retains, published by a process and seen by five subscribers on
127.0.0.1: what a library with a server could do at best.
"""

import os

from brokers import mosquitto
from figures import Ratio
from frame import ROOT

WHAT = "check-in"


def measure(bench):
    environment = {**os.environ, "SEATAGENT": bench.swift("seatagent")}
    rounds = str(bench.rounds(20, 5))
    found = bench.run(
        ["python3", "-B", f"{ROOT}/Benchmarks/Ends/presence.py", rounds], timeout=300,
        env=environment)
    if "seen" not in found:
        bench.missing("network namespaces")
    with mosquitto(bench) as broker:
        beside = bench.run(
            ["python3", "-B", f"{ROOT}/Benchmarks/Ends/retained.py", str(broker.port), rounds],
            timeout=120, port=broker.port)
    seen, kept = found["seen"], beside["retained"]
    return [Ratio("typed to counted by five others", seen.median, 300, low=min(seen.values),
                  high=max(seen.values), unit="ms",
                  details=[seen.text("checkin"), kept.text("retained by mosquitto, five see it")])]
