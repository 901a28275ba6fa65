#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make bench`: the program beside physical limits and beside what one would pick instead.

  Benchmarks/run.py [--write docs/performance.md]
  QUICK=1 takes fewer rounds; ROWS=1,4 takes these rows only.

Prints ratios with goal, spread and verdict, and under each the absolute figures, which are never
judged, and the commands. A missed goal is no failure of the run; something that breaks is one.
"""

import glob
import importlib
import os
import re
import signal
import sys
import time
import traceback

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, f"{HERE}/rows"]
import table  # noqa: E402
from figures import Ratio  # noqa: E402
from frame import Bench, Broken, Missing  # noqa: E402


def rows():
    """The rows there are, in order: number and module. A module has WHAT and measure(bench)."""
    wanted = {int(word) for word in os.environ.get("ROWS", "").replace(",", " ").split()}
    for path in sorted(glob.glob(f"{HERE}/rows/row*.py")):
        name = os.path.basename(path)[:-3]
        number = int(re.match(r"row(\d+)", name).group(1))
        if not wanted or number in wanted:
            yield number, importlib.import_module(name)


def measure(bench, module):
    """The ratios of one row, and whether something broke."""
    try:
        return module.measure(bench), False
    except Missing as reason:
        return [Ratio.missing(module.WHAT, None, str(reason))], False
    except Broken as reason:
        print(f"bench: {module.WHAT}: {reason}", file=sys.stderr)
        return [Ratio.missing(module.WHAT, None, "it broke")], True
    except Exception:
        traceback.print_exc()
        return [Ratio.missing(module.WHAT, None, "it broke")], True


def interrupted(*_):
    raise KeyboardInterrupt


def main():
    page = sys.argv[2] if sys.argv[1:2] == ["--write"] and len(sys.argv) == 3 else None
    if sys.argv[1:] and not page:
        print(__doc__, file=sys.stderr)
        return 2
    quick = os.environ.get("QUICK", "") not in ("", "0")
    if page and (quick or os.environ.get("ROWS")):
        print("bench: only a full run of all rows is written down", file=sys.stderr)
        return 2
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    began = time.monotonic()
    bench = Bench(quick)
    results, broken = [], False
    machine = table.machine()
    print(machine, flush=True)
    try:
        for number, module in rows():
            bench.commands = []
            ratios, failed = measure(bench, module)
            broken = broken or failed
            bench.close()
            results.append(table.Row(number, module.WHAT, ratios, bench.commands))
            print(table.block(results[-1]), flush=True)
    except KeyboardInterrupt:
        print("bench: interrupted", file=sys.stderr)
        return 130
    finally:
        bench.close()
    took = time.monotonic() - began - bench.build_time
    print(table.overview(results, took, quick))
    if page and not broken:
        table.write(page, machine, results, took)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
