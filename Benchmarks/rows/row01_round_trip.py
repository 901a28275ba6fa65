# SPDX-License-Identifier: Apache-2.0
"""A sealed message of 100 bytes to a peer and its answer, no disk."""

import agent_link
import brokers
from figures import Ratio

WHAT = "round trip"
MOST = {"TLS in C": 1.25, "mosquitto": 1.0, "ngircd": 1.0, "ZeroMQ CURVE": 1.0}
SHOWN = ("raw TCP", "mosquitto, to oneself")


def measure(bench):
    count = bench.rounds(20000, 4000)
    rounds = bench.rounds(7, 3)
    ratios = []
    # On one core the work counts; on two, mostly how fast a core wakes up.
    for cores, pin in (("one core", 0), ("two cores", None)):
        if cores == "two cores" and len(bench.cores) < 2:
            continue
        found, reasons = bench.interleave(rounds, works(bench, count, pin))
        shown = [found[name].text(name) for name in SHOWN if name in found]
        for name, most in MOST.items():
            what = f"beside {name}, {cores}"
            if name in reasons:
                ratios.append(Ratio.missing(what, most, reasons[name]))
                continue
            ratios.append(Ratio.of(what, found["agent"], found[name], most,
                                   names=("agent", name), details=shown))
            shown = []
    return ratios


def works(bench, count, pin):
    def tool(name, *words):
        return lambda: bench.run([bench.tool(name), *words, str(count)], pin)["round_trip"]

    def over(broker, name, *words):
        def work():
            with broker(bench, pin) as peer:
                argv = [bench.tool(name), str(peer.port), str(count), *words]
                return bench.run(argv, pin, port=peer.port)["round_trip"]
        return work

    return {
        "agent": lambda: agent_link.measure(bench, "ping", count, pin=pin)["round_trip"],
        "raw TCP": tool("tcp_ping"),
        "TLS in C": tool("tls_ping"),
        "mosquitto": over(brokers.mosquitto, "mqtt_ping"),
        "mosquitto, to oneself": over(brokers.mosquitto, "mqtt_ping", "self"),
        "ngircd": over(brokers.ngircd, "irc_ping"),
        "ZeroMQ CURVE": tool("zmq_ping"),
    }
