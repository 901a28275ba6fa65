# SPDX-License-Identifier: Apache-2.0
"""A DNS server for one host: it says which brokers a meeting point has (RFC 2782), and where they
are. With an empty resolv.conf a resolver asks 127.0.0.1."""

import socket
import struct
import threading

from meet_broker import network_of

A, SRV = 1, 33


def name(text):
    """A name in an answer (RFC 1035 section 3.1), not compressed."""
    return b"".join(bytes([len(word)]) + word.encode() for word in text.split(".")) + b"\0"


class Records:
    """Answers at 127.0.0.1:53 of `host` until it is closed. `brokers` are (name, port), and may be
    replaced at any time; all are at `address`."""

    def __init__(self, host, domain, brokers, address):
        self.domain, self.brokers, self.address = domain, brokers, address
        with network_of(host):
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self):
        self.socket.sendto(b"", ("127.0.0.1", 53))  # too short for a question: it ends
        self._thread.join(10)
        self.socket.close()

    def _serve(self):
        while True:
            question, whence = self.socket.recvfrom(512)
            if len(question) < 17:
                return
            self.socket.sendto(self._answer(question), whence)

    def _answer(self, question):
        end = question.index(0, 12) + 5
        text = self._text(question[12:end - 5]).lower()
        kind, = struct.unpack(">H", question[end - 4:end - 2])
        found, exists = self._records(text, kind)
        # An answer, recursion available; 3 is "no such name".
        head = question[:2] + struct.pack(
            ">HHHHH", 0x8180 | (0 if exists else 3), 1, len(found), 0, 0)
        records = b"".join(
            b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, len(data)) + data for data in found)
        return head + question[12:end] + records

    def _text(self, words):
        found, at = [], 0
        while at < len(words):
            found.append(words[at + 1:at + 1 + words[at]].decode("ascii", "replace"))
            at += 1 + words[at]
        return ".".join(found)

    def _records(self, text, kind):
        """The data of what was asked for, and whether there is such a name."""
        if text == f"_seatmeet._tcp.{self.domain}":
            targets = [struct.pack(">HHH", 0, 0, port) + name(host) for host, port in self.brokers]
            return (targets if kind == SRV else []), True
        if text == self.domain or text.endswith("." + self.domain):
            return ([socket.inet_aton(self.address)] if kind == A else []), True
        return [], False
