# SPDX-License-Identifier: Apache-2.0
"""Row 15: an agent of a library in which 4096 people come and go, over six real links.

Each comes or leaves once an hour, as if they stayed two hours: 1.1 changes a second in all. Each
change comes on every link, as from neighbours who all heard of it elsewhere. Every stay is signed
by a key of its own.
"""

import os

from figures import Ratio
from frame import ROOT

WHAT = "full library"
PEOPLE, LINKS, RATE = 4096, 6, 4096


def measure(bench):
    found = bench.run(
        ["python3", "-B", f"{ROOT}/Benchmarks/Ends/full_library.py", bench.swift("wire"),
         str(PEOPLE), str(LINKS), str(RATE), str(bench.rounds(180, 30))],
        timeout=600, env={**os.environ, "SEATAGENT": bench.swift("seatagent")})
    if "full" not in found:
        bench.missing("network namespaces")
    return [
        ratio("one neighbour, to knowing everybody", found["learnt"], 60),
        ratio("memory written", found["full"], 60, found["alone"].text("before anybody came")),
        ratio(f"processor, {RATE / 3600:.1f} changes a second", found["processor"], 2)]


def ratio(what, samples, goal, *details):
    return Ratio(what, samples.median, goal, details=[samples.text("agent"), *details],
                 low=min(samples.values), high=max(samples.values), unit=samples.unit)
