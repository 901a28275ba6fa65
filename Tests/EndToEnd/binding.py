# SPDX-License-Identifier: Apache-2.0
"""What the tests of the binding phase share: where it was interrupted, and how it must end."""

import os

from waiting import until

#: A request in one of these may still end either way.
UNDECIDED = {"agreed", "stranded"}
BEFORE = {"14C": "ada", "12A": "bo"}
AFTER = {"12A": "ada", "14C": "bo"}


def steps(path):
    """The durable swap steps an agent has made: one line each, such as `7 vote-yes+lock`."""
    try:
        with open(path) as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def steps_file(agent):
    return os.path.join(agent.host.folder, f"{agent.name}.steps")


def settled(ada, bo, seconds=45):
    """Waits until neither agent is in doubt and both show one map; True if they swapped."""
    def same_end():
        for agent in (ada, bo):
            if any(r["state"] in UNDECIDED for r in agent.call("requests", "--all")["requests"]):
                return None
        maps = ada.held(), bo.held()
        if maps == (BEFORE, BEFORE) or maps == (AFTER, AFTER):
            return ada.seats() == bo.seats() and [maps[0]]
        return None
    return until("both committed or both aborted", same_end, seconds, pause=0.2)[0] == AFTER
