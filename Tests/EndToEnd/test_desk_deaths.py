# SPDX-License-Identifier: Apache-2.0
"""kill -9 of a desk before and after each of its durable steps: no booking that anybody saw is
lost, and none is made twice (docs/protocol.md section 33).

A hook of debug builds (SEATAGENT_DIE) makes the desk kill itself at the N-th durable step after its
start, just before or just after the transaction commits.
"""

import itertools
import os
import threading
from collections import Counter

import courts
from case import Case, for_soak
from control import Line, Refused
from courts import Clerk, Guest, day
from desk_ledger import Ledger
from forty import programs
from second_ledgers import GRANT
from waiting import is_gone, until, until_gone

#: Kinds of castles, one of each, and days: each is raced for once.
KINDS, DAYS = 64, 7
#: Castles that are raced for in each life of a desk, one after the other.
RUSHES = 4
#: A desk that did not get as far as its step is killed after so many seconds.
LATEST = 12


def words():
    value = courts.castles()
    value["volume"] = courts.kind(DAYS)
    value["places"] = [
        {"id": kind, "name": f"Kind {kind}", "mode": "granted", "count": 1, "grain": 1440,
         "max": 1440} for kind in range(1, KINDS + 1)]
    value["classes"] = [{"name": "klant"}]
    del value["money"]
    value["rules"] = {"join": "form", "swaps": "all", "ahead": DAYS, "cancel": 0}
    return value


class Member(Guest):
    """Somebody who asks, and remembers what they were told."""

    def __init__(self, host, number):
        super().__init__(host)
        self.profile = f"m{number}"
        #: Ask -> what is known of it.
        self.told_of = {}
        #: Token -> the ask by which it was booked, as soon as this member saw it.
        self.seen = {}
        #: Tokens that they asked to end.
        self.given_back = set()

    def type(self, *argv, **options):
        env = {**options.pop("env", {}), "SEATAGENT_PROFILE": self.profile}
        return super().type(*argv, env=env, **options)

    def come(self, path):
        self.take(path)
        self.open("dreamland")
        self.join(self.profile, f"{self.profile}@example.org", slug="dreamland")
        self.line = Line(self.host, f"{self.profile}_dreamland")

    def book(self, place, date):
        told = self.line.ask("book", place=place, count=1,
                             period={"day": date, "from": 0, "minutes": 1440})
        self.told_of[told["ask"]] = told

    def give_one_back(self):
        """Asks for the end of a booking of theirs that still stands."""
        for token in self.seen:
            if token not in self.given_back:
                self.given_back.add(token)
                try:
                    self.line.ask("give-back", token=token)
                except Refused:
                    continue
                return

    def look(self):
        """Reads how their asks stand; whether all have been answered."""
        for ask, told in self.told_of.items():
            if told["state"] in ("asked", "waiting"):
                told = self.told_of[ask] = self.line.ask("asked", ask=ask)
            if told["state"] == "done":
                self.seen.setdefault(told["token"], ask)
        return all(told["state"] in ("done", "refused", "over")
                   for told in self.told_of.values())


