# SPDX-License-Identifier: Apache-2.0
"""Strangers with throw-away keys at the desk of a venue do everything at once, at full speed of a
core of their own; two members go on, and so do the people at the desk (docs/protocol.md section
33): they book, give back and wait, they grant and close, and the desk goes away and comes back.

A minute of three hundred keys is part of `make soak`, with the program as it is given to others:
there the seconds are judged. Some seconds of eight keys are part of every run, with the debug
build, beside other tests: there everything must come to its end, and the seconds are printed.
"""

import base64
import threading
import time
import traceback
from collections import Counter

import courts
from cage import Cage
from case import for_soak
from control import Line
from courts import Centre, day
from desk_ledger import Ledger, rows
from second_ledgers import CLOSE, GRANT
from siege import ADDRESSES, IDLE, MIB, Strangers, disk, with_addresses
from test_desk_hostile import Target
from waiting import Patience, until

#: What a key does in each turn, and the same with asks of keys that it makes up: these make a
#: debug build slow for the tests beside it.
OWN = {"asks": 4, "again": 2, "recalls": 2, "meddles": 2, "steals": 4, "returns": 2,
       "nonsense": 2, "lists": 1, "reads": 1}
EVERYTHING = {**OWN, "ghosts": 2}
#: Places by their numbers: a court for members alone, and what anybody may have.
COURT, OPEN = 1, [2, 10, 11]
#: Hours and days that strangers ask for.
HOURS, DAYS = [6, 22], range(1, 15)
#: What must hold: seconds that an ask or a command takes, and MB of growth. `desk requests` lists
#: thousands there, and takes the longest.
DELAY, GROWTH = 4, 40
#: Seconds after which an ask counts as lost, and for which asks are gathered before a lot.
LOST, GATHERS = 60, 5
#: Seconds after which the strangers end, should the test not tell them.
MOST = 400
#: Entries that a key without a number may cause on a day, and half of what a ledger holds.
A_DAY, HALF = 4, 16384


def words():
    """A venue that is open to all, without quotas and prices: nothing keeps strangers out but
    what section 33 says of them."""
    value = courts.words(join="open", together=9)
    value["places"][0]["classes"] = ["student"]
    for one in value["classes"]:
        one["quota"] = []
        one.pop("price", None)
    del value["money"]
    return value


