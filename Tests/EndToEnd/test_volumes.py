# SPDX-License-Identifier: Apache-2.0
"""Ledgers of later days, which people book in before they begin (docs/guide/venues.md)."""

import datetime
import re
import zoneinfo

import calendar_rules
import courts
import library
from calendar_files import NOTHING, CalendarFiles
from case import for_soak
from courts import Centre, Clerk, Guest, day
from waiting import until

#: The clocks that are furthest behind.
BEHIND = "Etc/GMT+12"


def furthest_ahead():
    """Hours of the clocks that are furthest ahead, and show a time before eight in the evening."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return next(hours for hours in range(14, 0, -1)
                if (now + datetime.timedelta(hours=hours)).hour < 20)


def date_in(hours):
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now + datetime.timedelta(hours=hours)).date().isoformat()


class Volumes(Centre):
    slow = 20

    def test_t2_people_book_in_the_ledger_of_the_next_days(self):
        value = courts.words(ahead=2)
        value["volume"] = "day"
        _, clerk, (ada, bo) = self.centre("ada", "bo", value=value)
        ada.student(0)
        bo.student(1)
        # Whoever joined today's ledger joins the next one by the same answers.
        late = ada.books("Tennis 1", day(1), "10:00")
        self.assertEqual((late["outcome"], late["day"]), ("done", day(1)))
        self.assertNotIn("amount", late)  # A student there too.
        self.assertEqual(ada.books("Tennis 1", day(0), "18:00")["outcome"], "done")
        self.assertEqual([one["day"] for one in ada.bookings()], [day(0), day(1)])
        self.assertEqual(
            bo.refused("book", "Tennis 1", day(1), "10:00", "--yes")["code"], "full")
        self.assertEqual(
            ada.refused("book", "Tennis 2", day(1), "12:00", "--yes")["code"], "quota")
        # The desk finds a code in whichever ledger it is, and lists both.
        self.assertIn("Ada", clerk.type("desk", "slip", late["code"]).stdout)
        told = clerk.desk("requests")
        self.assertEqual([one["volume"] for one in told["later"]], [day(1), day(2)])
        caller = clerk.desk("book", "Tennis 2", day(2), "10:00", "--for", "Els")
        self.assertEqual(len(caller["bookings"]), 1)
        self.assertEqual(
            bo.refused("book", "Tennis 1", day(3), "10:00", "--yes")["code"], "too-far")
        # A swap in that ledger needs no desk either.
        other = bo.books("Tennis 2", day(1), "19:00")
        asked = ada.told("bookings", "swap", str(self.number(ada, day(1))), other["code"], "--yes")
        name = f"{day(1)}/{asked['number']}"
        until("bo sees it", lambda: name in bo.type("bookings", "requests").stdout, 20)
        bo.told("bookings", "accept", name, "--yes")
        until("it is ada's", lambda: other["code"] in ada.type("bookings").stdout, 20)
        ada.told("bookings", "cancel", str(self.number(ada, day(1))), "--yes")
        self.assertEqual([one["day"] for one in ada.bookings()], [day(0)])

    @staticmethod
    def number(person, date):
        [found] = [one["number"] for one in person.bookings() if one["day"] == date]
        return found

    def test_t2_a_rental_over_the_end_of_a_ledger_is_in_both(self):
        value = courts.castles(count=1)
        value["volume"], value["rules"]["ahead"] = "day", 3
        value["classes"][0]["quota"] = [{"bookings": 1}]
        value["places"].append(dict(value["places"][0], id=3, name="Glijbaan"))
        place = self.cabin("gent", "els", "jan")
        clerk = Clerk(place["gent"])
        path = clerk.up(value)
        els, jan = [Guest(place[name]).take(path) for name in ("els", "jan")]
        els.open(value["slug"])
        clerk.opens()
        both = els.told("book", "Piraat", day(1), "2 days", "--yes")["bookings"]
        self.assertEqual([(one["day"], one["outcome"]) for one in both],
                         [(day(1), "done"), (day(2), "done")])
        for date in (day(1), day(2)):
            self.assertEqual(jan.refused("book", "Piraat", date, "--yes")["code"], "full")
        # Where a half is taken, nothing is asked for.
        refused = jan.refused("book", "Piraat", day(2), "2 days", "--yes")
        self.assertEqual(refused["code"], "full")
        self.assertEqual(jan.states(), [])
        # Where the desk refuses one, the other is given back, and the reason is said.
        els.told("bookings", "cancel", str(self.number(els, day(1))), "--yes")
        els.told("bookings", "cancel", str(self.number(els, day(2))), "--yes")
        self.assertEqual(jan.books("Glijbaan", day(2))["outcome"], "done")
        until("it is free", lambda: els.told("venue", "show", value["slug"], day(2))["tables"][
            0]["rows"][0]["cells"][0]["free"] == 1, 20)
        # One that is dried for a day is not given out on the first day of a ledger: somebody may
        # have had it until then. The people at the desk see both ledgers.
        dried = els.refused("book", "Kasteel XL", day(2), "--yes")
        self.assertEqual(dried["code"], "closed")
        self.assertIn("made ready first", dried["why"])
        made = clerk.desk("book", "Kasteel XL", day(1), "2 days", "--for", "Mia")["bookings"]
        self.assertEqual(len(made), 2)
        shown = jan.type("book", "Piraat", day(1), "2 days", "--yes", check=1)
        self.assertIn("Given back", shown.stderr)
        self.assertIn("you have no booking left that day", shown.stderr)
        self.assertEqual([one["day"] for one in jan.bookings()], [day(2)])
        # What comes back late is kept in the next ledger too.
        tom = clerk.type("desk", "book", "Piraat", day(0), "--for", "Tom").stdout
        code = re.search(r"code (\w{8})", tom)[1]
        late = clerk.type("desk", "late", code, "+1d").stdout
        self.assertIn("Kept: Piraat", late)
        until("nobody has it", lambda: els.told("venue", "show", value["slug"], day(1))["tables"][
            0]["rows"][0]["cells"][0]["free"] == 0, 20)

    def test_t2_later_days_become_those_of_today(self):
        ahead = furthest_ahead()
        then = date_in(ahead)
        value = courts.words(ahead=3)
        value["volume"], value["zone"] = "day", BEHIND
        _, clerk, (ada,) = self.centre("ada", value=value)
        ada.student(0)
        booked = ada.books("Tennis 1", then, "21:00")
        self.assertEqual(booked["outcome"], "done")
        # The day begins: the operator puts the clocks of the venue on.
        value["zone"] = f"Etc/GMT-{ahead}"
        path = library.sign(clerk.host, value, "rec")
        clerk.told("desk", "up", "rec")
        ada.take(path)
        ada.open("rec")
        clerk.opens()
        self.assertIn("Ada", clerk.type("desk", "slip", booked["code"]).stdout)
        until("ada has the new words", lambda: re.search(
            r"Tennis 1, \w+ \d+ \w+ 2\d{3} 21:00", ada.type("bookings").stdout), 20)
        self.assertEqual(ada.told("venue", "open", "rec")["volume"], then)
        self.assertEqual(ada.told("bookings", "cancel", "1", "--yes")["state"], "cancelled")


def changes(zone):
    """The next day on which the clocks of a zone go forward, and the next on which they go back,
    each with the minutes of that day between which they jump."""
    found = {}
    for ahead in range(2, 364):
        date = datetime.date.fromisoformat(day(ahead))
        noon = datetime.datetime.combine(date, datetime.time(12), zone)
        before = noon - datetime.timedelta(days=1)
        jump = int((noon.utcoffset() - before.utcoffset()).total_seconds()) // 60
        if not jump or (jump > 0) in found:
            continue
        for minute in range(0, 720, 30):
            at = datetime.datetime.combine(
                date, datetime.time(minute // 60, minute % 60), zone)
            # A time that is missing or comes twice is another one by its second reading.
            if at.utcoffset() != at.replace(fold=1).utcoffset():
                found[jump > 0] = (date.isoformat(), minute, minute + abs(jump))
                break
    return found[True], found[False]


def clock(minutes):
    return f"{minutes // 60:02}:{minutes % 60:02}"


class ClockChange(CalendarFiles, Centre):
    """Days on which the clocks change; most of them are in the ledger of the next year."""

    def test_t1_days_of_clock_change_in_brussels(self):
        self.change("Europe/Brussels")

    @for_soak
    def test_t1_days_of_clock_change_in_chicago_and_on_lord_howe(self):
        self.change("America/Chicago")
        self.change("Australia/Lord_Howe")

    def change(self, name):
        self.needs_readers()
        zone = zoneinfo.ZoneInfo(name)
        (spring, gone, back), (autumn, twice, once) = changes(zone)
        value = courts.words(join="open", ahead=364, together=9)
        value.update(zone=name, volume="year", hours={"Mo-Su": "00:00-06:00"})
        # A year of half hours has to fit into one ledger.
        value["places"] = [dict(value["places"][0], grain=30)]
        del value["groups"]["hall"], value["units"]
        value["classes"] = [{"name": "everybody"}]
        place = self.cabin("desk", "ada")
        clerk = Clerk(place["desk"])
        ada = Guest(place["ada"]).take(clerk.up(value))
        ada.open("rec")
        clerk.opens()
        self.here = ada.host
        # What is missing is not offered, and the line to try books what is before it.
        refused = ada.refused("book", "Tennis 1", spring, clock(gone), "30m", "--yes")
        self.assertEqual(refused["code"], "closed")
        self.assertNotIn(clock(gone), refused["try"])
        ada.run_advice(refused["try"] + " --yes")
        length = f"{back - gone}m"
        spans = [(spring, back, length), (autumn, twice, length)]
        for date, minute, wanted in spans:
            one = ada.books("Tennis 1", date, clock(minute), wanted)
            self.assertEqual(one["outcome"], "done")
        data = self.file()
        self.assertEqual(self.readers(data), NOTHING)
        told = {(event["DTSTART"], event["DTEND"]) for event in calendar_rules.events(data)
                if event["STATUS"] == "CONFIRMED"}

        def utc(date, minute):
            begin = datetime.datetime.combine(
                datetime.date.fromisoformat(date), datetime.time(minute // 60, minute % 60), zone)
            return begin.astimezone(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")

        self.assertEqual(told, {
            # No minute lies between the end of the one and the begin of the other.
            (utc(spring, gone - 30), utc(spring, back)),
            (utc(spring, back), utc(spring, back + back - gone)),
            # What comes twice is one period of double length.
            (utc(autumn, twice), utc(autumn, once)),
        })
        begin, end = (datetime.datetime.strptime(text, "%Y%m%dT%H%M%SZ")
                      for text in (utc(autumn, twice), utc(autumn, once)))
        self.assertEqual(end - begin, 2 * datetime.timedelta(minutes=once - twice))
