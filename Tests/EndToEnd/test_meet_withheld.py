# SPDX-License-Identifier: Apache-2.0
"""A broker that holds records back from some passengers: people are told, and a passenger who has
them brings them (docs/meet.md section 9)."""

from case import for_soak
from meet_broker import Broker
from meet_case import MeetCase
from meet_split import Split
from waiting import until

#: Seconds: a log is missed after a minute.
ASKED = 150


class Withheld(MeetCase):
    """Ada reads one half of a broker, bo writes to the other one."""

    slow = 120

    def split(self):
        self.begin("ada", "bo")
        host = self.cabin_["meet"]
        other = Broker(host, name="other", at=host.address, names=[f"IP:{host.address}"]).start()
        self.hidden = {"l", "e", "t"}
        self.bridge = Split(self.meet, other, self.holds_back)
        self.addCleanup(self.bridge.end)
        ada, first = self.passenger("ada", "14C"), self.meet
        self.meet = other
        bo = self.passenger("bo", "15B").board()
        until("bo's records are stored", lambda: self.is_stored(bo, 2), 60)
        until("bo's card is carried", lambda: any("/c/" in topic for topic in first.topics()), 30)
        # Ada finds the card as she comes: nothing else tells her that bo is there.
        ada.board()
        until("ada reads bo's card", lambda: self.meeting(ada)["passengers"] == 1, 60)
        return ada, bo

    def holds_back(self, topic, from_second):
        return from_second and topic.split("/")[3] in self.hidden

    @for_soak
    def test_what_a_broker_holds_back_is_asked_of_its_author(self):
        ada, bo = self.split()
        self.assertEqual(ada.held(), {"14C": "ada"})
        self.hidden = {"l", "e"}
        until("ada has bo's log all the same",
              lambda: ada.held() == bo.held() == {"14C": "ada", "15B": "bo"}, ASKED)
        self.assertEqual(self.meeting(ada)["behind"], 0)
        self.assertGreater(self.bridge.kept_back, 1)
