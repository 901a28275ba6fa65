# SPDX-License-Identifier: Apache-2.0
"""Which program the tests run: SEATAGENT names it, the build to be debugged is what else there is.

`make test` names the release build, which is what people install, and where an agent does its work
with a third of the processor. Only the other build has hooks, for instance to die at a step: a
command that sets one runs that.
"""

import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WITH_HOOKS = f"{ROOT}/.build/debug/seatagent"
BINARY = os.path.abspath(os.environ.get("SEATAGENT", WITH_HOOKS))
HOOKS = ("SEATAGENT_DIE", "SEATAGENT_STEPS", "SEATAGENT_SLEPT", "SEATAGENT_VIEW_TRAP")


def has_hooks():
    """Whether the build with hooks is there."""
    return os.access(WITH_HOOKS, os.X_OK)


def command(argv, env):
    """`argv`, of the build with hooks where `env` sets one."""
    if not any(env.get(hook) for hook in HOOKS) or not has_hooks():
        return list(argv)
    return [WITH_HOOKS if word == BINARY else word for word in argv]
