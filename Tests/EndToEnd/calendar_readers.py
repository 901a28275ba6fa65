# SPDX-License-Identifier: Apache-2.0
"""Reads a calendar file with the packages of PyPI, in the Python that has them.

    .build/venv/bin/python calendar_readers.py FILE     prints what they complain of, as JSON
"""

import json
import sys

import icalendar
import vobject


def with_icalendar(data):
    try:
        calendar = icalendar.Calendar.from_ical(data)
        found = [str(error) for part in calendar.walk() for error in part.errors]
        for event in calendar.walk("VEVENT"):
            found += [f"no {name}" for name in event.required if name not in event]
            # Reading the values is what finds most.
            event.decoded("DTSTART"), event.decoded("DTSTAMP")
        if calendar.to_ical() and not calendar.walk("VEVENT"):
            found.append("no event")
        return found
    except (ValueError, KeyError) as error:
        return [repr(error)]


def with_vobject(data):
    try:
        calendar = vobject.readOne(data.decode())
        calendar.validate(raiseException=True)
        for event in calendar.vevent_list:
            event.dtstart.value, event.summary.value
        return []
    except (vobject.base.VObjectError, ValueError, AttributeError) as error:
        return [repr(error)]


with open(sys.argv[1], "rb") as file:
    text = file.read()
print(json.dumps({"icalendar": with_icalendar(text), "vobject": with_vobject(text)}))
