# SPDX-License-Identifier: Apache-2.0
"""A second reader of calendar files (RFC 5545): finds what libical, icalendar and vobject miss.

    faults(bytes) -> list of sentences; an empty one for a file that keeps the rules
"""

import re
from datetime import datetime, timedelta

DATE = re.compile(r"\d{8}$")
MOMENT = re.compile(r"\d{8}T\d{6}Z$")
DURATION = re.compile(r"([+-]?)P(?:(\d+)W|(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?)$")
#: Names whose value is TEXT, where commas, semicolons and backslashes are escaped.
TEXTS = {"SUMMARY", "DESCRIPTION", "LOCATION", "UID", "PRODID"}
STATES = {"TENTATIVE", "CONFIRMED", "CANCELLED"}


def faults(data):
    found = []
    lines = unfold(data, found)
    calendar = tree(lines, found)
    if calendar:
        check_calendar(calendar, found)
    return found


# Lines

def unfold(data, found):
    """The content lines; says what is wrong with how they stand there."""
    if not data.endswith(b"\r\n"):
        found.append("the last line has no CRLF")
    if re.search(rb"(?<!\r)\n|\r(?!\n)", data):
        found.append("a line ends otherwise than with CRLF")
    whole = []
    for number, line in enumerate(re.split(rb"\r?\n", data.removesuffix(b"\r\n")), 1):
        if len(line) > 75:
            found.append(f"line {number} has {len(line)} octets")
        try:
            line.decode()
        except UnicodeDecodeError:
            found.append(f"line {number} is folded within a letter")
        if line[:1] in (b" ", b"\t") and whole:
            whole[-1] += line[1:]
        else:
            whole.append(line)
    return [line.decode(errors="replace") for line in whole]


def tree(lines, found):
    """Components: name, properties as (name, parameters, value), parts within it."""
    top = ("", [], [])
    stack = [top]
    for line in lines:
        head, colon, value = line.partition(":")
        name, *parameters = head.split(";")
        if not colon or not re.fullmatch(r"[A-Z-]+", name):
            found.append(f"no content line: {line!r}")
        elif name == "BEGIN":
            part = (value, [], [])
            stack[-1][2].append(part)
            stack.append(part)
        elif name == "END":
            if len(stack) == 1 or stack.pop()[0] != value:
                found.append(f"END:{value} ends something else")
                return None
        else:
            stack[-1][1].append((name, parameters, value))
            check_text(name, value, found)
    if len(stack) != 1:
        found.append(f"{stack[-1][0]} has no END")
    if [part[0] for part in top[2]] != ["VCALENDAR"] or top[1]:
        found.append("it is not one VCALENDAR")
        return None
    return top[2][0]


def check_text(name, value, found):
    if re.search(r"[\x00-\x08\x0A-\x1F\x7F]", value):
        found.append(f"{name} has a control character")
    if name in TEXTS:
        bare = re.sub(r"\\[\\;,nN]", "", value)
        for mark in ",;\\":
            if mark in bare:
                found.append(f"{name} has {mark} unescaped")


# Components

def values(part, name):
    return [value for other, _, value in part[1] if other == name]


def once(part, names, found, must=True):
    for name in names:
        count = len(values(part, name))
        if count > 1 or must and count == 0:
            found.append(f"{part[0]} has {count} {name}")


def check_calendar(calendar, found):
    once(calendar, ["VERSION", "PRODID"], found)
    once(calendar, ["CALSCALE"], found, must=False)
    if values(calendar, "METHOD"):
        found.append("METHOD stands in a file that is no message")
    if values(calendar, "VERSION") not in ([], ["2.0"]):
        found.append("VERSION is not 2.0")
    events = [part for part in calendar[2] if part[0] == "VEVENT"]
    zones = {zone for part in calendar[2] if part[0] == "VTIMEZONE"
             for zone in values(part, "TZID")}
    if not events:
        found.append("there is no event")
    named = [uid for event in events for uid in values(event, "UID")]
    if len(set(named)) != len(named):
        found.append("a UID comes twice")
    for event in events:
        check_event(event, zones, found)


def check_event(event, zones, found):
    once(event, ["UID", "DTSTAMP", "DTSTART", "SUMMARY", "SEQUENCE"], found)
    once(event, ["DTEND", "DURATION", "STATUS", "LOCATION", "DESCRIPTION", "TRANSP"], found, False)
    if values(event, "DTEND") and values(event, "DURATION"):
        found.append("an event has DTEND and DURATION")
    for status in values(event, "STATUS"):
        if status not in STATES:
            found.append(f"STATUS is {status}")
    for number in values(event, "SEQUENCE"):
        if not re.fullmatch(r"\d{1,9}", number):
            found.append(f"SEQUENCE is {number}")
    times = {}
    for name, parameters, value in event[1]:
        for parameter in parameters:
            if parameter.startswith("TZID=") and parameter[5:] not in zones:
                found.append(f"{name} has a TZID without VTIMEZONE")
        if name in ("DTSTART", "DTEND", "DTSTAMP"):
            times[name] = moment(name, parameters, value, found)
    start, end = times.get("DTSTART"), times.get("DTEND")
    if start and end and (end[0] <= start[0] or end[1] != start[1]):
        found.append("DTEND is not after DTSTART")
    if times.get("DTSTAMP") and times["DTSTAMP"][1] == "date":
        found.append("DTSTAMP is a date")
    for alarm in event[2]:
        check_alarm(alarm, found)


def moment(name, parameters, value, found):
    """The time and its kind."""
    is_date = "VALUE=DATE" in parameters
    form, pattern = ("%Y%m%d", DATE) if is_date else ("%Y%m%dT%H%M%SZ", MOMENT)
    local = any(parameter.startswith("TZID=") for parameter in parameters)
    try:
        if not local and not pattern.match(value):
            raise ValueError
        return datetime.strptime(value.rstrip("Z"), form.rstrip("Z")), "date" if is_date else "time"
    except ValueError:
        found.append(f"{name} is {value}")
        return None


def check_alarm(alarm, found):
    if alarm[0] != "VALARM":
        found.append(f"{alarm[0]} stands in an event")
        return
    once(alarm, ["ACTION", "TRIGGER", "DESCRIPTION"], found)
    if values(alarm, "ACTION") not in ([], ["DISPLAY"]):
        found.append("an alarm does not display")
    for value in values(alarm, "TRIGGER"):
        if span(value) is None:
            found.append(f"TRIGGER is {value}")
        elif re.search(r"\d[DW]", value):
            found.append(f"TRIGGER {value} counts days, which clocks make longer and shorter")


def span(value):
    """A duration; `None` for what is none."""
    match = DURATION.match(value)
    if not match or not any(match.groups()[1:]) or value.endswith("T"):
        return None
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups()[1:])
    if match[4] and match[6] and not match[5]:
        return None
    length = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return -length if match[1] == "-" else length


def events(data):
    """The events of a file that has no faults: dictionaries of single values, and their alarms."""
    lines = unfold(data, [])
    calendar = tree(lines, [])
    return [{**{name: value for name, _, value in part[1]},
             "alarms": [{name: value for name, _, value in alarm[1]} for alarm in part[2]]}
            for part in calendar[2] if part[0] == "VEVENT"]
