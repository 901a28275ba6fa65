# SPDX-License-Identifier: Apache-2.0
"""192 authors with 60 entries each: received, checked, stored and folded by one who comes late."""

from figures import Ratio

WHAT = "late joiner"


def measure(bench):
    found = bench.run([bench.swift("core"), "join", bench.folder, str(bench.rounds(9, 2))],
                      timeout=400)
    shown = [found[name].text(what) for name, what in (
        ("join.core", "core"), ("join.store", "store"), ("join.turns", "turns with a commit each"),
        ("join.verified", "checks made"))]
    return [Ratio.of("beside the signature checks alone", found["join.all"], found["join.checks"],
                     1.2, names=("all of it", "checks"), details=shown)]
