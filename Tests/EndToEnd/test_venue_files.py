# SPDX-License-Identifier: Apache-2.0
"""The second reader agrees with the vectors of files of venues (docs/protocol.md section 31), and
each wrong reading does not."""

import json
import os
import types
import unittest

import second_venues
from agent import ROOT
from second_reader import Bad, sha256
from wrong_venues import WRONG

PATH = os.path.join(ROOT, "docs", "vectors", "venue-files.json")


class Wrong(Exception):
    """A vector that a reading does not fulfil."""


def hold(holds, why):
    if not holds:
        raise Wrong(why)


def refuses(act, text):
    try:
        act(text)
    except (Bad, TypeError):
        return True
    return False


def check(reader, vectors):
    for one in vectors["files"]:
        key = bytes.fromhex(one["operator"])
        said = reader.file(one["file"])
        hold(said == (key, one["revision"], one["line"].encode()), one["line"])
        hold(sha256(reader.signed_bytes(*said)).hex() == one["signed_sha256"], one["line"])
    for one in vectors["refused_files"]:
        hold(refuses(reader.file, one["file"]), one["why"])
    for one in vectors["links"]:
        said = (one["slug"], bytes.fromhex(one["operator"]), one["volume"])
        hold(reader.link(one["link"]) == said, one["link"])
    for one in vectors["refused_links"]:
        hold(refuses(reader.link, one["link"]), one["why"])
    for one in vectors["records"]:
        said = (one["slug"], bytes.fromhex(one["operator"]), one["volume"])
        hold(reader.record(bytes.fromhex(one["record"])) == said, one["record"])
    for one in vectors["refused_records"]:
        hold(refuses(reader.record, bytes.fromhex(one["record"])), one["why"])


class VenueFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(PATH, encoding="utf-8") as file:
            cls.vectors = json.load(file)
        with open(second_venues.__file__, encoding="utf-8") as file:
            cls.text = file.read()

    def test_vectors(self):
        check(second_venues, self.vectors)
        self.assertEqual(len(self.vectors["files"]), 5)
        self.assertGreater(len(self.vectors["refused_files"]), 25)
        self.assertGreater(len(self.vectors["refused_links"]), 20)
        self.assertGreater(len(self.vectors["refused_records"]), 15)

    def test_each_wrong_reading_of_files_is_caught_by_a_vector(self):
        names = [name for name, *_ in WRONG]
        self.assertEqual(len(names), len(set(names)))
        for name, old, new in WRONG:
            with self.subTest(name):
                self.assertEqual(self.text.count(old), 1, f"stands elsewhere: {old!r}")
                module = types.ModuleType("second_venues")
                exec(compile(self.text.replace(old, new), name, "exec"), module.__dict__)
                caught = None
                try:
                    check(module, self.vectors)
                except (Wrong, Bad, TypeError, ValueError, IndexError) as error:
                    caught = error
                self.assertIsNotNone(caught, f"no vector tells that this is wrong: {name}")
        self.note = f"{len(names)} readings"
