# SPDX-License-Identifier: Apache-2.0
"""One member of the flight lies at its meeting point in every way that the text has a rule against
(docs/meet.md sections 3, 4, 7, 8 and 9); two passengers go on as if there were nobody."""

import os
import time

from cbor import encode
from meet_case import MeetCase
from meet_members import Crowd
from second_tunnel import make_frame
from waiting import until

DM, HOUR = 42, 3600


class LyingMember(MeetCase):
    """Ada and bo, and mal, who knows the flight."""

    def begin_with_mal(self):
        self.begin("ada", "bo")
        self.ada, self.bo = self.passenger("ada", "14C"), self.passenger("bo", "15B")
        self.crowd = Crowd(2, seats=("19A", "20A"))
        self.mal, self.eve = self.crowd.members
        self.line = self.meet.operator()
        self.addCleanup(self.line.close)
        self.ada.board()
        self.bo.board()
        until("they see each other", lambda: self.both({"14C": "ada", "15B": "bo"}), 30)
        self.keys = [bytes.fromhex(agent.call("status")["me"]["key"])
                     for agent in (self.ada, self.bo)]
        self.boxes = [self.crowd.read_card(self.line, key) for key in self.keys]

    def both(self, seats):
        return all({seat: agent.held().get(seat) for seat in seats} == seats
                   for agent in (self.ada, self.bo))

    def spoil_boxes(self):
        """Boxes of others: garbage, a part of one's own, a card of one's own, nothing."""
        group, (ada, bo) = self.crowd.group, self.keys
        self.mal.card(self.line, key=ada)
        group.keep(self.line, group.box("l", ada, 0), 2, ada, 0, [os.urandom(90)])
        group.keep(self.line, group.box("l", ada, 1), 2, self.mal.author, 1, self.mal.log)
        self.line.publish(group.box("c", bo), os.urandom(512), kept=True)
        self.line.publish(group.box("l", bo, 0), b"", kept=True)

    def lie(self):
        """False numbers about everybody, times that are wrong, marks and frames that mean
        nothing."""
        group, now = self.crowd.group, int(time.time())
        items = [key + (4096).to_bytes(2, "big") + os.urandom(8) + bytes(2) for key in self.keys]
        self.mal.card(self.line, made=now + 1, length=4096, items=items)
        self.eve.card(self.line, made=now + HOUR)
        for key, box_key in zip(self.keys, self.boxes, strict=True):
            inbox = group.inbox(key)
            one = self.mal.open(self.line, key, box_key)
            # Before anything was answered, twice, and out of every order.
            for seq, body in ((7, [2, b"early"]), (1, [1]), (1, [1]), (2, [3, 65536]),
                              (3, [4, 0]), (4, [2, b"late"])):
                self.line.publish(inbox, make_frame(one.id, seq, one.there, encode(body)))
            self.line.publish(inbox, one.data)
            self.eve.open(self.line, key, box_key, made=now - HOUR)
            self.line.publish(inbox, b"\x04" + os.urandom(24))
            letter = [[DM, encode([os.urandom(16), "dear friend"])]]
            self.mal.letters(self.line, key, letter, made=now + HOUR, box_key=box_key)
            self.mal.letters(self.line, key, [*letter, [34, b"\x80"]], made=now, box_key=box_key)

    def go_on(self):
        """A line each way, and a swap."""
        for speaker, hearer in ((self.ada, self.bo), (self.bo, self.ada)):
            text = f"{speaker.name} speaks"
            speaker.call("say", text)
            until("it is heard", lambda hearer=hearer, text=text: text in hearer.said(), 30)
        self.ada.swap("15B", "--give", "14C")
        accepted = self.bo.command("accept", self.bo.incoming(30), "--yes", check=0).stdout
        self.assertIn("Swapped: bo is now in 14C, ada in 15B.", accepted)
        until("both have the new map", lambda: self.both({"14C": "bo", "15B": "ada"}), 10)

    def test_two_go_on_beside_a_member_who_lies(self):
        self.begin_with_mal()
        self.mal.settle(self.line)
        self.spoil_boxes()
        self.lie()
        self.go_on()
        for agent in (self.ada, self.bo):
            self.assertNotIn("dear friend", agent.said())
            self.assertEqual(self.meeting(agent)["behind"], 0)
