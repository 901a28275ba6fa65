# SPDX-License-Identifier: Apache-2.0
"""The second reader agrees with the vectors of venues (docs/protocol.md section 31), and each wrong
reading does not."""

import json
import os
import types
import unittest

import second_frames
import second_statements
from agent import ROOT
from second_reader import Bad, decode, encode, sha256
from wrong_statements import WRONG

PATH = os.path.join(ROOT, "docs", "vectors", "statements.json")


def raw(value, *names):
    return [bytes.fromhex(value[name]) for name in names]


class Wrong(Exception):
    """A vector that a reading does not fulfil."""


def hold(holds, why):
    if not holds:
        raise Wrong(why)


def refuses(act):
    try:
        act()
    except Bad:
        return True
    return False


def check_names(reader, vectors):
    for one in vectors["names"]:
        key, auth, flight = raw(one, "operator", "f_auth", "flight_id")
        said = reader.name(one["name"])
        hold(said == (key, one["slug"], one["volume"]), one["name"])
        hold(reader.canonical(*said) == one["canonical"], one["name"])
        hold(reader.flight_id(auth) == flight, one["name"])
    for one in vectors["refused_names"]:
        hold(refuses(lambda: reader.name(one["name"])), one["why"])
    for one in vectors["volumes"]:
        said = (one["kind"], one["first"], one["last"])
        hold(reader.volume(one["volume"]) == said, one["volume"])
    for text in vectors["refused_volumes"]:
        hold(refuses(lambda: reader.volume(text)), text)


def check_statements(reader, vectors):
    flight, = raw(vectors, "flight_id")
    for one in vectors["statements"]:
        statement = reader.Statement(*raw(one, "statement"))
        hold(statement.id.hex() == one["id"], one["diagnostic"])
        hold(statement.author.hex() == one["author"], one["diagnostic"])
        hold(second_frames.diagnostic(decode(statement.body)) == one["diagnostic"], "body")
        text = statement.signed_bytes(flight)
        hold(sha256(text).hex() == one["signed_sha256"], one["diagnostic"])
        hold((statement.stay is not None) == (one["says"] == "stay"), one["diagnostic"])
        hold(statement.is_signed(flight), one["diagnostic"])
    for one in vectors["refused"]:
        data, = raw(one, "statement")
        hold(refuses(lambda: reader.Statement(data))
             or not reader.Statement(data).is_signed(flight), one["why"])


def check_books(reader, vectors):
    for one in vectors["books"]:
        statements = [reader.Statement(bytes.fromhex(text)) for text in one["statements"]]
        closings = {place["place"]: place["at"] for place in one["closings"]}
        for order in (statements, statements[::-1]):
            book = reader.Book(one["days"], closings)
            for statement in order:
                book.take(statement)
            for look in one["looks"]:
                now, why = look["at"], f"{one['name']}, {look['at']}"
                hold([kept.id.hex() for kept in book.at(now)] == look["kept"], why)
                hold({bucket: digest.hex() for bucket, digest in book.digests(now).items()}
                     == {item["bucket"]: item["digest"] for item in look["digests"]}, why)
                hold({place: [key.hex() for key in keys]
                      for place, keys in book.people(now).items()}
                     == {item["place"]: item["people"] for item in look["places"]}, why)


def check_answers(reader, vectors):
    kept = [reader.Statement(bytes.fromhex(text)) for text in vectors["answers"]["kept"]]
    hold([one.author for one in kept] == sorted(one.author for one in kept), "sorted")
    for one in vectors["answers"]["lists"]:
        found = reader.answer(kept, decode(raw(one, "list")[0]))
        hold([statement.id.hex() for statement in found] == one["answer"], one["name"])


def check_messages(reader, vectors):
    for one in vectors["messages"]:
        frame, = raw(one, "frame")
        hold(frame[4] == one["type"], "type")
        hold(int.from_bytes(frame[:4], "big") == len(frame) - 4, "length")
        value = decode(frame[5:])
        reader.PAYLOADS[frame[4]](value)
        hold(second_frames.diagnostic(value) == one["value"], one["name"])
    for one in vectors["refused_messages"]:
        frame, = raw(one, "frame")
        hold(refuses(lambda: reader.PAYLOADS[frame[4]](decode(frame[5:]))), one["why"])
    operator, = raw(vectors["words"], "operator")
    pages = [reader.Page(decode(bytes.fromhex(text))) for text in vectors["words"]["signed"]]
    hold(all(page.is_signed(operator) for page in pages), "signed")
    for order in (pages, pages[::-1]):
        hold(reader.newest(order).words.decode() == vectors["words"]["counts"], "newest")
    for one in vectors["words"]["refused"]:
        page = reader.Page(decode(bytes.fromhex(one["page"])))
        hold(not page.is_signed(operator), one["why"])


def check_tags(reader, vectors):
    for one in vectors["tags"]:
        operator, slug, days = reader.name(one["name"])
        salt, key, tag = raw(one, "salt", "key", "tag")
        hold(reader.tag_salt(operator, slug) == salt, one["name"])
        hold(reader.tag(key, days) == tag, one["name"])
    tags = {one["tag"] for one in vectors["tags"]}
    hold(len(tags) == len(vectors["tags"]), "tags of two volumes")


def check(reader, vectors):
    for part in (check_names, check_statements, check_books, check_answers, check_messages,
                 check_tags):
        part(reader, vectors)


class Statements(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(PATH, encoding="utf-8") as file:
            cls.vectors = json.load(file)
        with open(second_statements.__file__, encoding="utf-8") as file:
            cls.text = file.read()

    def test_vectors(self):
        check(second_statements, self.vectors)
        self.assertEqual(len(self.vectors["names"]), 4)
        self.assertGreater(len(self.vectors["refused"]), 30)
        self.assertGreater(sum(len(one["looks"]) for one in self.vectors["books"]), 15)
        empty = sha256(b"seatswap/1 statements", encode([]))
        self.assertEqual(len(empty), 32)

    def test_each_wrong_reading_of_venues_is_caught_by_a_vector(self):
        names = [name for name, *_ in WRONG]
        self.assertEqual(len(names), len(set(names)))
        for name, old, new in WRONG:
            with self.subTest(name):
                self.assertEqual(self.text.count(old), 1, f"stands elsewhere: {old!r}")
                module = types.ModuleType("second_statements")
                exec(compile(self.text.replace(old, new), name, "exec"), module.__dict__)
                caught = None
                try:
                    check(module, self.vectors)
                except (Wrong, Bad, TypeError, ValueError) as error:
                    caught = error
                self.assertIsNotNone(caught, f"no vector tells that this is wrong: {name}")
        self.note = f"{len(names)} readings"
