# SPDX-License-Identifier: Apache-2.0
"""Row 19: a round trip of 300 bytes between two agents through a tunnel at a real broker.

Inside the tunnel is TLS 1.3, around it a frame that only its two ends can read. Beside it what
mosquitto_rr does, by two clients with libmosquitto that stay connected: mosquitto_rr itself
connects for each question. Both with quality 1, over plain TCP, through one mosquitto.
"""

import subprocess

import brokers
from figures import Ratio

WHAT = "round trip through a tunnel"
GOAL = 1.3
# A tunnel sends 100 frames at once and 10 a second after that.
COUNT = 80


def measure(bench):
    found, reasons = bench.interleave(
        bench.rounds(9, 3), {"agent": lambda: agent(bench), "pair": lambda: pair(bench)})
    if reasons:
        bench.missing(next(iter(reasons.values())).removeprefix("no "))
    return [Ratio.of("300 bytes, beside the same without TLS and frames", found["agent"],
                     found["pair"], GOAL,
                     names=("through a tunnel", "request and response with libmosquitto"))]


def agent(bench):
    shore = bench.swift("shore")
    with brokers.mosquitto(bench) as peer:
        url = f"mqtt://127.0.0.1:{peer.port}"
        other = bench.start([shore, "answer", url], port=url, stderr=subprocess.DEVNULL)
        try:
            return bench.run([shore, "ping", url, str(COUNT)], port=url)["round_trip"]
        finally:
            bench.end(other)


def pair(bench):
    program = bench.tool("mosquitto_pair")
    with brokers.mosquitto(bench) as peer:
        return bench.run([program, str(peer.port), str(COUNT)], port=peer.port)["round_trip"]
