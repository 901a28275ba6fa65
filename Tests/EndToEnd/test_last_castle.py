# SPDX-License-Identifier: Apache-2.0
"""Two people ask for the last castle at once: one has it, one is refused, never two
(docs/protocol.md sections 32 and 33, B1)."""

import threading
import time
from collections import Counter

import courts
from case import Case, for_soak
from control import Line
from courts import Clerk, Guest, day
from waiting import until

#: How a request stands that was granted, and one for what others have (docs/protocol.md
#: section 33).
BOOKED, REFUSED = ("done", None), ("refused", 14)
#: Rounds of one pair: of one author 16 requests are taken at once.
IN_A_ROW = 14
#: How far apart the two may ask, in seconds.
APART = 0.010
#: Days on which each kind of castle is raced for, from tomorrow on.
DAYS = 3


def words(kinds):
    """So many kinds of castles, two of each, for members by the day."""
    value = courts.castles()
    value["places"] = [
        {"id": kind, "name": f"Kind {kind}", "mode": "granted", "count": 2, "grain": 1440,
         "max": 1440} for kind in range(1, kinds + 1)]
    # Many kinds fit into a short ledger only.
    value["volume"] = courts.kind(DAYS)
    value["rules"] = {"join": "form", "swaps": "all", "ahead": DAYS}
    return value


def period(date):
    return {"day": date, "from": 0, "minutes": 1440}


class Rival(Guest):
    """One of two who want the same castle. Each pair has keys of its own, since of one author few
    requests are taken at once."""

    def __init__(self, host, number):
        super().__init__(host)
        self.profile = f"{host.name}{number}"

    def type(self, *argv, **options):
        return super().type(*argv, env={"SEATAGENT_PROFILE": self.profile}, **options)

    def come(self, path):
        self.take(path)
        self.open("dreamland")
        self.line = Line(self.host, f"{self.profile}_dreamland")
        self.key = self.line.ask("status")["me"]["key"]
        self.join(self.profile, f"{self.profile}@example.org", slug="dreamland")

    def linked(self):
        """The keys of who is linked with them."""
        return {peer["key"] for peer in self.line.ask("peers")["peers"] if peer["linked"]}

    def race(self, start, place, date):
        start.wait()
        self.asked = time.monotonic()
        told = self.line.ask("book", place=place, period=period(date), count=1)
        while told["state"] == "asked" and time.monotonic() < self.asked + 20:
            time.sleep(0.004)
            told = self.line.ask("asked", ask=told["ask"])
        self.took = time.monotonic() - self.asked
        self.outcome = told["state"], told.get("reason")

    def leave(self):
        self.line.close()
        self.told("venue", "leave", "dreamland")


class Score:
    """What came of all rounds."""

    def __init__(self):
        self.rounds = self.late = 0
        self.outcomes = Counter()
        self.took = []
        self.odd = []
        self.spent = 0.0

    def count(self, castle, two):
        outcomes = sorted(one.outcome for one in two)
        self.rounds += 1
        self.outcomes.update(outcomes)
        self.took.append(max(one.took for one in two))
        if outcomes != [BOOKED, REFUSED]:
            self.odd.append((castle, outcomes))

    def text(self, doubled):
        took = [time * 1000 for time in sorted(self.took)]
        return (f"{self.rounds} rounds: {self.outcomes[BOOKED]} booked, {self.outcomes[REFUSED]} "
                f"refused, {doubled} doubled; answered in {took[len(took) // 2]:.0f} ms, at most "
                f"{took[-1]:.0f} ms; {self.late} more in which one came late; {self.spent:.0f} s")


class LastCastle(Case):
    def race(self, rounds):
        """So many rounds, each for another castle."""
        # A few more castles than rounds: a round in which one of two came late is none.
        kinds = -(-(rounds + 20) // DAYS)
        place = self.cabin("desk", "ada", "bo")
        clerk = Clerk(place["desk"])
        path = clerk.up(words(kinds))
        desk = Line(clerk.host, "default_dreamland")
        castles = [(kind, day(ahead)) for ahead in range(1, DAYS + 1)
                   for kind in range(1, kinds + 1)]
        until("the desk has its charter",
              lambda: desk.ask("desk")["state"] in ("alone", "open"), 20)
        # A caller has one of each two, so that one is the last.
        for kind, date in castles:
            desk.ask("desk-book", place=kind, period=period(date))
        score = Score()
        for number in range(-(-rounds // IN_A_ROW)):
            two = [Rival(place[name], number) for name in ("ada", "bo")]
            self.come(two, path, clerk, desk)
            if number == 0:
                self.settle(two[0], castles.pop())
            self.rounds(two, castles, score, min(rounds, (number + 1) * IN_A_ROW))
            self.check(two, desk, kinds * DAYS)
            for rival in two:
                rival.leave()
        self.judge(score, desk, rounds)

    def come(self, two, path, clerk, desk):
        for rival in two:
            rival.come(path)
        clerk.opens()
        keys = {one.key for one in two} | {desk.ask("status")["me"]["key"]}
        until("both are linked with each other and with the desk", lambda: all(
            keys <= rival.linked() | {rival.key} for rival in two), 40)
        known = self.ledger(desk)
        until("both know what is left", lambda: all(
            self.ledger(rival.line) == known for rival in two), 40)

    def settle(self, rival, castle):
        """The first request of a desk that has just opened waits for a lot."""
        rival.race(threading.Barrier(1), *castle)
        self.assertEqual(rival.outcome, BOOKED)

    def rounds(self, two, castles, score, until_number):
        began = time.monotonic()
        while score.rounds < until_number and castles:
            castle = castles.pop()
            start = threading.Barrier(2)
            threads = [
                threading.Thread(target=rival.race, args=(start, *castle)) for rival in two]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if abs(two[1].asked - two[0].asked) > APART:
                score.late += 1
            else:
                score.count(castle, two)
        score.spent += time.monotonic() - began

    def ledger(self, line):
        """Place, day and token of all that stands, as an agent has it."""
        told = line.ask("days", first=day(0), last=day(DAYS))
        return sorted((one["place"], one["period"]["day"], one["token"], one["count"])
                      for one in told["bookings"])

    def check(self, two, desk, castles):
        """Whatever they were told: everybody has one ledger, and no castle in it twice."""
        known = self.ledger(desk)
        for rival in two:
            until("both have the ledger of the desk",
                  lambda: self.ledger(rival.line) == known, 20)
        self.assertEqual(self.doubled(known), 0)
        self.assertEqual(len({castle[:2] for castle in known}), castles)

    def doubled(self, ledger):
        had = Counter()
        for place, date, _, count in ledger:
            had[place, date] += count
        return sum(count > 2 for count in had.values())

    def judge(self, score, desk, rounds):
        known = self.ledger(desk)
        doubled = self.doubled(known)
        self.note = score.text(doubled)
        self.assertEqual(score.odd, [], self.note)
        self.assertEqual(
            (score.rounds, score.outcomes[BOOKED], score.outcomes[REFUSED], doubled),
            (rounds, rounds, rounds, 0), self.note)

    def test_d5_one_has_the_last_castle_and_one_is_refused(self):
        self.race(5)

    @for_soak
    def test_two_hundred_times_one_has_the_last_castle(self):
        self.race(200)
