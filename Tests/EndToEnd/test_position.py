# SPDX-License-Identifier: Apache-2.0
"""Where this computer is, by GeoClue: the real one with a receiver on the network, and a false one.

The receiver is found by mDNS, as `_nmea-0183._tcp`. Nobody but GeoClue itself reads its settings,
so that file lies over the machine's own, in the host alone.
"""

import json
import os
import re
import subprocess
import sys
import unittest

import logind
from agent import BINARY, Agent
from case import Case, for_soak
from waiting import until

HERE = os.path.dirname(os.path.abspath(__file__))
SERVICE = "/usr/libexec/geoclue"
AGENT = "/usr/libexec/geoclue-2.0/demos/agent"
CAR = ("--plate", "AB12CDE", "--suite", "12B", "--hours", "4h")
SETTINGS = "[agent]\nwhitelist=geoclue-demo-agent\n[network-nmea]\nenable=true\n" + "".join(
    f"[{source}]\nenable=false\n" for source in ("3g", "cdma", "modem-gps", "wifi", "compass"))
DENIED = "[seatagent]\nallowed=false\nsystem=true\nusers=\n"


class PositionCase(Case):
    def park(self, *argv, check=0):
        done = self.here.run([BINARY, "park", *argv], check=False, timeout=60)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done

    def add(self, *argv, check=0):
        return self.park("add", "B7K2Q", *CAR, "--here", *argv, check=check)

    def told(self, *argv):
        return json.loads(self.park(*argv, "--json").stdout)["result"]


@unittest.skipUnless(os.access(SERVICE, os.X_OK), "geoclue-2.0 is not installed")
class GeoClue(PositionCase):
    def over(self, name, text, path):
        """Lets this host read another file there."""
        ours = f"{self.here.folder}/{name}"
        with open(ours, "w") as file:
            file.write(text)
        self.here.run(["mount", "--bind", ours, path])

    def has_name(self):
        return self.here.run(
            ["dbus-send", "--system", "--print-reply", "--dest=org.freedesktop.DBus", "/",
             "org.freedesktop.DBus.GetNameOwner", "string:org.freedesktop.GeoClue2"],
            check=False).returncode == 0

    def start(self, settings=SETTINGS):
        """GeoClue, and the program by which a session allows it to answer."""
        self.over("geoclue.conf", settings, "/etc/geoclue/geoclue.conf")
        self.log = f"geoclue{len(self.here.children)}.log"
        self.service = self.here.popen([SERVICE, "--timeout=0"], log=self.log,
                                       env={"G_MESSAGES_DEBUG": "Geoclue"})
        until("GeoClue has its name", self.has_name)
        self.here.popen([AGENT], log="agent.log")
        until("an agent allows it", lambda: "New agent for user" in self.logged())

    def logged(self):
        return self.here.text(f"{self.here.folder}/{self.log}")

    def stop(self):
        self.service.kill()
        self.service.wait()
        until("its name is free", lambda: not self.has_name())

    def test_the_real_one_says_where_the_car_stands(self):
        cabin = self.cabin("ada", "bo")
        self.here, bo = cabin["ada"], cabin["bo"]
        self.over("hosts", f"{bo.address} bo.local\n", "/etc/hosts")
        receiver = bo.popen(
            [sys.executable, "-B", f"{HERE}/nmea.py", "10110", "4530.1020,N", "07334.0380,W",
             "4.0"], stdout=subprocess.PIPE, text=True)
        self.assertEqual(receiver.stdout.readline(), "ready\n")
        bo.popen(["avahi-publish", "-s", "gps", "_nmea-0183._tcp", "10110", "accuracy=exact"],
                 log="publish.log")
        self.start()
        until("it knows the receiver", lambda: "bo.local:10110 resolved" in self.logged())
        saved = self.add()
        self.assertRegex(saved.stderr, r"Your position is known within \d+ m by GeoClue\.")
        told = self.told("show", "1")
        self.assertEqual(told["at"], "45.5017, -73.5673")
        way = self.told("route", "1", "--here")
        self.assertEqual((way["metres"], way["here"]["by"], way["here"]["at"]),
                         (0.0, "geoclue", told["at"]))
        self.assertLess(way["here"]["accuracy"], 100)
        # Nothing is left of the clients, so that it looks no longer.
        until("it is done", lambda: self.logged().endswith("connected clients: 0\n"))
        self.assertEqual(self.logged().count("'seatagent' stopped."), 2)

        # A program of one's own wins.
        self.here.run([BINARY, "config", "set", "location.command", "echo 1,2"])
        self.assertEqual(self.told("add", "B7K2Q", *CAR, "--here")["here"],
                         {"at": "1, 2", "by": "program"})
        self.here.run([BINARY, "config", "unset", "location.command"])

        self.stop()
        self.start(SETTINGS + DENIED)
        saved = self.add().stderr
        self.assertIn("GeoClue does not tell seatagent where you are", saved)
        self.assertIn("It has no position, so there is no route yet.", saved)
        denied = self.park("change", "1", "--here", check=1).stderr
        self.assertIn("'seatagent' disallowed by configuration", denied)
        self.assertIn("a section [seatagent] of /etc/geoclue/geoclue.conf", denied)
        self.assertIn("try: sudoedit /etc/geoclue/geoclue.conf", denied)
        self.assertEqual(self.told("show", "1")["at"], "45.5017, -73.5673")

        self.stop()
        absent = self.park("change", "1", "--here", check=2).stderr
        self.assertIn("location.command is not set, and GeoClue is not here", absent)

    @for_soak
    def test_it_is_not_waited_for_without_end(self):
        """Neither for the session's agent nor for a position."""
        cabin = self.cabin("ada", "bo")
        self.here = cabin["ada"]
        self.start()
        self.park("add", "B7K2Q", *CAR)
        failed = self.park("change", "1", "--here", check=1).stderr
        self.assertIn("GeoClue found no position within 20 s", failed)
        self.here.children[-1].kill()
        until("the agent is gone", lambda: "Agent for user '0' vanished" in self.logged())
        failed = self.park("change", "1", "--here", check=1).stderr
        self.assertIn("GeoClue does not know whether you allow it", failed)


