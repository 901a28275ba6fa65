# SPDX-License-Identifier: Apache-2.0
"""Waiting for a condition, never for a length of time."""

import os
import time

CORES = len(os.sched_getaffinity(0))
#: However busy the machine is, nothing waits longer than so many times its limit.
AT_MOST = 6
#: Seconds in which a person reads a question: a y or an n that comes sooner is no answer to it.
READING = 1.2


class TimeRanOut(AssertionError):
    """A condition did not come true in time; says which, and what was last seen."""


class Patience:
    """A limit in seconds of a machine that does nothing else: while more programs want to run
    than there are cores, its clock goes as much slower as theirs does."""

    def __init__(self, seconds):
        self.seconds = seconds
        self._spent = 0.0
        self._began = self._last = time.monotonic()

    def is_over(self):
        now = time.monotonic()
        self._spent += (now - self._last) * min(1.0, CORES / max(1, running()))
        self._last = now
        return self._spent >= self.seconds or now - self._began >= AT_MOST * self.seconds


def running():
    """How many threads of the machine run or want to."""
    with open("/proc/loadavg", encoding="ascii") as file:
        return int(file.read().split()[3].split("/")[0])


def until(what, probe, seconds=10, pause=0.05):
    """Calls `probe` until it returns something true, and returns that."""
    patience = Patience(seconds)
    while True:
        seen = probe()
        if seen:
            return seen
        if patience.is_over():
            raise TimeRanOut(f"{what}: not within {seconds} s; last seen: {seen!r}")
        time.sleep(pause)
        pause = min(pause * 1.3, 0.5)


def is_gone(pid):
    """Whether a process has ended, and with it all that it held.

    One whose state is Z may have threads that have not ended yet, and which hold its sockets.
    """
    return not os.path.exists(f"/proc/{pid}")


def until_gone(pid, seconds=10):
    """Waits until a process has ended, and with it all that it held."""
    until(f"{pid} is gone", lambda: is_gone(pid), seconds)
