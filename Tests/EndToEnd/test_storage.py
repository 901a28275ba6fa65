# SPDX-License-Identifier: Apache-2.0
"""Strangers who write as fast as they may: what is kept of them has an end, and people are told."""

import json
import os
import sys

from agent import Agent
from case import Case
from stranger import flight_auth
from waiting import until

FLOOD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "flood.py")
MIB = 1024 * 1024
#: So many keys, and for how long; STORAGE_SOAK=1 plays the two minutes of sixty keys.
SOAK = os.environ.get("STORAGE_SOAK") == "1"
KEYS, SECONDS = (60, 120) if SOAK else (12, 6)
ROOM = 40 * MIB


class Storage(Case):
    slow = 90 + 3 * SECONDS

    def flood(self, agent, keys, what):
        """Plays it; memory and disk of `agent` before and after, in bytes."""
        before = agent.rss * 1024, self.disk(agent)
        done = agent.host.run(
            [sys.executable, "-B", FLOOD, agent.host.address, str(agent.port),
             flight_auth().hex(), str(keys), str(SECONDS), what], timeout=60 + 3 * SECONDS)
        told = json.loads(done.stdout)
        return told, agent.rss * 1024 - before[0], self.disk(agent) - before[1]

    def disk(self, agent):
        """Bytes of all files below the agent's home."""
        total = 0
        for place, _, files in os.walk(agent.host.folder):
            for name in files:
                try:
                    total += os.stat(os.path.join(place, name)).st_size
                except FileNotFoundError:
                    pass
        return total

    def test_keys_without_end_write_a_little_each(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        told, memory, disk = self.flood(ada, KEYS, "logs")
        self.note = (
            f"{told['keys']} keys sent {told['bytes'] / MIB:.0f} MiB of logs in {SECONDS} s: "
            f"memory {memory / MIB:+.1f} MiB, disk {disk / MIB:+.1f} MiB")
        print(self.note, file=sys.stderr)
        self.assertLess(memory, ROOM)
        self.assertLess(disk, ROOM)
        self.assertGreater(ada.call("status")["left_out"]["logs"], 0)
        self.assertIn("more than their share", ada.command("status", check=0).stdout)
        ada.call("say", "still here")
        until("bo reads it", lambda: "still here" in bo.said(), 10)

    def test_a_stranger_who_sends_messages_without_end_fills_nothing(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C").board()
        told, memory, disk = self.flood(ada, 1, "messages")
        self.note = (
            f"one key sent {told['bytes'] / MIB:.1f} MiB of messages in {SECONDS} s: "
            f"memory {memory / MIB:+.1f} MiB, disk {disk / MIB:+.1f} MiB")
        print(self.note, file=sys.stderr)
        self.assertLess(disk, 4 * MIB)
        self.assertEqual(ada.call("status")["left_out"]["messages"], 1)
