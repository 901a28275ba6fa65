"""A peer whose name and texts would take the terminal over: nothing of it gets out."""

import hashlib
import os
import subprocess
import unicodedata

from agent import BINARY, Agent
from case import Case
from cbor import decode, decode_sequence
from peers import handmade
from waiting import until

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
#: Categories that no output has: controls, formats, surrogates, private, unassigned, separators.
BAD = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def cut(text, size):
    """The longest beginning of at most `size` bytes."""
    return text.encode()[:size].decode(errors="ignore")


class Texts(Case):
    slow = 20

    def assert_harmless(self, text, about):
        """Lines of characters that stand in their cells and do nothing."""
        bad = sorted({f"U+{ord(letter):04X}" for letter in text
                      if letter != "\n" and unicodedata.category(letter) in BAD})
        self.assertEqual(bad, [], f"{about}:\n{text!r}")
        self.assertNotIn("\u3164", text, about)

    def token_of(self, agent):
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
        return self.fail(f"{agent.name} has claimed nothing")

    def dressed(self, agent, piece, row):
        """A handmade peer who has `piece` wherever a text can stand."""
        filled = piece * 2048
        mallory = handmade(self, agent, os.urandom(32))
        mallory("greet")
        token = mallory(
            "dress", name=cut(filled, NAME), program=cut(filled, AGENT), seat=[row, 5],
            says=[piece, cut(filled, TEXT)], messages=[cut(filled, TEXT)],
            note=cut(filled, NOTE))
        self.assertEqual(len(token), 64)
        return mallory

    def test_nothing_that_a_peer_says_reaches_the_terminal_raw(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C", options=["-v"]).board()
        live = self.begin_live(ada)
        token = self.token_of(ada)
        for row, piece in enumerate(PIECES.values(), 20):
            mallory = self.dressed(ada, piece, row)
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