@unittest.skipUnless(logind.library(), "there is no libsystemd")
class FalseGeoClue(PositionCase):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        self.address = self.here.start_bus()

    def serve(self, *words):
        """One service in the place of the one before."""
        service = self.here.popen(
            [sys.executable, "-B", f"{HERE}/false_geoclue.py", self.address, *words],
            stdout=subprocess.PIPE, text=True, log="false.log")
        self.assertEqual(service.stdout.readline(), "ready\n")
        return service

    def end(self, service):
        service.kill()
        service.wait()

    def test_what_cannot_be_is_refused(self):
        place = ("1", "2", "3")
        for words, said in (
                (("said", "nan", "2", "3"), "GeoClue says a position that cannot be"),
                (("said", "91", "2", "3"), "it is no place on the Earth"),
                (("said", "1", "-180.1", "3"), "it is no place on the Earth"),
                (("said", "1", "inf", "3"), "it is no place on the Earth"),
                (("said", "1", "2", "nan"), "it is no place on the Earth"),
                (("less", *place), "it is no place on the Earth"),
                (("text", *place), "GeoClue ended before it said a position"),
                (("refused", *place), "it says: \"not \ufffd[2Jyou\""),
                (("gone", *place), "GeoClue ended before it said a position")):
            service = self.serve(*words)
            saved = self.add()
            self.assertIn(said, saved.stderr)
            self.assertNotIn("\x1b", saved.stderr)
            self.assertIn("It has no position", saved.stderr)
            self.end(service)
        self.assertNotIn("at", self.told("show", "1"))

    def test_a_rough_position_is_not_taken_without_a_word(self):
        """A better one is waited for, so all of them wait at the same time."""
        self.serve("said", "45.50171234", "-73.5673", "25000")
        self.park("add", "B7K2Q", *CAR, "--at", "45.5,-73.5673")
        add = ("add", "B7K2Q", *CAR, "--here")
        asked = [self.here.popen(["sh", "-c", 'exec "$@" 2>&1', "sh", BINARY, "park", *argv],
                                 stdout=subprocess.PIPE, text=True) for argv in (
            (*add, "--json"), (*add, "--quiet"), ("change", "1", "--here"),
            ("route", "1", "--here", "--no-qr"))]
        # On a terminal, a question decides.
        shown = Agent(self.here, "default", "14C").typed(["park", *add], "y\n")
        said = [child.communicate(timeout=60)[0] for child in asked]
        self.assertEqual([child.returncode for child in asked], [0, 0, 1, 0], said)
        told = json.loads(said[0])["result"]
        self.assertNotIn("at", told)
        self.assertEqual(told["here"], {"at": "45.5017123, -73.5673", "by": "geoclue",
                                        "accuracy": 25000.0})
        self.assertEqual(told["remarks"], [
            "You are at 45.5017123, -73.5673, within 25 km by GeoClue.",
            "That is too rough to find a car by, so it is not saved."])
        self.assertNotIn("position", said[1])
        self.assertIn("your position is too rough to find a car by", said[2])
        # A way may begin there: nobody has to find that place.
        self.assertIn("190 m, south", said[3])
        self.assertIn("within 25 km by GeoClue", said[3])
        self.assertIn("within 25 km by GeoClue. Save that for the car? y/n", shown)
        rows = {row["number"]: row.get("at") for row in self.told()["records"]}
        self.assertEqual(sorted(rows.values(), key=str),
                         ["45.5, -73.5673", "45.5017123, -73.5673", None, None])
        # What was not taken can be typed.
        line = re.search("try: (.*)", said[2])[1]
        done = self.here.run(["sh", "-c", line.replace("seatagent", BINARY, 1)], check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.told("show", "1")["at"], "45.5017123, -73.5673")
