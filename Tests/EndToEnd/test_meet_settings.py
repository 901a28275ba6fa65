# SPDX-License-Identifier: Apache-2.0
"""How much of the meeting point somebody wants: rendezvous.mailbox and rendezvous.hours."""

import datetime

from meet_case import MeetCase
from waiting import until


class Settings(MeetCase):
    """Hosts that reach a broker, but not each other."""

    def test_who_leaves_no_records_reads_and_is_seen_once_they_write(self):
        self.begin("ada", "bo")
        ada, bo = self.passenger("ada", "14C"), self.passenger("bo", "15B")
        bo.command("config", "set", "rendezvous.mailbox", "off", check=0)
        ada.board()
        bo.board()
        until("bo reads what ada left", lambda: bo.held().get("14C") == "ada", 30)
        until("bo's card is stored", lambda: self.is_stored(bo, 0), 30)
        self.assertIn("your card stored, and no records", bo.command("status", check=0).stdout)
        # Nothing but a card, and ada's card and part.
        kinds = sorted(topic.split("/")[3] for topic in self.meet.topics())
        self.assertEqual(kinds, ["c", "c", "l"])
        self.assertEqual(ada.held(), {"14C": "ada"})
        bo.call("msg", "ada", "psst")
        until("ada has it", lambda: "psst" in ada.said(), 20)
        until("ada sees bo's seat", lambda: ada.held() == {"14C": "ada", "15B": "bo"}, 10)

    def test_long_before_departure_nobody_goes_there(self):
        self.begin("ada")
        departs = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=5)
        ada = self.passenger("ada", "14C", "--flight", f"FR202/{departs:%Y-%m-%d}/DUB",
                             "--departs", departs.strftime("%Y-%m-%dT%H:%M:%SZ")).board()
        said = ada.command("status", check=0).stdout
        self.assertRegex(said, r"Meeting   10\.77\.0\.2 from \w{3} \d+ \w{3} \d\d:\d\d on "
                               r"\(rendezvous\.hours\)\n")
        self.assertEqual(self.meeting(ada)["homes"], [])
        ada.leave()
        ada.command("config", "set", "rendezvous.hours", "200", check=0)
        ada.board()
        until("ada is there", lambda: self.is_stored(ada, 1), 30)
        wrong = ada.command("config", "set", "rendezvous.hours", "soon", check=2)
        self.assertIn("rendezvous.hours is a number from 1 to 8784", wrong.stderr)
