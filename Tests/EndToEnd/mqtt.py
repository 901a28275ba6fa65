# SPDX-License-Identifier: Apache-2.0
"""A small MQTT 5 client (OASIS MQTT 5.0) that tests use beside the agent's: it says what it is told
to, good or bad, and keeps what it is given.

    with mqtt.Client(("127.0.0.1", 8883), tls=context) as ada:
        ada.subscribe("sa1/...")                       # 1, the QoS given, or a reason from 0x80 up
        ada.publish("sa1/...", b"...", kept=True, expiry=3600)           # the reason of the PUBACK
        ada.collect(3)                                 # [Message(...), ...]
        ada.send(packet(PUBLISH, b"nonsense"))
"""

import collections
import os
import socket
import ssl
import struct
import time

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, SUBACK = 1, 2, 3, 4, 8, 9
UNSUBSCRIBE, UNSUBACK, PINGREQ, PINGRESP, DISCONNECT = 10, 11, 12, 13, 14
#: Reasons (MQTT 5.0 section 2.4).
NOT_AUTHORIZED, NOBODY_LISTENS = 0x87, 0x10
#: Bytes of the value of a property, by its number (MQTT 5.0 section 2.2.2.2); the others have a
#: length.
SIZES = {0x01: 1, 0x02: 4, 0x11: 4, 0x13: 2, 0x17: 1, 0x18: 4, 0x19: 1, 0x21: 2, 0x22: 2, 0x23: 2,
         0x24: 1, 0x25: 1, 0x27: 4, 0x28: 1, 0x29: 1, 0x2A: 1}
EXPIRY, PACKET_SIZE = 0x02, 0x27

Message = collections.namedtuple("Message", "topic payload kept qos expiry")


class Closed(ConnectionError):
    """The broker ended the connection; `reason` is that of its DISCONNECT, if it said one."""

    def __init__(self, reason=None):
        super().__init__(f"the broker closed the connection, reason {reason}")
        self.reason = reason


def number(value):
    """A variable byte integer (MQTT 5.0 section 1.5.5)."""
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)


def string(text):
    body = text if isinstance(text, bytes) else text.encode()
    return struct.pack(">H", len(body)) + body


def packet(kind, body, flags=0):
    """A whole packet (MQTT 5.0 section 2.1)."""
    return bytes([kind << 4 | flags]) + number(len(body)) + body


def properties(body):
    """Number -> value of those that have a size, and where they end; the others are passed over."""
    length, at = _number(body, 0)
    end, found = at + length, {}
    while at < end:
        name, at = body[at], at + 1
        if name in SIZES:
            found[name] = int.from_bytes(body[at:at + SIZES[name]], "big")
            at += SIZES[name]
        elif name == 0x0B:
            found[name], at = _number(body, at)
        else:
            for _ in range(2 if name == 0x26 else 1):
                at += 2 + int.from_bytes(body[at:at + 2], "big")
    return found, end


def _number(body, at):
    value = shift = 0
    while True:
        byte, at = body[at], at + 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at


