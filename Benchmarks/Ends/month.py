# SPDX-License-Identifier: Apache-2.0
"""Row 17, from inside: somebody comes to a venue whose desk has booked 15 courts for a month.

    month.py COURTS DAYS ENTRIES

The desk books, as for callers, ENTRIES a day on each of DAYS days. Then an agent that knows nothing
but the venue's file starts on another host: seconds from typing `venue open` until it has the whole
ledger and `venue show` has drawn the last day, and the memory that it wrote.
"""

import datetime
import sys
import time

import stage
from hosts import Cabin
from waiting import until


def words(courts):
    import courts as centre
    value = centre.words()
    value["places"] = [
        {"id": number, "name": f"Court {number}", "mode": "granted", "grain": 60, "max": 60}
        for number in range(1, courts + 1)]
    del value["groups"], value["units"], value["money"]
    value["classes"] = [{"name": "member"}]
    value["rules"] = {"join": "form", "swaps": "all", "ahead": 60}
    value["volume"] = "month"
    return value


def written(pid):
    """Megabytes that the kernel can get back from nobody but the agent, as in row 10."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as file:
        line = next(line for line in file if line.startswith("Private_Dirty:"))
    return int(line.split()[1]) * 1024 / 1e6


def main():
    courts, days, each = map(int, sys.argv[1:])
    stage.enter()
    import courts as centre
    from control import Line
    place = Cabin("desk", "reader")
    clerk = centre.Clerk(place["desk"])
    path = clerk.up(words(courts))
    desk = Line(clerk.host, "default_rec")
    until("the desk has its charter",
          lambda: desk.ask("desk")["state"] in ("alone", "open"), 20)
    # The days of this month: a desk may write down what was had before.
    today = centre.today()
    dates = [today.replace(day=1) + datetime.timedelta(days=number) for number in range(days)]
    dates = [date for date in dates if date.month == today.month]
    for date in dates:
        for number in range(each):
            desk.ask("desk-book", place=1 + number % courts, period={
                "day": date.isoformat(), "from": 360 + 60 * (number // courts), "minutes": 60})
    entries = desk.ask("desk")["entries"]
    stage.show("entries", [entries], "entries")

    reader = centre.Guest(place["reader"]).take(path)
    begun = time.monotonic()
    reader.open("rec")
    line = Line(reader.host, "default_rec")
    last = dates[-1].isoformat()
    until("the newcomer knows the last day", lambda: len(
        line.ask("days", first=last)["bookings"]) == each, 60, pause=0.02)
    stage.show("learnt", [time.monotonic() - begun], "s")
    shown = reader.type("venue", "show", "rec", last).stdout
    stage.show("shown", [time.monotonic() - begun], "s")
    assert shown.count("x") >= each // 2, shown
    known = sum(len(line.ask("days", first=date.isoformat())["bookings"]) for date in dates)
    assert known == len(dates) * each, known
    stage.show("memory", [written(reader.told("status", "--profile", "default_rec")["pid"])], "MB")
    stage.show("desk", [written(desk.ask("status")["pid"])], "MB")
    place.close()


main()
