# SPDX-License-Identifier: Apache-2.0
"""Messages of 100 bytes one way, as fast as they go; the receiver says when all are there."""

import agent_link
import brokers
from figures import Ratio

WHAT = "one way"
# What the agent does in each comparison is what the other does: C has a length, a type and 100
# bytes, finds each where it lies and decodes nothing, and the agent's frames are held against it.
# Its direct messages, which are encoded and decoded one by one, are held against the peers, who
# need not do that.
LEAST = {"C and OpenSSL": ("frames", 0.75), "ZeroMQ CURVE": ("messages", 2),
         "mosquitto": ("messages", 8)}


def measure(bench):
    many, some, few = (bench.rounds(full, full // 5) for full in (2000000, 300000, 100000))

    def agent(level):
        return lambda: agent_link.measure(bench, "stream", many, level)["one_way"]

    def tool(name, count):
        return lambda: bench.run([bench.tool(name), str(count)])["one_way"]

    def mosquitto():
        with brokers.mosquitto(bench) as peer:
            argv = [bench.tool("mqtt_stream"), str(peer.port), str(few)]
            return bench.run(argv, port=peer.port)["one_way"]

    found, reasons = bench.interleave(bench.rounds(7, 3), {
        "messages": agent("messages"),
        "frames": agent("frames"),
        "session": agent("session"),
        "C and OpenSSL": tool("tls_stream", many),
        "ZeroMQ CURVE": tool("zmq_stream", some),
        "mosquitto": mosquitto,
    })
    limit = found["C and OpenSSL"].median
    shown = [f"{found[name].text(f'agent, {name}')}, {found[name].median / limit:.2g} x of C"
             for name in ("messages", "session")]
    ratios = []
    for name, (level, least) in LEAST.items():
        what = f"{level} beside {name}"
        if name in reasons:
            ratios.append(Ratio.missing(what, least, reasons[name], at_most=False))
        else:
            ratios.append(Ratio.of(what, found[level], found[name], least, at_most=False,
                                   names=(f"agent, {level}", name), details=shown))
            shown = []
    return ratios
