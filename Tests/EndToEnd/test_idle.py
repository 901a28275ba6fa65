# SPDX-License-Identifier: Apache-2.0
"""Idle connections, made anew as soon as they end, do not keep a newcomer out."""

import os
import subprocess
import sys
import time

from agent import Agent
from case import Case

IDLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "idle.py")
#: Addresses of the stranger, and connections from each: four times the slots there are.
ADDRESSES, EACH = 64, 2
#: Seconds in which a newcomer is linked all the same.
LINKED = 10


class Idle(Case):
    def test_a_newcomer_is_linked_while_sixty_four_addresses_hold_idle_connections(self):
        cabin = self.cabin("ada", "mallory", "bo", switch=True, avahi=False)
        ada = Agent(cabin["ada"], "ada", "14C", options=["--no-mdns"]).board()
        stranger = cabin["mallory"]
        sources = [f"10.77.0.{number}" for number in range(100, 100 + ADDRESSES)]
        stranger.run(["sh", "-c", "".join(
            f"ip addr add {source}/24 dev {stranger.interface};" for source in sources)])
        idle = stranger.popen(
            [sys.executable, "-B", IDLE, ada.host.address, str(ada.port), str(EACH), *sources],
            log="idle.log", stdout=subprocess.PIPE, text=True)
        self.assertEqual(idle.stdout.readline(), "ready\n")
        bo = Agent(cabin["bo"], "bo", "12A", peers=[ada], options=["--no-mdns"]).board()
        began = time.monotonic()
        ada.wait_for(bo, seconds=LINKED)
        self.note = (f"linked {time.monotonic() - began:.1f} s after its start beside"
                     f" {ADDRESSES * EACH} idle connections")
        self.assertIsNone(idle.poll())
        ada.call("say", "still here")
        self.assertEqual(ada.call("status")["aboard"], 1)
