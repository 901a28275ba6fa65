#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions that the agent's own part of rows 1, 2 and 4 to 6, and of a few other things that it
does all the time, takes, counted by callgrind.

  Benchmarks/counts.py           counts, and fails when one grew by more than a tenth
  Benchmarks/counts.py --write   counts, and keeps the figures in Benchmarks/counts.txt

A count says the same on a busy machine as on a quiet one. Signature checks, commits and other work
that is not ours is left out, but for the TLS of a message in row 1. Another processor or compiler
counts otherwise: write anew then.
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = f"{HERE}/counts.txt"
ROWS = {
    "join": "row 4, a late joiner to 48 authors x 60 entries",
    "fold": "row 5, the whole fold",
    "more": "row 5, two votes and two certificates on top",
    "decode": "row 6, 1000 entries from bytes",
    "encode": "row 6, 1000 entries to bytes",
    "line": "240 lines of chat through session and core, a frame and a turn each",
    "claim": "16 claims among 192 people, folded, each with what the matcher looks at then",
    "grant": "100 grants through the book, on top of 300",
}
# By the end that is counted: what it says to the program, and how often: what a shorter and a
# longer run do besides falls out.
ENDS = {
    "ping": "row 1, a message and its answer, at the end that asks",
    "answer": "row 1, a message and its answer, at the end that answers",
    "send": "row 2, a frame one way, at the end that sends",
    "take": "row 2, a frame one way, at the end that takes it",
}
TEXTS = {**ROWS, **ENDS}
MOST = 1.10
# Messages of the shorter and of the longer run.
TRIPS = (1000, 3000)
STREAM = (20_000, 60_000)


def parse(text):
    """`name instructions` a line; a line that begins with # is a remark."""
    kept = {}
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words:
            name, count = words
            kept[name] = int(count)
    return kept


def render(counts):
    return "".join(f"{name} {counts[name]}  # {TEXTS.get(name, '')}\n" for name in counts)


def compare(kept, counted):
    """Lines for people, and the names of what grew too much or has nothing to be compared with."""
    lines, bad = [], []
    for name, count in counted.items():
        if name not in kept:
            lines.append(f"{name:8} {count:>13,}  not in {os.path.basename(KEPT)}")
            bad.append(name)
            continue
        ratio = count / kept[name]
        verdict = "GREW" if ratio > MOST else "ok"
        lines.append(f"{name:8} {count:>13,}  {ratio:5.2f} x {kept[name]:,}  {verdict}")
        if ratio > MOST:
            bad.append(name)
    for name in kept:
        if name not in counted:
            lines.append(f"{name:8} {'-':>13}  was not counted")
            bad.append(name)
    return lines, bad


def count(program, name):
    """Instructions within the work called `name`."""
    out = f"{os.path.dirname(HERE)}/.build/bench/callgrind.{name}"
    os.makedirs(os.path.dirname(out), exist_ok=True)
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*counted*",
         f"--callgrind-out-file={out}", program, "count", name],
        # Else tables of hashes differ from run to run.
        env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}, text=True, timeout=600,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return collected(name, done.returncode, done.stderr)


def collected(name, status, said):
    """What callgrind counted, by what it said at its end."""
    found = re.search(r"Collected : (\d+)", said)
    if status != 0 or not found or found.group(1) == "0":
        sys.exit(f"counts: {name}: {said[-1000:]}")
    return int(found.group(1))


def message(program, end):
    """Instructions of one message, and of its answer if it has one, at the end called `end`."""
    lengths = STREAM if end in ("send", "take") else TRIPS
    few, many = (both(program, end, length) for length in lengths)
    return round((many - few) / (lengths[1] - lengths[0]))


def both(program, end, length):
    """Instructions of so many messages and all around them, at one of the two ends."""
    out = f"{os.path.dirname(HERE)}/.build/bench/callgrind.{end}"
    grind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
    options = {"env": {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}, "text": True,
               "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    asks = end in ("ping", "send")
    answer = subprocess.Popen([*([] if asks else grind), program, "answer"], **options)
    try:
        port = answer.stdout.readline().strip()
        words = ["ping", port, str(length)]
        if end in ("send", "take"):
            words = ["stream", port, str(length), "frames"]
        first = subprocess.run([*(grind if asks else []), program, *words], timeout=120,
                               **options)
        said = answer.communicate(timeout=20)[1]
    finally:
        answer.kill()
        answer.wait()
    if asks:
        return collected(end, first.returncode, first.stderr)
    return collected(end, answer.returncode, said)


def main(words):
    if words not in ([], ["--write"]):
        sys.exit(__doc__)
    built = f"{os.path.dirname(HERE)}/.build/release"
    counted = {name: count(f"{built}/core", name) for name in ROWS}
    counted |= {end: message(f"{built}/wire", end) for end in ENDS}
    if words:
        with open(KEPT, "w") as file:
            file.write(render(counted))
        print(render(counted), end="")
        return 0
    with open(KEPT) as file:
        lines, bad = compare(parse(file.read()), counted)
    print("\n".join(lines))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
