# SPDX-License-Identifier: Apache-2.0
"""A signed line to the 191 others of a cabin over the overlay, checked and stored once by each.

Each passenger is a real core with a real store; what is left out is TLS and the sockets, which rows
1 and 2 measure. The limit is what each receiver cannot do without: one check by libsodium, and one
commit of one row by SQLite to a disk that has it (WAL, FULL).
"""

from figures import Ratio, Samples
from frame import Broken

WHAT = "cabin chat"


def measure(bench):
    rounds = str(bench.rounds(12, 3))
    found = bench.run([bench.swift("core"), "chat", bench.folder, rounds], timeout=400)
    for name in ("chat.verified", "chat.stored"):
        if set(found[name].values) != {1.0}:
            raise Broken(f"{name}: {found[name].text('')}, not once by each")
    ours = total(found, "chat.core", "chat.store")
    limit = total(found, "chat.verify", "chat.commit")
    shown = [found[name].text(what) for name, what in (
        ("chat.core", "core"), ("chat.store", "store"), ("chat.quiet", "upkeep without a line"),
        ("chat.verify", "one check"), ("chat.commit", "one commit"),
        ("chat.turns", "turns of a core, less upkeep"), ("chat.links", "links of each"))]
    return [Ratio.of("per receiver, beside a check and a commit", ours, limit, 1.25,
                     names=("core and store", "check and commit"), details=shown)]


def total(found, *names):
    """The sum of these, round by round."""
    values = [sum(round) for round in zip(*(found[name].values for name in names))]
    return Samples(values, found[names[0]].unit)
