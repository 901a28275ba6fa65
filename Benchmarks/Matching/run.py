#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make matching`: plans beside the best ones, and how likely a family comes to sit together.

  Benchmarks/Matching/run.py PROGRAM [--write]
  QUICK=1 takes few cabins; --write puts the figures into docs/matching.md and docs/pictures.

Fails if in small cabins less than 98 of 100 of the people whom the best plans seat together, or
help, are so by the matcher's. In large cabins the plans that fall short are listed.
"""

import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
import drawing  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "matching.md"
PICTURE = ROOT / "docs" / "pictures" / "matching.svg"
GOAL = 0.98
#: Name, first seed, cabins, cabins of a quick run, people, and whether a miss fails the run.
SETS = (("24 to 60 people", 0, 300, 24, 24, 60, True),
        ("60 to 192 people", 5000, 200, 6, 60, 192, False))


def lines(program, *words):
    done = subprocess.run([program, *map(str, words)], stdout=subprocess.PIPE, text=True,
                          check=True, timeout=3600)
    return done.stdout.splitlines()


def plans(program, quick):
    """For each set of cabins what was found and what is best, where that is proven."""
    import best
    rows, low = [], []
    for name, seed, full, few, least, most, is_judged in SETS:
        proven, ours, theirs, equal = 0, [0, 0], [0, 0], 0
        told = lines(program, "plans", seed, few if quick else full, least, most)
        for number, line in enumerate(told):
            cabin = best.Cabin(json.loads(line))
            goal, is_proven = best.solve(cabin)
            if not is_proven:
                continue
            proven += 1
            count, degree, helped, _ = cabin.found
            # Help is compared where both sit alike: people together come first.
            ours[0] += count
            theirs[0] += goal[0]
            if (count, degree) == goal[:2]:
                equal += 1
                ours[1] += helped
                theirs[1] += max(helped, goal[2])
            else:
                print(f"  cabin {cabin.seed}: found {cabin.found[:3]}, best {goal}", flush=True)
            if (number + 1) % 50 == 0:
                print(f"  {name}: {number + 1} cabins", flush=True)
        shares = [one / other if other else 1 for one, other in zip(ours, theirs)]
        rows.append((name, len(told), proven, equal, ours, theirs, shares))
        low += [name] if is_judged and min(shares) < GOAL else []
    return rows, low


def table(rows):
    text = ["| cabins | proven | same shape | people together, of the best | helped, of the best |",
            "|---|---|---|---|---|"]
    for name, count, proven, equal, ours, theirs, shares in rows:
        text.append(
            f"| {count} of {name} | {proven} | {equal} | {ours[0]} of {theirs[0]}, "
            f"{100 * shares[0]:.1f} % | {ours[1]} of {theirs[1]}, {100 * shares[1]:.1f} % |")
    return "\n".join(text)


def curve(program, quick):
    """For each size of a family and each share: flights, whole by shape, and some of them."""
    found = {}
    for line in lines(program, "curve", 10 if quick else 100):
        family, share, *counts = map(int, line.split()[1:])
        found[family, share] = counts
    return found


def curve_table(found):
    text = ["| family of | share | all together | in one block | one row | two and two |"
            " two rows | only some |", "|---|---|---|---|---|---|---|---|"]
    for (family, share), (flights, *shapes, some) in found.items():
        percent = [f"{100 * value / flights:.0f} %" for value in
                   (sum(shapes), *shapes, some - sum(shapes))]
        text.append(f"| {family} | {share} % | " + " | ".join(percent) + " |")
    return "\n".join(text)


def write(name, text):
    """Puts `text` between the two marks of that name."""
    page = PAGE.read_text()
    begin, end = f"<!-- make matching: {name} begin -->", f"<!-- make matching: {name} end -->"
    head, _, rest = page.partition(begin)
    _, _, tail = rest.partition(end)
    PAGE.write_text(f"{head}{begin}\n\n{text}\n\n{end}{tail}")


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 2
    quick = os.environ.get("QUICK", "") not in ("", "0")
    if quick and len(sys.argv) == 3:
        print("matching: only a full run is written down", file=sys.stderr)
        return 2
    found = curve(sys.argv[1], quick)
    print(curve_table(found), flush=True)
    try:
        rows, low = plans(sys.argv[1], quick)
    except ImportError:
        print("matching: no highspy, so plans are not compared; try: make setup", file=sys.stderr)
        rows, low = [], []
    print(table(rows))
    if len(sys.argv) == 3:
        write("curve", curve_table(found))
        write("plans", table(rows))
        PICTURE.write_text(drawing.svg(found))
    for name in low:
        print(f"matching: {name}: less than {100 * GOAL:.0f} % of the best", file=sys.stderr)
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
