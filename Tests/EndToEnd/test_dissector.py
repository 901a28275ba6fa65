# SPDX-License-Identifier: Apache-2.0
"""The dissector for Wireshark, and the log of keys that opens a capture for it."""

import json
import os
import random
import subprocess
import tempfile
import unittest

import cbor
from agent import BINARY, ROOT, Agent, finish
from capture import record
from case import Case
from dissect import PROGRAM, Dissected
from tls_wrap import wrapped
from waiting import until

PAGE = f"{ROOT}/docs/transcript-dissected.md"
HEAD = """# A session, as Wireshark shows it

The frames of [transcript.md](transcript.md) once more, as the dissector in `packaging/wireshark`
reads them: `tshark -O seatagent`, without what stands around them. The names are those of fields,
with `seatagent.` before them in a filter. A test makes this page from `vectors/session.json`.
"""
LINE = "hello bo, is 12A a window?"
#: Types by their numbers (docs/protocol.md section 5).
ASK, PREPARE, VOTE, CERT, DM, DM_ACK, CLOSE = 48, 32, 34, 36, 42, 44, 46


def vector(name):
    with open(f"{ROOT}/docs/vectors/{name}.json", encoding="utf-8") as file:
        return json.load(file)


def entry_bytes(value):
    """Every entry in a file of vectors, good and bad."""
    if isinstance(value, dict):
        value = [one for name, one in value.items() if name == "entry" or not isinstance(one, str)]
    elif not isinstance(value, list):
        return []
    found = [bytes.fromhex(one) for one in value if isinstance(one, str)]
    return found + [deep for one in value for deep in entry_bytes(one)]


def frame(kind, value):
    payload = cbor.encode(value)
    return (len(payload) + 1).to_bytes(4, "big") + bytes([kind]) + payload


def damaged(frames, count, seed):
    """Frames with bytes changed, gone or added, whose length is right again."""
    dice, found = random.Random(seed), []
    for _ in range(count):
        body = bytearray(dice.choice(frames)[4:]) or bytearray(1)
        for _ in range(dice.choice((1, 1, 2, 6))):
            at = dice.randrange(len(body) + 1)
            match dice.randrange(4):
                case 0: body[at:at + 1] = bytes([dice.randrange(256)])
                case 1: del body[at:at + dice.randrange(1, 9)]
                case 2: body[at:at] = dice.choice((b"\x9f", b"\xff\xf6", b"\x5b", b"\xa8\x83\x81"))
                case 3: del body[at + 1:]
        body = body or bytearray(1)
        found.append(len(body).to_bytes(4, "big") + bytes(body))
    return found


