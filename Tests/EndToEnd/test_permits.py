# SPDX-License-Identifier: Apache-2.0
"""P7: the building knows the car, and no log does (docs/guide/parking.md). Real agents: a desk that
gives out bays, and drivers who save their cars."""

import os
import re

import capture
import courts
import library
import passes
from courts import Centre, Clerk, Guest
from desk_ledger import Ledger, rows
from library import zone_of_noon
from waiting import until

SLUG = "maple-towers"


def words(count=20, price=None, **rules):
    """A building with bays for visitors, where two a day are a suite's."""
    paid = {"price": {"hour": price}} if price else {}
    return {
        "version": 1, "slug": SLUG, "name": "Maple Towers", "zone": zone_of_noon(),
        "volume": "month" if courts.kind(1) == "month" else "week",
        "hours": {"Mo-Su": "00:00-24:00"},
        "building": "B7K2Q", "address": "12 Main St", "at": [43.6535, -79.3839],
        "places": [{"id": 1, "name": "Visitor bays", "mode": "granted", "count": count,
                    "grain": 1, "lengths": [60, 240, 720, 1440]}],
        "classes": [{"name": "visitor", "quota": [{"bookings": 2}], **paid}],
        **({"money": {"currency": "EUR"}} if price else {}),
        "rules": {"join": "form", "ahead": 1, "swaps": "none", "member": "suite", **rules}}


class Driver(Guest):
    def park(self, plate, suite, *more, check=0):
        return self.told("park", "add", "B7K2Q", "--plate", plate, "--suite", suite,
                         "--hours", "4h", *more, check=check)

    def bays(self):
        return [one for one in self.bookings() if one["state"] == "booked"]


