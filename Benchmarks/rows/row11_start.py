# SPDX-License-Identifier: Apache-2.0
"""Row 11: a command, from its start to its end."""

import os
import shutil
import subprocess
import tempfile
import time

from figures import Ratio
from frame import ROOT, Broken

WHAT = "start of `seatagent status --json`"
GOAL = 3


def measure(bench):
    agent, spawn, empty = bench.swift("seatagent"), bench.tool("spawn"), compiled(bench)
    # Short: the path of a socket has room for 107 bytes.
    place = tempfile.mkdtemp(prefix="sa")
    try:
        env = environment(place)
        bench.start([agent, "agent", "--profile", "bench", "--seat", "14C", "--name", "ada",
                     "--interface", "lo", "--no-mdns", "--port", "0"], pin=1, env=env,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        question = [agent, "status", "--json", "--profile", "bench"]
        wait(question, env)
        found = bench.run([spawn, str(bench.rounds(400, 100)), "status", *question,
                           "--", "empty", empty, "--", "version", agent, "--version"],
                          pin=0, env=env)
    finally:
        bench.close()
        shutil.rmtree(place, ignore_errors=True)
    return [Ratio.of("against an empty static Swift program", found["status"], found["empty"],
                     GOAL, names=("status --json", "empty program"),
                     details=[found["version"].text("seatagent --version")])]


def environment(place):
    for part in "cdsr":
        os.mkdir(f"{place}/{part}", 0o700)
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "HOME": place,
            "XDG_CONFIG_HOME": f"{place}/c", "XDG_DATA_HOME": f"{place}/d",
            "XDG_STATE_HOME": f"{place}/s", "XDG_RUNTIME_DIR": f"{place}/r"}


def wait(question, env):
    for _ in range(200):
        if subprocess.run(question, env=env, capture_output=True).returncode == 0:
            return
        time.sleep(0.05)
    raise Broken("the agent does not answer")


def compiled(bench):
    """An empty program with the standard library in it, as the agent has it."""
    source, program = f"{ROOT}/Benchmarks/Limits/empty.swift", f"{bench.folder}/empty"
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        subprocess.run(["swiftc", "-O", "-static-stdlib", "-parse-as-library", "-o", program,
                        source], check=True, cwd=bench.folder)
    return program
