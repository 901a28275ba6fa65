# SPDX-License-Identifier: Apache-2.0
"""What the figures of `scripts/meet-load` say: goals, a table of what was measured, and what an
operator needs for more flights, by arithmetic."""

import math
from collections import namedtuple

DAY, HOUR = 86400, 3600
#: Of a flight's life, in hours; agents come and go in it.
LIFE = 48
#: How many times the mean of a day its busiest hour has.
PEAK = 4
#: Seconds between two visits to a second home.
VISIT = 900
#: Of one broker: connections, bytes of memory, bytes a second, share of its core.
CONNECTIONS, MEMORY, WIRE, SHARE = 50_000, 5e9, 500e6 / 8, 0.5
#: Bytes of TLS, TCP and IP around what is sent at once.
AROUND = 22 + 52

ALL, FEW, REAL = ("all connected, fast", "a third connected, fast", "a third connected, real")
Goal = namedtuple("Goal", "what figure most unit")


def share(phase):
    """Of the broker's core."""
    return phase["broker"] / phase["seconds"]


def quantile(values, part):
    """The value that this part of all is at or below; NaN where there are none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)] if ordered else math.nan


def goals(phases):
    """Those that a run is held to. A figure that is missing (NaN) misses its goal."""
    lively = [phase for name, phase in phases.items() if name in (ALL, FEW)]
    played = list(phases.values())
    found = [Goal(f"broker's core, {name}", share(phases[name]), 0.5, "cores")
             for name in (REAL, FEW, ALL) if name in phases]
    found += [Goal(f"a claim on all maps of its flight, 95 of 100, {phase['phase']}",
                   quantile(phase["claims"], 0.95) / 1000, 2, "s") for phase in lively]
    found.append(Goal("entries that not all have", sum(p["late"] for p in played), 0, ""))
    found.append(Goal("connections lost, and asks refused",
                      sum(p["lost"] + p["refused"] for p in played), 0, ""))
    return found


def is_met(goal):
    return goal.figure <= goal.most


def judged(rounds):
    """The goals as a table; the worst of all rounds is held to the limit."""
    rows = []
    for found in zip(*map(goals, rounds)):
        figures = [goal.figure for goal in found]
        worst = max(found, key=lambda goal: math.inf if goal.figure != goal.figure else goal.figure)
        spread = f" ({number(min(figures))} to {number(max(figures))})" if len(rounds) > 1 else ""
        middle = quantile(figures, 0.5)
        rows.append([worst.what, f"{number(middle)} {worst.unit}".strip() + spread,
                     f"at most {number(worst.most)}", "met" if is_met(worst) else "MISSED"])
    return table(["goal", "measured", "limit", "verdict"], rows)


def measured(phases, tls, plan):
    """What was counted, one column a phase."""
    def row(what, value):
        return [what] + [value(phase) for phase in phases.values()]

    def times(name):
        return lambda phase: " / ".join(
            number(quantile(phase[name], part)) for part in (0.5, 0.95, 0.99, 1)
        ) if phase[name] else "-"

    def each_second(name):
        return lambda phase: number(phase[name] / phase["seconds"])

    rows = [
        row("seconds", lambda p: number(p["seconds"])),
        row("agents connected at its end", lambda p: number(p["open"])),
        row("entries said", lambda p: number(p["said"])),
        row("connections made", lambda p: number(p["connected"])),
        row("share of the broker's core", lambda p: number(share(p))),
        row("share of the agents' core", lambda p: number(p["agents"] / p["seconds"])),
        row("broker's memory, MB", lambda p: number(p["memory"] / 1e6)),
        row("published a second", each_second("published")),
        row("delivered a second", each_second("delivered")),
        row("subscriptions a second", each_second("subscribed")),
        row("kB a second from the broker", lambda p: number(p["out"] / p["seconds"] / 1e3)),
        row("kB a second to the broker", lambda p: number(p["in"] / p["seconds"] / 1e3)),
        row("retained, kB a flight", lambda p: number(p["kept"] / plan["flights"] / 1e3)),
        row("claim to all maps, ms: 50, 95, 99 of 100, longest", times("claims")),
        row("other entries to all logs, ms", times("others")),
        row("all boxes read by who came, ms", times("reads")),
    ]
    text = table(["", *phases], rows)
    return (f"{text}\n\nTLS 1.3, {tls['count']} connections in turn: "
            f"{number((tls['tls'] - tls['plain']) * 1e3)} ms of the broker's core for a handshake, "
            f"{number(tls['memory'] / 1024)} KiB for each in memory.")


def unit(phases, tls, plan):
    """What one flight with a third connected takes in a day, of one home alone and of both."""
    few, come = phases[FEW], phases["all come"]
    scale = DAY / few["seconds"] / plan["factor"] / plan["flights"]
    handshake = tls["tls"] - tls["plain"]
    comings = few["connected"] * scale
    visits = plan["connected"] * DAY / VISIT
    kept = few["kept"] / plan["flights"]
    read = kept + few["topics"] / plan["flights"] * (AROUND + 20)
    one = {"published": few["published"] * scale, "delivered": few["delivered"] * scale,
           "out": few["out"] * scale + few["delivered"] * scale * AROUND,
           "work": few["broker"] * scale + comings * handshake}
    # A visit reads all that is kept; a coming is what it takes at most.
    two = {"published": 2 * one["published"],
           "delivered": one["delivered"] + visits * few["topics"] / plan["flights"],
           "out": one["out"] + visits * read,
           "work": one["work"] + visits * (come["broker"] / come["connected"] + handshake)}
    return {"one": one, "two": two, "kept": kept, "comings": comings,
            "topics": few["topics"] / plan["flights"],
            "memory": few["memory"] / plan["flights"] + plan["connected"] * tls["memory"]}


def idle(phases, plan):
    """Bytes of an agent in an hour in which nobody says anything: what it says to stay there, its
    renewed cards, which come back to it, and what it reads of others."""
    few = phases[FEW]
    kept = few["kept"] / plan["flights"]
    stays = HOUR / 25 * 2 * (2 + AROUND)
    cards = HOUR / 600 * 2 * (4096 + 80 + AROUND + 4 + AROUND)
    looks = HOUR / VISIT * (kept + few["topics"] / plan["flights"] * (20 + AROUND))
    counted = (phases[REAL]["in"] + phases[REAL]["out"]) / phases[REAL]["open"]
    return {"stays": stays, "cards": cards, "looks": looks,
            "counted": counted / phases[REAL]["seconds"] * HOUR}


def scaled(phases, tls, plan):
    """The arithmetic for one flight, 10^6 flights a year and 10^5 a day."""
    one = unit(phases, tls, plan)
    homes = one["two"]
    alive = [1, 1e6 * LIFE / 8760, 1e5 * LIFE / 24]
    rows = []

    def row(what, each, digits=2):
        rows.append([what] + [number(each * groups, digits) for groups in alive])

    row("groups alive", 1)
    row("agents known", plan["passengers"])
    row("agents connected", plan["connected"])
    row("topics kept, one copy", one["topics"])
    row("retained, one copy, MB", one["kept"] / 1e6)
    row("published in a day, both homes, millions", homes["published"] / 1e6)
    row("delivered in a day, both homes, millions", homes["delivered"] / 1e6)
    row("delivered a second, mean", homes["delivered"] / DAY)
    row("GB a day from brokers, one home", one["one"]["out"] / 1e9)
    row("GB a day from brokers, both homes", homes["out"] / 1e9)
    row("Mbit a second from brokers, mean", homes["out"] * 8 / DAY / 1e6)
    row("cores, mean, one home", one["one"]["work"] / DAY)
    row("cores, mean, both homes", homes["work"] / DAY)
    needs = {
        f"brokers for connections ({CONNECTIONS:_} each)".replace("_", " "):
            plan["connected"] / CONNECTIONS,
        "brokers for memory (5 GB each, both copies)": 2 * one["memory"] / MEMORY,
        f"brokers for work ({PEAK} times the mean, half a core each)":
            homes["work"] / DAY * PEAK / SHARE,
        f"brokers for bytes ({PEAK} times the mean, 500 Mbit/s each)":
            homes["out"] / DAY * PEAK / WIRE,
    }
    for what, each in needs.items():
        rows.append([what] + [str(math.ceil(each * groups)) for groups in alive])
    most = max(needs.values())
    rows.append(["**brokers**, the most of these and never fewer than 2"]
                + [str(max(2, math.ceil(most * groups))) for groups in alive])
    return table(["", "one flight", "10^6 flights a year", "10^5 flights a day"], rows)


def number(value, digits=3):
    """Three digits, with blanks between thousands."""
    if value != value:
        return "none"
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    rounded = round(value, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{rounded:,.{places}f}".replace(",", " ")
    return text.rstrip("0").rstrip(".") if "." in text else text


def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
