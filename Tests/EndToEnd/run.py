# SPDX-License-Identifier: Apache-2.0
"""Runs the end-to-end tests, several at a time, one line each.

    python3 Tests/EndToEnd/run.py [-k WORD] [-j N] [--list] [--failed STAGE]...

The last line is `N passed, N failed`, with `, N skipped` after it if any were. `--failed` counts
a stage that failed before, such as the unit tests, so that this line speaks for the whole run.
With `CI` in the environment a skipped test is a failure: everything it needs is installed there.
Tests that say they are for the `soak` run only with `SEATAGENT_SOAK` in the environment.
"""

import argparse
import importlib
import os
import sys
import threading
import time
import traceback
import unittest
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import world
from waiting import Patience

HERE = os.path.dirname(os.path.abspath(__file__))
#: On two cores these work and nobody waits long: most of a test is waiting for somebody else.
WORKERS = 16
SOAK = "SEATAGENT_SOAK" in os.environ
LIMIT = 2400 if SOAK else 540


class Tally(unittest.TestResult):
    """Counts and prints; shared by all workers."""

    lock = threading.Lock()
    passed = failed = skipped = 0
    reports = []
    running = {}

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()
        self.verdict = ("ok", "")
        with Tally.lock:
            Tally.running[test.id()] = self.began

    def addFailure(self, test, error):
        self.fail(test, error)

    def addError(self, test, error):
        self.fail(test, error)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.fail(test, error, str(subtest))

    def addSkip(self, test, reason):
        self.verdict = ("skip", reason)
        if not hasattr(test, "_testMethodName"):
            self.line(test)

    def fail(self, test, error, about=""):
        text = traceback.format_exception(*error)
        text = "".join(part for part in text if "/unittest/" not in part)
        evidence = getattr(test, "evidence", lambda: "")()
        with Tally.lock:
            Tally.reports.append(f"FAIL {title(test)} {about}\n{evidence}\n{text}\n")
        self.verdict = ("FAIL", "")
        if not hasattr(test, "_testMethodName"):  # a class's own set-up
            self.began = time.monotonic()
            self.line(test)

    def stopTest(self, test):
        super().stopTest(test)
        self.line(test)

    def line(self, test):
        word, reason = self.verdict
        note = reason or getattr(test, "note", "")
        seconds = time.monotonic() - self.began
        with Tally.lock:
            Tally.running.pop(test.id(), None)
            Tally.passed += word == "ok"
            Tally.failed += word == "FAIL"
            Tally.skipped += word == "skip"
            print(f"{word:4}  {title(test)}  {seconds:.1f} s" + (f"  ({note})" if note else ""),
                  flush=True)


def title(test):
    """`test_swap.Swap.test_bo_declines` reads "swap: bo declines"."""
    parts = test.id().split(".")
    if len(parts) < 3:
        return test.id()
    return f"{parts[0].removeprefix('test_')}: {parts[-1].removeprefix('test_')}".replace("_", " ")


def is_for_soak(test):
    return getattr(getattr(test, test._testMethodName), "is_for_soak", False)


def jobs(words):
    """Suites that may run side by side: single tests, or a class that shares a set-up. Classes
    that say they are `slow` come first."""
    found = []
    for name in sorted(os.listdir(HERE)):
        if name.startswith("test_") and name.endswith(".py"):
            module = importlib.import_module(name.removesuffix(".py"))
            for suite in unittest.defaultTestLoader.loadTestsFromModule(module):
                tests = [t for t in suite if (not words or any(w in t.id() for w in words))
                         and (SOAK or not is_for_soak(t))]
                shared = tests and type(tests[0]).setUpClass.__func__ is not \
                    unittest.TestCase.setUpClass.__func__
                groups = [tests] if shared else [[test] for test in tests]
                found += [unittest.TestSuite(group) for group in groups if group]
    found.sort(key=lambda suite: -max(getattr(t, "slow", 0) for t in suite))
    return among([one for one in found if not waits(one)], [one for one in found if waits(one)])


def waits(suite):
    """Whether its tests wait for clocks most of the time."""
    return any(getattr(test, "waits", False) for test in suite)


def among(others, waiting):
    """All of them: those that wait stand at equal distances; the cores have work meanwhile."""
    mixed = list(others)
    for place, suite in enumerate(waiting):
        mixed.insert(place * len(others) // len(waiting) + place, suite)
    return mixed


def run(suites, workers):
    pool = ThreadPoolExecutor(workers)
    patience = Patience(LIMIT)
    futures = [pool.submit(lambda suite=suite: suite.run(Tally())) for suite in suites]
    while waits := [future for future in futures if not future.done()]:
        wait(waits, timeout=1, return_when=FIRST_COMPLETED)
        if patience.is_over():
            with Tally.lock:
                Tally.failed += len(Tally.running)
                Tally.reports.append(
                    f"FAIL not done after {LIMIT} s: {', '.join(Tally.running)}\n")
            return False
    for future in futures:
        future.result()
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-k", action="append", default=[], metavar="WORD")
    parser.add_argument("-j", type=int, default=WORKERS, metavar="N")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--failed", action="append", default=[], metavar="STAGE")
    options = parser.parse_args()
    if not options.list:
        world.enter()
    suites = jobs(options.k)
    if options.list:
        print("\n".join(test.id() for suite in suites for test in suite))
        return 0
    if world.no_namespaces:
        print(f"no network namespaces here ({world.no_namespaces}): tests that need them skip")
    began = time.monotonic()
    ended = run(suites, options.j)
    for report in Tally.reports:
        print(f"\n{report}")
    for stage in options.failed:
        print(f"FAIL  {stage.replace('-', ' ')}, see above")
    failed = Tally.failed + len(options.failed)
    if os.environ.get("CI") and Tally.skipped:
        print(f"FAIL  {Tally.skipped} skipped where everything is installed, see above")
        failed += Tally.skipped
    print(f"end to end in {time.monotonic() - began:.0f} s")
    print(f"{Tally.passed} passed, {failed} failed"
          + (f", {Tally.skipped} skipped" if Tally.skipped else ""), flush=True)
    status = 1 if failed or Tally.passed == 0 else 0
    if not ended:
        world.end_children()
        os._exit(status)  # a worker is stuck; the world goes with us
    return status


if __name__ == "__main__":
    sys.exit(main())
