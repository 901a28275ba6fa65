# SPDX-License-Identifier: Apache-2.0
"""A page without a browser, written from docs/page.md: it seals, asks and hears."""

import base64
import ctypes
import ctypes.util
import http.client
import json
import os
import ssl
import time
import urllib.parse

SODIUM = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
CALL, REPLY, EVENT = 1, 2, 3
MAC = 16


def inside(host, work):
    """Does `work` in the network of a host, and gives what it gives."""
    if not host.isolated:
        return work()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with open(f"/proc/{host.keeper.pid}/ns/net") as space:
                ctypes.CDLL(None).setns(space.fileno(), 0)
            said = {"value": work()}
        except BaseException as error:  # pylint: disable=broad-except
            said = {"error": f"{type(error).__name__}: {error}"}
        with os.fdopen(write, "w") as answer:
            answer.write(json.dumps(said))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        said = json.loads(answer.read())
    os.waitpid(child, 0)
    if "error" in said:
        raise AssertionError(said["error"])
    return said["value"]


def unbase(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def warned():
    """TLS as whoever goes on behind the warning of a browser has it."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class Box:
    """A pair of X25519, and what it seals for another key."""

    def __init__(self, server):
        self.server = server
        self.key = ctypes.create_string_buffer(32)
        self.secret = ctypes.create_string_buffer(32)
        SODIUM.crypto_box_keypair(self.key, self.secret)

    def seal(self, plain, nonce):
        room = ctypes.create_string_buffer(len(plain) + MAC)
        if SODIUM.crypto_box_easy(room, plain, ctypes.c_ulonglong(len(plain)), nonce, self.server,
                                  self.secret):
            raise ValueError("not sealed")
        return room.raw

    def open(self, box, nonce):
        room = ctypes.create_string_buffer(max(1, len(box) - MAC))
        if SODIUM.crypto_box_open_easy(room, box, ctypes.c_ulonglong(len(box)), nonce, self.server,
                                       self.secret):
            raise ValueError("not opened")
        return room.raw[:len(box) - MAC]


class Page:
    """One page at an address that `seatagent web --json` printed."""

    def __init__(self, address, source=None):
        parts = urllib.parse.urlsplit(address)
        said = dict(urllib.parse.parse_qsl(parts.fragment))
        self.host = parts.netloc
        self.is_secure = parts.scheme == "https"
        self.box = Box(unbase(said["k"]))
        self.entry = unbase(said["o"]) if "o" in said else b""
        self.session = bytes(16)
        self.number = 0
        self.source = source
        self.kept = None

    def connection(self, timeout=20):
        name, port = self.host.split(":")
        source = (self.source, 0) if self.source else None
        if self.is_secure:
            return http.client.HTTPSConnection(name, int(port), timeout=timeout,
                                               source_address=source, context=warned())
        return http.client.HTTPConnection(name, int(port), timeout=timeout, source_address=source)

    def send(self, path, body, **heads):
        """Sends bytes on a connection that is kept; the status and what came back."""
        for again in (False, True):
            self.kept = self.kept or self.connection()
            try:
                self.kept.request("POST", path, body=body, headers={"Host": self.host, **heads})
                said = self.kept.getresponse()
                return said.status, said.read()
            except (ConnectionError, http.client.BadStatusLine):
                self.kept.close()
                self.kept = None
                if again:
                    raise

    def call(self, question, number=None, id=None, session=None):
        """The sealed bytes of a question."""
        if number is None:
            self.number += 1
            number = self.number
        self.id = id or os.urandom(16)
        plain = (bytes([CALL]) + (self.session if session is None else session)
                 + number.to_bytes(8, "big") + self.id + json.dumps(question).encode())
        nonce = os.urandom(24)
        return self.box.key.raw + nonce + self.box.seal(plain, nonce)

    def opened(self, body, id=None):
        plain = self.box.open(body[24:], body[:24])
        if plain[0] != REPLY or plain[1:17] != (id or self.id):
            raise ValueError("this is another answer")
        return json.loads(plain[17:])

    def ask(self, question, **more):
        """What is answered, as it is in the box."""
        status, body = self.send("/call", self.call(question, **more))
        if status != 200:
            raise ValueError(f"{status} {body!r}")
        return self.opened(body)

    def hello(self):
        said = self.ask({"op": "hello"}, number=0, session=bytes(16))
        self.session = bytes.fromhex(said["session"])
        self.number = max(self.number, int(said["highest"]))
        return said

    def enter(self):
        self.hello()
        return self.ask({"op": "enter", "key": self.entry.hex()})

    def join(self, name, seat, seconds=40, **more):
        """Comes in as a guest; what was said at last."""
        self.hello()
        end = time.monotonic() + seconds
        while True:
            said = self.ask({"op": "join", "name": name, "seat": seat, **more})
            if not said.get("ok") or said["result"]["stage"] == "here":
                return said
            if time.monotonic() > end:
                raise TimeoutError(str(said))
            time.sleep(0.3)

    def do(self, op, **arguments):
        """The result of an operation; fails with what the agent said."""
        said = self.ask({"op": op, **arguments})
        if not said.get("ok"):
            raise ValueError(json.dumps(said))
        return said["result"]

    def events(self, after="", seconds=20):
        """Gives events of a stream with their numbers, until nothing came for so long."""
        stream = self.connection(seconds)
        stream.request("POST", "/events", body=self.call({"after": after}),
                       headers={"Host": self.host})
        said = stream.getresponse()
        if said.status != 200:
            raise ValueError(f"{said.status} {said.read()!r}")
        try:
            while True:
                line = said.readline()
                if not line:
                    return
                if not line.startswith(b"data: "):
                    continue
                body = base64.b64decode(line[6:])
                plain = self.box.open(body[24:], body[:24])
                if plain[0] != EVENT or plain[1:17] != self.session:
                    raise ValueError("this is no event")
                yield int.from_bytes(plain[17:25], "big"), json.loads(plain[25:])
        finally:
            stream.close()
