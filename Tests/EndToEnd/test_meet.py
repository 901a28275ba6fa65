# SPDX-License-Identifier: Apache-2.0
"""The second reader agrees with the vectors of the meeting point (docs/meet.md), and each wrong
reading does not."""

import json
import os
import types
import unittest

import second_frames
import second_meet
from agent import ROOT
from second_reader import Bad, decode, encode
from wrong_meet import EQUAL, WRONG

FOLDER = os.path.join(ROOT, "docs", "vectors")


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


def check_flights(reader, vectors):
    for one in vectors["flights"]:
        flight = reader.Flight(*raw(one, "f_auth"))
        hold(flight.pool == one["pool"], one["name"])
        for day in one["epochs"]:
            epoch = day["epoch"]
            names = flight.names(epoch)
            said = (names.group, names.shard, names.seal.hex())
            hold(said == (day["group"], day["shard"], day["seal"]), f"epoch {epoch}")
            for who in day["people"]:
                key, = raw(who, "key")
                hold(flight.tag(b"box", epoch, key) == who["box"], "box")
                hold(reader.bucket(who["box"]) == who["bucket"], "bucket")
                hold(flight.tag(b"inbox", epoch, key) == who["inbox"], "inbox")
            for lane in day["lanes"]:
                hold(flight.tag(b"lane", epoch, *raw(lane, "from", "to")) == lane["lane"], "lane")
    for one in vectors["epochs"]:
        epoch = reader.epoch_at(one["at"])
        said = (epoch, reader.followed(one["at"]), reader.to_read(epoch))
        hold(said == (one["epoch"], one["followed"], one["read"]), one["at"])


def names_of(reader, auth, epoch):
    return reader.Flight(bytes.fromhex(auth)).names(epoch)


def check_topics(reader, vectors):
    flight = vectors["flights"][0]
    names = names_of(reader, flight["f_auth"], flight["epochs"][1]["epoch"])
    kinds = {"card": "c", "part": "l", "live": "e", "letters": "q", "tunnel": "t"}
    for one in vectors["topics"]:
        kind, words = names.topic(one["topic"])
        hold(kind == kinds[one["kind"]], one["topic"])
        hold("/".join([names.prefix + kind, *words]) == one["topic"], one["topic"])
        hold((kind in "clq") == one["is_kept"], one["topic"])
    for one in vectors["refused_topics"]:
        hold(refuses(lambda: names.topic(one["topic"])), one["why"])
    for box in vectors["refused_boxes"]:
        hold(refuses(lambda: reader.bucket(box)), box)


def said(kind, members):
    """What a plain says, in the form of the vectors."""
    names = {1: ("body", "signature"), 2: ("author", "number", "entries"), 3: ("entries",),
             4: ("sender", "made", "until", "sealed")}[kind]

    def shown(value):
        if isinstance(value, list):
            return [shown(item) for item in value]
        return value.hex() if isinstance(value, bytes) else value
    return {"kind": kind, **dict(zip(names, map(shown, members), strict=True))}


def check_payloads(reader, vectors):
    names = reader.Names(vectors["group"], bytes.fromhex(vectors["seal"]))
    for one in vectors["unopened"]:
        payload, = raw(one, "payload")
        hold(refuses(lambda: reader.unseal(names, one["topic"], payload)), one["why"])
    for one in vectors["payloads"]:
        payload, nonce = raw(one, "payload", "nonce")
        hold(len(payload) == one["size"], one["name"])
        kind, members = reader.plain(reader.unseal(names, one["topic"], payload))
        hold(said(kind, members) == one["says"], one["name"])
        # The head of an array and its members, without the padding.
        content = bytes([0x80 + len(members) + 2]) + b"".join(map(encode, [kind, *members]))
        again = reader.seal(names, one["topic"], nonce, reader.padded(content))
        hold(again == payload, one["name"])


def check_plains(reader, vectors):
    for one in vectors["accepted"]:
        reader.plain(*raw(one, "plain"))
    for one in vectors["refused"] + vectors["refused_padding"]:
        hold(refuses(lambda: reader.plain(*raw(one, "plain"))), one["why"])
    for one in vectors["padding"]:
        whole = reader.padded(bytes(one["before"]))
        hold((whole and len(whole)) == one["plain"], f"padding behind {one['before']}")


