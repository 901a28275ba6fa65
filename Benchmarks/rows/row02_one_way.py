"""Messages of 100 bytes one way, as fast as they go; the receiver says when all are there."""

import agent_link
import brokers
from figures import Ratio

WHAT = "one way"
LEAST = {"C and OpenSSL": 0.5, "ZeroMQ CURVE": 2, "mosquitto": 8}


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
        "agent": agent("messages"),
        "agent, frames made and drawn only": agent("frames"),
        "agent, through both sessions": agent("session"),
        "C and OpenSSL": tool("tls_stream", many),
        "ZeroMQ CURVE": tool("zmq_stream", some),
        "mosquitto": mosquitto,
    })
    shown = [found[name].text(name) for name in found if name.startswith("agent,")]
    ratios = []
    for name, least in LEAST.items():
        what = f"beside {name}"
        if name in reasons:
            ratios.append(Ratio.missing(what, least, reasons[name], at_most=False))
        else:
            ratios.append(Ratio.of(what, found["agent"], found[name], least, at_most=False,
                                   names=("agent", name), details=shown))
            shown = []
    return ratios
