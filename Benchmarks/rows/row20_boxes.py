# SPDX-License-Identifier: Apache-2.0
"""Row 20: an agent that has just started reads the boxes of 200 passengers at a meeting point.

Each has a card and a log of four entries. The agent asks bucket after bucket and opens, verifies
and decodes what comes; beside it a client with libmosquitto asks for everything at once and looks
at nothing. From the first byte to the broker until all is there.
"""

import brokers
from figures import Ratio, Samples

WHAT = "reading 200 boxes"
GOAL = 2
PEOPLE = 200


def measure(bench):
    shore, program = bench.swift("shore"), bench.tool("mosquitto_read")
    with brokers.mosquitto(bench) as peer:
        url = f"mqtt://127.0.0.1:{peer.port}"
        kept = bench.run([shore, "fill", url, str(PEOPLE)], port=url)
        messages = str(int(kept["messages"].median))
        found, _ = bench.interleave(bench.rounds(15, 5), {
            "agent": lambda: bench.run([shore, "read", url, str(PEOPLE)], port=url)["read"],
            "raw": lambda: bench.run([program, str(peer.port), messages], port=peer.port)["read"],
        })
    kilobytes = Samples([kept["bytes"].median / 1000], "kB")
    return [Ratio.of("from the connection to the last log, beside one raw subscription",
                     found["agent"], found["raw"], GOAL,
                     names=("agent", "libmosquitto, one wildcard"),
                     details=[kilobytes.text(f"{messages} messages,")])]
