# SPDX-License-Identifier: Apache-2.0
"""The second reader agrees with the vectors of tunnels (docs/meet.md section 8), and each wrong
reading does not."""

import hashlib
import itertools
import json
import os
import types
import unittest

import second_tunnel
from agent import ROOT
from second_reader import Bad
from test_meet import Wrong, hold, raw, refuses
from wrong_tunnel import EQUAL, WRONG

FOLDER = os.path.join(ROOT, "docs", "vectors")


def boxkeys(vectors):
    return dict(raw(who, "key", "boxkey") for who in vectors["people"])


def people(vectors):
    return {who["name"]: who for who in vectors["people"]}


def check_bodies(reader, vectors):
    for one in vectors["bodies"]:
        kind, *value = reader.body(*raw(one, "body"))
        shown = [item.hex() if isinstance(item, bytes) else item for item in value]
        hold([kind, *shown] == one["says"], "body")
    for one in vectors["refused_bodies"]:
        hold(refuses(lambda: reader.body(*raw(one, "body"))), one["why"])


def check_opens(reader, vectors):
    known, keys = people(vectors), boxkeys(vectors)
    for one in vectors["opens"]:
        opener, recipient = known[one["from"]], known[one["to"]]
        made = reader.make_open(
            *raw(one, "id", "ephemeral_secret"), *raw(opener, "key", "secret"),
            *raw(recipient, "key", "boxkey"), one["made"])
        read = reader.read_open(*raw(one, "open"), *raw(recipient, "key", "secret"), keys)
        for found in (made, read):
            said = [found.data, found.id, found.k1, found.k2, found.there, found.back]
            hold(said == raw(one, "open", "id", "k1", "k2", "there", "back"), one["from"])
            hold((found.opener.hex(), found.made) == (opener["key"], one["made"]), "says")


def check_unopened(reader, vectors):
    bo, keys = people(vectors)["bo"], boxkeys(vectors)
    for one in vectors["unopened"]:
        hold(refuses(lambda: reader.read_open(*raw(one, "open"), *raw(bo, "key", "secret"), keys)),
             one["why"])


def check_frames(reader, vectors):
    tunnel = vectors["opens"][0]
    id_, there, back = raw(tunnel, "id", "there", "back")
    for one in vectors["unread"]:
        hold(refuses(lambda: reader.read_frame(*raw(one, "frame"), id_, there)), one["why"])
    for one in vectors["frames"]:
        frame, body = raw(one, "frame", "body")
        key = back if one["back"] else there
        hold(reader.read_frame(frame, id_, key) == (one["seq"], body), "frame")
        hold(reader.make_frame(id_, one["seq"], key, body) == frame, "frame")


def shown(words):
    """Equal ones behind each other as one."""
    lines = [(word, len(list(same))) for word, same in itertools.groupby(words)]
    return [word if times == 1 else f"{times} times {word}" for word, times in lines]


def check_runs(reader, vectors):
    for run in vectors["runs"]:
        end = reader.End(run["opener"])
        hold(end.words == run["begins"], run["name"])
        for step in run["steps"]:
            end.words = []
            if step["frame"]:
                seq, *says = step["frame"]
                for number in range(step["times"]):
                    end.came(seq + number, says, step["at"])
            end.write(step["write"])
            end.time(step["at"])
            end.flush(step["at"])
            hold(shown(end.words) == step["does"], run["name"])


def named(kind, number):
    """The id of an OPEN (0), or its opener (1), by number."""
    whole = hashlib.sha256(bytes([kind]) + number.to_bytes(8, "big")).digest()
    return whole if kind else whole[:16]


def check_gates(reader, vectors):
    for one in vectors["gates"]:
        gate = reader.Gate()
        for step in one["steps"]:
            taken = sum(
                gate.admits(named(0, step["id"] + number), named(1, step["from"] + number),
                            step["made"], step["at"], step["clock"])
                for number in range(step["times"]))
            hold(taken == step["taken"], one["name"])
    looks = reader.Looks()
    for step in vectors["looks"]:
        hold(sum(looks.look(step["at"]) for _ in range(step["came"])) == step["looked"], "looks")


CHECKS = [("tunnels", check_bodies), ("tunnel-runs", check_runs), ("tunnel-runs", check_gates),
          ("tunnels", check_opens), ("tunnels", check_frames), ("tunnels", check_unopened)]


class TunnelVectors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.vectors = {}
        for name, _ in CHECKS:
            with open(os.path.join(FOLDER, f"meet-{name}.json"), encoding="utf-8") as file:
                cls.vectors[name] = json.load(file)
        with open(second_tunnel.__file__, encoding="utf-8") as file:
            cls.text = file.read()

    def check(self, reader):
        for name, part in CHECKS:
            part(reader, self.vectors[name])

    def caught(self, name, changes):
        text = self.text
        for old, new in changes:
            self.assertEqual(text.count(old), 1, f"stands elsewhere: {old!r}")
            text = text.replace(old, new)
        module = types.ModuleType("second_tunnel")
        exec(compile(text, name, "exec"), module.__dict__)
        try:
            self.check(module)
        except (Wrong, Bad, TypeError, ValueError, IndexError) as error:
            return error
        return None

    def test_the_second_reader_finds_what_the_vectors_of_tunnels_say(self):
        self.check(second_tunnel)
        self.assertGreater(len(self.vectors["tunnels"]["unopened"]), 30)
        self.assertGreater(len(self.vectors["tunnels"]["unread"]), 20)
        self.assertGreater(len(self.vectors["tunnel-runs"]["runs"]), 25)

    def test_each_wrong_reading_of_tunnels_is_caught_by_a_vector(self):
        names = [name for name, *_ in WRONG]
        self.assertEqual(len(names), len(set(names)))
        for name, *changes in WRONG:
            with self.subTest(name):
                found = self.caught(name, changes)
                self.assertIsNotNone(found, f"no vector tells that this is wrong: {name}")
        self.note = f"{len(names)} readings"

    def test_readings_of_tunnels_that_make_no_difference_make_none(self):
        for name, reason, *changes in EQUAL:
            with self.subTest(name):
                self.assertIsNone(self.caught(name, changes), f"there is a difference: {reason}")