class Permits(Centre):
    def towers(self, *names, **options):
        place = self.cabin("desk", *names)
        clerk = Clerk(place["desk"])
        path = clerk.up(words(**options))
        drivers = [Driver(place[name]).take(path) for name in names]
        for driver in drivers:
            driver.open(SLUG)
        clerk.opens()
        return place, clerk, drivers

    def test_p7_the_21st_car_is_refused_and_no_log_has_a_plate(self):
        place, clerk, (ada, bo, cy, di, ed) = self.towers("ada", "bo", "cy", "di", "ed")
        watched = [capture.record(host, "park") for host in place.hosts.values()]
        # Two visitors of one suite are one person with two keys.
        said = ada.type("park", "add", "B7K2Q", "--plate", "ab-12 cde", "--suite", "12b",
                        "--hours", "4h").stdout
        code = re.search(r"^Saved:\n.*\nBooked: Visitor bays, .*, code ([A-Z2-7]{8})$", said,
                         re.M | re.S)[1]
        self.assertIn(f"permit    {code}", ada.type("park", "show", "1").stdout)
        second = bo.park("BO22XYZ", "12B")
        [bay] = bo.bays()
        self.assertEqual((second["permit"], bay["minutes"]), (bay["token"], 240))
        [suite] = clerk.desk("members")["members"]
        self.assertEqual((suite["said"]["who"], len(suite["keys"])), ("12B", 2))
        # A third one of that suite is refused; the car is saved, and the line to try works.
        refused = cy.park("CY33QQQ", "12B", check=1)
        self.assertEqual((refused["code"], refused["what"]),
                         ("quota", "that is more than you may have that day"))
        for part in ("all visitors of suite 12B count together", "the car is saved, as record 1"):
            self.assertIn(part, refused["why"])
        self.assertEqual(len(cy.told("park")["records"]), 1)
        self.assertIn("Visitor bays", cy.run_advice(refused["try"]).stdout)
        # The desk gave 17 to callers: the 20th is the last one.
        begin = [f"{bay['from'] // 60:02}:{bay['from'] % 60:02}", "24h"]
        clerk.desk("book", "17x", "Visitor bays", bay["day"], *begin, "--override")
        until("di knows", lambda: len(Ledger(di, SLUG).live) == 3)
        self.assertIn("permit", di.park("DI44WWW", "30A"))
        until("ed knows", lambda: len(Ledger(ed, SLUG).live) == 4)
        refused = ed.park("ED55RRR", "31C", check=1)
        self.assertEqual((refused["code"], refused["what"]),
                         ("full", "others have Visitor bays then"))
        self.assertIn("the car is saved, as record 1", refused["why"])
        self.assertIn("Booked: Visitor bays", ed.run_advice(f"{refused['try']} --yes").stdout)
        self.at_the_desk(clerk, code)
        self.nowhere_else(clerk, (ada, bo, cy, di, ed), watched)

    def at_the_desk(self, clerk, code):
        slip = clerk.type("desk", "slip", code).stdout
        self.assertIn("\nPlate AB12CDE, suite 12B\n", slip)
        found = clerk.type("desk", "members", "find", "ab-12cde").stdout
        self.assertRegex(
            found, rf"^AB12CDE: suite 12B, member 1\n  Visitor bays, .*, code {code}\n")
        self.assertEqual(clerk.refused("desk", "members", "find", "NO1")["code"], "no-such-record")
        self.assertIn("suite 30A: DI44WWW", clerk.type("desk", "members").stdout)

    def nowhere_else(self, clerk, drivers, watched):
        """A plate is with its driver and in the desk's own list."""
        plates = ["ab12cde", "bo22xyz", "cy33qqq", "di44www", "ed55rrr"]
        for path, watch in watched:
            watch.kill()
            watch.wait(10)
            sent = b"\n".join(capture.frames(path)).lower()
            self.assertEqual([one for one in plates if one.encode() in sent], [])
            os.remove(path)
        for own, driver in zip(plates, drivers):
            kept = {one for _, content in passes.files(driver.host.folder) for one in plates
                    if one.encode() in content.lower()}
            self.assertEqual(kept, {own})
        # At the desk no log and no entry has one: the form is gone once it is decided.
        desk = clerk.host.folder
        kept = {os.path.basename(path) for path, content in passes.files(desk)
                if any(one.encode() in content.lower() for one in plates)}
        self.assertEqual({name for name in kept if ".db" not in name}, {"members.json"})
        for who in (clerk, *drivers):
            entries = b"\n".join(entry for entry, in rows(who.host, "entry", "bytes", SLUG))
            self.assertGreater(len(entries), 1000)
            self.assertEqual([one for one in plates if one.encode() in entries.lower()], [])
        forms = repr(rows(clerk.host, "form", slug=SLUG)).lower()
        self.assertEqual([one for one in plates if one in forms], [])

    def test_p7_without_a_desk_the_car_is_saved_and_asks_later(self):
        place = self.cabin("desk", "ada")
        clerk, ada = Clerk(place["desk"]), Driver(place["ada"])
        clerk.slug = SLUG
        ada.take(library.sign(clerk.host, words(count=2), SLUG))
        done = ada.type("park", "add", "B7K2Q", "--plate", "AB12CDE", "--suite", "12B",
                        "--hours", "4h")
        self.assertIn("Maple Towers was not asked for a permit: no desk of it was met on this "
                      "network\n", done.stderr)
        advice = re.search(r"  try: (seatagent park permit 1)\n", done.stderr)[1]
        self.assertEqual(rows(ada.host, "form", slug=SLUG), [])
        clerk.told("desk", "up", SLUG)
        shown = ("venue", "show", SLUG, courts.day(0))
        until("the desk is here", lambda: ada.told(*shown).get("desk", {}).get("here"), 20)
        self.assertRegex(ada.run_advice(advice).stdout, r"^Booked: Visitor bays, .*, code ")
        self.assertEqual(ada.refused("park", "permit", "1")["code"], "already-so")
        # Who gives the bay back may ask again.
        [bay] = ada.bays()
        done = ada.type("park", "remove", "1", "--yes")
        advice = re.search(r"to give it back: (.*)\n", done.stderr)[1]
        ada.run_advice(f"{advice} --yes")
        self.assertEqual(ada.bays(), [])
        self.assertIn("permit", ada.park("AB12CDE", "12B"))
        # Another suite is another person, and a key is one for good.
        other = ada.park("AB12CDE", "30A", check=6)
        self.assertIn("counts for suite 12B until this ledger ends", other["why"])
        # Nothing is asked of a desk by whoever says so, or that has gone.
        self.assertEqual({"permit", "permit_error"} & set(
            ada.park("AB12CDE", "12B", "--no-permit")), set())
        clerk.told("venue", "leave", SLUG)
        gone = ada.park("AB12CDE", "12B", "--timeout", "2")
        self.assertEqual(gone["permit_error"]["code"], "desk-away")
        self.assertEqual(gone["permit_error"]["try"], f"seatagent park permit {gone['number']}")
        self.assertEqual(ada.refused("park", "permit", "77")["code"], "no-such-record")

    def test_p7_where_cards_are_looked_at_people_at_the_desk_admit(self):
        _, clerk, (ada,) = self.towers("ada", join="card", price=100)
        # What costs something is not asked for by the way.
        refused = ada.park("AB12CDE", "12B", check=8)
        self.assertEqual((refused["code"], refused["try"]),
                         ("not-confirmed", "seatagent park permit 1 --yes"))
        self.assertIn("4.00 EUR", refused["why"])
        self.assertIn("the car is saved, as record 1", refused["why"])
        self.assertEqual(rows(ada.host, "form", slug=SLUG), [])
        waits = ada.park("AB12CDE", "12B", "--timeout", "2", "--yes", check=5)
        self.assertEqual(waits["try"], "seatagent park permit 2")
        self.assertIn("the permit waits for the people at the desk", waits["what"])
        said = clerk.type("desk").stdout
        code = re.search(r"([A-Z2-7]+)  #\w+  wants to park: AB12CDE, suite 12B\n", said)[1]
        self.assertIn("Admitted: AB12CDE, suite 12B, member 1",
                      clerk.type("desk", "admit", code).stdout)
        self.assertIn("Booked: Visitor bays", ada.run_advice(f"{waits['try']} --yes").stdout)
