# SPDX-License-Identifier: Apache-2.0
"""What tests of hostile strangers share: the strangers, and ears that note the time."""

import json
import os
import subprocess
import sys
import threading
import time

from agent import CommandFailed, finish
from stranger import PRACTICE, flight_auth
from waiting import until

HERE = os.path.dirname(os.path.abspath(__file__))
#: More addresses of the strangers' host: for `idles`, then for the keys.
IDLE, KEYED = 8, 8
ADDRESSES = [f"10.77.0.{number}" for number in range(101, 101 + IDLE + KEYED)]
MIB = 1 << 20


class Strangers:
    """`strangers.py` on a host; `last` is what it said last."""

    #: Where others who do it in this way are.
    program = "strangers.py"

    def __init__(self, case, host, victims, keys, does, seconds=60, cage=None, **more):
        self.last = {}
        plan = {"auth": flight_auth(PRACTICE).hex(), "keys": keys, "does": does,
                "seconds": seconds, "victims": [[v.host.address, v.port] for v in victims], **more}
        argv = [sys.executable, "-B", os.path.join(HERE, self.program), json.dumps(plan)]
        self.process = host.popen(
            cage.argv(argv) if cage else argv, log="strangers.log", stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        case.addCleanup(self.end)

    def _read(self):
        for line in self.process.stdout:
            self.last = json.loads(line)

    def sent(self, what):
        return self.last.get("sent", {}).get(what, 0)

    def tell(self):
        """Tells those who go on `until_told` that it is over."""
        self.process.stdin.close()

    def finish(self, seconds=90):
        """Waits for the end; the last line."""
        until("the strangers are done", lambda: self.last.get("done"), seconds)
        return self.last

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.reader.join()

    @property
    def figures(self):
        """For a test's note: what was sent so far, and how connections ended."""
        told = self.last
        sent = ", ".join(f"{count} {what}" for what, count in sorted(told["sent"].items()))
        return f"{told['bytes'] / MIB:.1f} MB in {told['seconds']:.0f} s ({sent})"


def with_addresses(host):
    """The strangers' host, with all their addresses."""
    for address in ADDRESSES:
        host.run(["ip", "addr", "add", f"{address}/24", "dev", host.interface])
    return host


def compare(one, other):
    """Both compare codes, and both say that they match."""
    first = one.begin("verify", other.seat)
    until(f"{other.name} is asked", lambda: other.call("status")["verification"]["state"]
          == "asked", 20)
    for process in (first, other.begin("verify", one.seat)):
        status, output = finish(process)
        if status:
            raise CommandFailed(output)
    waits = one.begin("verify", "--match")
    other.call("verify", "--match")
    if finish(waits)[0]:
        raise CommandFailed("the codes matched, and it is not said")


def disk(agent):
    """Bytes of all files of an agent."""
    places = [os.path.join(folder, name) for part in "cds"
              for folder, _, names in os.walk(f"{agent.host.folder}/{part}") for name in names]
    return sum(os.path.getsize(place) for place in places if os.path.exists(place))


class Ears:
    """Hears the chat that an agent is told, and when each line came."""

    def __init__(self, agent):
        self.heard = {}
        self.watch = agent.begin("watch", "chat")
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.watch.stdout:
            self.heard.setdefault(json.loads(line).get("text"), time.monotonic())

    def delay(self, speaker, text, most):
        """Seconds from saying a line to hearing it; `most` where it does not come."""
        began = time.monotonic()
        speaker.ask("say", text=text)
        while text not in self.heard:
            if time.monotonic() > began + most:
                return most
            time.sleep(0.005)
        return self.heard[text] - began

    def end(self):
        self.watch.kill()
        self.watch.communicate()
        self.reader.join()
