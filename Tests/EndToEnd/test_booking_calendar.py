# SPDX-License-Identifier: Apache-2.0
"""What people booked stands in their calendar files (docs/guide/venues.md)."""

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
