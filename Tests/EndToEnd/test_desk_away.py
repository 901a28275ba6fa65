# SPDX-License-Identifier: Apache-2.0
"""The desk of a venue is off, comes back, or runs twice (docs/protocol.md section 33)."""

import hashlib

import courts
from courts import Centre, day
from desk_ledger import Ledger
from second_ledgers import GRANT, NOTE
from waiting import until


class Away(Centre):
    slow = 60
    waits = True

    def test_a1_who_asked_while_the_desk_was_off_is_served_by_lot(self):
        place, clerk, people = self.centre("ada", "bo", "cy")
        ada, bo, cy = people
        for number, person in enumerate(people):
            person.student(number)
        # Each of them knows all of the ledger, and each other.
        for person in people:
            until("all is known", lambda person=person: len(
                Ledger(person).book.numbers) == 3, 20)
        clerk.kill()
        wanted = {cy: "Badminton A", ada: "Tennis 1", bo: "Tennis 2"}
        for person, court in wanted.items():
            asked = person.type(
                "book", court, day(1), "18:00", "--yes", "--timeout", "1", check=5)
            self.assertNotIn("Booked", asked.stdout)
        # cy, who asked first, goes home; the others keep what cy asked.
        place.cut("cy")
        for person in (ada, bo):
            words = until(f"{person.host.name} reads that the desk is away", lambda person=person: (
                text if "the desk has been away since" in (
                    text := person.type("bookings", "1").stdout) else None), 90, pause=1)
            self.assertRegex(words, r"waiting: the desk has been away since \d\d:\d\d; "
                                    "nothing is booked yet")
            self.assertEqual(person.states(), ["asked"])
        clerk.told("desk", "up", "rec")
        for person in (ada, bo):
            until("it is booked", lambda person=person: person.states() == ["booked"], 40)
        until("cy's is booked too", lambda: len(Ledger(clerk).live) == 3, 20)
        self.drawn(Ledger(clerk), 3)
        place.heal("cy")
        until("cy is told", lambda: cy.states() == ["booked"], 60)

    def drawn(self, ledger, count):
        """The last grants stand in the order of their lots, which nobody could know before: the
        hash of the bytes was written before the asks were taken."""
        entries = ledger.entries
        notes = [entry for entry in entries if entry.type == NOTE]
        hashes = [entry.said[1] for entry in notes if entry.said[0] == 5]
        shown = [entry for entry in notes if entry.said[0] == 4]
        self.assertEqual(hashlib.sha256(shown[-1].said[1]).digest(), hashes[-1])
        grants = [entry.said for entry in entries
                  if entry.type == GRANT and entry.seq > shown[-1].seq]
        lots = [hashlib.sha256(shown[-1].said[1] + grant.member.to_bytes(2, "big")).digest()
                for grant in grants]
        self.assertEqual(len(lots), count)
        self.assertEqual(lots, sorted(lots))
        self.assertEqual(ledger.book.lies, [])

    def test_a5_of_two_desks_one_counts_and_all_are_told(self):
        place, clerk, (ada,) = self.centre("ada", switch=True)
        ada.student(0)
        ada.books("Tennis 1", day(1), "18:00")
        # A second computer with the operator's key, which knows nothing of the first.
        place.cut("desk")
        other = courts.Clerk(place.plug_in("other"))
        key = f"{clerk.host.env['XDG_DATA_HOME']}/seatagent/default/operator.key"
        other.take(f"{clerk.host.folder}/rec.venue")
        other.told("desk", "up", "rec", "--key-file", key)
        place.heal("desk")
        states = until("both desks say so", lambda: self.both(clerk, other), 60)
        self.assertIn("two-desks", states)
        until("ada reads it", lambda: "two desks run: what #" in ada.type(
            "bookings").stdout + ada.type("venue", "show", "rec").stdout, 40)

    def both(self, clerk, other):
        states = [one.desk("requests")["state"] for one in (clerk, other)]
        return states if "two-desks" in states else None
