# SPDX-License-Identifier: Apache-2.0
"""Venues that announce themselves by mDNS, and who finds them (docs/protocol.md section 31)."""

import os
import re
import time
import unittest

import library
from agent import BINARY
from case import Case, for_soak
from library import Reader, agree
from waiting import until

#: Where scripts/earlier put 0.2.0, which knows no venues.
EARLIER = os.environ.get("SEATAGENT_EARLIER")


def announced(host):
    """How many instances of the types of agents and of venues this host sees, by avahi's tool."""
    done = host.run(["avahi-browse", "-a", "-p", "-t"], timeout=60)
    seen = {(line.split(";")[4], line.split(";")[3]) for line in done.stdout.splitlines()
            if line.count(";") >= 5}
    types = [kind for kind, _ in seen if "seat" in kind]
    found = types.count("_seatswap._tcp"), types.count("_seatvenue._tcp")
    assert sum(found) == len(types), f"another type: {types}"
    return found


class VenueFinding(Case):
    slow = 11

    def operator(self, reader, value=None):
        """Lets a reader sign and announce a venue; the path of its file."""
        path = library.sign(reader.host, value or library.words())
        reader.told("venue", "announce", "uva")
        return path

    def test_r1_a_venue_is_found_taken_and_opened_without_its_file(self):
        place = self.cabin("ada", "bo", "cy")
        ada, bo, cy = (Reader(place[name]) for name in ("ada", "bo", "cy"))
        self.operator(ada)
        begun = time.monotonic()
        found = bo.type("venue", "find")
        self.note = f"found in {time.monotonic() - begun:.2f} s"
        self.assertRegex(found.stdout, r"(?m)^uva  +[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{5} +day +new$")
        # The line is what is typed; it asks for a yes to the tag, as for a sign.
        [line] = re.findall(r"try: seatagent (venue add .*)$", found.stdout, re.M)
        refused = bo.host.run(["sh", "-c", f"{BINARY} {line}"], check=False)
        self.assertEqual(refused.returncode, 2)
        [line] = re.findall(r"try: seatagent (.*--yes)$", refused.stderr, re.M)
        bo.host.run(["sh", "-c", f"{BINARY} {line}"])
        self.assertEqual(bo.type("checkin", check=1).stderr.count("seatagent venue open uva"), 1)
        bo.open()
        shown = bo.told("venue", "show", "uva")
        self.assertEqual((shown["venue"]["name"], shown["revision"]), ("UvA study places", 1))
        bo.told("checkin", "singel")
        ada.told("checkin", "law")
        agree([ada, bo], {1: 1, 2: 1})
        # Guests announce nothing new: only the operator's agent has the second type. What ended
        # before is forgotten a second after its good-bye.
        until("there are two agents and one venue", lambda: announced(cy.host) == (2, 1), 20)
        self.assertNotIn("announced", bo.told("venue")["venues"][0])
        self.assertTrue(ada.told("venue")["venues"][0]["announced"])
        self.assertIn("announced on this network", ada.type("venue").stdout)
        self.assertIn("announces its venue", ada.type(
            "status", "--profile", "default_uva").stdout)
        # What is set for flights is not used here, and that is said.
        ada.told("config", "set", "rendezvous.url", "mqtts://meet.example.org")
        self.assertIn("Meeting   none: venues have no meeting point", ada.type(
            "status", "--profile", "default_uva").stdout)
        ada.told("venue", "leave", "uva")
        until("it is gone", lambda: announced(cy.host) == (1, 0), 20)
        gone = cy.told("venue", "find", check=1)
        self.assertEqual((gone["code"], gone["try"]), ("nothing-found", "seatagent doctor"))
        # Left is left: opened again, it announces nothing.
        self.assertNotIn("announced", ada.open())

    def test_only_the_operator_announces_and_goes_on_after_restarts(self):
        place = self.cabin("ada", "bo")
        ada, bo = Reader(place["ada"]), Reader(place["bo"])
        path = self.operator(ada)
        bo.take(path)
        self.assertEqual(bo.told("venue", "announce", "uva", check=1)["code"], "not-yours")
        library.sign(bo.host, library.words("mine"), "mine")
        wrong = bo.told("venue", "announce", "uva", check=1)
        self.assertIn("that of the venue", wrong["why"])
        ada.kill()
        self.assertIsNotNone(ada.open().get("announced"))
        until("a new agent announces it", lambda: ada.open()["announced"])
        ada.host.restart_avahi()
        until("a new daemon announces it", lambda: "uva" in (
            {one["slug"] for one in bo.told("venue", "find", check=None).get("venues", [])}), 60)
        self.assertIn("announced no more", ada.type("venue", "announce", "uva", "--off").stdout)
        self.assertNotIn("announced", ada.open())
        self.assertIn("was not announced", ada.type("venue", "announce", "uva", "--off").stdout)

    def publish(self, host, label, *texts):
        return host.popen(["avahi-publish", "-s", label, "_seatvenue._tcp", "7711", *texts])

    def test_false_announcements_are_ignored_or_shown_for_what_they_are(self):
        place = self.cabin("ada", "eve")
        ada, eve = Reader(place["ada"]), Reader(place["eve"])
        self.operator(ada)
        ada_key = ada.told("venue")["venues"][0]["operator"]
        library.sign(eve.host, library.words())
        eve.told("venue", "announce", "uva")
        wrong = {
            "00000000000000a1": ("v=1", "n=\x1b[31mred", "k=" + "a" * 52, "p=day"),
            "00000000000000a2": ("v=1", "n=" + "a" * 25, "k=" + "a" * 52, "p=day"),
            "00000000000000a3": ("v=1", "n=rec", "n=other", "k=" + "a" * 52, "p=day"),
            "00000000000000a4": ("v=2", "n=rec", "k=" + "a" * 52, "p=day"),
            "00000000000000a5": ("v=1", "n=rec", "k=" + "A" * 52, "p=day"),
            "00000000000000a6": tuple(f"{number}=" + "x" * 200 for number in range(20)),
            "00000000000000a7": (),
            "\x1b[2Jfull screen": ("v=1", "n=rec", "k=" + "a" * 52, "p=day")}
        for label, texts in wrong.items():
            self.publish(eve.host, label, *texts)
        # Two that nobody can tell from right ones: a name, keys, and what later versions add.
        for label, key in (("00000000000000b1", "a" * 52), ("00000000000000b2", "aa" * 25 + "ba")):
            self.publish(eve.host, label, "v=1", "n=gym", "k=" + key, "p=week", "z=later", "k2=x")
        def found():
            said = ada.told("venue", "find")
            return len(said["venues"]) == 4 and said["unread"] == len(wrong) - 1 and said
        said = until("all are seen", found, 60)
        states = {(one["slug"], one["state"], one["operator"] == ada_key)
                  for one in said["venues"]}
        self.assertEqual(states, {("uva", "known", True), ("uva", "key-changed", False),
                                  ("gym", "new", False)})
        self.assertEqual(said["venues"][-1]["slug"], "gym", "known names come first")
        shown = ada.type("venue", "find")
        self.assertIn("key-changed: your list has it as", shown.stdout)
        self.assertIn("7 announcements could not be read", shown.stderr)
        # Whoever knows neither is told that there are two.
        self.assertEqual(shown.stdout.count("another one has this name: compare the tag"), 2)
        for text in (shown.stdout, shown.stderr):
            self.assertFalse(re.search(r"[^\x20-\x7e\n]|rec|red|later", text), text)

    def test_without_a_daemon_and_without_anybody_it_says_so(self):
        here = Reader(self.loopback())
        wrong = here.told("venue", "find", check=9)
        self.assertEqual((wrong["code"], wrong["what"]), (
            "network-trouble", "venues on this network cannot be found"))
        self.assertIn("sudo ", wrong["try"])
        # A sign of a venue where nobody is: the agent waits, and says so.
        here.told("venue", "add", f"seatagent:venue?n=uva&k={'a' * 52}&p=day", "--yes")
        waits = here.told("venue", "open", "uva", "--no-mdns", "--timeout", "2", check=5)
        self.assertEqual((waits["code"], waits["try"]), ("timeout", "seatagent venue open uva"))
        self.assertEqual(here.told("venue", "leave", "uva")["left"], "uva")

    def test_c4_an_announced_venue_and_a_flight_say_nothing_to_each_other(self):
        self.apart(BINARY)

    @for_soak
    @unittest.skipUnless(EARLIER, "SEATAGENT_EARLIER names no program of before venues")
    def test_c4_the_same_with_agents_from_before_venues(self):
        self.apart(os.path.abspath(f"{EARLIER}/usr/bin/seatagent"))

    def apart(self, binary):
        """Two passengers, whose program that is, beside an operator and a reader, who is one of
        them: each meets their own kind, and the others are told nothing but that there is no common
        flight."""
        place = self.cabin("ada", "bo", "cy")
        ada, bo = (Reader(place[name], binary=binary) for name in ("ada", "bo"))
        operator, reader = Reader(place["cy"]), Reader(place["bo"])
        ada.told("up", "--seat", "14C", "--name", "ada")
        there = ada.troubles()
        reader.take(self.operator(operator))
        until("ada's agent met the operator's", lambda: there() == ["other-flight"], 30)
        here = operator.troubles("default_uva")
        bo.told("up", "--seat", "12A", "--name", "bo")
        until("the operator's agent met bo's", lambda: "other-flight" in here(), 30)
        reader.open()
        until("each kind meets", lambda: all(
            one.told("status")["linked"] == 1 for one in (ada, bo)) and all(
            one.open()["linked"] == 1 for one in (operator, reader)), 30)
        operator.told("checkin", "singel")
        agree([operator, reader], {1: 1})
        for who in (ada, bo):
            self.assertEqual(len(who.told("peers")["peers"]), 1)
            self.assertNotIn("announced", who.told("status")["network"])
        self.assertEqual(set(there() + here()), {"other-flight"})
        until("four agents and a venue are there", lambda: announced(place["ada"]) == (4, 1), 20)
