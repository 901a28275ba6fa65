# SPDX-License-Identifier: Apache-2.0
"""Each wrong way to read docs/protocol.md sections 8 to 14 and 19 is caught by a vector."""

import glob
import json
import os
import unittest

import fold_scenes
import second_mutants
import second_reader
from second_reader import read_bundle
from wrong_fold import WRONG as FOLDS
from wrong_records import WRONG as RECORDS

FOLDER = fold_scenes.FOLDER

#: Readings that can make no difference, in no vector and nowhere: a name, the reason, the changes.
EQUAL = [
    ("certificate: a no will do",
     "A no names no slots, and each party gives at least one.",
     "v.type == VOTE and v.yes and", "v.type == VOTE and"),
    ("settled: claims alone make the chain",
     "A certificate holds one vote of each party, and that is where its chain ends.",
     "for one in commit.inner\n", "for one in commit.claims\n"),
    ("settled: whatever stands at the place of the yes",
     "Another entry there is a fork at that seq, which settles the yes.",
     "return log[vote.seq - 1].id == vote.id", "return True"),
    ("owner: whose claim is known from anywhere",
     "Claims are known from logs before k and from commits that count: those count.",
     "return self.claims[token].author if token in self.claims else None",
     "return next((one.author for one in self.known.values() if one.id == token), None)"),
    ("beaten: of equal seqs the larger cid is first",
     "Two yes votes at one place of a log are a fork at that seq: both are beaten.",
     "            group.sort()\n",
     "            group.sort(key=lambda one: (one[0], [-byte for byte in one[1]]))\n"),
    ("beaten: an abandon at the place of a yes helps",
     "An abandon and a yes at one place are a fork, and the abandon stands not before it.",
     "first < seq < second", "first <= seq <= second"),
    ("re-mint: a retract at the place of the claim",
     "Both at one place are a fork, and the retract stands not before it.",
     "one.seq < claim.seq and", "one.seq <= claim.seq and"),
    ("status: anchors name nothing",
     "What is in an anchor votes on the contract that the anchor itself names.",
     "for one in entries + self.inner + proven if", "for one in entries + proven if"),
    ("status: dead and beaten before applied",
     "What applied is neither.",
     '("applied", self.applied[cid]), ("dead", cid in self.dead),\n'
     '                ("beaten", cid in self.beaten),',
     '("dead", cid in self.dead), ("beaten", cid in self.beaten),\n'
     '                ("applied", self.applied[cid]),'),
]


class Vectors:
    """All bundles, and what refuses an entry or a contract."""

    def __init__(self):
        self.bundles = []
        for path in glob.glob(os.path.join(FOLDER, "bundle-*.json")):
            vector = self.load(os.path.basename(path))
            data = b"".join(bytes.fromhex(item) for item in vector["items"])
            # A fold that is read wrongly is given logs that are read rightly.
            self.bundles.append(
                (len(data), vector["name"], data, read_bundle(data), vector["expected"]))
        self.bundles.sort(key=lambda one: one[:2])
        self.entries, self.contracts = self.load("entries.json"), self.load("contracts.json")

    @staticmethod
    def load(name):
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            return json.load(file)

    def caught(self, reader, fold):
        """The name of one that these modules do not fulfil; None where they fulfil all."""
        for _, name, data, known, expected in self.bundles:
            logs, refused = known if reader is second_reader else reader.read_bundle(data)
            if fold.Fold(logs).report(refused) != expected:
                return name
        if reader is second_reader:
            return None
        flight = bytes.fromhex(self.entries["flight_id"])
        for one in self.contracts["refused"]:
            if self.takes(reader, lambda: reader.Contract(bytes.fromhex(one["contract"]))):
                return one["why"]
        for one in self.entries["refused"]:
            if self.takes(reader, lambda: reader.Logs(flight).insert(
                    reader.Entry(bytes.fromhex(one["entry"])))):
                return one["why"]
        return None

    @staticmethod
    def takes(reader, act):
        try:
            act()
        except reader.Bad:
            return False
        return True


class Readings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.vectors, cls.texts = Vectors(), second_mutants.texts()

    def caught_with(self, changes):
        sources = second_mutants.broken(self.texts, changes)
        return self.vectors.caught(*second_mutants.load(sources, self.texts))

    def test_each_wrong_reading_is_caught_by_a_vector(self):
        self.assertIsNone(self.caught_with(()))
        catchers = set()
        for name, *changes in RECORDS + FOLDS:
            with self.subTest(name):
                found = self.caught_with(changes)
                self.assertIsNotNone(found, f"no vector tells that this is wrong: {name}")
                catchers.add(found)
        names = [name for name, *_ in RECORDS + FOLDS]
        self.assertEqual(len(names), len(set(names)))
        self.note = f"{len(names)} readings, {len(catchers)} vectors"

    def test_readings_that_make_no_difference_make_none(self):
        for name, reason, *changes in EQUAL:
            with self.subTest(name):
                self.assertIsNone(self.caught_with(changes), f"there is a difference: {reason}")

    def test_a_change_that_changes_nothing_is_an_error(self):
        for changes in (("no such text", ""), ("    def ", ""), ("def bury", "def bury")):
            with self.assertRaises(ValueError):
                second_mutants.broken(self.texts, changes)

    def test_bundles_made_here_are_what_their_stories_make(self):
        """`python3 Tests/EndToEnd/fold_scenes.py` writes them anew."""
        found = set(glob.glob(os.path.join(FOLDER, "bundle-rule-*.json")))
        for path, text in fold_scenes.files():
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), text, os.path.basename(path))
            found.discard(path)
        self.assertEqual(found, set())

