# SPDX-License-Identifier: Apache-2.0
"""Where agents are measured from outside: hosts of their own, on this machine's real disk."""

import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, f"{ROOT}/Tests/EndToEnd")
import world  # noqa: E402

DISK = f"{ROOT}/.build/bench/hosts"


def enter():
    """Goes on in a world of its own. Where there can be none it ends here, without a figure."""
    shutil.rmtree(DISK, ignore_errors=True)
    world.enter()
    if world.no_namespaces:
        print(world.no_namespaces, file=sys.stderr)
        sys.exit(0)
    # What is durable has to cost what it costs: the folder of the hosts is a tmpfs else.
    os.makedirs(DISK, exist_ok=True)
    subprocess.run(["mount", "--bind", DISK, world.folder], check=True)


def show(name, values, unit):
    """One line for `make bench`."""
    print(name, *(f"{value:.3f}" for value in values), unit, flush=True)
