# SPDX-License-Identifier: Apache-2.0
"""`make demo VENUE=...`: what venues do, typed and shown in a minute."""

import json
import os

import library
from agent import BINARY
from hosts import Loopback
from waiting import until


class Person:
    """Somebody at a keyboard, on a host of their own."""

    def __init__(self, side, name):
        self.host, self.name = side, name
        self.env = {"PATH": f"{os.path.dirname(BINARY)}:{side.env['PATH']}"}

    def type(self, *argv, quiet=False, refused=False):
        """Types a command, prints it and what it says; ends the demo if it fails, or if it does
        not fail where it is to be `refused`."""
        words = " ".join(f"'{word}'" if " " in word else word for word in argv)
        if not quiet:
            print(f"\n{self.name}$ seatagent {words}", flush=True)
        done = self.host.run(["seatagent", *argv], check=False, timeout=60, env=self.env)
        if not quiet or done.returncode:
            print((done.stdout + done.stderr).rstrip(), flush=True)
        if (done.returncode != 0) is not refused:
            raise SystemExit(f"demo: `seatagent {words}` ended with {done.returncode}")
        return done.stdout

    def json(self, *argv):
        return json.loads(self.type(*argv, "--json", quiet=True))["result"]


def counted(people, counts):
    """Waits until everybody counts the same."""
    def same():
        return all({one["place"]: one["people"] for one in person.json("venue", "open", "uva")[
            "places"]} == counts for person in people)
    until(f"all count {counts}", same, 30, pause=0.2)


def study(cabin):
    """Three people in a library count who is where; no server, no desk."""
    print("three hosts on one cable, each with its own avahi; no default route, no DNS, no server")
    ada, bo, cy = [Person(cabin[name], name) for name in ("ada", "bo", "cy")]
    given = library.sign(cabin["ada"], library.words())
    print("\nThe library signed a file with its places and hours. Everybody takes it:")
    ada.type("venue", "show", "uva")
    for person in (bo, cy):
        person.type("venue", "add", given, "--yes")
    for person in (ada, bo, cy):
        person.type("profile", "set", "mail", f"{person.name}@example.org", quiet=True)
    ada.type("checkin", "singel")
    bo.type("friend", "allow")
    bo.type("checkin", "law")
    counted([ada, bo, cy], {1: 1, 2: 1})
    cy.type("venue", "open", "uva")
    cy.type("friend", "bo@example.org")
    ada.type("checkout")
    counted([ada, bo, cy], {2: 1})
    cy.type("venue", "open", "uva")
    ada.type("activity")
    for person in (ada, bo, cy):
        person.type("venue", "leave", "uva", quiet=True)
    print("\ndemo: three agents counted the same people, and nobody's server did")


def parking():
    """A driver keeps their car; nothing leaves the computer."""
    here = Person(Loopback("here"), "ada")
    print("one computer, no network, no agent")
    here.type("profile", "set", "plate", "ab-12 cde")
    here.type("park", "add", "B7K2Q", "--suite", "12B", "--hours", "4h", "--street", "12 Main St",
              "--at", "45.5017,-73.5673")
    here.type("park")
    here.type("park", "route", "1", "--from", "45.5088,-73.5542", "--no-qr")
    here.type("park", "show", "1")
    print("\ndemo: the car is found again, and nobody else knows where it stands")
