#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make matching`: plans and rings beside the best ones and beside simpler ways, and how likely a
family comes to sit together.

  Benchmarks/Matching/run.py PROGRAM [--write]
  QUICK=1 takes few cabins; --write puts the figures into docs/matching.md and docs/pictures.

Fails if less than 98 of 100 of the people whom the best plans and rings of small cabins seat
together, or help, are so by the matcher's, or less than 95 of 100 in large cabins; and if a simpler
way does better. Each cabin that falls short is listed, with the reason.
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
#: Name, first seed, cabins, cabins of a quick run, people, and the goal.
SETS = (("24 to 60 people", 0, 300, 24, 24, 60, 0.98),
        ("60 to 192 people", 5000, 200, 6, 60, 192, 0.95))
FLIGHTS, FEW_FLIGHTS = 400, 40


def lines(program, *words):
    done = subprocess.run([program, *map(str, words)], stdout=subprocess.PIPE, text=True,
                          check=True, timeout=3600)
    return [line if line[:1] != "{" else json.loads(line) for line in done.stdout.splitlines()]


def percent(one, other):
    return f"{one} of {other}, {100 * one / other if other else 100:.1f} %"


class Count:
    """What all cabins of a set come to."""

    def __init__(self, name, cabins, goal):
        self.name, self.cabins, self.goal = name, cabins, goal
        self.proven = self.equal = 0
        self.sums, self.short = {}, []

    def add(self, what, count):
        self.sums[what] = self.sums.get(what, 0) + count

    def share(self, one, other):
        return self.sums.get(one, 0) / self.sums[other] if self.sums.get(other) else 1

    def told(self, one, other):
        return percent(self.sums.get(one, 0), self.sums.get(other, 0))

    def faults(self, pairs, better):
        """What is below the goal, or below a simpler way."""
        low = [f"{self.name}: {one} is less than {100 * self.goal:.0f} % of {other}"
               for one, other in pairs if self.share(one, other) < self.goal]
        return low + [f"{self.name}: {other} does better than {one}"
                      for one, other in better
                      if self.sums.get(one, 0) < self.sums.get(other, 0)]


def plans(program, quick):
    """For each set of cabins what was found, what is best, and what simpler ways find."""
    import best
    import simple
    rows, low = [], []
    for name, seed, full, few, least, most, goal in SETS:
        told = lines(program, "plans", seed, few if quick else full, least, most)
        count = Count(name, len(told), goal)
        for number, line in enumerate(told):
            cabin = best.Cabin(line)
            (together, degree, helped), is_proven = best.solve(cabin)
            count.add("together", cabin.found[0])
            for way in (simple.greedy_pairs, simple.helpers):
                count.add(way.__name__, way(cabin)[0])
            if is_proven:
                count.proven += 1
                count.add("proven together", cabin.found[0])
                count.add("best together", together)
                compare(count, cabin, (together, degree), helped)
            if (number + 1) % 50 == 0:
                print(f"  plans, {name}: {number + 1} cabins", flush=True)
        rows.append(count)
        low += count.faults(
            (("proven together", "best together"), ("helped", "best helped")),
            (("together", "greedy_pairs"), ("together", "helpers")))
    return rows, low


def compare(count, cabin, shape, helped):
    """Help is compared where both sit alike: people together come first."""
    found, why = cabin.found, "the search was whole" if cabin.is_whole else "the steps ended"
    if tuple(found[:2]) == shape:
        count.equal += 1
        count.add("helped", found[2])
        count.add("best helped", max(found[2], helped))
        if found[2] < helped:
            count.short.append(f"{cabin.seed}: {found[2]} helped, at best {helped}; {why}")
    else:
        count.short.append(f"{cabin.seed}: {found[0]} together in shape {found[1]}, at best "
                           f"{shape[0]} in shape {shape[1]}; {why}")


def plan_table(rows):
    text = ["| cabins | proven | same shape | people together, of the best | helped, of the best |"
            " people together by greedy pairs | by helpers |", "|---|---|---|---|---|---|---|"]
    for count in rows:
        text.append(
            f"| {count.cabins} of {count.name} | {count.proven} | {count.equal} | "
            f"{count.told('proven together', 'best together')} | "
            f"{count.told('helped', 'best helped')} | "
            f"{count.sums['greedy_pairs']} | {count.sums['helpers']} |")
    return "\n".join(text + short(rows))


def rings(program, quick):
    """The same for rings; the bound is an assignment's, in cycles of any length."""
    from rings import Wishes
    rows, low = [], []
    for name, seed, full, few, least, most, goal in SETS:
        told = lines(program, "rings", seed, few if quick else full, least, most)
        count = Count(name, len(told), goal)
        for number, line in enumerate(told):
            wishes = Wishes(line)
            found, bound = line["found"][0], wishes.bound()
            best = wishes.best() if most <= 60 else None
            for what, value in (("helped", found), ("the bound", bound or 0),
                                ("greedy_pairs", wishes.greedy_pairs()),
                                ("trading_cycles", wishes.trading_cycles())):
                count.add(what, value)
            why = "rings of up to four have no more" if wishes.is_best else "not proven"
            if best is not None:
                count.proven += 1
                count.add("proven helped", found)
                count.add("best helped", best)
                if found < best:
                    count.short.append(f"{wishes.seed}: {found} helped, at best {best}; {why}")
            elif found < goal * bound:
                count.short.append(f"{wishes.seed}: {found} helped, bound {bound}; {why}")
            if (number + 1) % 50 == 0:
                print(f"  rings, {name}: {number + 1} cabins", flush=True)
        rows.append(count)
        low += count.faults(
            (("proven helped", "best helped"),
             ("helped", "the bound") if most > 60 else ("helped", "helped")),
            (("helped", "greedy_pairs"), ("helped", "trading_cycles")))
    return rows, low


def ring_table(rows):
    text = ["| cabins | proven | helped, of the best | helped, of the bound | by greedy pairs |"
            " by trading cycles |", "|---|---|---|---|---|---|"]
    for count in rows:
        best = count.told("proven helped", "best helped") if count.proven else "not looked for"
        text.append(
            f"| {count.cabins} of {count.name} | {count.proven} | {best} | "
            f"{count.told('helped', 'the bound')} | {count.sums['greedy_pairs']} | "
            f"{count.sums['trading_cycles']} |")
    return "\n".join(text + short(rows))


def short(rows):
    """The cabins that fall short."""
    told = [f"* {line}" for count in rows for line in count.short]
    return ["", "Short of the best, by seed:", "", *told] if told else ["", "None falls short."]


def curve(program, quick):
    """For each size of a family and each share: flights, whole by shape, and some of them."""
    found = {}
    for line in lines(program, "curve", FEW_FLIGHTS if quick else FLIGHTS):
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
        by_plans, low = plans(sys.argv[1], quick)
        by_rings, more = rings(sys.argv[1], quick)
    except ImportError as error:
        print(f"matching: {error}, so nothing is compared; try: make setup", file=sys.stderr)
        return 1
    tables = {"curve": curve_table(found), "plans": plan_table(by_plans),
              "rings": ring_table(by_rings)}
    print(tables["plans"], tables["rings"], sep="\n\n")
    if len(sys.argv) == 3:
        for name, text in tables.items():
            write(name, text)
        PICTURE.write_text(drawing.svg(found))
    for line in low + more:
        print(f"matching: {line}", file=sys.stderr)
    return 1 if low or more else 0


if __name__ == "__main__":
    sys.exit(main())
