"""`make bench`: what a passenger would notice, measured on the release build.

Agents run on this machine's loopback with their files on a real disk, so that every durable step
costs what it costs. Prints the median, the fastest and the slowest of each.
"""

import os
import shutil
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


if __name__ == "__main__":
    sys.exit(main())