class Shop:
    """A desk that dies again and again, and two members who race for all it has."""

    def __init__(self, place, number):
        self.clerk = Clerk(place["desk"])
        self.path = self.clerk.up(words())
        self.members = [Member(place["guests"], one) for one in range(2)]
        for member in self.members:
            member.come(self.path)
        self.castles = itertools.product(range(1, KINDS + 1), range(1, DAYS + 1))
        self.deaths, self.by_step = 0, 0
        self.steps = f"{self.clerk.host.folder}/steps"
        self.number = number
        self.stop()

    def start(self, die=""):
        open(self.steps, "w", encoding="ascii").close()
        self.rushes = 0
        self.clerk.told("desk", "up", "dreamland",
                        env={"SEATAGENT_STEPS": self.steps, "SEATAGENT_DIE": die})
        return int(self.clerk.told("status", "--profile", "default_dreamland")["pid"])

    def stop(self):
        pid = int(self.clerk.told("status", "--profile", "default_dreamland")["pid"])
        self.kill(pid)

    def kill(self, pid):
        try:
            os.kill(pid, 9)
        except ProcessLookupError:
            pass
        until_gone(pid)

    def rush(self):
        """Both ask for the same castle, and one of them gives one back."""
        place, ahead = next(self.castles)
        for member in self.members:
            member.book(place, day(ahead))
        self.members[ahead % 2].give_one_back()
        self.rushes += 1

    def goes_on(self):
        """Reads what was answered, and asks for more once all is: whether that was enough."""
        if not self.look():
            return False
        if self.rushes < RUSHES:
            self.rush()
            return False
        return True

    def undisturbed(self):
        """How many durable steps a life takes."""
        pid = self.start()
        self.rush()
        until("all is answered", self.goes_on, 40)
        with open(self.steps, encoding="ascii") as file:
            count = len(file.readlines())
        self.kill(pid)
        return count

    def look(self):
        return all([member.look() for member in self.members])

    def die(self, point):
        """One life of the desk, to its end at a step, or soon after it did all that it had to."""
        self.deaths += 1
        try:
            pid = self.start(point)
        except AssertionError:
            # What waited for the desk is answered early: it may die while `up` still waits for it.
            if not self.came_to(point):
                raise
            until("the desk is gone", lambda: not programs(self.clerk.host), 10)
            self.by_step += 1
            return
        self.rush()

        def is_over():
            self.goes_on()
            return is_gone(pid)
        try:
            until("the desk has died at its step", is_over, LATEST)
            self.by_step += 1
        except AssertionError:
            self.kill(pid)
        self.look()

    def came_to(self, point):
        """Whether the step at which the desk was to die is the last that it noted."""
        with open(self.steps, encoding="ascii") as file:
            noted = file.read().split("\n")[:-1]
        return bool(noted) and noted[-1].split()[0] == point.split(":")[1]

    def end(self):
        """All is answered by a desk that lives; what was lost and what was doubled."""
        self.start()
        until("all is answered", self.look, 90)
        ledger = Ledger(self.clerk, "dreamland")
        tokens = ledger.book.tokens
        lost = doubled = 0
        ended = set()
        for member in self.members:
            for token, ask in member.seen.items():
                there = tokens.get(bytes.fromhex(token))
                if there is None or there.grant.ask != bytes.fromhex(ask):
                    lost += 1
                elif there.end is not None and token not in member.given_back:
                    lost += 1
            ended |= member.given_back
        had = Counter((token.grant.place, token.grant.day) for token in ledger.live)
        doubled += sum(count > 1 for count in had.values())
        asked = Counter(entry.said.ask for entry in ledger.entries if entry.type == GRANT)
        doubled += sum(count > 1 for count in asked.values())
        doubled += len(ledger.book.voids)
        seen = sum(len(member.seen) for member in self.members)
        self.stop()
        return seen, lost, doubled


class Deaths(Case):
    slow = 60
    waits = True

    def die(self, deaths, shops):
        """So many deaths, at all steps in turn, of so many desks at once."""
        made = [Shop(self.cabin("desk", "guests"), number) for number in range(shops)]
        steps = made[0].undisturbed()
        self.assertGreaterEqual(steps, 5, "fewer durable steps than a lot and its grants are")
        points = itertools.cycle(
            f"{when}:{number}" for number in range(1, steps + 1) for when in ("before", "after"))
        lock, left, faults = threading.Lock(), iter(range(deaths)), []

        def live(shop):
            try:
                for _ in left_of(left, lock):
                    with lock:
                        point = next(points)
                    shop.die(point)
            except Exception as error:  # pylint: disable=broad-except
                faults.append(f"desk {shop.number}: {error!r}")
        threads = [threading.Thread(target=live, args=(shop,)) for shop in made]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])
        ends = [shop.end() for shop in made]
        seen, lost, doubled = (sum(column) for column in zip(*ends))
        died = sum(shop.deaths for shop in made)
        at_step = sum(shop.by_step for shop in made)
        self.note = (f"{died} deaths, {at_step} of them at one of {steps} steps: {seen} bookings "
                     f"were seen, {lost} lost, {doubled} doubled")
        self.assertEqual((died, lost, doubled), (deaths, 0, 0), self.note)
        self.assertGreater(seen, 0)
        self.assertGreaterEqual(at_step, deaths // 2, self.note)

    def test_a2_the_desk_dies_at_some_of_its_steps(self):
        self.die(4, 4)

    @for_soak
    def test_a2_the_desk_dies_five_hundred_times(self):
        self.die(500, 8)


def left_of(numbers, lock):
    """The next of what several share, until there is none."""
    while True:
        with lock:
            number = next(numbers, None)
        if number is None:
            return
        yield number
