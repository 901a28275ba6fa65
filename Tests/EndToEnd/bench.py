# SPDX-License-Identifier: Apache-2.0
"""`make bench`: what a passenger would notice, measured on the release build.

Agents run on this machine's loopback with their files on a real disk, so that every durable step
costs what it costs. Prints the median, the fastest and the slowest of each.
"""

import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import time

os.environ.setdefault("SEATAGENT", os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))), ".build", "release", "seatagent"))
import world  # noqa: E402
from agent import BINARY, ROOT, Agent  # noqa: E402
from hosts import Loopback  # noqa: E402
from waiting import until  # noqa: E402

ROUNDS = 15


def report(what, values, unit="ms"):
    print(f"{what:44} {statistics.median(values):9.1f} {unit}"
          f"   ({min(values):.1f} to {max(values):.1f}, {len(values)} times)", flush=True)


def milliseconds(work):
    began = time.monotonic()
    work()
    return (time.monotonic() - began) * 1000


def main():
    world.enter()
    place = f"{ROOT}/.build/bench"
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    world.folder = place
    print(f"{BINARY}: {os.path.getsize(BINARY) / 1e6:.1f} MB")
    report("seatagent --version", [
        milliseconds(lambda: subprocess.run([BINARY, "--version"], stdout=subprocess.DEVNULL))
        for _ in range(ROUNDS)])
    here = Loopback("h")
    bo = Agent(here, "bo", "12A")
    report("from start to ready", [milliseconds(bo.board)]
           + [milliseconds(lambda: restart(bo)) for _ in range(4)])
    ada = Agent(here, "ada", "14C", peers=[bo])
    print(f"{'from start to a linked peer':44} "
          f"{milliseconds(lambda: ada.board().wait_for(bo)):9.1f} ms")
    bo.wait_for(ada)
    report("seatagent seats", [milliseconds(lambda: ada.command("seats")) for _ in range(ROUNDS)])
    report("a swap, from accept to done on both", [swap(ada, bo) for _ in range(ROUNDS)])
    for agent in (ada, bo):
        fill(agent, 2500)
    until("ada has all lines", lambda: ada.call("status")["log"]["entries"] > 5000, 60)
    for words in ("window", "aisle n4711", "zeppelin"):
        report(f"search {words!r} in 5000 lines", [search(ada, words) for _ in range(ROUNDS)])
    report("resident memory", [agent.rss / 1024 for agent in (ada, bo)], "MiB")
    here.close()
    shutil.rmtree(place, ignore_errors=True)


def restart(agent):
    agent.leave()
    agent.board()


def swap(ada, bo):
    held = {name: seat for seat, name in ada.held().items()}
    ada.swap(held["bo"])
    number = bo.incoming()
    wanted = {held["bo"]: "ada", held["ada"]: "bo"}

    def accept():
        bo.call("accept", number, "--yes", "--wait")
        until("both are done", lambda: ada.held() == wanted, pause=0.005)
    return milliseconds(accept)


def fill(agent, count):
    """Lines to everyone, many in one turn of the agent: a log has room for 4000."""
    choice = random.Random(1)
    words = "window aisle seat front row hello coffee anyone swap please thanks luggage".split()
    with Line(agent) as line:
        for start in range(0, count, 100):
            line.ask(*({"op": "say", "text": f"{' '.join(choice.choices(words, k=9))} n{number}"}
                       for number in range(start, start + 100)))


def search(agent, words):
    with Line(agent) as line:
        return milliseconds(lambda: line.ask({"op": "search", "text": words}))


class Line:
    """A connection to an agent: requests sent together, and all answers."""

    def __init__(self, agent):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(agent.socket_path())
        self.stream = self.socket.makefile("rwb")
        self.stream.readline()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stream.close()
        self.socket.close()

    def ask(self, *requests):
        for request in requests:
            self.stream.write(json.dumps({"id": 1, **request}).encode() + b"\n")
        self.stream.flush()
        for _ in requests:
            answer = json.loads(self.stream.readline())
            assert answer["ok"], answer


if __name__ == "__main__":
    sys.exit(main())
