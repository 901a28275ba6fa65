#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the sixteen streams of a meeting point on NATS JetStream (docs/meet.md section 10), or
brings those that exist to these settings. It needs Python and nothing else:

    python3 streams.py tls://m1.meet.example.org:4222 --user operator --password-file FILE

It says what it did, and ends with 1 where a stream could not be made."""

import argparse
import getpass
import json
import secrets
import socket
import ssl
import sys
import urllib.parse

DIGITS = "0123456789abcdef"
HOURS = 96
LARGEST = 16384


def settings(digit, replicas, bytes_):
    """Of one stream: all shards that begin with this digit, and of these what is kept."""
    shards = [f"sa1.{digit}{second}.*" for second in DIGITS]
    kept = ("c.*.*", "l.*.*.*", "q.*.*")
    return {
        "name": f"SA1_{digit.upper()}",
        "subjects": [f"{shard}.{kind}" for shard in shards for kind in kept],
        "retention": "limits", "discard": "old", "storage": "file", "num_replicas": replicas,
        "max_age": HOURS * 3600 * 10**9, "max_msgs_per_subject": 1, "max_msgs": -1,
        "max_bytes": bytes_, "max_msg_size": LARGEST, "max_consumers": -1,
        "duplicate_window": 10**9, "allow_rollup_hdrs": False, "deny_delete": False,
        "deny_purge": False,
    }


class Client:
    """One connection, which asks one question at a time."""

    def __init__(self, url, user=None, password=None, authority=None, wait=10):
        address = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((address.hostname, address.port or 4222), wait)
        self.left = b""
        self.line()
        if address.scheme != "nats":
            context = ssl.create_default_context(cafile=authority)
            self.socket = context.wrap_socket(self.socket, server_hostname=address.hostname)
        hello = {"verbose": False, "pedantic": False, "headers": True, "no_responders": True,
                 "lang": "python", "version": "1", "protocol": 1}
        if user:
            hello |= {"user": user, "pass": password}
        self.inbox = "_INBOX." + secrets.token_hex(16)
        self.send(f"CONNECT {json.dumps(hello)}\r\nSUB {self.inbox}.* 1\r\nPING\r\n".encode())
        while self.operation()[0] != "PONG":
            pass

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def _more(self):
        data = self.socket.recv(65536)
        if not data:
            raise OSError("the server ended the connection")
        self.left += data

    def line(self):
        while b"\r\n" not in self.left:
            self._more()
        line, self.left = self.left.split(b"\r\n", 1)
        return line.decode()

    def bytes(self, count):
        while len(self.left) < count + 2:
            self._more()
        data, self.left = self.left[:count], self.left[count + 2:]
        return data

    def operation(self):
        """The next one that is not housekeeping: ("PONG",) or ("MSG", subject, header, data)."""
        while True:
            words = self.line().split(" ")
            if words[0] == "PING":
                self.send(b"PONG\r\n")
            elif words[0] == "PONG":
                return ("PONG",)
            elif words[0] == "MSG":
                return ("MSG", words[1], b"", self.bytes(int(words[-1])))
            elif words[0] == "HMSG":
                data = self.bytes(int(words[-1]))
                head = int(words[-2])
                return ("MSG", words[1], data[:head], data[head:])
            elif words[0] == "-ERR":
                raise OSError(" ".join(words[1:]).strip("'"))

    def ask(self, subject, data=b""):
        """Says `data` under a subject, and gives the answer."""
        if not isinstance(data, bytes):
            data = json.dumps(data).encode()
        reply = f"{self.inbox}.{secrets.token_hex(8)}"
        self.send(f"PUB {subject} {reply} {len(data)}\r\n".encode() + data + b"\r\n")
        while True:
            kind, *rest = self.operation()
            if kind == "MSG" and rest[0] == reply:
                if rest[1].startswith(b"NATS/1.0 503"):
                    raise OSError("JetStream does not answer: is it switched on, with a leader?")
                return json.loads(rest[2])

    def make(self, stream):
        """Makes a stream, or changes it; what was done."""
        name = stream["name"]
        answer = self.ask(f"$JS.API.STREAM.INFO.{name}")
        verb = "CREATE" if "error" in answer else "UPDATE"
        answer = self.ask(f"$JS.API.STREAM.{verb}.{name}", stream)
        if "error" in answer:
            raise OSError(answer["error"]["description"])
        return "made" if verb == "CREATE" else "is there"


def main():
    parser = argparse.ArgumentParser(description="The streams of a meeting point.")
    parser.add_argument("url", help="tls://HOST:PORT of one server, or nats://127.0.0.1:PORT")
    parser.add_argument("--user", help="who may make streams")
    parser.add_argument("--password-file", help="their password; asked for without one")
    parser.add_argument("--ca", help="a file of roots, where the system's do not do")
    parser.add_argument("--replicas", type=int, default=3, help="machines that keep each stream")
    parser.add_argument("--bytes", type=int, default=2**30, help="of one stream, at most")
    words = parser.parse_args()
    password = None
    if words.password_file:
        with open(words.password_file) as file:
            password = file.readline().rstrip("\n")
    elif words.user:
        password = getpass.getpass(f"Password of {words.user}: ")
    client = Client(words.url, words.user, password, words.ca)
    for digit in DIGITS:
        stream = settings(digit, words.replicas, words.bytes)
        print(stream["name"], client.make(stream))


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"streams.py: {error}")
