# SPDX-License-Identifier: Apache-2.0
"""Row 9: from the start of an agent to its session with another one."""

import os

from figures import Ratio
from frame import ROOT

WHAT = "discovery, from the start to a session"
GOAL = 1.6


def measure(bench):
    bench.needs("/usr/sbin/avahi-daemon", "avahi-daemon")
    bench.needs("/usr/bin/dbus-daemon", "dbus")
    found = bench.run(
        ["python3", "-B", f"{ROOT}/Benchmarks/Ends/discovery.py", str(bench.rounds(20, 4)),
         bench.tool("launch"), bench.tool("dnssd")],
        env={**os.environ, "SEATAGENT": bench.swift("seatagent")})
    if "agent" not in found:
        bench.missing("network namespaces")
    return [Ratio.of(
        "two hosts that know each other, against dns_sd alone", found["agent"], found["bare"],
        GOAL, names=("agent to agent", "dns_sd in C to a TCP connection"),
        details=[found["seeking"].text("dns_sd in C that browses before it registers")])]
