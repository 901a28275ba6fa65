# SPDX-License-Identifier: Apache-2.0
"""Hours of a venue that change while its agents run, and the end of a day (docs/protocol.md section
31)."""

import datetime
import json
import socket

import library
from agent import BINARY
from case import Case, for_soak
from library import Reader
from waiting import until, until_gone


class Socket:
    """The control socket of a reader's venue, spoken to without a command: a command would start an
    agent of newer words anew."""

    def __init__(self, reader):
        self.wire = socket.socket(socket.AF_UNIX)
        self.wire.connect(
            f"{reader.host.env['XDG_RUNTIME_DIR']}/seatagent/default_uva.sock")
        self.wire.settimeout(60)
        self.file = self.wire.makefile("rwb")
        self.number = 0

    def ask(self, op, **members):
        self.number += 1
        line = json.dumps({"id": self.number, "op": op, **members})
        self.file.write(line.encode() + b"\n")
        self.file.flush()
        while True:
            answer = json.loads(self.file.readline())
            if answer.get("id") == self.number:
                return answer["result"]

    def event(self):
        return json.loads(self.file.readline())


def closing(reader):
    """When the stay of a reader ends by itself, by their agent."""
    return Socket(reader).ask("venue")["stay"]["closes"]


class VenueHours(Case):
    def readers(self, value):
        place = self.cabin("ada", "bo")
        path = library.sign(place["ada"], value)
        readers = [Reader(place[name]).take(path) for name in ("ada", "bo")]
        for reader in readers:
            reader.open()
        until("they see each other", lambda: all(one.open()["linked"] == 1 for one in readers), 30)
        return readers

    def test_newer_hours_count_without_a_command(self):
        value = library.words()
        ada, bo = self.readers(value)
        bo.told("checkin", "singel")
        before = closing(bo)
        watch = Socket(bo)
        watch.ask("watch", events=["attendance", "trouble"])
        value["places"][0]["hours"] = {"Mo-Su": "00:00-23:00"}
        ada.take(library.sign(ada.host, value)).open()
        # An hour earlier, by an agent that nobody asked for anything.
        until("bo's agent goes by the newer hours", lambda: closing(bo) < before, 20)
        hour = datetime.timedelta(hours=1)
        began, ended = (datetime.datetime.fromisoformat(time) for time in (before, closing(bo)))
        self.assertEqual(began - ended, hour)
        self.assertEqual(watch.event()["event"], "attendance")
        # The user can still leave a place that newer words do not have.
        del value["places"][0]
        ada.take(library.sign(ada.host, value)).open()
        until("bo's agent goes by these", lambda: closing(bo) == before, 20)
        self.assertRegex(bo.type("checkout").stdout, "^You left UB Singel at ")

    @for_soak
    def test_a_day_ends_by_itself(self):
        value = library.words()
        # The day goes on until the next minute but one, some time after midnight.
        now = datetime.datetime.now(datetime.timezone.utc)
        ahead = 2 - now.hour
        value["zone"] = f"Etc/GMT{-ahead:+d}" if ahead else "Etc/GMT"
        if not -12 <= ahead <= 14:
            value["zone"] = f"Etc/GMT{-(ahead + 24):+d}"
        late = (2 + 24) * 60 + now.minute + 2
        value["hours"] = {"Mo-Su": f"03:00-{late // 60:02d}:{late % 60:02d}"}
        ada, bo = self.readers(value)
        ada.told("checkin", "singel")
        pids = [ada.pid, bo.pid]
        day = bo.open()["volume"]
        door = bo.host.popen([BINARY, "venue", "show", "uva", "--follow"], log="door.log")
        self.assertEqual(door.wait(180), 0)
        with open(f"{bo.host.folder}/door.log", encoding="utf-8") as file:
            shown = file.read()
        self.assertIn(f"{day} is over.", shown)
        self.assertTrue(shown.endswith("Today: seatagent venue show uva --follow\n"), shown)
        for pid in pids:
            until_gone(pid, 30)
        status = bo.open()
        self.assertNotEqual(status["volume"], day)
        self.assertEqual(status["places"], [])
