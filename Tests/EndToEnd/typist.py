# SPDX-License-Identifier: Apache-2.0
"""Types command lines one after the other in a shell, then whatever each says to `try:`, as
printed, until something works. Runs on the host of whoever types: one process for many lines.

Standard input has a list of lines as JSON; standard output gets, for each of them, a list of steps:
what was typed, the exit status, and what it said.
"""

import json
import re
import subprocess
import sys

#: So many lines are followed after a mistake: each says what to do next.
STEPS = 5
SECONDS = 40
#: What goes on until somebody ends it, or the other one answers; and how long it may.
ENDLESS = re.compile(
    r"seatagent (--profile \S+ )?(web|host on|watch|chat|park remind|agent|verify \w|"
    r"(together|match) --watch|swap .*--wait|venue show .*--follow)\b")
A_MOMENT = 1
#: What only shows something, and is typed once where several mistakes lead to it.
SHOWS = re.compile(
    r"seatagent (help.*|flights|cabins|config|venue|park|places|seats|peers|requests|"
    r"desk requests|desk members|bookings( --all)?|flight show .*)")


#: What showed something, and how it ended.
shown = {}


def typed(line):
    """One line, or what it was when it was typed before."""
    if not SHOWS.fullmatch(line):
        return step(line)
    if line not in shown or shown[line]["status"]:
        shown[line] = step(line)
    return shown[line]


def step(line):
    """One line in a shell. `timeout` ends with 124 what goes on and said nothing wrong so far."""
    seconds = A_MOMENT if ENDLESS.match(line) else SECONDS
    done = subprocess.run(["timeout", str(seconds), "sh", "-c", line], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return {"line": line, "status": done.returncode,
            "said": done.stdout.decode("utf-8", "replace")}


def told(said):
    """The line to try, of an error in words or as JSON. What changes the machine is left alone."""
    if said.startswith("{"):
        return json.loads(said).get("error", {}).get("try")
    found = re.search(r"(?m)^ *try: (?!sudo )(.*)$", said)
    return found and found[1]


def follow(line):
    steps = [typed(line)]
    while len(steps) <= STEPS:
        line = told(steps[-1]["said"])
        if not line or line in [one["line"] for one in steps]:
            break
        steps.append(typed(line))
        if steps[-1]["status"] in (0, 124):
            break
    return steps


if __name__ == "__main__":
    json.dump([follow(line) for line in json.load(sys.stdin)], sys.stdout)
