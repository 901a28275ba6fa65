# SPDX-License-Identifier: Apache-2.0
"""Row 16, from inside: members who ask the desk of a venue within a second, played by the program
WIRE over real links from another host.

    rush.py WIRE MEMBERS LINKS COURTS

Milliseconds from the first ask until another agent of the venue, on a third host, has all that was
granted on its disk, and until the last refusal has come; how many were granted, refused and
doubled; and the transactions of the desk.
"""

import datetime
import glob
import os
import sqlite3
import struct
import subprocess
import sys
import time
from collections import Counter

import stage
from hosts import Cabin


def words(courts, count):
    import courts as centre
    value = centre.words()
    value["places"] = [
        {"id": number, "name": f"Court {number}", "mode": "granted", "grain": 60, "max": 60}
        for number in range(1, courts + 1)]
    del value["groups"], value["units"], value["money"]
    value["classes"] = [{"name": "member", "quota": [{"minutes": 60, "bookings": 1}]}]
    value["rules"] = {"join": "form", "swaps": "all", "ahead": 14}
    value["hours"] = {"Mo-Su": f"08:00-{8 + -(-count // courts):02}:00"}
    return value


def commits(path):
    """Transactions in the write-ahead log since it began (https://sqlite.org/fileformat.html,
    section 4)."""
    with open(path, "rb") as file:
        head = file.read(32)
        size, salts = struct.unpack(">I", head[8:12])[0], head[16:24]
        count = 0
        while len(frame := file.read(24)) == 24 and frame[8:16] == salts:
            count += struct.unpack(">I", frame[4:8])[0] != 0
            file.seek(size, 1)
    return count


def main():
    wire, (members, links, courts) = sys.argv[1], map(int, sys.argv[2:])
    stage.enter()
    import courts as centre
    from control import Line
    place = Cabin("desk", "crowd", "reader")
    clerk = centre.Clerk(place["desk"])
    path = clerk.up(words(courts, members // 2))
    reader = centre.Guest(place["reader"]).take(path)
    reader.open("rec")
    clerk.opens()
    reader.guest()
    # The first requests of a desk that has just opened wait 5 s for a lot. That is over then.
    reader.books("Court 1", centre.day(2), "08:00")
    desk = Line(clerk.host, "default_rec")
    seen = Line(reader.host, "default_rec")
    port = desk.ask("status")["network"]["port"]
    data = f"{clerk.host.env['XDG_DATA_HOME']}/seatagent/default_rec"
    [store] = glob.glob(f"{data}/*.db")
    with sqlite3.connect(store) as file:
        (auth,), = file.execute("SELECT auth FROM identity")
    file.close()
    ahead = centre.today() + datetime.timedelta(days=1)
    day = (ahead - datetime.date(2000, 1, 1)).days
    crowd = place["crowd"].popen(
        [wire, "rush", f"{clerk.host.address}:{port}", auth.hex(), str(members), str(links),
         str(day), str(courts)], log="wire.log", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True)
    for number in range(members):
        key = crowd.stdout.readline().strip()
        desk.ask("desk-member", number=number + 2, **{"class": 0}, who=key)

    def told():
        crowd.stdin.write("\n")
        crowd.stdin.flush()
        return crowd.stdout.readline().split()
    assert told() == ["open"]
    before = commits(store + "-wal")
    began = float(told()[1]) / 1000
    granted = members // 2
    while len(bookings(seen, ahead)) < granted:
        assert time.monotonic() < began + 30, len(bookings(seen, ahead))
        time.sleep(0.02)
    last = time.monotonic()
    refused = dict(line.split()[:2] for line in (
        crowd.stdout.readline(), crowd.stdout.readline()))
    stage.show("granted", [(last - began) * 1000], "ms")
    stage.show("refused", [float(refused["last-refusal"])], "ms")
    stage.show("refusals", [float(refused["refused"])], "asks")
    had = Counter((one["place"], one["period"]["from"]) for one in bookings(seen, ahead))
    stage.show("bookings", [sum(had.values())], "asks")
    stage.show("doubled", [sum(count > 1 for count in had.values())], "asks")
    stage.show("commits", [commits(store + "-wal") - before], "commits")
    crowd.terminate()
    crowd.wait(10)
    place.close()


def bookings(line, day):
    told = line.ask("days", first=day.isoformat())["bookings"]
    return [one for one in told if "ended" not in one]


main()
