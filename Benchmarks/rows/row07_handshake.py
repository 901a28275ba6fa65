# SPDX-License-Identifier: Apache-2.0
"""A connection to a peer until both may speak: mutual TLS 1.3 with Ed25519, and HELLO both ways."""

from figures import Ratio

WHAT = "handshake"


def measure(bench):
    count = str(bench.rounds(1000, 200))
    openssl = bench.tool("tls_handshake")
    commands = {
        "agent": [bench.swift("wire"), "handshake", count],
        # The agent's has a TCP connection made and ended in it, so this one is judged.
        "OpenSSL over TCP": [openssl, "tcp", count],
        "OpenSSL in memory, no socket": [openssl, "memory", count],
    }
    walls = {}

    def work(name):
        def run():
            found = bench.run(commands[name], 0)
            walls.setdefault(name, []).extend(found["handshake"].values)
            return found["processor"]
        return run

    # Both ends are one process on one core, so its processor time is all of it; on a machine with
    # nothing else to do the time on the wall is the same, and it is shown.
    found, _ = bench.interleave(bench.rounds(7, 3), {name: work(name) for name in commands})
    shown = [found["OpenSSL in memory, no socket"].text("OpenSSL in memory, no socket")]
    shown += [f"on the wall: {name} {bench.median(values):.0f} us"
              for name, values in walls.items()]
    return [Ratio.of("beside OpenSSL alone, both ends on one core, processor time",
                     found["agent"], found["OpenSSL over TCP"], 1.25,
                     names=("agent", "OpenSSL over TCP"), details=shown)]
