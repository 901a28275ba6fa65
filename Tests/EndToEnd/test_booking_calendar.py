# SPDX-License-Identifier: Apache-2.0
"""What people booked stands in their calendar files (docs/guide/venues.md)."""

import os
from datetime import datetime, timedelta, timezone

import calendar_rules
from calendar_files import NOTHING, CalendarFiles
from courts import Centre, day


class BookingCalendar(CalendarFiles, Centre):
    def test_r9_a_booking_has_a_reminder_and_is_cancelled_when_it_is(self):
        self.needs_readers()
        _, _, (ada,) = self.centre("ada")
        self.here = ada.host
        ada.student(0)
        booked = ada.books("Tennis 2", day(1), "18:00", "2h")
        data = self.file()
        self.assertEqual(self.readers(data), NOTHING)
        [event] = calendar_rules.events(data)
        self.assertEqual(event["SUMMARY"], "Tennis 2 at Rec Center")
        begin = datetime.fromisoformat(booked["begin"].replace("Z", "+00:00"))
        self.assertEqual(event["DTSTART"], begin.strftime("%Y%m%dT%H%M%SZ"))
        self.assertEqual(event["DTEND"], (begin + timedelta(hours=2)).astimezone(
            timezone.utc).strftime("%Y%m%dT%H%M%SZ"))
        self.assertEqual(event["STATUS"], "CONFIRMED")
        self.assertEqual(data.count(b"TRIGGER:-PT1H\r\n"), 1)
        self.assertIn(booked["code"].encode(), data)
        ada.told("bookings", "cancel", "1", "--yes")
        after = self.file()
        self.assertEqual(self.readers(after), NOTHING)
        [gone] = calendar_rules.events(after)
        self.assertEqual((gone["UID"], gone["STATUS"]), (event["UID"], "CANCELLED"))
        self.assertGreater(int(gone["SEQUENCE"]), int(event["SEQUENCE"]))
        self.assertEqual(after.count(b"BEGIN:VALARM"), 0)

    def test_r9_a_feed_is_written_again_after_each_change(self):
        self.needs_readers()
        _, _, (ada,) = self.centre("ada")
        self.here = ada.host
        ada.student(0)
        refused = ada.refused("config", "set", "calendar.feed", "seat.ics")
        self.assertIn("begins with / or ~/", refused["what"])
        ada.type("config", "set", "calendar.feed", "~/seat.ics")
        path = f"{ada.host.env['HOME']}/seat.ics"

        def events():
            with open(path, "rb") as file:
                data = file.read()
            self.assertEqual(self.readers(data), NOTHING)
            return {event["UID"]: (event["STATUS"], int(event["SEQUENCE"]))
                    for event in calendar_rules.events(data)}

        ada.books("Tennis 2", day(1), "18:00", "2h")
        [(uid, (status, sequence))] = events().items()
        self.assertEqual(status, "CONFIRMED")
        ada.told("bookings", "cancel", "1", "--yes")
        status, after = events()[uid]
        self.assertEqual(status, "CANCELLED")
        self.assertGreater(after, sequence)
        # A look changes nothing, and a feed that cannot be written keeps nobody from booking.
        written = os.stat(path).st_mtime_ns
        ada.bookings()
        self.assertEqual(os.stat(path).st_mtime_ns, written)
        ada.type("config", "set", "calendar.feed", "/proc/seat.ics")
        shown = ada.type("book", "Tennis 1", day(2), "10:00", "--yes")
        self.assertIn("Booked: Tennis 1", shown.stdout)
        self.assertIn("calendar.feed was not written", shown.stderr)
