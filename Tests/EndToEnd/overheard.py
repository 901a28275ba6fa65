# SPDX-License-Identifier: Apache-2.0
"""What a broker sees of its clients (MQTT 5.0), from what tap.py kept."""

import collections
import json

import mqtt
from mqtt import CONNECT, DISCONNECT, PINGREQ, PUBACK, PUBLISH, SUBSCRIBE, UNSUBSCRIBE

#: What a client may say to it at all.
KINDS = {CONNECT, PUBLISH, PUBACK, SUBSCRIBE, UNSUBSCRIBE, PINGREQ, DISCONNECT}

Said = collections.namedtuple("Said", "at kind flags body")
Publish = collections.namedtuple("Publish", "at topic payload kept qos properties")
Connect = collections.namedtuple("Connect", "version flags keep_alive properties client rest")


class Connection:
    """One connection of one address."""

    def __init__(self, address):
        self.address = address
        self.bytes = {True: b"", False: b""}
        self.said = []
        self.began = self.ended = None
        self._rest = b""

    def take(self, at, is_client, data):
        self.began = self.began or at
        self.ended = at
        self.bytes[is_client] += data
        if is_client:
            self._rest += data
            self._split(at)

    def _split(self, at):
        while len(self._rest) > 1:
            length, start = number(self._rest)
            if length is None or len(self._rest) < start + length:
                return
            first, body = self._rest[0], self._rest[start:start + length]
            self.said.append(Said(at, first >> 4, first & 15, body))
            self._rest = self._rest[start + length:]

    @property
    def connect(self):
        body = self.said[0].body
        length, start = mqtt.properties(body[10:])
        rest = body[10 + start:]
        size = int.from_bytes(rest[:2], "big")
        return Connect(body[6], body[7], int.from_bytes(body[8:10], "big"),
                       names(body[10:]), rest[2:2 + size].decode(), rest[2 + size:])

    @property
    def published(self):
        found = []
        for at, kind, flags, body in self.said:
            if kind != PUBLISH:
                continue
            size, qos = 2 + int.from_bytes(body[:2], "big"), flags >> 1 & 3
            rest = body[size + (2 if qos else 0):]
            _, length = mqtt.properties(rest)
            found.append(Publish(at, body[2:size].decode(), rest[length:], bool(flags & 1), qos,
                                 names(rest)))
        return found

    @property
    def filters(self):
        found = []
        for _, kind, _, body in self.said:
            if kind == SUBSCRIBE:
                _, length = mqtt.properties(body[2:])
                rest = body[2 + length:]
                while rest:
                    size = 2 + int.from_bytes(rest[:2], "big")
                    found.append(rest[2:size].decode())
                    rest = rest[size + 1:]
        return found


def number(data):
    """Length of a packet and where its body begins; (None, 0) where that is not all there."""
    for at in range(1, min(len(data), 5)):
        if not data[at] & 0x80:
            return mqtt._number(data, 1)
    return None, 0


def names(body):
    """Which properties there are. One that mqtt.py passes over is of words: none is wanted."""
    length, at = mqtt._number(body, 0)
    known, _ = mqtt.properties(body)
    size = sum(1 + mqtt.SIZES.get(name, 0) for name in known)
    return set(known) if size == length else set(known) | {"words"}


def read(paths):
    """All connections, of a file for each address."""
    found = []
    for address, path in paths.items():
        own = {}
        with open(path, encoding="ascii") as file:
            for line in file:
                count, at, is_client, data = json.loads(line)
                own.setdefault(count, Connection(address)).take(
                    at, is_client, bytes.fromhex(data or ""))
        found += own.values()
    return [one for one in found if one.said]
