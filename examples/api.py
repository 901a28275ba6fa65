#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Talks to your agent over its control socket; Python's standard library is all it needs.

    api.py                   who is aboard, and in which seat
    api.py say TEXT          to everyone
    api.py events [COUNT]    what happens, one JSON object a line
    api.py ask OP [JSON]     any operation, as in: api.py ask swap '{"seat": "12A"}'

Before anything is sent it checks who serves the socket: in /tmp anybody could have made one.
The socket speaks one JSON object a line. A request has an `id` and an `op`; the reply carries the
same `id` and `"ok"`; objects with `event` come in between once they are asked for with `watch`.
"""

import json
import os
import socket
import stat
import struct
import sys


def socket_path(profile):
    """Where the agent of a profile listens."""
    if os.environ.get("SEATAGENT_SOCKET"):
        return os.environ["SEATAGENT_SOCKET"]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = f"{runtime}/seatagent" if runtime else f"/tmp/seatagent-{os.getuid()}"
    return f"{folder}/{profile}.sock"


class Refused(Exception):
    """The agent said no: `what`, and perhaps `why` and `try`."""


def check_folder(path):
    """Refuses a socket in a place that another user could have made."""
    folder = os.path.dirname(path) or "."
    facts = os.lstat(folder)
    if (not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid()
            or facts.st_mode & 0o077):
        raise Refused(f"{folder} is not a directory of your own with mode 0700")


def check_server(connection, path):
    """Refuses a server that runs as another user, root excepted: the kernel says who it is."""
    size = struct.calcsize("3i")
    _, uid, _ = struct.unpack(
        "3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    if uid not in (os.geteuid(), 0):
        raise Refused(f"{path} is served by user {uid}, not by your agent")


class Agent:
    """One connection to the agent."""

    def __init__(self, profile=os.environ.get("SEATAGENT_PROFILE", "default")):
        self.socket = socket.socket(socket.AF_UNIX)
        path = socket_path(profile)
        check_folder(path)
        self.socket.connect(path)
        check_server(self.socket, path)
        self.stream = self.socket.makefile("rwb")
        self.waiting = []
        self.last = 0

    def ask(self, op, **arguments):
        """Asks for one thing and returns the result."""
        self.last += 1
        request = {"id": self.last, "op": op, **arguments}
        self.stream.write(json.dumps(request).encode() + b"\n")
        self.stream.flush()
        while True:
            line = self.read()
            if line.get("id") != self.last:
                self.waiting.append(line)
            elif line["ok"]:
                return line["result"]
            else:
                raise Refused(line["error"]["what"])

    def events(self):
        """Events as they come; ask for `watch` first."""
        while True:
            line = self.waiting.pop(0) if self.waiting else self.read()
            if "event" in line:
                yield line

    def read(self):
        line = self.stream.readline()
        if not line:
            raise SystemExit("the agent has gone")
        return json.loads(line)


def main(words):
    agent = Agent()
    match words:
        case []:
            for seat in agent.ask("seats")["seats"]:
                for holder in seat["holders"]:
                    print(seat["seat"], holder["name"], "(you)" if holder.get("me") else "")
        case ["say", *text]:
            agent.ask("say", text=" ".join(text))
        case ["events", *count]:
            agent.ask("watch")
            for number, event in enumerate(agent.events(), 1):
                print(json.dumps(event), flush=True)
                if count and number >= int(count[0]):
                    break
        case ["ask", op, *more]:
            arguments = json.loads(more[0]) if more else {}
            print(json.dumps(agent.ask(op, **arguments), indent=2))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (OSError, Refused) as error:
        raise SystemExit(f"api.py: {error}") from None
