# SPDX-License-Identifier: Apache-2.0
"""Row 9, from inside: an agent starts on one of two hosts that have met before, and beside it a
program that does the same by dns_sd alone.

    discovery.py ROUNDS LAUNCH DNSSD
"""

import json
import socket
import subprocess
import sys
import time

import stage
from agent import BINARY, Agent
from hosts import Cabin


def main():
    rounds, launch, dnssd = sys.argv[1:]
    stage.enter()
    with Cabin("ada", "bo") as cabin:
        bo = Agent(cabin["bo"], "bo", "12A").board()
        ada = Agent(cabin["ada"], "ada", "14C").board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        there = cabin["bo"].popen([dnssd, "stay", cabin["bo"].address],
                                  stdout=subprocess.PIPE, text=True)
        there.stdout.readline()
        with Peers(bo) as peers:
            leave(ada, peers)
            files = mapped(bo.process.pid) | mapped(there.pid)
            # One of each goes before, so that both daemons know what there is to know.
            for number in range(-1, int(rounds)):
                warm(files)
                agent = meet(ada, peers, launch)
                warm(files)
                bare = meet_bare(cabin, launch, dnssd, "meet")
                warm(files)
                seeking = meet_bare(cabin, launch, dnssd, "seek")
                if number >= 0:
                    stage.show("agent", [agent], "ms")
                    stage.show("bare", [bare], "ms")
                    stage.show("seeking", [seeking], "ms")


def mapped(process):
    """The files that a process runs from: its program and its libraries."""
    with open(f"/proc/{process}/maps", encoding="utf-8") as lines:
        fields = [line.split(maxsplit=5) for line in lines]
    return {field[5].strip() for field in fields if "x" in field[1] and field[5:]
            and field[5].startswith("/")}


def warm(files):
    """Reads them, for both sides alike: what a machine that is short of memory, or that thinks it
    is, took out of its cache since they ran last would be a measure of its disk."""
    for path in files:
        with open(path, "rb") as file:
            while file.read(1 << 20):
                pass


def meet(ada, peers, launch):
    """From the start of ada's agent to the session that bo's has with it, in milliseconds."""
    ada.process = ada.host.popen(
        [launch, BINARY, "agent", "--profile", ada.name, "--seat", ada.seat, "--name", ada.name,
         "--port", str(ada.port)], log="ada.log", stdout=subprocess.PIPE, text=True)
    began = int(ada.process.stdout.readline())
    ended = peers.wait_for("aboard")
    leave(ada, peers)
    return (ended - began) / 1e6


def leave(ada, peers):
    ada.leave()
    peers.wait_for("away")
    # The daemons' farewells stand in their caches for a second (RFC 6762, 10.1).
    time.sleep(1.5)


def meet_bare(cabin, launch, dnssd, how):
    """From the start of the program to its connection, in milliseconds."""
    done = cabin["ada"].run([launch, dnssd, how, cabin["ada"].address], timeout=40)
    began, ended = map(int, done.stdout.split())
    time.sleep(1.5)
    return (ended - began) / 1e6


class Peers:
    """Who comes and goes, as an agent tells its watchers."""

    def __init__(self, agent):
        self.line = socket.socket(socket.AF_UNIX)
        self.line.settimeout(30)
        self.line.connect(agent.socket_path())
        self.stream = self.line.makefile("rwb")
        self.stream.write(b'{"id":1,"op":"watch","events":["peer"]}\n')
        self.stream.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stream.close()
        self.line.close()

    def wait_for(self, change):
        """Until that is told; the time, in nanoseconds of the monotonic clock."""
        for text in self.stream:
            now = time.monotonic_ns()
            if json.loads(text).get("change") == change:
                return now
        raise AssertionError("the agent has gone")


if __name__ == "__main__":
    main()
