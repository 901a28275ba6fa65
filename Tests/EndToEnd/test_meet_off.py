# SPDX-License-Identifier: Apache-2.0
"""Without a meeting point an agent speaks with its own network and nobody else: every call of the
kernel by which it names an address is looked at."""

import ipaddress
import os
import re
import subprocess

from agent import BINARY, Agent
from case import Case
from waiting import until

#: Calls that name an address of the other end, or of this one; and where they have it.
CALLS = "connect,bind,sendto,sendmsg,sendmmsg"
INET = re.compile(r'sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)')
INET6 = re.compile(r'sin6_port=htons\((\d+)\).*?inet_pton\(AF_INET6, "([^"]+)"')
#: All that there is on the link of the tests, and what is said to all of it.
LAN = [ipaddress.ip_network(text) for text in (
    "10.77.0.0/24", "fe80::/10", "224.0.0.0/24", "ff02::/16", "0.0.0.0/32", "::/128")]
BROKER = "192.0.2.7"


class Traced(Agent):
    """An agent under strace, which stops it at these calls alone (a filter of seccomp)."""

    def board(self, env=None, wait=True):
        self.trace = f"{self.host.folder}/{self.name}.trace"
        self.process = self.host.popen(
            ["strace", "-f", "--seccomp-bpf", "-qq", "-s", "1", "-e", f"trace={CALLS}",
             "-o", self.trace, BINARY, "agent", "--profile", self.name, "--seat", self.seat,
             "--name", self.name, "--port", str(self.port), *self.options],
            log=f"{self.name}.log", env=env)
        until(f"the agent of {self.name} answers", self.answers, 30)
        return self

    def calls(self):
        with open(self.trace, errors="replace") as file:
            return [line for line in file if "sa_family=" in line]


def addresses(lines):
    """(port, address) of each call that names one on a network."""
    return [(int(port), ipaddress.ip_address(text))
            for line in lines for port, text in INET.findall(line) + INET6.findall(line)]


class Off(Case):
    def setUp(self):
        super().setUp()
        works = subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-o", os.devnull, "true"],
                               check=False, stderr=subprocess.DEVNULL)
        if works.returncode:
            self.skipTest("strace cannot trace here")

    def test_without_a_meeting_point_no_call_names_an_address_beyond_the_link(self):
        cabin = self.cabin("ada", "bo", avahi=False)
        ada = Traced(cabin["ada"], "ada", "14C", options=["--no-mdns"]).board()
        bo = Agent(cabin["bo"], "bo", "12A", peers=[ada], options=["--no-mdns"]).board()
        bo.wait_for(ada)
        ada.call("say", "hello")
        until("bo hears it", lambda: "hello" in bo.said())
        bo.call("msg", "ada", "and you")
        until("ada hears it", lambda: "and you" in ada.said())
        ada.leave()
        lines = ada.calls()
        self.assertIn("AF_UNIX", "".join(lines))
        named = addresses(lines)
        self.assertIn(ada.port, [port for port, _ in named])
        for port, address in named:
            self.assertTrue(any(address in net for net in LAN if net.version == address.version),
                            f"{address} port {port}")
            self.assertNotIn(port, (53, 1883, 8883, 4222))
        families = set(re.findall(r"sa_family=(AF_\w+)", "".join(lines)))
        self.assertLessEqual(families, {"AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK"})

    def test_with_one_the_same_trace_has_its_address(self):
        cabin = self.cabin("ada", "bo", avahi=False)
        ada = Traced(cabin["ada"], "ada", "14C", options=[
            "--no-mdns", "--meet", f"mqtts://{BROKER}:8883"]).board()
        wanted = (8883, ipaddress.ip_address(BROKER))
        until("it is tried", lambda: wanted in addresses(ada.calls()), 20)
        ada.leave()
