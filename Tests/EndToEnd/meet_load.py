# SPDX-License-Identifier: Apache-2.0
"""`scripts/meet-load`: the agents of many flights at one mosquitto on one core, and what an
operator needs for more of them.

Prints the tables of docs/meet-load.md in Markdown, and ends with 1 where a goal is missed. Words
say how much is played (`PLAN`, which Benchmarks/Meet explains): flights=3 passengers=20 ...

    ROUNDS=3   plays it so often: each goal has to be met each time, tables are of the last
    WRITE=1    puts the tables into docs/meet-load.md
"""

import json
import os
import resource
import subprocess
import sys
import time

import meet_load_table as table
import world
from agent import ROOT
from hosts import Loopback
from meet_broker import Broker

sys.path.append(f"{ROOT}/Benchmarks")
from table import machine  # noqa: E402

PROGRAM = f"{ROOT}/.build/release/meetload"
PAGE = f"{ROOT}/docs/meet-load.md"
BEGIN, END = "<!-- scripts/meet-load: begin -->", "<!-- scripts/meet-load: end -->"
PLAN = {"flights": 50, "passengers": 60, "connected": 20, "coming": 60, "fast": 35, "real": 20,
        "factor": 20, "calm": 3, "days": 4}


def play(host, plan, program=PROGRAM, count=300):
    """The figures of each phase, and of so many connections over TLS; raises where somebody did not
    get in."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    broker = Broker(host, plain=True)
    try:
        broker.start()
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(broker.process.pid, cores[:1])
        agents = host.popen(
            [program, str(broker.plain_port), str(broker.process.pid),
             *(f"{name}={value}" for name, value in plan.items())],
            log="meetload.log", stdout=subprocess.PIPE, text=True)
        os.sched_setaffinity(agents.pid, cores[-1:])
        lines = [json.loads(line) for line in agents.stdout]
        if agents.wait() or not lines:
            trouble = [line.get("trouble", "") for line in lines if "trouble" in line]
            raise RuntimeError(f"{program}: {trouble}\n" + host.text(f"{host.folder}/meetload.log"))
        phases = {line["phase"]: line for line in lines}
        return phases, handshakes(broker, count)
    finally:
        broker.process.kill()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def handshakes(broker, count):
    """Seconds of the broker's processor for a connection over TLS, and bytes that it holds for it
    beside what one without takes."""
    costs = []
    for connect in (broker.plain, broker.client):
        before = used(broker), held(broker)
        clients = [connect() for _ in range(count)]
        costs.append(((used(broker) - before[0]) / count, (held(broker) - before[1]) / count))
        for client in clients:
            client.close()
    plain, sealed = costs
    return {"plain": plain[0], "tls": sealed[0], "memory": sealed[1], "count": count}


def used(broker):
    """Seconds of processor that a broker has used."""
    with open(f"/proc/{broker.process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def held(broker):
    """Bytes that a broker has in memory."""
    with open(f"/proc/{broker.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) * 1024


def settings(words):
    """What is played: of those that are not named the full measure."""
    plan = dict(PLAN)
    for word in words:
        name, _, value = word.partition("=")
        if name not in PLAN or not value.isdigit():
            raise SystemExit(f"meet-load: {word} is none of {', '.join(PLAN)} with a number\n"
                             "  try: scripts/meet-load flights=10")
        plan[name] = int(value)
    return plan


def page(rounds, plan, machine, took):
    """All that is shown of some rounds."""
    phases, tls = rounds[-1]
    parts = [machine + ".", f"**Measured.** {len(rounds)} x in {took:.0f} s: "
             f"{plan['flights']} flights of {plan['passengers']} agents.",
             table.judged([phases for phases, _ in rounds]), table.measured(phases, tls, plan)]
    if plan["connected"] < plan["passengers"]:
        idle = table.idle(phases, plan)
        parts.append(
            "**Arithmetic** from the measured figures.\n\nAn agent of such a flight in an hour, in "
            f"kB: {table.number(idle['stays'] / 1e3)} to stay connected, "
            f"{table.number(idle['cards'] / 1e3)} for its renewed cards, "
            f"{table.number(idle['looks'] / 1e3)} for looking at all boxes four times. Counted "
            f"where time is real, with entries and comings: {table.number(idle['counted'] / 1e3)}.")
        parts.append(table.scaled(phases, tls, plan))
    return "\n\n".join(parts)


def put(text):
    """Puts it between the two marks of the page."""
    with open(PAGE) as file:
        before, _, rest = file.read().partition(BEGIN)
    after = rest.partition(END)[2]
    with open(PAGE, "w") as file:
        file.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def main():
    plan = settings(sys.argv[1:])
    world.enter()
    began = time.monotonic()
    where = machine()
    rounds = []
    for number in range(int(os.environ.get("ROUNDS", "1"))):
        here = Loopback(f"load{number}")
        rounds.append(play(here, plan))
        here.close()
    text = page(rounds, plan, where, time.monotonic() - began)
    print(text)
    if os.environ.get("WRITE"):
        put(text)
    met = all(table.is_met(goal) for phases, _ in rounds for goal in table.goals(phases))
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
