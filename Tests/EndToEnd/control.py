# SPDX-License-Identifier: Apache-2.0
"""The control socket of an agent, spoken to without a command in between (docs/control.md)."""

import json
import socket


class Refused(AssertionError):
    """The agent answered with an error."""

    def __init__(self, op, error):
        super().__init__(f"{op}: {error}")
        self.code = error["code"]


class Line:
    """A line to an agent that stays open: a question and its answer take no process."""

    def __init__(self, host, profile):
        self.wire = socket.socket(socket.AF_UNIX)
        self.wire.settimeout(60)
        self.wire.connect(f"{host.env['XDG_RUNTIME_DIR']}/seatagent/{profile}.sock")
        self.file = self.wire.makefile("rb")
        #: What the agent says of itself before anybody asks.
        self.hello = json.loads(self.file.readline())
        self.number = 0

    def send(self, op, **members):
        """Asks without waiting; the number of the question."""
        self.number += 1
        line = json.dumps({"id": self.number, "op": op, **members})
        self.wire.sendall(line.encode() + b"\n")
        return self.number

    def answer(self, number, op):
        """The result of a question. Throws `Refused`."""
        for text in self.file:
            told = json.loads(text)
            if told.get("id") == number:
                if not told["ok"]:
                    raise Refused(op, told["error"])
                return told["result"]
        raise AssertionError(f"no answer to {op}: the agent has gone")

    def ask(self, op, **members):
        return self.answer(self.send(op, **members), op)

    def close(self):
        self.file.close()
        self.wire.close()
