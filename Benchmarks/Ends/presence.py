# SPDX-License-Identifier: Apache-2.0
"""Row 14, from inside: milliseconds from typing `checkin` or `checkout` to all five others having
counted it, six agents on six hosts with mDNS.

    presence.py ROUNDS
"""

import json
import socket
import sys
import time

import stage
from hosts import Cabin
from waiting import until


def main():
    rounds = int(sys.argv[1])
    stage.enter()
    import library
    names = ["p0", "p1", "p2", "p3", "p4", "p5"]
    cabin = Cabin(*names)
    given = library.sign(cabin["p0"], library.words())
    readers = [library.Reader(cabin[name]).take(given) for name in names]
    for reader in readers:
        reader.open()
    until("they see each other", lambda: all(one.open()["linked"] == 5 for one in readers), 60)
    watches = [watch(reader) for reader in readers[1:]]
    times = []
    for number in range(rounds):
        began = time.monotonic()
        readers[0].type("checkin", "singel") if number % 2 == 0 else readers[0].type("checkout")
        for one in watches:
            wanted = 1 - number % 2
            while counted(one) != wanted:
                pass
        times.append((time.monotonic() - began) * 1000)
        # A person takes a breath, and so does the pace at which others take changes.
        time.sleep(5.2)
    stage.show("seen", times, "ms")
    cabin.close()


def watch(reader):
    """A connection to the agent that hears of each change."""
    path = f"{reader.host.env['XDG_RUNTIME_DIR']}/seatagent/default_uva.sock"
    wire = socket.socket(socket.AF_UNIX)
    wire.connect(path)
    file = wire.makefile("rwb")
    file.write(b'{"id":1,"op":"watch","events":["attendance"]}\n')
    file.flush()
    while True:
        line = json.loads(file.readline())
        if line.get("id") == 1:
            return file


def counted(file):
    """How many are at the first place, by the next change."""
    line = json.loads(file.readline())
    if line.get("event") != "attendance":
        return None
    return sum(one["people"] for one in line["places"])


main()
