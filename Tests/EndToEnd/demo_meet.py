# SPDX-License-Identifier: Apache-2.0
"""`make demo MEET=1`: two passengers meet from home through a broker, and finish aboard without it.

The homes are network namespaces of our own that reach a broker in a third one, but not each other.
Then the broker is stopped, and both are joined to one network, as in a cabin.
"""

import os
import shutil

import meet_broker
from agent import finish
from meet_broker import Broker
from test_relay import apart, together
from waiting import until

CODE = "k7q2m5"


def play(cabin, side, same_map):
    """Ada and bo; `side` makes one of them at a keyboard, `same_map` compares what both see."""
    apart(cabin, "ada", "bo")
    cabin.start_avahi("ada", "bo")
    host = cabin["meet"]
    broker = Broker(host, at=host.address, names=[f"IP:{host.address}"]).start()
    url = f"mqtts://{broker.at}:{broker.port}"
    print("two homes and a broker: ada at 10.77.0.1 and bo at 10.77.0.2 reach the broker at "
          "10.77.0.3,\nbut not each other; no default route, no DNS. Its certificate is made for"
          " this demo: both\nset rendezvous.ca to it.\n\n== at home ==")
    ada, bo = [side(cabin[name], name, seat, ["--meet", url, "--code", CODE])
               for name, seat in (("ada", "14C"), ("bo", "12A"))]
    for one in (ada, bo):
        one.type("config", "set", "rendezvous.ca", broker.authority, quiet=True)
    at_home(ada, bo)
    number, asked = ask(ada, bo)
    before = leave(cabin, ada, bo, broker)
    board(cabin, ada, bo)
    for one in (ada, bo):
        if one.json("status")["pid"] != before[one.name]:
            raise SystemExit(f"demo: {one.name}'s agent is another one than at home")
    maps = until("both show one map", lambda: same_map(ada, bo), 30)
    print(f"\n`seatagent seats --json` of both, without the \"me\" mark, {len(maps)} bytes: equal")
    swap(ada, bo, number, asked, same_map)
    for one in (ada, bo):
        one.type("down")


def at_home(ada, bo):
    """They claim, see each other and write."""
    # Each looks for a stamp of the day, which takes a moment: both at once.
    begun = [one.begin(*one.up) for one in (ada, bo)]
    for one, process in zip((ada, bo), begun):
        status, text = finish(process)
        print(f"\n{one.name} sees:\n{text.rstrip()}", flush=True)
        if status:
            raise SystemExit(f"demo: {one.name}'s `up` ended with {status}")
    for one in (ada, bo):
        until("they see each other", lambda one=one: len(one.json("peers")["peers"]) == 1, 30)
    ada.type("peers")
    ada.type("say", "hello bo, is 12A a window?")
    until("bo reads it", lambda: "12A a window" in bo.type("log", quiet=True), 30)
    bo.type("say", "it is. See you aboard")
    until("ada reads it", lambda: "See you aboard" in ada.type("log", quiet=True), 30)
    ada.type("log")
    ada.type("status")


def ask(ada, bo):
    """Ada asks, and bo sees it without answering: the number at each of them."""
    ada.type("swap", "12A", "--note", "aisle for window", "--unverified")
    waiting = until("the request reaches bo", lambda: bo.json("requests")["requests"], 30)
    asked = ada.json("requests")["requests"][-1]["number"]
    bo.type("requests")
    return waiting[-1]["number"], asked


def leave(cabin, ada, bo, broker):
    """Both close their laptops, bo first, and the broker ends: process numbers by name."""
    pids = {one.name: one.json("status")["pid"] for one in (ada, bo)}
    print("\n== bo does not answer, and leaves for the airport ==", flush=True)
    network(cabin, "bo", "down")
    ada.type("requests")
    print("\n== the broker is stopped, and ada leaves too ==", flush=True)
    broker.stop()
    network(cabin, "ada", "down")
    return pids


def network(cabin, name, state):
    """A laptop leaves its network or joins one."""
    host = cabin[name]
    host.run(["ip", "link", "set", host.interface, state])


def board(cabin, ada, bo):
    """One network, with an Avahi each, and nothing else on it."""
    print("\n== aboard: both on one network, the broker gone ==", flush=True)
    cabin.cut("meet")
    together(cabin, "ada", "bo")
    for name in ("ada", "bo"):
        network(cabin, name, "up")
    for one in (ada, bo):
        one.type("peers", "--wait", "1", "--timeout", "40")


def swap(ada, bo, number, asked, same_map):
    """Bo says yes to what ada asked for at home."""
    bo.type("accept", str(number), "--yes", "--wait")

    def is_done():
        found = [one for one in ada.json("requests", "--all")["requests"]
                 if one["number"] == asked]
        return found and found[0]["state"] in ("agreed", "final")
    until("ada's request is agreed", is_done, 30)
    ada.type("seats")
    for one in (ada, bo):
        one.type("receipt", "--verify")
    until("both show one map", lambda: same_map(ada, bo), 30)
    held = {seat["seat"]: seat["holders"][0]["name"]
            for seat in ada.json("seats")["seats"] if seat.get("holders")}
    if held != {"14C": "bo", "12A": "ada"}:
        raise SystemExit(f"demo: the map after the swap is {held}")


def why_not():
    """Why this demo cannot be played here; empty where it can."""
    if not os.access(meet_broker.MOSQUITTO, os.X_OK):
        return "there is no mosquitto"
    return "" if shutil.which("openssl") else "there is no openssl"
