# SPDX-License-Identifier: Apache-2.0
"""The second reader agrees with the vectors of what travels in venues beside stays: long logs,
asks, answers and forms (docs/protocol.md section 32), and each wrong reading does not."""

import json
import os
import types
import unittest

import second_asks
import second_frames
from agent import ROOT
from second_reader import Bad, decode, encode
from second_statements import Statement
from wrong_asks import ASKS, FRAMES

FOLDER = os.path.join(ROOT, "docs", "vectors")


def load(name):
    with open(os.path.join(FOLDER, f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)


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


def check_frames(reader, vectors):
    for one in vectors["frames"]:
        wire = bytes.fromhex(one["frame"])
        for name, known in (("flight", reader.FLIGHT), ("venue", reader.VENUE)):
            hold(reader.fault(wire, known) == one[name], f"{one['name']}: {name}")


class Asks:
    """The vectors of asks, with what is no question of how they are read."""

    def __init__(self):
        self.vectors = load("asks")
        self.flight = bytes.fromhex(self.vectors["flight_id"])
        self.read = {}

    def statement(self, text):
        if text not in self.read:
            self.read[text] = Statement(bytes.fromhex(text))
        return self.read[text]

    def check(self, reader):
        for part in (self.check_statements, self.check_books, self.check_lists,
                     self.check_messages):
            part(reader)

    def check_statements(self, reader):
        for one in self.vectors["statements"]:
            statement = self.statement(one["statement"])
            hold(reader.says(statement)[0] == one["says"], one["diagnostic"])
        for one in self.vectors["bodies"]:
            body = bytes.fromhex(one["body"])
            hold(refuses(lambda: reader.Answer(body)) != one["is_answer"], one["form"])

    def check_books(self, reader):
        for one in self.vectors["books"]:
            statements = [self.statement(text) for text in one["statements"]]
            settled = {bytes.fromhex(text) for text in one["settled"]}
            for order in (statements, statements[::-1]):
                book = reader.Book(bytes.fromhex(one["desk"]), settled, one["taken_at"])
                for statement in order:
                    book.take(statement)
                for look in one["looks"]:
                    now, why = look["at"], f"{one['name']}, {look['at']}"
                    hold([mark[32:].hex() for mark in book.at(now)] == look["kept"], why)
                    hold({bucket: digest.hex() for bucket, digest in book.digests(now).items()}
                         == {item["bucket"]: item["digest"] for item in look["digests"]}, why)

    def check_lists(self, reader):
        lists = self.vectors["lists"]
        kept = []
        for text in lists["kept"]:
            statement = self.statement(text)
            kind, said = second_asks.says(statement)
            asker = said.asker if kind == "answer" else statement.author
            kept.append(asker + statement.id)
        for one in lists["lists"]:
            found = reader.answer(kept, decode(bytes.fromhex(one["list"])))
            hold(sorted(mark[32:].hex() for mark in found) == one["answer"], one["name"])

    def check_messages(self, reader):
        for one in self.vectors["messages"]:
            frame = bytes.fromhex(one["frame"])
            hold(not refuses(lambda: reader.PAYLOADS[frame[4]](decode(frame[5:]))), one["name"])
        for one in self.vectors["refused_messages"]:
            frame = bytes.fromhex(one["frame"])
            hold(refuses(lambda: reader.PAYLOADS[frame[4]](decode(frame[5:]))), one["why"])


class Travel(unittest.TestCase):
    def changed(self, module, name, old, new):
        with open(module.__file__, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.count(old), 1, f"stands elsewhere: {old!r}")
        made = types.ModuleType(module.__name__)
        exec(compile(text.replace(old, new), name, "exec"), made.__dict__)
        return made

    def catch(self, module, wrong, check):
        names = [name for name, *_ in wrong]
        self.assertEqual(len(names), len(set(names)))
        for name, old, new in wrong:
            with self.subTest(name):
                reader, caught = self.changed(module, name, old, new), None
                try:
                    check(reader)
                except (Wrong, Bad, TypeError, ValueError, KeyError) as error:
                    caught = error
                self.assertIsNotNone(caught, f"no vector tells that this is wrong: {name}")
        self.note = f"{len(names)} readings"

    def test_frames_of_flights_and_of_venues(self):
        vectors = load("venue-frames")
        check_frames(second_frames, vectors)
        self.assertEqual(second_frames.FLIGHT.keys() & {65, 67, 69, 71, 73, 75, 77}, set())
        codes = {(one["flight"], one["venue"]) for one in vectors["frames"]}
        self.assertEqual(codes, {(None, None), (5, None), (None, 5), (5, 5), (6, 6)})

    def test_each_wrong_reading_of_frames_is_caught_by_a_vector(self):
        vectors = load("venue-frames")
        self.catch(second_frames, FRAMES, lambda reader: check_frames(reader, vectors))

    def test_asks_answers_and_forms(self):
        asks = Asks()
        asks.check(second_asks)
        for one in asks.vectors["statements"]:
            statement = asks.statement(one["statement"])
            self.assertEqual(statement.id.hex(), one["id"])
            self.assertEqual(statement.author.hex(), one["author"])
            self.assertEqual(second_frames.diagnostic(decode(statement.body)), one["diagnostic"])
            self.assertTrue(statement.is_signed(asks.flight))
        for one in asks.vectors["messages"]:
            frame = bytes.fromhex(one["frame"])
            value = second_frames.payload(frame, second_frames.VENUE)
            self.assertEqual(second_frames.diagnostic(value), one["value"])
            self.assertEqual((frame[4], encode(value)), (one["type"], frame[5:]))
        self.assertEqual({one["type"] for one in asks.vectors["messages"]},
                         set(second_asks.PAYLOADS))
        self.assertEqual({one["says"] for one in asks.vectors["statements"]}, {"ask", "answer"})

    def test_each_wrong_reading_of_asks_is_caught_by_a_vector(self):
        self.catch(second_asks, ASKS, Asks().check)
