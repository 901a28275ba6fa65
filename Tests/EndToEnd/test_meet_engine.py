# SPDX-License-Identifier: Apache-2.0
"""What a broker learns of passengers who meet there: just what docs/meet.md section 6 says."""

import base64
import os
import re
import sys

import overheard
import second_meet
from agent import ROOT, Agent
from meet_broker import Broker
from meet_case import MeetCase
from stranger import PRACTICE, flight_auth, flight_id
from test_relay import apart
from waiting import until

TAP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tap.py")
LINE, SECRET, NOTE = "who sits beside the window", "the aisle knocks twice", "for my long knees"
SIZES = (512, 1024, 2048, 4096, 8192, 16384)
TOPIC = re.compile(r"sa1/([0-9a-f]{2})/([a-z2-7]{26})/"
                   r"(?:(c)/[0-9a-f]/([a-z2-7]{13})|(l)/[0-9a-f]/([a-z2-7]{13})/[0-3]|(e)"
                   r"|(q)/([a-z2-7]{13})/[a-z2-7]{13}|(t)/([a-z2-7]{13}))")
FILTER = re.compile(r"sa1/[0-9a-f]{2}/([a-z2-7]{26})/(?:e|t/([a-z2-7]{13})|q/[a-z2-7]{13}/\+"
                    r"|c/[0-9a-f]/(?:\+|[a-z2-7]{13})|l/[0-9a-f]/(?:\+|[a-z2-7]{13})/\+)")
#: Properties that the program has a use for: expiry of a message, and of CONNECT those of limits.
EXPIRY, OF_CONNECT = {0x02}, {0x11, 0x21, 0x22, 0x27}


def place(topic):
    """Group, kind, and box or inbox of a topic that agents use."""
    found = TOPIC.fullmatch(topic)
    if not found:
        raise AssertionError(f"a topic of another form: {topic}")
    _, group, *words = found.groups()
    kind, *box = [word for word in words if word]
    return group, kind, *(box or [None])


class Loud(Broker):
    """One that logs all it can, and takes connections without TLS: it sees what is said."""

    def configuration(self):
        text = super().configuration()
        for old, new in (("log_type error", "log_type all"),
                         ("connection_messages false", "connection_messages true"),
                         (f"{self.plain_port} 127.0.0.1", f"{self.plain_port} {self.at}")):
            if old not in text:
                raise AssertionError(f"{old!r} is not there")
            text = text.replace(old, new)
        return text