def check_cards(reader, vectors):
    auth, flight_id = raw(vectors, "f_auth", "flight_id")
    flight, epoch = reader.Flight(auth), vectors["epoch"]
    for one in vectors["accepted"] + vectors["judged"]:
        body, = raw(one, "body")
        hold(second_frames.diagnostic(decode(body)) == one["diagnostic"], "body")
        card = reader.Card(body)
        if "good" in one:
            signature, = raw(one, "signature")
            good = card.is_good(signature, flight, flight_id, epoch, one["box"], one["at"])
            hold(good == one["good"], one["why"])
    for one in vectors["refused"]:
        hold(refuses(lambda: reader.Card(*raw(one, "body"))), one["why"])
    for one in vectors["replaced"]:
        hold(reader.replaces(one["second"], one["first"]) == one["replaces"], "replaced")


def check_boxes(reader, vectors):
    for one in vectors["logs"]:
        sizes = [size for size, times in one["sizes"] for _ in range(times)]
        hold(reader.parts(sizes) == one["parts"], one["name"])
        hold(reader.live(sizes) == one["live"], one["name"])
    for one in vectors["letters"]:
        found = [{"kind": kind, "payload": payload.hex()}
                 for kind, payload in reader.letters(*raw(one, "list"))]
        hold(found == one["letters"], "letters")
    for one in vectors["refused_letters"]:
        hold(refuses(lambda: reader.letters(*raw(one, "list"))), one["why"])

    for one in vectors["ends"]:
        payload, = raw(one, "payload")
        hold(reader.ends(one["kind"], payload, one["made"], one["until"]) == one["ends"], "ends")
    for one in vectors["refused_standing"]:
        hold(refuses(lambda: reader.standing(*raw(one, "payload"))), one["why"])


def check_pools(reader, vectors):
    for one in vectors["pools"]:
        for flight in one["flights"]:
            found = reader.homes(flight["pool"], one["brokers"])
            hold([list(home) for home in found] == flight["homes"], one["name"])
    for one in vectors["refused_brokers"]:
        hold(refuses(lambda: reader.broker(one["host"], one["port"])), one["why"])


CHECKS = [("names", check_flights), ("names", check_topics), ("payloads", check_plains),
          ("payloads", check_payloads), ("cards", check_cards), ("boxes", check_boxes),
          ("boxes", check_pools)]


class Meet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.vectors = {}
        for name, _ in CHECKS:
            with open(os.path.join(FOLDER, f"meet-{name}.json"), encoding="utf-8") as file:
                cls.vectors[name] = json.load(file)
        with open(second_meet.__file__, encoding="utf-8") as file:
            cls.text = file.read()

    def check(self, reader):
        for name, part in CHECKS:
            part(reader, self.vectors[name])

    def caught(self, name, changes):
        text = self.text
        for old, new in changes:
            self.assertEqual(text.count(old), 1, f"stands elsewhere: {old!r}")
            text = text.replace(old, new)
        module = types.ModuleType("second_meet")
        exec(compile(text, name, "exec"), module.__dict__)
        try:
            self.check(module)
        except (Wrong, Bad, TypeError, ValueError, IndexError) as error:
            return error
        return None

    def test_the_second_reader_finds_what_the_vectors_of_the_meeting_point_say(self):
        self.check(second_meet)
        cards = self.vectors["cards"]
        self.assertGreater(sum(one["good"] for one in cards["judged"]), 5)
        self.assertGreater(sum(not one["good"] for one in cards["judged"]), 15)
        self.assertGreater(len(self.vectors["payloads"]["refused"]), 30)

    def test_each_wrong_reading_of_the_meeting_point_is_caught_by_a_vector(self):
        names = [name for name, *_ in WRONG]
        self.assertEqual(len(names), len(set(names)))
        for name, *changes in WRONG:
            with self.subTest(name):
                found = self.caught(name, changes)
                self.assertIsNotNone(found, f"no vector tells that this is wrong: {name}")
        self.note = f"{len(names)} readings"

    def test_readings_of_the_meeting_point_that_make_no_difference_make_none(self):
        for name, reason, *changes in EQUAL:
            with self.subTest(name):
                self.assertIsNone(self.caught(name, changes), f"there is a difference: {reason}")
