# SPDX-License-Identifier: Apache-2.0
"""The second reader agrees with the vectors of ledgers (docs/protocol.md section 32), and each
wrong reading does not."""

import json
import os
import types
import unittest
from functools import lru_cache

import second_book
import second_ledgers
import second_reader
import wrong_book
from agent import ROOT
from case import for_soak
from second_reader import Bad

FOLDER = os.path.join(ROOT, "docs", "vectors")
decode = lru_cache(maxsize=None)(second_reader.decode)


class Wrong(Exception):
    """A vector that a reading does not fulfil."""


def hold(holds, why):
    if not holds:
        raise Wrong(why)


class Trusting(second_ledgers.VenueLogs):
    """Logs of entries whose signatures were verified before."""

    def check(self, entry):
        pass


def load(name):
    with open(os.path.join(FOLDER, f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)


def module(name, text):
    made = types.ModuleType(name)
    made.__dict__["__file__"] = f"{name}.py, changed"
    exec(compile(text, name, "exec"), made.__dict__)
    return made


class Vectors:
    def __init__(self):
        forms = load("book-forms")
        self.forms = [(bytes.fromhex(one["entry"]), one["form"], one["type"], one["id"])
                      for one in forms["accepted"]]
        self.forms += [(bytes.fromhex(one["entry"]), one["why"], None, None)
                       for one in forms["refused"]]
        self.forms.sort(key=lambda one: len(one[0]))
        self.asks = [(bytes.fromhex(one["body"]), one["form"], one["is_ask"])
                     for one in forms["asks"]]
        self.books = []
        for name in ("book-scenes", "book-random"):
            file = load(name)
            operator = bytes.fromhex(file["operator"])
            for one in file["books"]:
                data = b"".join(bytes.fromhex(item) for item in one["items"])
                self.books.append((one["name"], data, operator, one["refused"], one["expected"]))

    def check_forms(self, reader):
        for data, name, kind, identifier in self.forms:
            try:
                entry = reader.VenueEntry(data)
            except Bad:
                hold(kind is None, name)
                continue
            hold((entry.type, entry.id.hex()) == (kind, identifier), name)

        for data, name, is_ask in self.asks:
            try:
                reader.read_ask(data)
            except Bad:
                hold(not is_ask, name)
                continue
            hold(is_ask, name)

    def records(self):
        """Books in which something is refused, or that are about what is."""
        return [book for book in self.books if book[3] or book[0].startswith("charter")]

    def check_logs(self, reader, books):
        for name, data, operator, refused, _ in books:
            hold(reader.read_venue(data, operator)[1] == refused, name)

    def check_books(self, reader, logs):
        for (name, *_, expected), known in zip(self.books, logs, strict=True):
            hold(reader.BookFold(known).lines() == expected, name)


class Books(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.vectors = Vectors()
        cls.records = cls.vectors.records()
        # Where signatures are not what a book is about, the soak verifies them.
        cls.logs = [second_ledgers.read_venue(
            *book[1:3], second_ledgers.VenueLogs if book in cls.records else Trusting)[0]
            for book in cls.vectors.books]

    def source(self, name):
        with open(os.path.join(os.path.dirname(__file__), f"{name}.py"), encoding="utf-8") as file:
            return file.read()

    def changed(self, source, changes):
        for old, new in zip(changes[::2], changes[1::2], strict=True):
            self.assertEqual(source.count(old), 1, f"stands elsewhere: {old!r}")
            source = source.replace(old, new)
        return source

    def caught(self, check, name):
        try:
            check()
        except (Wrong, Bad, TypeError, ValueError, KeyError, IndexError, AttributeError):
            return
        self.fail(f"no vector tells that this is wrong: {name}")

    def test_vectors(self):
        self.vectors.check_forms(second_ledgers)
        self.vectors.check_books(second_book, self.logs)
        self.vectors.check_logs(second_ledgers, self.records)
        self.assertGreater(len(self.vectors.books), 60)

    def test_each_wrong_reading_of_the_book_is_caught_by_a_vector(self):
        source = self.source("second_book")
        names = [name for name, *_ in wrong_book.BOOKS + wrong_book.LEDGERS]
        self.assertEqual(len(names), len(set(names)))
        for name, *changes in wrong_book.BOOKS:
            with self.subTest(name):
                reader = module("second_book", self.changed(source, changes))
                self.caught(lambda: self.vectors.check_books(reader, self.logs), name)

    def check_ledgers(self, text):
        """A changed second_ledgers.py against the forms, and against what is refused."""
        reader = module("second_ledgers", text)
        reader.decode = decode
        self.vectors.check_forms(reader)
        self.vectors.check_logs(reader, self.records)

    def test_each_wrong_reading_of_ledgers_is_caught_by_a_vector(self):
        source = self.source("second_ledgers")
        for name, *changes in wrong_book.LEDGERS:
            with self.subTest(name):
                text = self.changed(source, changes)
                self.caught(lambda: self.check_ledgers(text), name)
        for name, text in wrong_book.off_by_one(source):
            with self.subTest(name):
                self.caught(lambda: self.check_ledgers(text), name)

    @for_soak
    def test_each_bound_that_is_too_narrow_is_caught_and_every_signature_is_right(self):
        for name, text in wrong_book.off_by_one(self.source("second_ledgers"), narrow=True):
            with self.subTest(name):
                self.caught(lambda: self.check_ledgers(text), name)
        self.vectors.check_logs(second_ledgers, self.vectors.books)
