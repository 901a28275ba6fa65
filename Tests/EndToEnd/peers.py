# SPDX-License-Identifier: Apache-2.0
"""Handmade peers on an agent's host."""

import hashlib
import json
import os
import subprocess
import sys

from cbor import decode, decode_sequence
from stranger import PRACTICE, flight_auth

#: What would act, hide, turn or break; each stands in a name, in chat, in a message, in notes.
PIECES = {
    "escape": "\x1b[2J\x1b]0;pwned\x07\x1bP1$q\x1b\\",
    "c1": "\x9b2J\x9d0;pwned\x9c\x90\x85",
    "bidi": "\u202eadA\u202c\u2066\u2069\u061c\u200f",
    "zero width": "a\u200bd\u200da\u2060\ufeff\u00ad\u3164",
    "wide": "座席を交換" + "\uff21\u1100\U0001f600",
    "combining": "e" + "\u0301" * 8 + "\u0489\u20e3",
    "lines": "a\nseatagent: b\r\n\t\v\f\u2028\u2029c",
    "private": "\ue000\U000e0041\U0010ffff\ufffe",
}
NAME, TEXT, NOTE, AGENT = 48, 2048, 200, 48
CLAIM = 2

MALLORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mallory.py")


def handmade(case, agent, seed, flight=PRACTICE, host=None, auth=None):
    """Starts `mallory.py` against an agent, on its host or another one: tells it a word and gives
    its answer. What the word wants to know goes with it by name."""
    process = (host or agent.host).popen(
        [sys.executable, "-B", MALLORY, agent.host.address, str(agent.port),
         (auth or flight_auth(flight)).hex(), seed.hex()],
        log="mallory.log", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(word, **given):
        process.stdin.write(word + (" " + json.dumps(given) if given else "") + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())
    case.addCleanup(process.communicate)
    return tell


def cut(text, size):
    """The longest beginning of at most `size` bytes."""
    return text.encode()[:size].decode(errors="ignore")


def token_of(agent):
    """The token of the agent's own seat, from its exported log."""
    file = os.path.join(agent.host.folder, f"{agent.name}.records")
    agent.call("log", "--export", file)
    key = agent.call("status")["me"]["key"]
    with open(file, "rb") as log:
        data = log.read()
    for _, _, payload, _ in decode_sequence(data):
        _, _, author, _, _, kind, _ = decode(payload)
        if author.hex() == key and kind == CLAIM:
            return hashlib.sha256(b"seatswap/1 id" + payload).hexdigest()
    raise AssertionError(f"{agent.name} has claimed nothing")


def dressed(case, agent, piece, row):
    """A handmade peer who has `piece` wherever a text can stand."""
    filled = piece * 2048
    mallory = handmade(case, agent, os.urandom(32))
    mallory("greet")
    token = mallory(
        "dress", name=cut(filled, NAME), program=cut(filled, AGENT), seat=[row, 5],
        says=[piece, cut(filled, TEXT)], messages=[cut(filled, TEXT)],
        note=cut(filled, NOTE))
    case.assertEqual(len(token), 64)
    return mallory
