# SPDX-License-Identifier: Apache-2.0
"""Who waits for what others have, and when it gets free: by a cancellation, because somebody does
not come, or because they do not pay (docs/protocol.md section 33). What takes a minute by the clock
is part of `make soak`; `make test` has it as tests of the automaton."""

import datetime

import courts
import library
from case import Case, for_soak
from control import Line
from courts import Guest, day
from waiting import until


class Profile(Guest):
    """One of several people at one computer: an agent and a key of their own."""

    def __init__(self, host, number):
        super().__init__(host)
        self.profile = f"p{number}"

    def type(self, *argv, **options):
        env = {**options.pop("env", {}), "SEATAGENT_PROFILE": self.profile}
        return super().type(*argv, env=env, **options)

    def come(self, path, slug):
        self.take(path)
        self.open(slug)
        self.join(self.profile, f"{self.profile}@example.org", slug=slug)
        return self

    def is_told(self, state, seconds=20):
        """Waits until their only booking stands so."""
        until(f"{self.profile}: {state}", lambda: self.states("--all") == [state], seconds,
              pause=0.2)


def minutes_from_noon():
    """The minute of the day at the venue, where it is about noon."""
    return 12 * 60 + datetime.datetime.now(datetime.timezone.utc).minute


def clock(minute):
    return f"{minute // 60:02}:{minute % 60:02}"


class Queue(Case):
    slow = 20
    waits = True

    def queue(self, count, value):
        """A desk, and so many members at one other computer."""
        place = self.cabin("desk", "guests")
        clerk = courts.Clerk(place["desk"])
        path = clerk.up(value)
        people = [Profile(place["guests"], number).come(path, value["slug"])
                  for number in range(count)]
        clerk.opens()
        return clerk, people

    def test_w1_five_wait_and_are_served_in_their_order(self):
        value = courts.castles(count=1)
        value["rules"].update(join="form", cancel=0)
        value["classes"] = [{"name": "klant"}]
        del value["money"]
        _, people = self.queue(6, value)
        first, *waiting = people
        first.books("Piraat", day(1))
        for number, person in enumerate(waiting, 1):
            one = person.books("Piraat", day(1), "--wait")
            self.assertEqual((one["outcome"], one["place"]), ("waiting", number))
        a, b, c, d, e = waiting
        self.assertEqual(c.told("bookings", "cancel", "1", "--yes")["state"], "withdrawn")
        had = first
        for then in (a, b, d, e):
            # Who withdrew is passed over, and nobody else has it.
            had.told("bookings", "cancel", "1", "--yes")
            then.is_told("booked")
            states = [person.bookings("--all")[0]["state"] for person in people]
            self.assertEqual(states.count("booked"), 1, states)
            had = then
        self.assertEqual(c.bookings("--all")[0]["state"], "withdrawn")

    @for_soak
    def test_n1_who_does_not_come_loses_it_and_the_next_has_it(self):
        value = courts.words(join="form", arrive=1)
        value["volume"] = "day"
        for one in value["places"]:
            one.update(grain=1, min=1, max=240)
        value["classes"] = [{"name": "guest", "quota": [{"minutes": 240, "bookings": 1}]}]
        clerk, (ada, bo, cy) = self.queue(3, value)
        begin = clock(minutes_from_noon() + 5)
        ada.books("Tennis 1", day(0), begin, "3h")
        code = bo.books("Tennis 2", day(0), begin, "3h")["code"]
        one = cy.books("Tennis 1", day(0), begin, "3h", "--wait")
        self.assertEqual((one["outcome"], one["place"]), ("waiting", 1))
        clerk.desk("arrived", code)
        # It begins: the operator puts the clocks of the venue on by an hour. Everybody has a minute
        # to come.
        ahead = int(value["zone"].removeprefix("Etc/GMT") or 0) - 1
        value["zone"] = f"Etc/GMT{ahead:+d}" if ahead else "Etc/GMT"
        library.sign(clerk.host, value, "rec")
        clerk.told("desk", "up", "rec")
        ada.is_told("no-show", 90)
        cy.is_told("booked")
        bo.is_told("booked")
        # It is spent: ada has nothing left of this day.
        self.assertEqual(ada.refused("book", "Badminton A", day(0), "20:00", "--yes")["code"],
                         "quota")

    @for_soak
    def test_r6_what_is_not_paid_in_time_goes_to_the_next(self):
        value = courts.words(join="form")
        value["money"]["payBy"] = 1
        value["classes"] = [{"name": "guest", "price": {"hour": 1000}}]
        _, (ada, bo) = self.queue(2, value)
        booked = ada.books("Tennis 1", day(1), "18:00")
        self.assertEqual(booked["amount"], 1000)
        bo.books("Tennis 1", day(1), "18:00", "--wait")
        ada.is_told("unpaid", 90)
        bo.is_told("booked")
        line = Line(bo.host, "p1_rec")
        self.addCleanup(line.close)
        live = [one for one in line.ask("days", first=day(1))["bookings"] if "ended" not in one]
        self.assertEqual([one["holder"]["me"] for one in live], [True])
