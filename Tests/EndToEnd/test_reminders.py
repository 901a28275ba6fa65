# SPDX-License-Identifier: Apache-2.0
"""Reminders of parked cars: in a terminal, on a desktop, and after a restart of the computer."""

import fcntl
import os
import signal
import time

from agent import BINARY
from parking import ParkingCase
from waiting import until, until_gone


class Reminders(ParkingCase):
    def notices(self):
        """Sets a program that writes down its words; gives what reads them."""
        said = f"{self.here.folder}/said"
        program = self.write("notify", f'#!/bin/sh\nprintf "%s|%s\\n" "$@" >>{said}\n', 0o700)
        self.run_here("config", "set", "notify.command", program)

        def read():
            if not os.path.exists(said):
                return []
            with open(said) as file:
                return file.read().splitlines()
        return read

    def test_a_reminder_waits_in_a_terminal(self):
        saved = self.add().stderr
        self.assertIn("No notice comes by itself", saved)
        self.assertIn("seatagent park remind", saved)
        self.assertEqual(self.told("change", "1", "--hours", "1h")["reminder"], "nobody")
        self.park("remind", "--timeout", "1", check=5)
        read = self.notices()
        self.end_in(6)
        began = time.monotonic()
        shown = self.park("remind").stdout.splitlines()
        self.assertGreater(time.monotonic() - began, 3)
        self.assertEqual(len(shown), 2, shown)
        self.assertIn("AB12CDE at B7K2Q: 1 minute left, until ", shown[0])
        self.assertIn("AB12CDE at B7K2Q: the time is up since ", shown[1])
        until("both are notices", lambda: read() == [f"Parking|{line}" for line in shown])
        self.assertIn("No car's time runs.", self.park("remind").stdout)
        for name, value in (("notify.parking", "off"), ("notify", "off")):
            self.run_here("config", "set", name, value)
            self.assertIn(f"{name} is off", self.park("remind", check=2).stderr)
            self.assertEqual(self.told("change", "1", "--hours", "1h")["reminder"], "off")
            self.run_here("config", "unset", name)

    def test_a_desktop_is_reminded_by_itself(self):
        read = self.notices()
        self.run_here("config", "set", "notify.desktop", "on")
        self.assertIn("A notice comes 15 minutes before", self.add().stderr)
        # A second one finds that somebody waits already.
        until("somebody waits", lambda: self.here.run(
            [BINARY, "park", "remind", "--timeout", "1"], check=False).returncode == 1, 60)
        self.assertEqual(read(), [])
        self.end_in(25)
        until("both are said", lambda: len(read()) == 2, 60)
        self.assertIn("minute left", read()[0])
        self.assertIn("the time is up since", read()[1])
        until("it has ended", lambda: self.here.run(
            [BINARY, "park", "remind", "--timeout", "1"], check=False).returncode == 0, 60)

    def waiting(self):
        """The processes that wait for the cars of this host."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline") as line, open(f"/proc/{pid}/environ") as places:
                    if "\0park\0remind\0" in line.read() and self.here.folder in places.read():
                        found.append(int(pid))
            except OSError:
                pass
        return found

    def has_waiting_one(self):
        """Whoever waits has a lock, so that nobody else does."""
        try:
            with open(f"{os.path.dirname(self.list)}/park-remind.lock") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except FileNotFoundError:
            pass
        return False

    def test_a_reminder_that_a_reboot_ended_starts_again_by_itself_and_once(self):
        self.notices()
        self.run_here("config", "set", "notify.desktop", "on")
        self.add()
        until("somebody waits", self.has_waiting_one, 60)
        for argv in ((), ("show", "1"), ("route", "1")):
            one, = self.waiting()
            os.kill(one, signal.SIGKILL)
            until_gone(one)
            if argv == ("route", "1"):
                self.park("change", "1", "--at", "1,2")
            else:
                said = self.park(*argv)
                self.assertEqual(said.stderr, "")
            until("somebody waits again", self.has_waiting_one, 60)
            again = self.waiting()
            self.park(*argv)
            self.assertEqual(self.waiting(), again, "it was there")
        # A car whose time is over starts nothing, and neither does a setting that says no.
        one, = self.waiting()
        os.kill(one, signal.SIGKILL)
        until_gone(one)
        self.run_here("config", "set", "notify.parking", "off")
        self.park()
        self.run_here("config", "unset", "notify.parking")
        self.end_in(-60)
        self.park()
        self.assertEqual(self.waiting(), [])
