# SPDX-License-Identifier: Apache-2.0
"""Forty guests on one host who speak the page's protocol: what it costs, and how fast a line is."""

import os
import threading
import time

from page_client import Page, inside

GUESTS = 40


def addresses(host, count=GUESTS // 2):
    """Gives a host more addresses: two guests may come from each."""
    found = []
    for number in range(count):
        address = f"10.77.0.{100 + number}"
        host.run(["ip", "addr", "add", f"{address}/24", "dev", host.interface], check=False)
        found.append(address)
    return found


def written(pid):
    """Bytes of memory that a process has written, for itself alone."""
    with open(f"/proc/{pid}/smaps_rollup") as file:
        return sum(int(line.split()[1]) for line in file
                   if line.startswith(("Private_Dirty", "Swap:"))) * 1024


def pids(host, profile):
    """The processes of the page and of each guest's agent."""
    data = f"{host.env['XDG_DATA_HOME']}/seatagent/{profile}"
    found = [f"{data}/host/lock"]
    guests = f"{data}/guests/seatagent"
    found += [f"{guests}/{name}/lock" for name in sorted(os.listdir(guests))]
    numbers = []
    for path in found:
        with open(path) as file:
            numbers.append(int(file.read()))
    return numbers


def ticks(pid):
    """Seconds of the processor that a process has used."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def guests(phones, address, lines, go):
    """Lets forty come in, waits for `go` to exist, and says `lines` lines, one a second: the
    seconds until all had each, and how many came in."""
    sources = addresses(phones)

    def work():
        pages = [Page(address, sources[number // 2]) for number in range(GUESTS)]
        seats = [f"{row}{letter}" for row in range(20, 28) for letter in "ABCDEF"]
        for number, page in enumerate(pages):
            said = page.join(f"guest {number}", seats[number], seconds=120)
            if not said["ok"]:
                raise AssertionError(said)
        heard = [{} for _ in pages]
        ready = threading.Barrier(GUESTS + 1)

        def listen(number):
            first = True
            for _, event in pages[number].events(seconds=90):
                if first:
                    ready.wait(60)
                    first = False
                if event.get("event") == "chat" and event["text"].startswith("line "):
                    heard[number][event["text"]] = time.monotonic()
        for number in range(GUESTS):
            threading.Thread(target=listen, args=(number,), daemon=True).start()
        ready.wait(90)
        # All have met: one line reaches everybody, before anything is measured.
        end = time.monotonic() + 120
        pages[0].do("say", text="line of the first")
        while not all("line of the first" in one for one in heard):
            if time.monotonic() > end:
                raise AssertionError([number for number, one in enumerate(heard) if not one])
            time.sleep(0.1)
        with open(go + ".ready", "w"):
            pass
        while not os.path.exists(go):
            time.sleep(0.1)
        times = []
        for number in range(lines):
            text = f"line {number}"
            begin = time.monotonic()
            pages[number % GUESTS].do("say", text=text)
            while not all(text in one for one in heard):
                if time.monotonic() - begin > 20:
                    raise AssertionError(f"{text} is not with all")
                time.sleep(0.005)
            times.append(max(one[text] for one in heard) - begin)
            time.sleep(max(0, 1 - (time.monotonic() - begin)))
        with open(go + ".done", "w"):
            pass
        return times
    return inside(phones, work)
