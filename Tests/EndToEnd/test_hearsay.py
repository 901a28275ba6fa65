# SPDX-License-Identifier: Apache-2.0
"""A stranger tells of made-up places: agents do not knock at them, and do not pass them on."""

import os
import sys

from agent import Agent
from case import Case
from cbor import decode
from peers import handmade
from waiting import until

PEX = 13
#: Dials for the word of one peer that nobody answers (docs/protocol.md section 23).
DIALS = 8
#: Names and numbers of the agent's own machine, in all their clothes.
HERE = ["localhost", "127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1",
        "0.0.0.0", "::", "::ffff:0.0.0.0", "10.77.0.1", "::ffff:10.77.0.1", "ip6-localhost",
        "127.1", "0"]
#: A machine on another network, to which there is a way.
AWAY = ["10.99.0.3", "::ffff:10.99.0.3", "fd99::3"]
#: Accepts on a port, and prints at which address of its own, one line each.
WATCH = """
import selectors, socket, sys
chosen = selectors.DefaultSelector()
for family, host in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
    door = socket.socket(family)
    if family == socket.AF_INET6:
        door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    door.bind((host, int(sys.argv[1])))
    door.listen(64)
    chosen.register(door, selectors.EVENT_READ)
print("ready", flush=True)
while True:
    for key, _ in chosen.select():
        line, _ = key.fileobj.accept()
        print(line.getsockname()[0], flush=True)
        line.close()
"""
KNOCK = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 5).close()"
DOOR = 7999


class Hearsay(Case):
    def test_a_stranger_sends_nobody_to_their_own_machine_or_to_third_parties(self):
        cabin = self.cabin("ada", "mallory", "post", switch=True, avahi=False)
        ada = Agent(cabin["ada"], "ada", "14C", options=["--no-mdns"]).board()
        post = cabin["post"]
        for argv in (["ip", "addr", "add", "10.99.0.3/24", "dev", post.interface],
                     ["ip", "addr", "add", "fd99::3/64", "dev", post.interface]):
            post.run(argv)
        # Hidden from the agent by nothing but its own judgement: there is a way to them.
        ada.host.run(["ip", "route", "add", "10.99.0.0/24", "via", post.address])
        ada.host.run(["ip", "route", "add", "fd99::/64", "dev", ada.host.interface])
        here, there = self.watch(ada.host), self.watch(post)
        self.knock(ada.host, "127.0.0.1", here)
        self.knock(ada.host, "10.99.0.3", there)
        self.knock(ada.host, "fd99::3", there)
        mallory = handmade(self, ada, os.urandom(32), host=cabin["mallory"])
        mallory("greet")
        lies = (HERE + AWAY) * 3
        hints = [[os.urandom(32).hex(), host, DOOR, number % 2]
                 for number, host in enumerate(lies)]
        third = [[os.urandom(32).hex(), post.address, DOOR, 0] for _ in range(64 - len(hints))]
        mallory("tell", hints=hints + third)
        until("ada tries what may be an agent", lambda: there().count(post.address) >= DIALS, 30)
        # Told again under other names, and for as long as another peer listens.
        for hint in hints + third:
            hint[0] = os.urandom(32).hex()
        mallory("tell", hints=hints + third)
        heard = self.passed_on(ada, cabin["mallory"])
        self.assertEqual(here(), ["127.0.0.1"])
        self.assertEqual(sorted(set(there())), ["10.77.0.3", "10.99.0.3", "fd99::3"])
        self.assertEqual([there().count(host) for host in ("10.99.0.3", "fd99::3")], [1, 1])
        self.assertEqual(there().count(post.address), DIALS)
        # Only the stranger itself is told of, where it came from.
        self.assertEqual([host for _, host, _, _ in heard], [cabin["mallory"].address])
        self.note = f"{2 * 64} hints, {DIALS} dials, all within the network, none passed on"
        ada.call("say", "still here")

    def passed_on(self, agent, host):
        """The hints that a second peer gets from the agent."""
        second = handmade(self, agent, os.urandom(32), host=host)
        second("greet")
        hints = {}
        for frame in second("hear"):
            kind, value = decode(bytes.fromhex(frame))
            for hint in value if kind == PEX else []:
                hints[hint[0]] = hint
        return list(hints.values())

    def watch(self, host):
        """Who was knocked at on this host so far, by its addresses."""
        process = host.popen(
            [sys.executable, "-B", "-u", "-c", WATCH, str(DOOR)], log="watch.log")
        path = os.path.join(host.folder, "watch.log")
        until("the door is watched", lambda: "ready" in host.text(path))
        self.addCleanup(process.kill)
        return lambda: [line for line in host.text(path).split("\n")
                        if line and line != "ready"]

    def knock(self, host, address, seen):
        """The watch sees what the agent's machine can reach."""
        host.run([sys.executable, "-c", KNOCK, address, str(DOOR)])
        until(f"the watch sees {address}", lambda: address in seen())
