# SPDX-License-Identifier: Apache-2.0
"""Row 16: 200 members ask a desk within one second for 100 hours of courts, two for each at once.

The desk, the members and an agent that reads along are on three hosts; the members' asks come over
20 links, each signed by a key of its own. Answered is a grant once the third agent has it on its
disk, and a refusal once it has come. Beside it a service over HTTP with SQLite, on 127.0.0.1, with
as many connections: one that looks and writes in one transaction, and one that looks and then
writes, whose double bookings are counted.
"""

import os
import sqlite3

from figures import Ratio
from frame import ROOT

WHAT = "rush of 200 members at a desk"
MEMBERS, LINKS, COURTS = 200, 20, 15


def measure(bench):
    rounds = bench.rounds(3, 1)
    runs = [desk(bench) for _ in range(rounds)]
    right = [service(bench, "right") for _ in range(rounds)]
    naive = [service(bench, "naive") for _ in range(rounds)]
    granted = [run["granted"] for run in runs]
    refused = [run["refused"] for run in runs]
    values = [max(one, other) for one, other in zip(granted, refused)]
    doubled = [run["doubled"] for run in runs]
    return [
        Ratio("from the first ask to the last answer", middle(values), 3000, unit="ms",
              low=min(values), high=max(values),
              details=[
                  line("the last grant is on another agent's disk", granted, "ms"),
                  line("the last refusal has come", refused, "ms"),
                  line("granted", [run["bookings"] for run in runs], "asks"),
                  line("refused", [run["refusals"] for run in runs], "asks"),
                  line("transactions of the desk", [run["commits"] for run in runs], "commits"),
                  line("HTTP and SQLite, one transaction", [one for one, _, _ in right], "ms"),
                  line("doubled by it", [count for _, _, count in right], "hours"),
                  line("HTTP and SQLite, looks and then writes", [one for one, _, _ in naive],
                       "ms"),
                  line("doubled by it", [count for _, _, count in naive], "hours")]),
        Ratio("doubled by the desk", max(doubled), 0, unit="hours", low=min(doubled),
              high=max(doubled))]


def middle(values):
    return sorted(values)[len(values) // 2]


def line(what, values, unit):
    return (f"{what} {middle(values):.4g} {unit} ({min(values):.4g} to {max(values):.4g}, "
            f"{len(values)})")


def desk(bench):
    found = bench.run(
        ["python3", "-B", f"{ROOT}/Benchmarks/Ends/rush.py", bench.swift("wire"), str(MEMBERS),
         str(LINKS), str(COURTS)],
        timeout=180, env={**os.environ, "SEATAGENT": bench.swift("seatagent")})
    if "granted" not in found:
        bench.missing("network namespaces")
    return {name: samples.median for name, samples in found.items()}


def service(bench, mode):
    """Milliseconds to the last answer, how many were booked, and hours that two have."""
    path = f"{bench.folder}/bookings.{mode}"
    for name in (path, f"{path}-wal", f"{path}-shm"):
        if os.path.exists(name):
            os.remove(name)
    server = bench.start(
        ["python3", "-B", f"{ROOT}/Benchmarks/Peers/booking_service.py", mode, path],
        stdout=-1, text=True)
    port = server.stdout.readline().strip()
    found = bench.run(
        ["python3", "-B", f"{ROOT}/Benchmarks/Ends/rush_http.py", port, str(MEMBERS),
         str(LINKS), str(COURTS)], timeout=120, port=port)
    bench.close()
    with sqlite3.connect(path) as file:
        (doubled,), = file.execute(
            "SELECT COUNT(*) FROM (SELECT 1 FROM booking GROUP BY place, day, start "
            "HAVING COUNT(*) > 1)")
    file.close()
    return found["answered"].median, found["booked"].median, doubled
