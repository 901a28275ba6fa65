# SPDX-License-Identifier: Apache-2.0
"""A peer whose name and texts would take the terminal over: nothing of it gets out."""

import os
import subprocess
import unicodedata

from agent import BINARY, Agent
from case import Case
from peers import NAME, NOTE, PIECES, cut, dressed, handmade, token_of
from waiting import until

#: Categories that no output has: controls, formats, surrogates, private, unassigned, separators.
BAD = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


class Texts(Case):
    slow = 20

    def assert_harmless(self, text, about):
        """Lines of characters that stand in their cells and do nothing."""
        bad = sorted({f"U+{ord(letter):04X}" for letter in text
                      if letter != "\n" and unicodedata.category(letter) in BAD})
        self.assertEqual(bad, [], f"{about}:\n{text!r}")
        self.assertNotIn("\u3164", text, about)

    def test_nothing_that_a_peer_says_reaches_the_terminal_raw(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C", options=["-v"]).board()
        live = self.begin_live(ada)
        token = token_of(ada)
        for row, piece in enumerate(PIECES.values(), 20):
            mallory = dressed(self, ada, piece, row)
            until("the seat is seen", lambda row=row: f"{row}F" in ada.held())
            mallory("ask", token=token, note=cut(piece * 200, NOTE))
        until("all have asked", lambda: len(ada.call("requests")["requests"]) == len(PIECES))
        commands = [["peers"], ["log"], ["seats"], ["seats", "--wide"], ["requests"], ["status"]]
        commands += [["who", f"{row}F"] for row, _ in enumerate(PIECES, 20)]
        # A failure names people too.
        commands += [["verify", "20F", "--key", "x"], ["accept", "1"], ["swap", "21F", "--yes"]]
        for name in PIECES.values():
            commands += [["who", cut(name * 48, NAME).replace("\0", "")], ["block", "#aaaa"]]
        for argv in commands:
            done = ada.command(*argv)
            self.assert_harmless(done.stdout + done.stderr, argv)
            self.assertLess(len(done.stdout + done.stderr), 100_000, argv)
        for argv in (["peers"], ["log"], ["requests"], ["status"]):
            done = ada.command(*argv, "--json", check=0)
            self.assert_harmless(done.stdout, f"{argv} --json")
        said = self.end_live(live)
        self.assertIn("座席を交換", said["chat"])
        for name, text in said.items():
            self.assert_harmless(text, name)
        self.assert_log_is_bare(here, ada)

    def begin_live(self, agent):
        """What runs while they come: plain chat, the followed log, the stream of events."""
        def start(*argv):
            return subprocess.Popen(
                agent.host.argv([BINARY, *argv, "--profile", agent.name]), env=agent.host.env,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        chat = start("chat")
        self.assertIn(b"You are ada", chat.stdout.readline())
        return {"chat": chat, "log": start("log", "-f"), "watch": start("watch")}

    def end_live(self, live):
        said = {}
        for name, process in live.items():
            if name != "chat":
                process.terminate()
            said[name] = process.communicate(timeout=20)[0].decode()
        return said

    def assert_log_is_bare(self, here, agent):
        """The agent's own log has no name and no text of anybody, even with -v."""
        path = next(path for path in here.logs if path.endswith(f"/{agent.name}.log"))
        with open(path, "rb") as file:
            data = file.read()
        self.assertEqual([byte for byte in set(data) if not 32 <= byte < 127 and byte != 10], [])
        for word in (b"pwned", b"14C", b"20F"):
            self.assertNotIn(word, data)

    def test_ten_thousand_characters_are_refused_on_both_sides(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C").board()
        long = "\u202e" * 10_000
        for texts in ({"name": long}, {"program": long}, {"says": [long]}, {"messages": [long]},
                      {"note": long}):
            mallory = handmade(self, ada, os.urandom(32))
            mallory("greet")
            mallory("dress", **{"name": "m", "program": "", "seat": [30, 5], **texts})
            self.assertIn(mallory("listen")[-1], ("closed with 5", "closed with 8"), texts.keys())
        self.assertEqual(ada.said(), [])
        for argv in (["say", long], ["msg", "14C", long], ["rename", long], ["who", long],
                     ["swap", "14C", "--note", long]):
            done = ada.command(*argv)
            self.assertNotEqual(done.returncode, 0)
            self.assert_harmless(done.stdout + done.stderr, argv[0])
