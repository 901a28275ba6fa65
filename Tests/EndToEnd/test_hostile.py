# SPDX-License-Identifier: Apache-2.0
"""A peer that breaks the rules: closed with the right code, nothing else disturbed, memory flat."""

import json
import os
import sys

from agent import Agent
from case import Case
from stranger import flight_auth
from waiting import until

RUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rude.py")
NO_FLIGHT, BAD_LENGTH, BAD_PAYLOAD, UNSUPPORTED, UNEXPECTED, BAD_ENTRY, TOO_SLOW = \
    1, 4, 5, 6, 7, 8, 10
EXPECTED = {
    "garbage_on_tcp": None,
    "garbage_in_tls": BAD_LENGTH,
    "length_zero": BAD_LENGTH,
    "too_long_for_a_stranger": BAD_LENGTH,
    "too_long_for_anyone": BAD_LENGTH,
    "ping_before_hello": UNEXPECTED,
    "prepare_before_hello": UNEXPECTED,
    "acknowledges_before_hello": UNEXPECTED,
    "hello_twice": UNEXPECTED,
    "unknown_even_type": UNSUPPORTED,
    "another_flight": NO_FLIGHT,
    "proof_of_another_session": NO_FLIGHT,
    "longer_head_than_needed": BAD_PAYLOAD,
    "keys_out_of_order": BAD_PAYLOAD,
    "key_twice": BAD_PAYLOAD,
    "bytes_after_the_end": BAD_PAYLOAD,
    "endless_nesting": BAD_PAYLOAD,
    "wrong_signature": BAD_ENTRY,
    "entry_of_another_flight": BAD_ENTRY,
    "certificate_of_nothing": BAD_PAYLOAD,
}
SLOW = {"silence": TOO_SLOW, "announces_and_stops": TOO_SLOW}
#: Rounds of all quick ways, and how much memory may come with them, in KiB.
ROUNDS = 5
GROWTH = 6 * 1024


class Hostile(Case):
    slow = 30

    def rude(self, agent, ways):
        """How the connections ended, by way."""
        done = agent.host.run(
            [sys.executable, "-B", RUDE, agent.host.address, str(agent.port), self.auth, *ways],
            timeout=120)
        return {line["way"]: line["code"] for line in map(json.loads, done.stdout.splitlines())}

    def test_rude_peers_are_closed_with_the_right_code_and_disturb_nobody(self):
        self.auth = flight_auth().hex()
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        watch = ada.watch("peer")
        self.assertEqual(self.rude(ada, EXPECTED), EXPECTED)
        self.assertEqual(self.rude(ada, SLOW), SLOW)
        before = ada.rss
        for _ in range(ROUNDS):
            self.rude(ada, EXPECTED)
        grown = ada.rss - before
        self.note = f"{ROUNDS * len(EXPECTED)} rude connections, memory {grown:+d} KiB"
        self.assertLess(grown, GROWTH)
        ada.call("say", "still here")
        until("bo reads it", lambda: "still here" in bo.said(), 5)
        self.assertEqual(ada.held(), {"14C": "ada", "12A": "bo"})
        self.assertEqual(
            [e for e in watch.events if e.get("event") == "peer" and '"bo"' in json.dumps(e)], [])
        watch.end()
