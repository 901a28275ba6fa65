# SPDX-License-Identifier: Apache-2.0
"""Row 18: 40 guests on one laptop, two of them with the whole page in Chromium.

For a minute one of them says a line each second, and a family of three finds a plan, asks two
others and swaps. The 38 that are no browser speak the page's protocol; they, Chromium and what the
host pays for are on the same machine, but only the host's processes are counted. A line is with all
once the slowest guest has opened it, or shows it.
"""

import os

from figures import Ratio
from frame import ROOT

WHAT = "forty phones on one laptop"


def measure(bench):
    found = bench.run(
        ["python3", "-B", f"{ROOT}/Benchmarks/Ends/phones.py", str(bench.rounds(60, 30)),
         str(bench.rounds(5, 1))],
        timeout=400, env={**os.environ, "SEATAGENT": bench.swift("seatagent")})
    if "line" not in found:
        bench.missing("network namespaces, or no Chromium")
    return [
        ratio("memory written by the host, at most", found["peak"], 400,
              found["memory"].text("at the end"), found["guests"].text("there are")),
        ratio("processor of the host, a line a second", found["cores"], 0.5,
              found["page"].text("of the page's server")),
        ratio("a line is with all, of 95 in 100", found["line"], 500,
              found["middle"].text("of half of them"),
              found["spoken"].text("with those that are no browser"),
              found["plan"].text("a family's party, plan and swap")),
        ratio("first picture at 1 Mbit/s and 100 ms", found["painted"], 1000,
              found["ready"].text("somebody can type who they are")),
        ratio("the page on the wire", found["weight"], 45)]


def ratio(what, samples, goal, *details):
    return Ratio(what, samples.median, goal, details=list(details), low=min(samples.values),
                 high=max(samples.values), unit=samples.unit)
