# SPDX-License-Identifier: Apache-2.0
"""Row 15, from inside: an agent of a venue with thousands of people, whom the program WIRE plays
over real links from another host.

    full_library.py WIRE PEOPLE LINKS RATE SECONDS

First over one link: seconds until the agent knows everybody. Then over LINKS of them with RATE
changes an hour, for so many seconds: processor time, and the pages that the agent wrote.
"""

import glob
import os
import sqlite3
import sys
import time

import stage
from hosts import Cabin
from waiting import until

TICK = os.sysconf("SC_CLK_TCK")


def main():
    wire, (people, links, rate, seconds) = sys.argv[1], map(int, sys.argv[2:])
    stage.enter()
    import library
    cabin = Cabin("p0", "p1")
    reader = library.Reader(cabin["p0"]).take(library.sign(cabin["p0"], library.words()))
    reader.open()
    status = reader.told("status", "--profile", "default_uva")
    pid, port = status["pid"], status["network"]["port"]
    data = f"{cabin['p0'].env['XDG_DATA_HOME']}/seatagent/default_uva"
    with sqlite3.connect(glob.glob(f"{data}/*.db")[0]) as file:
        (auth,), = file.execute("SELECT auth FROM identity")
    file.close()
    stage.show("alone", [written(pid)], "MB")
    begun = int(time.time()) - people // 2 - 60
    play = [wire, "library", f"{cabin['p0'].address}:{port}", auth.hex(), str(people), str(begun)]

    first = opened(cabin["p1"], [*play, "1", "0"])
    began = time.monotonic()
    until("the agent knows everybody", lambda: reader.open()["known"] == people, 300, pause=0.2)
    stage.show("learnt", [time.monotonic() - began], "s")
    first.terminate()
    first.wait(10)

    others = opened(cabin["p1"], [*play, str(links), str(rate)])
    until("they are linked", lambda: reader.open()["linked"] == links, 60)
    # What was the start's is paid.
    time.sleep(min(seconds, 15))
    spent, began = processor(pid), time.monotonic()
    time.sleep(seconds)
    share = (processor(pid) - spent) / (time.monotonic() - began) * 100
    stage.show("processor", [share], "%")
    stage.show("full", [written(pid)], "MB")
    assert others.poll() is None and reader.open()["known"] == people
    others.terminate()
    others.wait(10)
    cabin.close()


def opened(host, argv):
    """The other people, once all their links stand."""
    process = host.popen(argv, log="wire.log", stdout=-1, text=True)
    if process.stdout.readline() != "open\n":
        with open(f"{host.folder}/wire.log", encoding="utf-8") as file:
            sys.exit(f"no link: {file.read()}")
    return process


def processor(pid):
    """Seconds of processor that it took, all threads."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def written(pid):
    """Megabytes that the kernel can get back from nobody but the agent, as in row 10."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as file:
        line = next(line for line in file if line.startswith("Private_Dirty:"))
    return int(line.split()[1]) * 1024 / 1e6


main()
