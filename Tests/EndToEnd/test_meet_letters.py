# SPDX-License-Identifier: Apache-2.0
"""Passengers at home who are never online together, and what they leave for each other at the
meeting point (docs/meet.md section 4)."""

from case import for_soak
from meet_case import MeetCase
from waiting import until

SECRET = "the kettle sings before the gate"


class Letters(MeetCase):
    """One broker, and agents of which only one runs at a time."""

    def lanes(self):
        return {topic for topic in self.meet.topics() if "/q/" in topic}

    def alone(self):
        """Ada, who has read bo's seat; bo is away."""
        self.begin("ada", "bo")
        ada, bo = self.passenger("ada", "14C"), self.passenger("bo", "15B")
        bo.board()
        until("bo's records are stored", lambda: self.is_stored(bo, 2), 30)
        bo.leave()
        ada.board()
        until("ada sees bo's seat", lambda: ada.held() == {"14C": "ada", "15B": "bo"}, 30)
        return ada, bo

    def ask(self, ada):
        asked = ada.command("swap", "15B", "--note", SECRET, "--unverified", check=0)
        self.assertRegex(asked.stderr, r"bo #\w+ is not online; it waits at the meeting point"
                         r" until \d\d:\d\d\.")
        until("the request lies at the meeting point",
              lambda: ada.request(1).get("letter") == "left", 30)
        self.assertIn("waiting for an answer; left at the meeting point",
                      ada.command("requests", check=0).stdout)

    @for_soak
    def test_a_swap_of_two_who_ask_and_answer_by_letter(self):
        ada, bo = self.alone()
        # What comes close together lies there together.
        told = ada.command("msg", "bo", "see you aboard", check=0)
        self.assertIn("not online; it waits at the meeting point", told.stdout)
        self.ask(ada)
        self.assertEqual(len(self.lanes()), 1)
        self.assertNotIn(SECRET.encode(), self.meet.stored())
        self.assertIn("what you left for 1 passenger who is away waits there",
                      ada.command("status", check=0).stdout)
        ada.kill()
        bo.board()
        number = bo.incoming(30)
        self.assertEqual(bo.request(number)["note"], SECRET)
        until("bo reads the message", lambda: "see you aboard" in bo.said(), 10)
        answer = bo.command("accept", number, "--yes", check=0)
        self.assertIn("keep your agent running", answer.stderr)
        until("bo's answer is left", lambda: bo.request(number).get("letter") == "left", 30)
        bo.kill()
        # Nobody's seat is held by any of that.
        ada.board()
        until("ada reads bo's answer", lambda: ada.request(1).get("would_do"), 30)
        self.assertRegex(ada.command("requests", check=0).stdout,
                         r"bo #\w+ would do this until \d\d:\d\d; keep your agent running")
        self.assertEqual(ada.held(), {"14C": "ada", "15B": "bo"})
        bo.board()
        wanted = {"14C": "bo", "15B": "ada"}
        until("it goes through by itself", lambda: ada.held() == bo.held() == wanted, 60)
        self.assertEqual(bo.said().count("see you aboard"), 1)
        until("nobody's letter is left", lambda: not self.lanes(), 90)