def rss(pid):
    """Resident memory in MB."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


class DeskStrangers(Strangers):
    program = "desk_strangers.py"


class Member:
    """Somebody with a number, and how long the desk took for each thing that they asked."""

    def __init__(self, person, number, desk):
        self.host, self.took = person.host, {}
        self.line = Line(person.host, "default_rec")
        me = self.line.ask("status")
        self.key, self.pid = me["me"]["key"], me["pid"]
        desk.ask("desk-member", number=number, who=self.key, **{"class": 0})
        until(f"{self.host.name} is a member", lambda: self.line.ask(
            "days", first=day(0)).get("member") == number, 20)

    def book(self, place, ahead, hour, **more):
        return self.line.ask("book", place=place, count=1, period={
            "day": day(ahead), "from": 60 * hour, "minutes": 60}, **more)

    def give_back(self, token):
        return self.line.ask("give-back", token=token)

    def is_told(self, ask, state, what):
        """Waits until an ask stands so; what is told of it."""
        began, patience = time.monotonic(), Patience(LOST)
        told = self.line.ask("asked", ask=ask["ask"])
        while told["state"] in ("asked", "waiting") and told["state"] != state:
            if patience.is_over():
                raise AssertionError(f"{what}: not {state} in {LOST} s but {told}")
            time.sleep(0.01)
            told = self.line.ask("asked", ask=ask["ask"])
        if told["state"] != state:
            raise AssertionError(f"{what}: not {state} but {told}")
        self.took.setdefault(what, []).append(time.monotonic() - began)
        return told

    def kept(self):
        """What stands of theirs: token, place and period."""
        return {one["token"]: (one["place"], one["period"])
                for one in self.line.ask("bookings")["bookings"] if "ended" not in one}


class DeskSiege(Centre):
    slow = 60

    @for_soak
    def test_members_go_on_under_three_hundred_keys_for_a_minute(self):
        self.hold(300, 60, GROWTH, EVERYTHING)
        self.assertEqual({what: max(seconds) for what, seconds in self.took.items()
                          if max(seconds) > DELAY}, {})

    def test_members_go_on_under_eight_keys_for_six_seconds(self):
        self.hold(8, 6, 2 * GROWTH, OWN)

    def hold(self, keys, seconds, growth, does):
        self.open_desk()
        self.besiege(keys, does)
        self.go_on(seconds)
        began, ended = self.sent, self.strangers.sent("asks")
        self.strangers.tell()
        self.strangers.finish()
        self.check()
        self.report(keys)
        self.assertGreater(ended, began, "the strangers were silent meanwhile")
        for name, (memory, files) in self.grown.items():
            self.assertLess(memory, growth, f"memory of {name}")
            self.assertLess(files, growth, f"disk of {name}")

    def open_desk(self):
        place, self.clerk, people = self.centre("ada", "bo", value=words(), switch=True)
        self.strange = place.plug_in("mal")
        self.desk = Line(self.clerk.host, "default_rec")
        self.addCleanup(self.desk.close)
        self.ada, self.bo = (
            Member(person, number, self.desk) for number, person in enumerate(people, 1))
        for member in (self.ada, self.bo):
            self.addCleanup(member.line.close)
        # The first request of a desk that has just opened waits for a lot.
        for member, hour in ((self.ada, 12), (self.bo, 13)):
            member.is_told(member.book(OPEN[0], 1, hour), "done", "before")
        self.at_first = [member.kept() for member in (self.ada, self.bo)]
        self.took = {}
        self.ada.took = self.bo.took = self.took
        self.pid = self.clerk.pid
        self.pids = {"desk": self.pid, "ada": self.ada.pid, "bo": self.bo.pid}
        self.hosts = {"desk": self.clerk, "ada": self.ada, "bo": self.bo}
        self.before = {name: (rss(pid), disk(self.hosts[name])) for name, pid in self.pids.items()}
        self.most = {name: memory for name, (memory, _) in self.before.items()}

    def besiege(self, keys, does):
        cage = Cage()
        self.addCleanup(cage.close)
        self.how = cage.how
        [(auth,)] = rows(self.clerk.host, "identity", "auth")
        ledger = Ledger(self.clerk)
        today = ledger.live[0].grant.day - 1
        self.strangers = DeskStrangers(
            self, with_addresses(self.strange), [Target(self.clerk)], keys, does, MOST,
            cage, auth=auth.hex(), gathering=ledger.entries[0].flight.hex(), places=[COURT, *OPEN],
            days=[today + ahead for ahead in DAYS], hours=HOURS,
            tokens=[[token, member.key] for member, tokens in zip(
                (self.ada, self.bo), self.at_first) for token in tokens],
            sources=ADDRESSES, faults=IDLE, until_told=True)
        self.sent = until("the strangers are in", lambda: self.strangers.sent("asks"), LOST)

    # What honest people do meanwhile.

    def go_on(self, seconds):
        self.ends, self.is_done, self.broken = time.monotonic() + seconds, False, []
        clerks = threading.Thread(target=self.errands, args=(seconds / 8,))
        clerks.start()
        try:
            self.members(seconds / 8)
        finally:
            self.is_done = True
            clerks.join()
            self.note = self.times()
        self.assertEqual(self.broken, [])

    def members(self, pace):
        """Rounds at a pace: of one author 16 asks are taken at once, then one in 5 s."""
        self.rounds = 0
        while self.rounds < 2 or time.monotonic() < self.ends:
            began = time.monotonic()
            self.rounds += 1
            self.round()
            if self.rounds == 1:
                self.away()
            for name, pid in self.pids.items():
                self.most[name] = max(self.most[name], rss(pid))
            time.sleep(max(0, began + pace - time.monotonic()))

    def round(self):
        """The court for members goes from hand to hand."""
        ada, bo = self.ada, self.bo
        had = ada.is_told(ada.book(COURT, 1, 18), "done", "booked")["token"]
        waits = bo.book(COURT, 1, 18, waits=True)
        place = bo.is_told(waits, "waiting", "queued")["waiting"]
        self.assertEqual(place, 1, "strangers have nothing to wait for there")
        back = ada.give_back(had)
        got = bo.is_told(waits, "done", "served")["token"]
        ada.is_told(back, "done", "given back")
        bo.is_told(bo.give_back(got), "done", "given back")

    def away(self):
        """The desk grants nothing by itself, its people do; then it opens again."""
        self.command("away")
        ada, bo = self.ada.book(COURT, 3, 18), self.bo.book(COURT, 3, 19)
        until("the desk has both", lambda: {ada["ask"], bo["ask"]} <= {
            one["ask"] for one in self.desk.ask("desk")["requests"]}, LOST)
        self.command("grant", code(ada["ask"]))
        self.ada.is_told(ada, "done", "granted by hand")
        self.command("open")
        self.bo.is_told(bo, "done", "by lot")
        # Asks are gathered so long before the lots are drawn.
        self.took["by lot"] = [seconds - GATHERS for seconds in self.took["by lot"]]

    def errands(self, pace):
        """The desk's people do their work, at least once, whether the desk grants or not."""
        try:
            while True:
                began = time.monotonic()
                self.command("requests")
                [token] = self.command(
                    "book", "Tennis 1", day(2), "10:00", "--for", "Els")["bookings"]
                self.command("close", code(token), "--reason", "error")
                while time.monotonic() < began + pace and not self.is_done:
                    time.sleep(0.05)
                if self.is_done:
                    return
        except Exception:
            self.broken.append(traceback.format_exc())

    def command(self, *argv):
        began = time.monotonic()
        told = self.clerk.desk(*argv)
        self.took.setdefault(f"desk {argv[0]}", []).append(time.monotonic() - began)
        return told

    # What came of it.

    def check(self):
        self.assertEqual(self.clerk.pid, self.pid, "the desk began anew")
        for member, kept in zip((self.ada, self.bo), self.at_first):
            now = member.kept()
            self.assertEqual({token: now.get(token) for token in kept}, kept, member.host.name)
            self.assertEqual(len(now), len(kept) + 1, member.host.name)
        ledger = Ledger(self.clerk)
        self.assertEqual((ledger.book.voids, ledger.book.lies), ([], []))
        live = {token.id.hex(): token.grant.holder.hex() for token in ledger.live}
        for member, kept in zip((self.ada, self.bo), self.at_first):
            self.assertEqual({token: live.get(token) for token in kept},
                             dict.fromkeys(kept, member.key))
        self.count(ledger)

    def count(self, ledger):
        """What keys without a number caused: four grants of each a day at most, closes of what
        was theirs, and no more than half of the ledger."""
        granted, closed = Counter(), Counter()
        for entry in ledger.entries:
            if entry.type == GRANT and entry.said.ask and not entry.said.member:
                granted[entry.said.holder] += 1
            elif entry.type == CLOSE and entry.said.ask:
                token, author = ledger.book.tokens[entry.said.token], entry.said.ask.author
                self.assertEqual(token.grant.holder, author, "somebody else gave it back")
                if not token.grant.member:
                    closed[author] += 1
        self.assertLessEqual(max(granted.values(), default=0), A_DAY)
        for key, count in closed.items():
            self.assertLessEqual(count, granted[key])
        self.caused = len(granted), granted.total(), closed.total()
        self.assertLessEqual(granted.total() + closed.total(), HALF)
        self.assertGreater(granted.total(), 0, "the strangers got nothing: they did not ask well")

    def times(self):
        took = ", ".join(f"{what} {max(seconds):.2f} s" for what, seconds in self.took.items())
        return f"{self.rounds} rounds, at most: {took}"

    def report(self, keys):
        self.grown = {
            name: (self.most[name] - memory, (disk(self.hosts[name]) - size) / MIB)
            for name, (memory, size) in self.before.items()}
        grown = "; ".join(f"{name} {memory:+.0f} MB memory, {files:+.0f} MB disk"
                          for name, (memory, files) in self.grown.items())
        by, grants, closes = self.caused
        self.note = (
            f"{keys} keys in {self.how}: {self.strangers.figures}; {self.times()}; {by} strangers"
            f" caused {grants} grants and {closes} closes; {grown}")


def code(number):
    """What people type for a booking or a request."""
    return base64.b32encode(bytes.fromhex(number)[:5]).decode()
