# SPDX-License-Identifier: Apache-2.0
"""Questions to four passengers, each in a network of their own: only an answer answers them."""

from agent import Agent
from terminal import ANSWERABLE
from test_chat import Typed
from views import ViewCase
from waiting import until


class Questions(ViewCase):
    def aboard(self):
        cabin = self.cabin("ada", "bo", "cy", "dev", avahi=False)
        agents = []
        for name, seat in (("ada", "14C"), ("bo", "12A"), ("cy", "3F"), ("dev", "22D")):
            agents.append(Agent(cabin[name], name, seat, peers=agents).board())
        for agent in agents:
            agent.wait_for(*[other for other in agents if other is not agent])
        return agents

    def test_okay_binds_nobody_in_any_place_where_something_is_asked(self):
        ada, bo, cy, dev = agents = self.aboard()
        held = ada.held()

        def states():
            return [[r["state"] for r in agent.call("requests", "--all")["requests"]]
                    for agent in agents]

        # In the view: whoever asks, and whoever is asked.
        screen = self.view(ada)
        screen.enter("/swap 12A for me")
        screen.wait_for("y/n", ANSWERABLE)
        screen.type("okay")
        screen.wait_for("[all] /swap 12A for mekay", gone=["y/n"])
        screen.press("C-u")
        self.assertEqual(states(), [[], [], [], []])
        dev.swap("14C")
        screen.wait_for("F5 answer")
        screen.press("F5", "a")
        screen.wait_for("y/n", ANSWERABLE)
        screen.type("okay")
        screen.wait_for("[all] kay", gone=["y/n"])
        screen.press("C-u")
        self.assertEqual(states(), [["open"], [], [], ["open"]])
        # Among plain lines.
        cy.swap("12A")
        bo.incoming()
        chat = Typed(bo)
        chat.wait_for("You are bo", r"/accept 1")
        for line in ("/accept 1", "/swap 3F", "/seat 5A"):
            chat.type(line + "\n")
            chat.wait_for("y/n")
            chat.type("okay\n")
            chat.wait_for('"okay" is neither y nor n', r"Nothing was sent\.")
        # On a terminal.
        for argv in (["swap", "22D"], ["swap", "22D", "--yes"]):
            self.assertIn('"okay" is neither y nor n', cy.typed(argv, "okay\n"))
        self.assertEqual(states(), [["open"], ["open"], ["open"], ["open"]])
        for agent in agents:
            self.assertEqual(agent.held(), held)
        # And a y is a yes.
        screen.press("F5", "a")
        screen.answer("y")
        until("all see the swap", lambda: all(
            agent.held() == {**held, "14C": "dev", "22D": "ada"} for agent in agents), 20)
        self.assertEqual(chat.leave(), 0)
