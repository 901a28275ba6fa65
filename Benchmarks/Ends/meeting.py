# SPDX-License-Identifier: Apache-2.0
"""Rows 21 and 23, from inside: agents and a meeting point with TLS.

    meeting.py memory ROUNDS SECONDS         pages of an agent that meets others, and of one that
                                             does not, after so many seconds of rest
    meeting.py swap ROUNDS SWAPCLOCK DELAY   swaps over a LAN, and swaps through a tunnel, with
                                             DELAY seconds on each way through the switch
"""

import sys
import time

import stage
import swap
from agent import Agent
from hosts import Cabin, Loopback
from meet_broker import Broker
from waiting import until


def memory(rounds, seconds):
    host = Loopback("h")
    broker = Broker(host).start()
    for number in range(int(rounds)):
        met = [written(host, f"ada{number}", float(seconds), broker),
               written(host, f"bo{number}", float(seconds))]
        differences = [one - other for one, other in zip(*met)]
        stage.show("more", [sum(differences)], "MB")
        stage.show("written", [differences[0]], "MB")
        stage.show("met", [sum(met[0])], "MB")
        stage.show("alone", [sum(met[1])], "MB")
    broker.stop()
    host.close()


def written(host, name, seconds, broker=None):
    """Megabytes of private pages that an agent wrote, and of those that it only read."""
    agent = traveller(host, name, "14C", broker).board()
    if broker:
        until("the broker has what it left", lambda: is_stored(agent), 30)
    time.sleep(seconds)
    found = {}
    with open(f"/proc/{agent.process.pid}/smaps_rollup") as file:
        for line in file:
            if line.startswith("Private_"):
                head, size = line.split()[:2]
                found[head] = int(size) * 1024 / 1e6
    agent.kill()
    return found["Private_Dirty:"], found["Private_Clean:"]


def traveller(host, name, seat, broker=None, peers=()):
    options = ["--no-mdns"]
    if broker:
        options += ["--meet", f"mqtts://{broker.at}:{broker.port}"]
    agent = Agent(host, name, seat, peers=peers, options=options)
    if broker:
        agent.command("config", "set", "rendezvous.ca", broker.authority, check=0)
    return agent


def is_stored(agent):
    there = agent.ask("status")["result"]["meeting"]
    return (there["entries"] >= 2 and there["read"]
            and all(home["stored"] for home in there["homes"]))


def swaps(rounds, swapclock, delay):
    with Cabin("ada", "bo", "cy", "di", "meet", switch=True, avahi=False,
               delay=float(delay)) as cabin:
        host = cabin["meet"]
        broker = Broker(host, at=host.address, names=[f"IP:{host.address}"]).start()
        bo = traveller(cabin["bo"], "bo", "12A").board()
        ada = traveller(cabin["ada"], "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        # Nobody tells these two the other's address.
        cy = traveller(cabin["cy"], "cy", "16A", broker).board()
        di = traveller(cabin["di"], "di", "17C", broker).board()
        for one, other in ((cy, "di"), (di, "cy")):
            until("they have read each other", lambda one=one, other=other:
                  other in one.held().values(), 60)
        pairs = {"lan": (ada, bo), "tunnel": (cy, di)}
        for pair in pairs.values():
            swap.swap(*pair, swapclock)
        for number in range(int(rounds)):
            for name in sorted(pairs, reverse=number % 2 == 1):
                stage.show(name, [swap.swap(*pairs[name], swapclock) / 1000], "ms")
        reach = cy.call("peers")["peers"][0]["reach"]
        assert reach == "relayed", reach
        broker.stop()


if __name__ == "__main__":
    stage.enter()
    {"memory": memory, "swap": swaps}[sys.argv[1]](*sys.argv[2:])
