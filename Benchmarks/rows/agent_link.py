# SPDX-License-Identifier: Apache-2.0
"""The two processes of Benchmarks/Wire: one answers, the other measures."""

import subprocess

from frame import Broken


def measure(bench, what, count, *words, pin=None):
    """Runs `wire what PORT COUNT ...` against `wire answer`, both pinned alike."""
    wire = bench.swift("wire")
    other = bench.start([wire, "answer"], pin, stdout=subprocess.PIPE)
    try:
        port = other.stdout.readline().strip()
        if not port.isdigit():
            raise Broken("wire answer names no port")
        found = bench.run([wire, what, port, str(count), *words], pin, port=port)
        if other.wait(10) != 0:
            raise Broken(f"wire answer: exit {other.returncode}")
        return found
    finally:
        bench.end(other)
