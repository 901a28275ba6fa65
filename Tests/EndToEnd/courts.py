# SPDX-License-Identifier: Apache-2.0
"""A recreation centre with a desk: its words, its desk, and the people who book there."""

import datetime
import json
import os
import shlex

import library
from case import Case
from library import Reader, zone_of_noon
from waiting import until, until_gone

#: Address and number of people who are on the roster.
STUDENTS = [(f"s1234{number}@nwmissouri.edu", f"91900000{number}") for number in range(8)]


def today():
    """The date by the clocks of the venue."""
    zone = zone_of_noon()[7:]
    # The signs of these zones are turned round: Etc/GMT-3 is three hours ahead.
    hours = -int(zone) if zone else 0
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)).date()


def day(ahead):
    return (today() + datetime.timedelta(days=ahead)).isoformat()


def kind(days=14):
    """A kind of volume in which the next days are, so that no test meets its end."""
    first, last = today(), today() + datetime.timedelta(days=days)
    if first.strftime("%Y-%m") == last.strftime("%Y-%m"):
        return "month"
    if first.year == last.year:
        return "quarter" if (first.month - 1) // 3 == (last.month - 1) // 3 else "year"
    return "week"


def words(slug="rec", **rules):
    """Two tennis courts, and a hall that is one court of basketball or two of badminton."""
    return {
        "version": 1, "slug": slug, "name": "Rec Center", "zone": zone_of_noon(),
        "volume": kind(), "hours": {"Mo-Su": "06:00-22:00"},
        "groups": {"tennis": {"name": "Tennis"}, "hall": {"name": "Hall games"}},
        "units": {"hall": 2},
        "places": [
            {"id": 1, "name": "Tennis 1", "group": "tennis", "mode": "granted", "grain": 60,
             "max": 240},
            {"id": 2, "name": "Tennis 2", "group": "tennis", "mode": "granted", "grain": 60,
             "max": 240},
            {"id": 10, "name": "Basketball", "group": "hall", "mode": "granted",
             "uses": {"hall": 2}, "grain": 60, "max": 240},
            {"id": 11, "name": "Badminton A", "group": "hall", "mode": "granted",
             "uses": {"hall": 1}, "grain": 60, "max": 240}],
        "classes": [
            {"name": "student", "mail": "S#####@nwmissouri.edu", "number": "919######",
             "proof": "roster", "quota": [{"minutes": 240, "bookings": 1}]},
            {"name": "guest", "quota": [{"minutes": 120, "bookings": 1}],
             "price": {"hour": 1000}}],
        "money": {"currency": "EUR", "iban": "BE71096123456769", "payee": "Rec Center",
                  "link": "https://pay.example/rec?ref={code}", "payBy": -30},
        "rules": {"join": "form", "swaps": "class", "ahead": 14, "cancel": 120, "arrive": 15,
                  "waiting": True, "together": 1, **rules}}


def castles(slug="dreamland", count=4):
    """Bouncy castles by the day, for everybody."""
    return {
        "version": 1, "slug": slug, "name": "DreamLand", "zone": zone_of_noon(),
        "about": "Bouncy castles by the day.", "address": "Korenmarkt 1, Gent",
        "phone": "+32 9 123 45 67", "terms": "We bring them within 20 km.",
        "volume": kind(), "hours": {"Mo-Su": "09:00-18:30"},
        "places": [
            {"id": 1, "name": "Piraat", "mode": "granted", "count": count, "grain": 1440,
             "max": 4320},
            {"id": 2, "name": "Kasteel XL", "mode": "granted", "count": 1, "grain": 1440,
             "max": 4320, "turnover": 1440}],
        "classes": [{"name": "klant", "price": {"day": 8500}}],
        "money": {"currency": "EUR", "iban": "BE71096123456769", "payee": "DreamLand"},
        "rules": {"join": "open", "swaps": "all", "ahead": 14, "cancel": 2880, "waiting": True}}


class Person(Reader):
    def refused(self, *argv):
        """The error of a command that must fail."""
        done = self.type(*argv, "--json", check=None)
        if done.returncode == 0:
            raise AssertionError(f"{self.host.name}$ seatagent {' '.join(argv)}: {done.stdout}")
        return json.loads(done.stdout)["error"]

    def run_advice(self, line, check=0):
        """Types a line as it was printed."""
        name, *words = shlex.split(line)
        if name != "seatagent":
            raise AssertionError(f"not a line of the program: {line}")
        return self.type(*words, check=check)


class Clerk(Person):
    """The people at the desk: they have the operator's key."""

    def up(self, value, boss=None):
        """Signs the words and opens the desk; the path of the signed file. The desk of another
        shop of `boss` has their key."""
        self.slug = value["slug"]
        signer = (boss or self).host
        path = library.sign(signer, value, self.slug.replace("/", "-"))
        key = []
        if boss:
            self.take(path)
            key = ["--key-file", f"{signer.env['XDG_DATA_HOME']}/seatagent/default/operator.key"]
        self.told("desk", "up", self.slug, *key, *self.options)
        return path

    def desk(self, *argv, **options):
        return self.told("desk", *argv, **options)

    def opens(self):
        until("the desk is open", lambda: self.desk("requests")["state"] == "open", 20)
        return self

    @property
    def pid(self):
        return self.told("status", "--profile", f"default_{self.slug.replace('/', '_')}")["pid"]


    def roster(self, people):
        """Imports a roster of addresses and numbers."""
        path = f"{self.host.folder}/roster.csv"
        with open(path, "w", encoding="utf-8") as file:
            file.write("mail,number\n" + "".join(f"{mail},{number}\n" for mail, number in people))
        return self.desk("members", "import", path)

    def kill(self):
        """At once, as a cut of the current does."""
        pid = self.pid
        os.kill(pid, 9)
        until_gone(pid)


class Guest(Person):
    """Somebody who books."""

    def join(self, name, mail, *more, check=0, slug="rec"):
        return self.told("venue", "join", slug, "--name", name, "--mail", mail, *more, check=check)

    def student(self, number, check=0):
        """Joins as that one of the roster."""
        mail, card = STUDENTS[number]
        return self.join(self.host.name.title(), mail, "--number", card, check=check)

    def guest(self):
        """Joins as somebody who is not on it."""
        return self.join(self.host.name.title(), f"{self.host.name}@example.org")

    def book(self, *words, check=0):
        return self.told("book", *words, "--yes", check=check)

    def bookings(self, *argv):
        return self.told("bookings", *argv)["bookings"]

    def books(self, *words):
        """What the desk made of one booking."""
        [one] = self.book(*words)["bookings"]
        return one

    def states(self, *argv):
        """How the own bookings stand, newest first."""
        return [one["state"] for one in self.bookings(*argv)]


class Centre(Case):
    def centre(self, *names, value=None, **options):
        """A desk that is open, with a roster, and guests who know the venue."""
        place = self.cabin("desk", *names, **options)
        clerk = Clerk(place["desk"])
        path = clerk.up(value or words())
        clerk.roster(STUDENTS)
        guests = [Guest(place[name]).take(path) for name in names]
        for guest in guests:
            guest.open(clerk.slug)
        if guests:
            clerk.opens()
        return place, clerk, guests
