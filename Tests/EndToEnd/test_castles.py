# SPDX-License-Identifier: Apache-2.0
"""Shops that rent bouncy castles by the day (docs/protocol.md sections 32 and 33)."""

import json
import re

import courts
from case import Case
from courts import Clerk, Guest, day
from waiting import until

GENT, AALST = "dreamland/gent", "dreamland/aalst"


class Castles(Case):
    def shop(self, *names, **words):
        """One shop, and people who know it."""
        place = self.cabin("gent", *names)
        clerk = Clerk(place["gent"])
        path = clerk.up(courts.castles(GENT, **words))
        guests = [Guest(place[name]).take(path) for name in names]
        for guest in guests:
            guest.open(GENT)
        clerk.opens()
        return clerk, guests

    def shops(self, *names):
        """Two shops of one operator, on computers of their own, and people who know both."""
        place = self.cabin("gent", "aalst", *names)
        gent, aalst = Clerk(place["gent"]), Clerk(place["aalst"])
        paths = [gent.up(courts.castles(GENT)), aalst.up(courts.castles(AALST, count=2), gent)]
        guests = [Guest(place[name]) for name in names]
        for guest in guests:
            for path in paths:
                guest.take(path)
        return place, gent, aalst, guests

    def page(self, guest, shop, date):
        """Place and day -> how many are free, as a page shows it from a date on."""
        told = guest.told("venue", "show", shop, date)
        return {(row["name"], cell["day"]): (cell["free"], row["of"], cell["mark"])
                for table in told["tables"] for row in table["rows"] for cell in row["cells"]}

    def typed(self, guest, line):
        """Types a line that was told to be tried."""
        words = re.findall(r"'([^']*)'|(\S+)", line)
        return guest.told(*(quoted or plain for quoted, plain in words[1:]), "--yes")

    def test_d1_d2_each_shop_has_a_stock_of_its_own(self):
        _, gent, aalst, (els, jan) = self.shops("els", "jan")
        listed = {one["slug"]: one["operator"] for one in els.told("venue")["venues"]}
        self.assertEqual(set(listed), {GENT, AALST})
        self.assertEqual(len(set(listed.values())), 1)
        told = els.type("venue", "show", GENT).stdout
        for words in ("Korenmarkt 1", "+32 9 123 45 67", "09:00-18:30", "We bring them", "Piraat"):
            self.assertIn(words, told)
        # Who knows two shops has to say which, and the line to try does.
        refused = els.told("book", "2x", "Piraat", day(1), check=2)
        self.assertEqual(refused["why"], f"{AALST}, {GENT}")
        [booked] = self.typed(els, refused["try"].replace(AALST, GENT))["bookings"]
        self.assertEqual((booked["outcome"], booked["count"]), ("done", 2))
        until("jan sees what is left", lambda: self.page(jan, GENT, day(1))[
            "Piraat", day(1)] == (2, 4, "free"), 20)
        seen = self.page(jan, GENT, day(1))
        self.assertEqual(seen["Piraat", day(2)], (4, 4, "free"))
        self.assertEqual(seen["Kasteel XL", day(1)], (1, 1, "free"))
        self.assertEqual(self.page(jan, AALST, day(1))["Piraat", day(1)], (2, 2, "free"))
        self.assertEqual(self.page(els, GENT, day(1))["Piraat", day(1)], (2, 4, "unpaid"))
        self.assertRegex(jan.type("venue", "show", GENT, day(1)).stdout, r"(?m)^Piraat +2/4 +4/4")
        # Three are more than are left; what is free near it can be typed.
        refused = jan.told("book", "3x", "Piraat", day(1), "--venue", GENT, "--yes", check=1)
        self.assertEqual(refused["code"], "full")
        self.assertIn(f"--venue {GENT}", refused["try"])
        [booked] = self.typed(jan, refused["try"])["bookings"]
        self.assertEqual((booked["day"], booked["count"]), (day(2), 3))
        # A desk of one shop on a computer that knows both.
        self.assertEqual(aalst.desk("requests")["state"], "open")

    def test_d3_d4_an_address_finds_the_booking_from_any_laptop(self):
        _, (els, jan) = self.shop("els", "jan")
        for wrong in ("els", "els@host", "el s@example.org", "els@@example.org",
                      f"{'e' * 250}@x.be"):
            self.assertEqual(els.told("profile", "set", "mail", wrong, check=2)["code"], "usage")
            self.assertEqual(jan.told("bookings", "--mail", wrong, check=2)["code"], "usage")
        els.told("profile", "set", "mail", "Els@Example.org")
        [piraat] = els.book("Piraat", day(1))["bookings"]
        [xl] = els.book("Kasteel XL", day(2), "--unlisted")["bookings"]

        def found(mail):
            done = jan.type("bookings", "--mail", mail, "--json", check=None)
            if done.returncode:
                return done.returncode
            return [one["token"] for one in json.loads(done.stdout)["result"]["bookings"]]
        until("jan's laptop finds it", lambda: found("els@example.org") == [piraat["token"]])
        self.assertIn(piraat["code"], jan.type("bookings", "--mail", "els@example.org").stdout)
        none = jan.told("bookings", "--mail", "nobody@example.org", check=4)
        self.assertEqual(
            (none["code"], none["what"]),
            ("no-such-booking", "no booking for nobody@example.org here"))
        # No entry has the address, and what was left out is found by nobody.
        self.assertNotIn(xl["token"], found("els@example.org"))
        for host in (jan.host, els.host):
            held = host.run(["grep", "-rliE", "els@example.org", f"{host.env['XDG_DATA_HOME']}"],
                            check=False).stdout.split()
            self.assertEqual([path for path in held if path.endswith(".db")], [])
        els.told("bookings", "cancel", piraat["code"], "--yes")
        until("it is found no more", lambda: found("els@example.org") == 4)

    def test_d6_what_comes_back_late_is_kept_from_others(self):
        clerk, (els, jan) = self.shop("els", "jan")
        [piraat, xl] = els.book("Piraat", "'Kasteel XL'", day(1))["bookings"]
        # A day for cleaning is behind each rental.
        until("jan sees the day for cleaning", lambda: self.page(jan, GENT, day(1)).get(
            ("Kasteel XL", day(2))) == (0, 1, "taken"))
        refused = jan.told("book", "Kasteel XL", day(2), "--yes", check=1)
        self.assertEqual(refused["code"], "full")
        [later] = jan.book("Kasteel XL", day(3))["bookings"]
        for one in (piraat, xl):
            clerk.desk("handed", one["code"])
        # One of four pirates is away for another day; what somebody has stays theirs.
        kept = clerk.desk("late", piraat["code"], "+1d")
        self.assertEqual((kept["period"]["day"], kept["period"]["minutes"]), (day(2), 1440))
        until("jan sees that it is kept", lambda: self.page(jan, GENT, day(1))[
            "Piraat", day(2)] == (3, 4, "free"))
        late = clerk.desk("late", xl["code"], "+1d")
        self.assertEqual((late["stay"], late.get("period")), ([later["token"]], None))
        self.assertIn(later["code"], clerk.type("desk", "late", xl["code"], "+1d").stdout)
        self.assertEqual(jan.bookings()[0]["state"], "booked")
        # It came back: what was kept for it is free again.
        clerk.desk("returned", piraat["code"])
        clerk.desk("close", kept["code"])
        until("jan sees that it is back", lambda: self.page(jan, GENT, day(1))[
            "Piraat", day(2)] == (4, 4, "free"))

    def test_d7_the_desk_books_for_a_caller_and_prints_a_slip(self):
        clerk, (jan,) = self.shop("jan")
        said = clerk.type("desk", "book", "2x", "Piraat", day(2), "--for", "Mia Peeters",
                          "--mail", "mia@example.org").stdout
        code = re.search(r"^Booked: 2 x Piraat, .*, code ([A-Z2-7]{8})$", said, re.M)[1]
        slip = clerk.type("desk", "slip", code).stdout
        for words in ("DreamLand", "Korenmarkt 1, Gent", code, "2 x Piraat", "For Mia Peeters",
                      "Due: 170.00 EUR", "BE71 0961 2345 6769"):
            self.assertIn(words, slip)
        self.assertLessEqual(max(map(len, slip.splitlines())), 40)
        # Her stock is gone for others, and any laptop finds it by her address.
        until("jan sees what is left", lambda: self.page(jan, GENT, day(2)).get(
            ("Piraat", day(2))) == (2, 4, "free"))
        self.assertIn(code, jan.type("bookings", "--mail", "mia@example.org").stdout)
        self.assertEqual(jan.told("book", "3x", "Piraat", day(2), "--yes", check=1)["code"], "full")
        # No more than there are, not for a caller either; a wrong address books nothing.
        self.assertEqual(clerk.desk("book", "3x", "Piraat", day(2), check=1)["code"], "full")
        self.assertEqual(
            clerk.desk("book", "Piraat", day(2), "--mail", "mia@", check=2)["code"], "usage")
        clerk.desk("paid", code, "--by", "card")
        self.assertIn("Paid: 170.00 EUR", clerk.type("desk", "slip", code).stdout)

    def test_d8_a_shop_out_of_reach_has_a_page_with_its_age(self):
        place, _, _, (els,) = self.shops("els")
        place.cut("aalst")
        self.assertIn("has not been met", self.away(els).stdout)
        place.heal("aalst")
        els.book("Piraat", day(1), "--venue", AALST)
        els.told("venue", "leave", AALST)
        place.cut("aalst")
        # Another shop is at hand, this one is not: what is known of it is shown, and how old it is.
        until("gent is here", lambda: els.told("venue", "show", GENT, day(1))["desk"]["here"], 20)
        self.away(els)
        told = els.told("venue", "show", AALST, day(1), "--timeout", "1")
        self.assertFalse(told["desk"]["here"])
        self.assertEqual(self.page(els, AALST, day(1))["Piraat", day(1)], (1, 2, "unpaid"))
        said = els.type("venue", "show", AALST, day(1)).stdout
        self.assertRegex(said, r"(?m)^desk: away.*\nAs of .*\d\d:\d\d")
        self.assertIn("desk: away", els.type("venue", "show", AALST).stdout)
        # A request waits, and is granted when the link comes.
        waits = els.type("book", "Piraat", day(2), "--venue", AALST, "--yes", "--timeout", "1",
                         check=5)
        self.assertIn("nothing is booked yet", waits.stdout + waits.stderr)
        self.assertEqual(els.bookings()[0]["state"], "asked")
        place.heal("aalst")
        until("it is granted", lambda: els.bookings()[0]["state"] == "booked", 60, pause=0.3)
        self.assertNotIn("as_of", els.told("venue", "show", AALST, day(1)))

    def away(self, guest):
        """The page of a desk that is out of reach, once an agent runs that can show it."""
        def shown():
            # A busy machine may need more than the second to start the agent.
            done = guest.type("venue", "show", AALST, day(1), "--timeout", "1", check=None)
            return done if done.returncode != 5 else None
        return until("the page is shown", shown, 20)