class Engine(MeetCase):
    def meets(self, *names):
        """Agents whose every byte to and from the broker is kept on its way."""
        self.cabin_ = self.cabin(*names, "meet", switch=True, avahi=False)
        apart(self.cabin_, *names)
        host = self.cabin_["meet"]
        self.meet = Loud(host, at=host.address, plain=True).start()
        self.taps = {}
        agents = []
        for name, seat in zip(names, ("14C", "15B"), strict=True):
            here = self.cabin_[name]
            port, path = here.port(), f"{here.folder}/tap.jsonl"
            here.popen([sys.executable, "-B", TAP, str(port), host.address,
                        str(self.meet.plain_port), path], log="tap.log")
            until("the tap is open", lambda path=path: os.path.exists(path))
            self.taps[here.address] = path
            agents.append(Agent(here, name, seat, options=[
                "--no-mdns", "--meet", f"mqtt://127.0.0.1:{port}"]).board())
        return agents

    def test_a_broker_learns_what_the_table_says_and_nothing_else(self):
        ada, bo = self.meets("adalovelace", "bohr")
        until("they see each other", lambda: len(ada.held()) == len(bo.held()) == 2, 30)
        ada.call("say", LINE)
        ada.call("wish", "15B", "--offer", "14C")
        until("bo has heard it", lambda: LINE in bo.said(), 10)
        ada.call("msg", "bohr", SECRET)
        until("bo has the message", lambda: SECRET in bo.said(), 10)
        ada.swap("15B", "--note", NOTE)
        bo.call("accept", bo.incoming(10), "--yes")
        until("they have swapped",
              lambda: ada.held() == bo.held() == {"14C": "bohr", "15B": "adalovelace"}, 10)
        until("it is stored", lambda: self.is_stored(ada, 4) and self.is_stored(bo, 4), 10)
        people = [agent.call("status")["me"] for agent in (ada, bo)]
        ada.leave()
        stored = self.meet.stored()
        self.heard = overheard.read(self.taps)
        self.nothing_is_told(stored, people)
        self.nothing_else_varies()
        self.the_table_is_right()

    # What is not learnt

    def nothing_is_told(self, stored, people):
        seen = stored + b"".join(
            one.bytes[True] + one.bytes[False] for one in self.heard)
        for one in self.heard:
            # 22 letters and digits by chance: "14C" may be among them.
            seen = seen.replace(one.connect.client.encode(), b"")
        self.assertIn(b"sa1/", stored)
        self.assertGreater(len(seen), 50_000)
        words = [LINE, SECRET, NOTE, "adalovelace", "bohr", "14C", "15B", "seatswap", "seatagent"]
        words += PRACTICE.split("/")
        keys = [bytes.fromhex(one["key"]) for one in people]
        auth = flight_auth()
        keys += [auth, flight_id(auth)]
        self.assertEqual({len(key) for key in keys}, {32})
        wanted = [word.encode() for word in words] + keys
        for key in keys:
            text = base64.b32encode(key).rstrip(b"=")
            wanted += [key.hex().encode(), text, text.lower(), base64.b64encode(key)[:-2],
                       base64.urlsafe_b64encode(key)[:-2]]
        for one in wanted:
            self.assertNotIn(one, self.without_chance(seen, one), one)

    def without_chance(self, where, word):
        """Of short words only those in texts that people read: a sealed byte may be any."""
        if len(word) >= 5:
            return where
        return b" ".join(re.findall(rb"[ -~]{12,}", where))

    # What varies

    def nothing_else_varies(self):
        clients = [one.connect.client for one in self.heard]
        self.assertEqual(len(clients), len(set(clients)))
        self.assertEqual({len(client) for client in clients}, {len(clients[0])})
        self.assertGreaterEqual(len(clients[0]), 16)
        for one in self.heard:
            self.assertLessEqual({said.kind for said in one.said}, overheard.KINDS)
            connect = one.connect
            # A clean start; no will, no user, no password.
            self.assertEqual((connect.version, connect.flags, connect.rest), (5, 2, b""))
            self.assertLessEqual(connect.properties, OF_CONNECT)
            for filter_ in one.filters:
                self.assertRegex(filter_, FILTER)
                self.assertTrue(FILTER.fullmatch(filter_), filter_)
            for said in one.published:
                _, kind, _ = place(said.topic)
                self.assertEqual((said.kept, said.qos), (kind in "clq", 1))
                self.assertLessEqual(said.properties, EXPIRY if said.kept else set())
        said = {(connect.version, connect.keep_alive, *sorted(connect.properties))
                for connect in (one.connect for one in self.heard)}
        self.assertEqual(len(said), 1, "CONNECT tells agents apart")

    # What is learnt

    def the_table_is_right(self):
        with open(f"{ROOT}/docs/meet.md", encoding="utf-8") as file:
            section = file.read().split("\n## 6. ")[1].split("\n## ")[0]
        rows = re.findall(r"^\| (.+?) \| .+ \|$", section, re.M)[1:]
        self.assertEqual(rows, list(LEARNT))
        for row, check in LEARNT.items():
            with self.subTest(row):
                check(self)

    def addresses(self):
        self.assertEqual({one.address for one in self.heard}, set(self.taps))
        log = self.cabin_["meet"].text(self.meet.log)
        for one in self.heard:
            self.assertRegex(log, rf"New connection from {re.escape(one.address)}:")
            self.assertLess(one.began, one.ended)

    def said(self):
        return [(one, said, *place(said.topic)) for one in self.heard for said in one.published]

    def groups(self):
        boxes = {}
        for _, said, group, kind, box in self.said():
            if kind == "c" and said.payload:
                boxes.setdefault(group, set()).add(box)
        self.assertEqual([len(found) for found in boxes.values()], [2])
        together = {one.address for one in self.heard
                    for filter_ in one.filters if FILTER.fullmatch(filter_)[1] in boxes}
        self.assertEqual(together, set(self.taps))

    def writers(self):
        owners = {}
        for one, _, _, kind, box in self.said():
            if kind in "cl":
                owners.setdefault(box, set()).add(one.address)
        self.assertEqual([len(found) for found in owners.values()], [1, 1])
        self.assertEqual(set.union(*owners.values()), set(self.taps))

    def sizes(self):
        changes = {}
        for _, said, _, kind, box in self.said():
            if kind == "t":
                self.assertLessEqual(len(said.payload), 16_384)
            elif said.payload:
                self.assertIn(len(said.payload), SIZES)
                changes[kind, box] = changes.get((kind, box), 0) + 1
        self.assertTrue(all(count > 0 for count in changes.values()))
        self.assertGreater(max(changes.values()), 1)

    def inboxes(self):
        readers = {FILTER.fullmatch(text)[2]: one.address
                   for one in self.heard for text in one.filters if "/t/" in text}
        self.assertEqual(set(readers.values()), set(self.taps))
        frames = [(one.address, readers[box], said.payload)
                  for one, said, _, kind, box in self.said() if kind == "t"]
        # A mark of a reader goes to the own inbox (docs/meet.md section 3); frames go to others.
        marks = [frame for frame in frames if frame[0] == frame[1]]
        self.assertTrue(all(bytes([4]) == mark[2][:1] and len(mark[2]) == 25 for mark in marks))
        pairs = {frame[:2] for frame in frames if frame not in marks}
        self.assertEqual(pairs, {tuple(self.taps), tuple(self.taps)[::-1]})

    def epochs(self):
        flight = second_meet.Flight(flight_auth())
        for one in self.heard:
            groups = {FILTER.fullmatch(text)[1] for text in one.filters}
            # Whoever cannot make these names learns that they belong together.
            today = second_meet.epoch_at(int(one.began))
            days = [epoch for epoch in range(today - 4, today + 2)
                    if flight.names(epoch).group in groups]
            self.assertEqual(len(days), len(groups))
            self.assertEqual(days, list(range(days[0], days[0] + len(days))))
            # Beside the four that are read, one more that is followed around midnight.
            self.assertIn(len(days), (4, 5))


#: What each row of the left column means for what was overheard.
LEARNT = {
    "address and time of each connection, and when it is quiet": Engine.addresses,
    "the group, so how many boxes a flight has and which connections belong together":
        Engine.groups,
    "which connection writes which box, so which address has which box of the day":
        Engine.writers,
    "sizes, in six classes, and how often each box changes; of a tunnel, of each frame":
        Engine.sizes,
    "which connection reads which inbox, and from which letters or a tunnel come to it":
        Engine.inboxes,
    "that a connection reads four epochs, so that four groups are one flight": Engine.epochs,
}
