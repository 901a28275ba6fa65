# SPDX-License-Identifier: Apache-2.0
"""Row 17: somebody comes to a venue with 15 courts, where 120 hours a day are booked for a month.

Real agents on two hosts: the desk, and a newcomer who has the venue's file and nothing else. From
typing `venue open` until the newcomer has checked and kept all 3600 entries and `venue show` has
drawn the last day.
"""

import os

from figures import Ratio
from frame import ROOT

WHAT = "a month of courts"
COURTS, DAYS, EACH = 15, 30, 120


def measure(bench):
    days = bench.rounds(DAYS, 5)
    found = bench.run(
        ["python3", "-B", f"{ROOT}/Benchmarks/Ends/month.py", str(COURTS), str(days), str(EACH)],
        timeout=300, env={**os.environ, "SEATAGENT": bench.swift("seatagent")})
    if "shown" not in found:
        bench.missing("network namespaces")
    return [
        ratio("from typing `venue open` to the last day on the screen", found["shown"], 3,
              found["learnt"].text("all is known"), found["entries"].text("in the ledger")),
        ratio("memory written by the newcomer", found["memory"], 40,
              found["desk"].text("by the desk"))]


def ratio(what, samples, goal, *details):
    return Ratio(what, samples.median, goal, details=list(details), low=min(samples.values),
                 high=max(samples.values), unit=samples.unit)
