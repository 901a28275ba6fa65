# SPDX-License-Identifier: Apache-2.0
"""How `make bench` shows what it found: on the terminal, and in docs/performance.md."""

import os
import platform
import re
import subprocess
from dataclasses import dataclass

from figures import verdict

BEGIN, END = "<!-- make bench: begin -->", "<!-- make bench: end -->"
HEADS = ("row", "what", "figure", "goal", "verdict")


@dataclass
class Row:
    number: int
    what: str
    ratios: list
    commands: list


def block(row):
    """A row with all that belongs to it."""
    lines = ["", f"{row.number}. {row.what}: {verdict(row.ratios)}"]
    for ratio in row.ratios:
        aim = "" if ratio.goal is None else f", goal {ratio.aim}"
        lines.append(f"   {ratio.what}: {ratio.figure}{aim}: {ratio.verdict}")
        lines += [f"      {detail}" for detail in ratio.details]
    return "\n".join(lines + [f"   $ {command}" for command in row.commands])


def cells(results):
    """One line a ratio; number, name and verdict of a row stand in its first."""
    for row in results:
        for place, ratio in enumerate(row.ratios):
            aim = "" if ratio.goal is None else ratio.aim
            name = row.what if len(row.ratios) == 1 else f"{row.what}: {ratio.what}"
            yield (str(row.number) if place == 0 else "", name, ratio.figure, aim, ratio.verdict)


def overview(results, took, quick):
    """The table of all rows."""
    lines = list(cells(results))
    widths = [max(len(line[place]) for line in [HEADS, *lines]) for place in range(5)]
    text = [" ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
            for line in [HEADS, *lines]]
    return "\n".join(["", *text, "", summary(results, took, quick)])


def summary(results, took, quick=False):
    met = sum(verdict(row.ratios) == "met" for row in results)
    kind = "quick run, " if quick else ""
    return f"{met} of {len(results)} rows met; {kind}{took:.0f} s without building"


def machine():
    """What it was measured on."""
    memory = int(_first(r"MemTotal:\s+(\d+)", "/proc/meminfo") or 0) / 2 ** 20
    processor = _first(r"model name\s*: (.*)", "/proc/cpuinfo") or platform.machine()
    system = _first(r'PRETTY_NAME="(.*)"', "/etc/os-release") or "Linux"
    swift = re.search(r"Swift version (\S+)", _output("swift", "--version"))
    openssl = re.search(r"OpenSSL (\S+)", _output("openssl", "version"))
    return (f"{len(os.sched_getaffinity(0))} cores of {processor}, {memory:.0f} GB; {system}, "
            f"kernel {platform.release().split('-')[0]}; Swift {swift[1] if swift else '?'}, "
            f"OpenSSL {openssl[1] if openssl else '?'}; load {os.getloadavg()[0]:.1f} at the start")


def write(page, machine, results, took):
    """Puts the run between the two marks of the page."""
    lines = [BEGIN, "", machine + ".", "", "| " + " | ".join(HEADS) + " |", "|---" * 5 + "|"]
    lines += ["| " + " | ".join(line) + " |" for line in cells(results)]
    lines += ["", summary(results, took) + ".", "", "```"]
    lines += [block(row).strip("\n") + "\n" for row in results]
    lines[-1] = lines[-1].rstrip("\n") if results else lines[-1]
    lines += ["```", "", END]
    with open(page) as file:
        text = file.read()
    before, found, rest = text.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not found or not ended:
        raise SystemExit(f"bench: {page} has no place for the run: {BEGIN} and {END}")
    with open(page, "w") as file:
        file.write(before + "\n".join(lines) + after)


def _first(pattern, path):
    try:
        with open(path) as file:
            found = re.search(pattern, file.read())
    except OSError:
        return None
    return found[1].strip() if found else None


def _output(*argv):
    try:
        return subprocess.run(argv, capture_output=True, text=True, timeout=20).stdout
    except OSError:
        return ""
