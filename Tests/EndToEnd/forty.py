# SPDX-License-Identifier: Apache-2.0
"""Forty guests on one host, of whom most speak the page's protocol without a browser: what the
host pays for them, and how fast a line is with all."""

import os
import threading
import time

from family_of_guests import Family
from page_client import Page, inside

GUESTS = 40
#: Two guests may come from one address.
EACH = 2


def addresses(host, count):
    """Gives a host more addresses."""
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


def ticks(pid):
    """Seconds of the processor that a process has used."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def programs(host):
    """All of this project's processes on a host, by pid: how each is called.

    One that was killed is there until its last thread has ended.
    """
    home = os.readlink(f"/proc/{host.keeper.pid}/ns/net")
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm") as file:
                name = file.read().strip()
            if name.startswith("seatagent") and any(
                    is_in(home, pid, thread) for thread in os.listdir(f"/proc/{pid}/task")):
                found[int(pid)] = name
        except OSError:
            pass
    return found


def is_in(network, pid, thread):
    """Whether a thread lives, and in this network."""
    try:
        return os.readlink(f"/proc/{pid}/task/{thread}/ns/net") == network
    except OSError:
        return False


class Meter:
    """What a host's processes write and use, looked at again and again: starts are short."""

    def __init__(self, host):
        self.host = host
        self.peak = 0
        self.is_over = False
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.thread.start()

    def _look(self):
        while not self.is_over:
            self.peak = max(self.peak, self.memory())
            time.sleep(0.1)

    def memory(self):
        """Bytes that all of them have written now."""
        return sum(self._of(written, pid) for pid in programs(self.host))

    def used(self):
        """Seconds of the processor until now, by process."""
        return {pid: (name, self._of(ticks, pid)) for pid, name in programs(self.host).items()}

    @staticmethod
    def cores(before, after, seconds):
        """Cores between two looks, by name of the program."""
        found = {}
        for pid, (name, end) in after.items():
            spent = end - before.get(pid, (name, 0))[1]
            found[name] = found.get(name, 0) + spent / seconds
        return found

    def end(self):
        self.is_over = True
        self.thread.join()

    @staticmethod
    def _of(figure, pid):
        try:
            return figure(pid)
        except OSError:
            return 0


class Crowd:
    """Guests without a browser. They live in one process in the network of the phones."""

    def __init__(self, address, sources, count):
        self.pages = [Page(address, sources[number // EACH]) for number in range(count)]
        self.family = Family(self.pages)
        self.heard = [{} for _ in self.pages]
        self.news = threading.Condition()

    def come_in(self):
        free = [f"{row}{letter}" for row in range(21, 30) for letter in "ABCDEF"]
        seats = Family.SEATS + [seat for seat in free if seat not in Family.SEATS]
        for number, page in enumerate(self.pages):
            said = page.join(f"guest {number}", seats[number], seconds=120)
            if not said["ok"]:
                raise AssertionError(said)

    def listen(self):
        """Begins to hear; returns once each stream is open."""
        ready = threading.Barrier(len(self.pages) + 1)
        for number in range(len(self.pages)):
            threading.Thread(target=self._hear, args=(number, ready), daemon=True).start()
        ready.wait(90)

    def _hear(self, number, ready):
        first = True
        for _, event in self.pages[number].events(seconds=120):
            if first:
                ready.wait(60)
                first = False
            if event.get("event") == "chat" and event["text"].startswith("line "):
                with self.news:
                    self.heard[number][event["text"]] = time.time()
                    self.news.notify_all()

    def all_have(self, text, seconds):
        with self.news:
            if not self.news.wait_for(lambda: all(text in one for one in self.heard), seconds):
                without = [number for number, one in enumerate(self.heard) if text not in one]
                raise AssertionError(f"{text} is not with {without}")

    def say(self, text, page, seconds=20):
        """Says a line; when, and when the last of all had it, by the clock of the wall."""
        begin = time.time()
        page.do("say", text=text)
        self.all_have(text, seconds)
        return begin, max(one[text] for one in self.heard)

    def talk(self, lines):
        """One line a second, by those who are not of the family, which finds its plan meanwhile."""
        plan = threading.Thread(target=self.family.sit_together, daemon=True)
        plan.start()
        speakers = self.pages[len(Family.SEATS):]
        times = []
        for number in range(lines):
            times.append(self.say(f"line {number}", speakers[number % len(speakers)]))
            time.sleep(max(0, times[-1][0] + 1 - time.time()))
        plan.join(60)
        return {"lines": times, "plan": self.family.seconds, "error": self.family.error}


def guests(phones, address, lines, go, count=GUESTS):
    """Lets so many come in, waits for the file `go`, and says `lines` lines, one a second: when
    each was said and when all had it, and the seconds until a family of three had its plan."""
    sources = addresses(phones, -(-count // EACH))

    def work():
        crowd = Crowd(address, sources, count)
        crowd.come_in()
        crowd.listen()
        # All have met: one line reaches everybody, before anything is measured.
        crowd.say("line of the first", crowd.pages[-1], seconds=120)
        with open(go + ".ready", "w"):
            pass
        while not os.path.exists(go):
            time.sleep(0.1)
        said = crowd.talk(lines)
        with open(go + ".done", "w"):
            pass
        return said
    return inside(phones, work)


def at_95(values):
    """The value that 95 of 100 do not exceed."""
    return sorted(values)[max(0, -(-len(values) * 95 // 100) - 1)]
