"""Waiting for a condition, never for a length of time."""

import time


class TimeRanOut(AssertionError):
    """A condition did not come true in time; says which, and what was last seen."""


def until(what, probe, seconds=10, pause=0.05):
    """Calls `probe` until it returns something true, and returns that."""
    deadline = time.monotonic() + seconds
    while True:
        seen = probe()
        if seen:
            return seen
        if time.monotonic() >= deadline:
            raise TimeRanOut(f"{what}: not within {seconds} s; last seen: {seen!r}")
        time.sleep(pause)
        pause = min(pause * 1.3, 0.5)
