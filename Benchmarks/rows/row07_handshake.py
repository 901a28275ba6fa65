"""A connection to a peer until both may speak: mutual TLS 1.3 with Ed25519, and HELLO both ways."""

from figures import Ratio

WHAT = "handshake"


def measure(bench):
    count = str(bench.rounds(1000, 200))
    openssl = bench.tool("tls_handshake")
    found, _ = bench.interleave(bench.rounds(7, 3), {
        "agent": lambda: bench.run([bench.swift("wire"), "handshake", count], 0)["handshake"],
        "OpenSSL over TCP": lambda: bench.run([openssl, "tcp", count], 0)["handshake"],
        "OpenSSL in memory": lambda: bench.run([openssl, "memory", count], 0)["handshake"],
    })
    # The agent's has a TCP connection made and ended in it, so the one that has that too is judged.
    return [Ratio.of("beside OpenSSL alone, both ends on one core", found["agent"],
                     found["OpenSSL over TCP"], 1.25, names=("agent", "OpenSSL over TCP"),
                     details=[found["OpenSSL in memory"].text("OpenSSL in memory, no socket")])]
