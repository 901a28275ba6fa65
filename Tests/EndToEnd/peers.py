"""Handmade peers on an agent's host."""

import json
import os
import subprocess
import sys

from stranger import flight_auth

MALLORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mallory.py")


def handmade(case, agent, seed):
    """Starts `mallory.py` against an agent: tells it a word and gives its answer. What the word
    wants to know goes with it by name."""
    process = agent.host.popen(
        [sys.executable, "-B", MALLORY, agent.host.address, str(agent.port), flight_auth().hex(),
         seed.hex()], log="mallory.log", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(word, **given):
        process.stdin.write(word + (" " + json.dumps(given) if given else "") + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())
    case.addCleanup(process.communicate)
    return tell
