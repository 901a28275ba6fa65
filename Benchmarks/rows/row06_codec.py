# SPDX-License-Identifier: Apache-2.0
"""A signed line of chat, ten fields in their envelope, from bytes and to bytes.

What is measured is the agent's own decoder as it is, hashing left out: it refuses whatever is not
deterministic CBOR and valid UTF-8, which libcbor does not. Both keep all fields, and a copy of the
text.
"""

import os
import subprocess

from figures import Ratio, Samples
from frame import Broken

WHAT = "codec"
DECODED = 10000


def measure(bench):
    agent, libcbor = bench.swift("core"), bench.tool("codec")
    entry = subprocess.run([agent, "entry"], check=True, capture_output=True, text=True,
                           timeout=60).stdout.strip()
    found = {}
    for _ in range(bench.rounds(9, 3)):
        for argv in ([agent, "codec", "3"], [libcbor, entry, "3"]):
            for name, once in bench.run(argv, pin=0).items():
                found.setdefault(name, Samples([], once.unit)).values.append(once.median)
    bench.commands = [words.replace(entry, "ENTRY") for words in bench.commands]
    ours = found["codec.decode.processor"]
    shown = [found[name].text(what) for name, what in (
        ("codec.decode+id.processor", "with its SHA-256"),
        ("codec.bare", "libcbor streaming, nothing kept"),
        ("codec.encode.processor", "encode, and decode what was made"),
        ("codec.cencode", "libcbor's encoder"))]
    return [
        Ratio.of("decode beside libcbor streaming", ours, found["codec.stream"], 0.8,
                 names=("agent", "libcbor streaming"), details=shown),
        Ratio.of("decode beside libcbor's tree", ours, found["codec.tree"], 0.1,
                 names=("agent", "libcbor's tree")),
        Ratio("allocations a decoded entry, of itself and its text", allocations(bench, agent),
              2, unit="calls"),
    ]


def allocations(bench, agent):
    """Calls of malloc that one decode makes, counted by a library that is loaded before."""
    counter = bench.tool("allocations")

    def calls(count):
        done = subprocess.run([agent, "decode", str(count)], capture_output=True, text=True,
                              env={**os.environ, "LD_PRELOAD": counter}, timeout=60)
        if done.returncode != 0:
            raise Broken(f"core decode: {done.stderr}")
        return int(done.stdout.split()[-1])

    return (calls(DECODED) - calls(0)) / DECODED