@unittest.skipUnless(PROGRAM, "tshark is not installed")
class Dissector(Case):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.capture = Dissected(folder.name, "capture")

    # Between agents

    def aboard(self, *options):
        """ada and bo on two hosts, and the file with all that passes between them."""
        cabin = self.cabin("ada", "bo", avahi=False)
        kept, _ = record(cabin["ada"], "wire", "all")
        bo = Agent(cabin["bo"], "bo", "12A", options=["--no-mdns"]).board()
        ada = Agent(cabin["ada"], "ada", "14C", peers=[bo],
                    options=["--no-mdns", *options]).board()
        ada.wait_for(bo)
        return ada, bo, kept

    def rows(self, keys=None):
        """Of each packet of TLS: who sent it, the types in it, texts, and what is wrong."""
        names = ("eth.src", "seatagent.type", "seatagent.text", "_ws.expert.message")
        columns = [word for name in names for word in ("-e", name)]
        text = self.capture.read("-Y", "tls", "-T", "fields", *columns, "-E", "aggregator=|",
                                 keys=keys)
        return [[cell.split("|") if cell else [] for cell in line.split("\t")]
                for line in text.splitlines()]

    def test_a_swap_is_read_with_the_keys_and_not_without(self):
        folder = os.path.dirname(self.capture.path)
        keys = f"{folder}/keys.log"
        ada, bo, kept = self.aboard("--keylog", keys)
        ada.call("say", LINE)
        until("bo reads it", lambda: LINE in bo.said())
        asked = ada.begin("swap", "12A", "--wait", "--timeout", "30")
        bo.call("accept", bo.incoming(), "--yes", "--wait")
        self.assertEqual(finish(asked)[0], 0)
        bo.call("msg", "ada", "thanks", "--wait")
        ada.leave()
        self.capture.of_host(kept)
        rows = self.rows(keys)
        # The one who dials says HELLO first.
        me = next(row[0] for row in rows if row[1])
        said = [(row[0] == me, int(kind)) for row in rows for kind in row[1]]
        self.assertEqual(said[:4], [(True, 0), (False, 0), (False, 2), (True, 2)])
        swap = [one for one in said if one[1] in (ASK, PREPARE, VOTE, CERT, DM, DM_ACK, CLOSE)]
        self.assertEqual(swap, [(True, ASK), (False, PREPARE), (True, VOTE), (False, CERT),
                                (False, DM), (True, DM_ACK), (True, CLOSE)])
        texts = [text for row in rows for text in row[2]]
        self.assertIn(LINE, texts)
        self.assertIn("thanks", texts)
        self.assertEqual([row[3] for row in rows if row[3]], [])
        # All of the application's data was frames: nothing is left over.
        left = self.capture.read(
            "-Y", "tls.app_data && !seatagent && !tls.handshake && !tls.segment", keys=keys)
        self.assertEqual(left, "")
        # Without the keys, there is nothing.
        closed = self.rows()
        self.assertEqual([row[1] + row[2] for row in closed if row[1] + row[2]], [])
        with open(kept, "rb") as file:
            self.assertNotIn(LINE.encode(), file.read())

    def test_an_agent_that_logs_keys_says_so_everywhere_and_no_other_does(self):
        here = self.loopback()
        keys = f"{here.folder}/keys.log"
        words = f"everything this agent says can be read by whoever has {keys}"
        ada = Agent(here, "ada", "14C", options=["--keylog", keys]).board()
        self.assertEqual(os.stat(keys).st_mode & 0o777, 0o600)
        self.assertEqual(ada.call("status")["network"]["keylog"], keys)
        self.assertIn(words, ada.command("status").stdout)
        with open(f"{here.folder}/ada.log", encoding="utf-8") as file:
            self.assertIn(words, file.read())
        ada.leave()
        # Another start does not go on with it: it is never stored.
        again = ada.command("up")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertNotIn("keylog", ada.call("status")["network"])
        self.assertEqual(ada.command("up", "--keylog", keys, check=1).stdout, "")
        ada.call("down")
        bo = Agent(here, "bo", "12A")
        os.symlink(keys, f"{here.folder}/link")
        refused = bo.command("up", "--seat", "12A", "--name", "bo", "--no-mdns", "--interface",
                             "lo", "--keylog", f"{here.folder}/link")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("why: it is a link", refused.stderr)
        told = bo.command("up", "--keylog", f"{here.folder}/bo.log")
        self.assertIn(words.replace(keys, f"{here.folder}/bo.log"), told.stderr)
        bo.call("down")

    def test_the_warning_is_red_where_somebody_sees_it(self):
        here = self.loopback()
        for more, words in (({}, b"\x1b[1;31mKEY LOG: "), ({"NO_COLOR": "1"}, b": KEY LOG: ")):
            master, slave = os.openpty()
            agent = subprocess.Popen(
                here.started([BINARY, "agent", "--seat", "14C", "--name", "ada", "--no-mdns",
                              "--interface", "lo", "--keylog", f"{here.folder}/keys.log"]),
                env={**here.env, **more}, stdin=subprocess.DEVNULL, stderr=slave)
            os.close(slave)
            seen = b""
            while b"Aboard" not in seen:
                seen += os.read(master, 4096)
            agent.terminate()
            agent.wait(15)
            os.close(master)
            self.assertIn(words, seen)

    # Bytes that were written down, and hostile ones

    def test_every_vector_is_read_and_hostile_bytes_are_named(self):
        known = vector("frames")
        names = [one["name"].partition(",")[0].partition(" with ")[0] for one in known["frames"]]
        good = [bytes.fromhex(one["frame"]) for one in known["frames"]]
        ignored = [bytes.fromhex(one["frame"]) for one in known["ignored"]]
        refused = [bytes.fromhex(one["frame"]) for one in known["refused"]]
        trees = self.capture.of_frames(good + ignored + refused).trees()
        self.assertEqual(len(trees), len(good + ignored + refused))
        for name, tree in zip(names, trees):
            self.assertTrue(tree.startswith(f"Seatagent, {name}\n"), tree)
            self.assertNotIn("Expert Info", tree)
        for tree in trees[len(good):len(good + ignored)]:
            self.assertIn("An unknown odd type is ignored", tree)
        said = {4: "length 0 or over the limit", 5: "Malformed", 6: "unknown even type", 7: "HELLO"}
        for one, tree in zip(known["refused"], trees[len(good + ignored):]):
            self.assertIn(said[one["close"]], tree, one["why"])

    def test_all_that_an_agent_accepts_is_well_formed_to_it_and_the_rest_mostly_not(self):
        good = [bytes.fromhex(one["frame"]) for name in ("statements", "asks")
                for one in vector(name)["messages"]]
        bad = [bytes.fromhex(one["frame"]) for name in ("statements", "asks")
               for one in vector(name)["refused_messages"]]
        entries, forms = vector("entries"), vector("book-forms")
        for one in entries["entries"] + forms["accepted"]:
            good.append(frame(8, [0, [bytes.fromhex(one["entry"])]]))
        for one in entries["refused"] + forms["refused"]:
            bad.append(frame(8, [0, [bytes.fromhex(one["entry"])]]))
        trees = self.capture.of_frames(good + bad).trees()
        wrong = [tree for tree in trees[:len(good)] if "Malformed" in tree]
        self.assertEqual(wrong, [])
        # Signatures and some orders of lists are not its business.
        named = sum("Malformed" in tree for tree in trees[len(good):])
        self.assertGreater(named, 0.75 * len(bad))

    def test_no_bytes_make_it_fail(self):
        frames = [bytes.fromhex(one["frame"]) for name in ("frames", "venue-frames")
                  for one in vector(name)["frames"]]
        entries = [one for name in ("entries", "contracts") for one in entry_bytes(vector(name))]
        self.assertGreater(len(entries), 40)
        frames += [frame(8, [0, [one]]) for one in entries if one]
        deep = b"\x01"
        for _ in range(40):
            # An abandon that holds an abandon, further than any that an agent accepts.
            deep = cbor.encode([b"\xa1\x01\x27", {}, cbor.encode(
                [1, bytes(32), bytes(32), 2, bytes(32), 6, [bytes(32), deep]]), bytes(64)])
        frames += [frame(8, [0, [deep]]), frame(8, [0] * 9000), b"\0\0\0\x20" + b"\x81" * 32,
                   b"\xff" * 90, b"\0", b"\0\0\x01"]
        capture = self.capture.of_frames(frames + damaged(frames, 1500, seed=7))
        trees = capture.trees()
        self.assertEqual(sum("Entries inside each other" in tree for tree in trees[:300]), 1)
        self.assertGreater(sum("Expert Info" in tree for tree in trees), 1000)

    def test_frames_are_put_together_from_pieces_of_tcp_and_records_of_tls(self):
        rows = [number.to_bytes(32, "big") + bytes(12) for number in range(900)]
        whole = [frame(14, [1]), frame(4, [bytes(32), bytes(32), rows, 0]),
                 frame(14, [2 ** 63 - 1]), *[frame(8, [0, []])] * 30, frame(46, [0, "bye"])]
        data, dice, pieces = b"".join(whole), random.Random(3), []
        while data:
            size = dice.choice((1, 3, 5, 1200, 9000))
            pieces.append(data[:size])
            data = data[size:]
        wanted = [14, 4, 14, *[8] * 30, CLOSE]
        asked = ("-T", "fields", "-e", "seatagent.type", "-e", "seatagent.number",
                 "-Y", "seatagent", "-E", "aggregator=|")
        tcp = self.capture.of_session([(piece, False) for piece in pieces]).plain(*asked)
        with tempfile.TemporaryDirectory() as folder:
            chunks, keys = wrapped(folder, pieces)
            tls = self.capture.of_session(chunks).read(*asked, keys=keys)
        for text in (tcp, tls):
            cells = [line.partition("\t") for line in text.splitlines()]
            types = [int(kind) for kinds, _, _ in cells for kind in kinds.split("|") if kind]
            self.assertEqual(types, wanted)
            numbers = [one for _, _, found in cells for one in found.split("|") if one]
            self.assertEqual(numbers, ["1", str(2 ** 63 - 1)])

    # The transcript

    def test_the_session_of_the_transcript_is_shown_as_the_page_says(self):
        session = vector("session")["frames"]
        chunks = [(bytes.fromhex(one["frame"]), one["from"] != "ada") for one in session]
        trees = self.capture.of_session(chunks).trees()
        self.assertEqual(len(trees), len(session))
        parts = [HEAD]
        for one, tree in zip(session, trees):
            self.assertNotIn("Expert Info", tree)
            parts.append(f"**{one['name']}** from {one['from']}\n\n```\n{tree}\n```\n")
        page = "\n".join(parts)
        if os.environ.get("GOLDENS") == "write":
            with open(PAGE, "w", encoding="utf-8") as file:
                file.write(page)
        with open(PAGE, encoding="utf-8") as file:
            self.assertEqual(file.read(), page)
