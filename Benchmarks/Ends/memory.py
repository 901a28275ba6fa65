# SPDX-License-Identifier: Apache-2.0
"""Row 10, from inside: the pages that agents wrote, each linked with all others, and those of one
that knows a full cabin.

    memory.py FEW MANY SECONDS CROWD PASSENGERS ENTRIES

FEW agents, then MANY, are let alone for so many seconds before they are weighed. PASSENGERS with
so many ENTRIES each, made up by the program CROWD, are known to another one.
"""

import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import stage
from agent import Agent
from hosts import Loopback
from waiting import until


def main():
    few, many, seconds = map(int, sys.argv[1:4])
    crowd, passengers, entries = sys.argv[4], int(sys.argv[5]), int(sys.argv[6])
    stage.enter()
    host = Loopback("h")
    # As in an aeroplane: with the libraries and the thread that mDNS takes.
    host.run(["ip", "link", "set", "lo", "multicast", "on"])
    host.start_avahi()
    agents = []
    light = weigh(board(host, agents, few), few, seconds)
    heavy = weigh(board(host, agents, many), many, seconds)
    stage.show("idle", heavy, "MB")
    # The same agents, before the others came and after.
    stage.show("link", [(after - before) * 1000 / (many - few)
                        for before, after in zip(light, heavy)], "kB")
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(Agent.kill, agents))
    stage.show("cabin", [cabin(host, crowd, passengers, entries, seconds)], "MB")
    host.close()


def board(host, agents, count):
    """So many agents, all linked with all."""
    first = agents[:1]
    new = [Agent(host, f"p{number:02}", f"{number // 6 + 1}{'ABCDEF'[number % 6]}", peers=first)
           for number in range(len(agents), count)]
    if not first:
        agents.append(new.pop(0).board())
        for agent in new:
            agent.options += ["--peer", agents[0].reached_at]
    agents += new
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(Agent.board, new))
    for agent in agents:
        until("all are linked", lambda agent=agent:
              status(agent)["linked"] == count - 1, 90, pause=0.3)
    return agents


def weigh(agents, count, seconds):
    """Megabytes that each wrote, after some time without a word from anybody."""
    time.sleep(seconds)
    # To ask one would be a word: its answer takes 60 kB for a moment, and they stay with it.
    weights = [written(agent) for agent in agents]
    assert all(status(agent)["linked"] == count - 1 for agent in agents)
    return weights


def cabin(host, crowd, passengers, entries, seconds):
    """Megabytes written by an agent that has the records of a whole cabin.

    They are on its disk: a peer may introduce no more than two passengers a second.
    """
    bo = Agent(host, "bo", "31A").board()
    bo.leave()
    fill(host, crowd, passengers, entries)
    bo.board()
    assert status(bo)["log"]["entries"] >= passengers * entries, status(bo)
    # Nobody of them is within reach.
    assert status(bo)["away"] == passengers, status(bo)
    time.sleep(seconds)
    return written(bo)


def written(agent):
    """Megabytes that the kernel can get back from nobody but the agent. Pages of files are not
    among them: all agents share these, and where memory is short the kernel drops them."""
    with open(f"/proc/{agent.process.pid}/smaps_rollup") as file:
        line = next(line for line in file if line.startswith("Private_Dirty:"))
    return int(line.split()[1]) * 1024 / 1e6


def fill(host, crowd, passengers, entries):
    """Puts records of made-up passengers into bo's file, as if they had come."""
    files = subprocess.run(["find", f"{host.folder}/d", "-path", "*bo*", "-name", "*.db"],
                           capture_output=True, text=True, check=True).stdout.split()
    assert len(files) == 1, files
    with sqlite3.connect(files[0]) as file:
        (auth,), = file.execute("SELECT auth FROM identity")
        made = subprocess.run([crowd, "records", str(passengers), str(entries), auth.hex()],
                              capture_output=True, text=True, check=True).stdout.split()
        now = int(time.time())
        file.executemany("INSERT INTO entry (seen, bytes) VALUES (?, ?)",
                         ((now, bytes.fromhex(line)) for line in made))
    file.close()


def status(agent):
    return agent.ask("status")["result"]


if __name__ == "__main__":
    main()