class Client:
    """One connection. `where` is (host, port), or the path of a socket."""

    def __init__(self, where, tls=None, name="localhost", seconds=10, version=5, **connect):
        self.messages = []
        self.seconds = seconds
        self.version = version
        self._next = 0
        self._answers = {}
        self._bytes = b""
        if isinstance(where, str):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(where)
        else:
            self.socket = socket.create_connection(where, seconds)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname=name)
        try:
            self._connect(**connect)
        except BaseException:
            self.socket.close()
            raise

    def _connect(self, client="", user=None, password=None, keep_alive=60, session=0, will=None):
        """`will` is (topic, payload, kept)."""
        flags = 0x02 | (0x80 if user else 0) | (0x40 if password else 0)
        client = string(client or "t" + os.urandom(8).hex())
        if will:
            flags |= 0x04 | (0x20 if will[2] else 0)
            client += self._few(b"") + string(will[0]) + string(will[1])
        more = self._few(b"\x11" + struct.pack(">I", session))
        login = b"".join(string(word) for word in (user, password) if word)
        self.send(packet(CONNECT, string("MQTT") + bytes([self.version, flags])
                         + struct.pack(">H", keep_alive) + more + client + login))
        body = self._wait(CONNACK)
        #: Reason of the CONNACK, whether a session was there, and what the broker said of itself.
        self.reason, self.session_present = body[1], bool(body[0] & 1)
        self.features = properties(body[2:])[0] if self.version == 5 else {}

    def _few(self, body):
        """Properties in front of something; MQTT 3 has none."""
        return number(len(body)) + body if self.version == 5 else b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self, politely=True):
        """Without `politely` the broker hears no DISCONNECT, and publishes the will."""
        try:
            if politely:
                self.send(packet(DISCONNECT, b""))
        except OSError:
            pass
        self.socket.close()

    def send(self, raw):
        """Sends bytes as they are."""
        try:
            self.socket.sendall(raw)
        except (ConnectionError, ssl.SSLError) as end:
            raise Closed() from end

    def subscribe(self, *filters, qos=1):
        """The answer for the only filter, or the list of answers."""
        self._next += 1
        body = b"".join(string(text) + bytes([qos]) for text in filters)
        self.send(packet(SUBSCRIBE, struct.pack(">H", self._next) + self._few(b"") + body, 2))
        reasons = list(self._answer(SUBACK, self._next)[-len(filters):])
        return reasons[0] if len(filters) == 1 else reasons

    def unsubscribe(self, *filters):
        self._next += 1
        body = b"".join(string(text) for text in filters)
        self.send(packet(UNSUBSCRIBE, struct.pack(">H", self._next) + self._few(b"") + body, 2))
        self._answer(UNSUBACK, self._next)

    def publish(self, topic, payload=b"", kept=False, expiry=None, qos=1, waits=True):
        """The reason of the PUBACK. Without `waits`, the number to give to `published`."""
        self._next = self._next % 0xFFFF + 1
        more = b"" if expiry is None else bytes([EXPIRY]) + struct.pack(">I", expiry)
        head = string(topic) + (struct.pack(">H", self._next) if qos else b"")
        self.send(packet(PUBLISH, head + self._few(more) + payload, qos << 1 | kept))
        if not qos:
            return 0
        return self.published(self._next) if waits else self._next

    def published(self, number_):
        """The reason of the PUBACK with this number."""
        body = self._answer(PUBACK, number_)
        return body[2] if len(body) > 2 else 0

    def ping(self):
        """Returns when the broker answers: it has then handled all that was sent before."""
        self.send(packet(PINGREQ, b""))
        self._wait(PINGRESP)

    def collect(self, count, seconds=None):
        """Waits for so many messages, and takes them; fewer if they do not come in time."""
        end = time.monotonic() + (self.seconds if seconds is None else seconds)
        while len(self.messages) < count and time.monotonic() < end:
            try:
                self._take(end)
            except TimeoutError:
                break
        taken, self.messages = self.messages, []
        return taken

    def collect_kept(self, *filters):
        """What the broker keeps for these filters at this moment, if it is no more than 20."""
        self.subscribe(*filters)
        self.ping()  # answered behind the messages
        return self.collect(0)

    def closed(self):
        """Waits until the broker ends the connection; the reason it gave, if any."""
        try:
            while True:
                self._take(time.monotonic() + self.seconds)
        except Closed as end:
            return end.reason

    def _answer(self, kind, number_):
        return self._wait((kind, number_))

    def _wait(self, key):
        end = time.monotonic() + self.seconds
        while key not in self._answers:
            self._take(end)
        return self._answers.pop(key)

    def _take(self, end):
        """Reads one packet and files it: a message, or what somebody waits for."""
        kind, flags, body = self._packet(end)
        if kind == PUBLISH:
            self._message(flags, body)
        elif kind in (PUBACK, SUBACK, UNSUBACK):
            self._answers[kind, int.from_bytes(body[:2], "big")] = body
        elif kind == DISCONNECT:
            raise Closed(body[0] if body else 0)
        else:
            self._answers[kind] = body

    def _message(self, flags, body):
        at = 2 + int.from_bytes(body[:2], "big")
        topic, qos = body[2:at].decode(), flags >> 1 & 3
        if qos:
            self.send(packet(PUBACK, body[at:at + 2]))
            at += 2
        found, length = properties(body[at:]) if self.version == 5 else ({}, 0)
        self.messages.append(Message(topic, body[at + length:], bool(flags & 1), qos,
                                     found.get(EXPIRY)))

    def _packet(self, end):
        while True:
            whole = self._whole()
            if whole:
                return whole
            self.socket.settimeout(max(0.001, end - time.monotonic()))
            try:
                more = self.socket.recv(65536)
            except ConnectionError:
                more = b""
            if not more:
                raise Closed()
            self._bytes += more

    def _whole(self):
        """The first packet if all of it is there."""
        for at in range(1, min(len(self._bytes), 5)):
            if not self._bytes[at] & 0x80:
                length, start = _number(self._bytes, 1)
                if len(self._bytes) < start + length:
                    return None
                first, body = self._bytes[0], self._bytes[start:start + length]
                self._bytes = self._bytes[start + length:]
                return first >> 4, first & 15, body
        return None
