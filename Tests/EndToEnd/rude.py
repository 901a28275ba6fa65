# SPDX-License-Identifier: Apache-2.0
"""What a hostile peer tries, one way at a time.

    python3 rude.py ADDRESS PORT FLIGHT-AUTH [WAY...]

Prints one line of JSON per way: how the connection ended. Each way comes from an address of its
own in 127.0.0.0/8, so that what an agent holds against one is not held against the next.
"""

import json
import os
import socket
import sys

from cbor import encode, head
from stranger import (
    CERTIFICATE, ENTRIES, HELLO, HELLO_ACK, PING, PREPARE, Closed, Key, Stranger, entry,
    flight_auth, flight_id)


def garbage_on_tcp(_, address, port, source):
    with socket.create_connection((address, port), 10, (source, 0)) as line:
        try:
            line.sendall(os.urandom(4096))
            while line.recv(4096):
                pass
        except ConnectionError:
            pass
    return None


def silence(peer, _):
    """TLS, and then nothing."""


def garbage_in_tls(peer, _):
    peer.write(b"\xff" + os.urandom(8191))


def length_zero(peer, _):
    peer.write(bytes(4))


def too_long_for_a_stranger(peer, _):
    peer.frame(HELLO, b"", length=4097)


def too_long_for_anyone(peer, auth):
    peer.hello(auth)
    peer.write((65537).to_bytes(4, "big") + bytes([ENTRIES]))


def announces_and_stops(peer, _):
    """A length that is allowed, and never the bytes."""
    peer.write((4096).to_bytes(4, "big") + b"\x00")


def ping_before_hello(peer, _):
    peer.frame(PING, 1)


def prepare_before_hello(peer, _):
    peer.frame(PREPARE, [bytes(16), bytes(64), []])


def acknowledges_before_hello(peer, _):
    peer.frame(HELLO_ACK, [0, 0])


def hello_twice(peer, auth):
    peer.hello(auth)
    peer.frame(HELLO, peer.hello_fields(auth))


def unknown_even_type(peer, auth):
    peer.hello(auth)
    peer.frame(200, b"")


def another_flight(peer, _):
    peer.frame(HELLO, peer.hello_fields(bytes(32)))


def proof_of_another_session(peer, auth):
    fields = peer.hello_fields(auth)
    fields[6] = [fields[6][0][:15] + bytes([fields[6][0][15] ^ 1])]
    peer.frame(HELLO, fields)


def longer_head_than_needed(peer, auth):
    fields = encode(peer.hello_fields(auth))
    peer.frame(HELLO, b"\xb8\x08" + fields[1:])


def keys_out_of_order(peer, auth):
    fields = peer.hello_fields(auth)
    peer.frame(HELLO, dict(reversed(fields.items())))


def key_twice(peer, auth):
    fields = encode(peer.hello_fields(auth))
    peer.frame(HELLO, head(5, 9) + fields[1:] + encode(7) + encode(0))


def bytes_after_the_end(peer, auth):
    peer.frame(HELLO, encode(peer.hello_fields(auth)) + b"\x00")


def endless_nesting(peer, auth):
    peer.hello(auth)
    peer.frame(ENTRIES, b"\x81" * 60000)


def wrong_signature(peer, auth):
    peer.hello(auth)
    first, _ = entry(
        peer.key, flight_id(auth), 1, None, 0, ["mallory", "rude"], sign_with=Key())
    peer.frame(ENTRIES, [0, [first]])


def entry_of_another_flight(peer, auth):
    peer.hello(auth)
    first, _ = entry(peer.key, flight_id(bytes(32)), 1, None, 0, ["mallory", "rude"])
    peer.frame(ENTRIES, [0, [first]])


def certificate_of_nothing(peer, auth):
    peer.hello(auth)
    peer.frame(CERTIFICATE, [b"\x80", [], []])


WAYS = {name: way for name, way in list(globals().items())
        if callable(way) and getattr(way, "__module__", "") == "__main__"}


def attempt(name, address, port, auth, source):
    if name == "garbage_on_tcp":
        return garbage_on_tcp(None, address, port, source)
    peer = Stranger(address, port, source=source)
    try:
        WAYS[name](peer, auth)
        return peer.until_closed()
    except Closed as closed:
        return closed.code
    finally:
        peer.close()


def main():
    address, port, text = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    auth = bytes.fromhex(text) if text != "-" else flight_auth()
    for number, name in enumerate(sys.argv[4:] or WAYS):
        source = f"127.{os.getpid() >> 8 & 127 | 1}.{os.getpid() & 255}.{number % 250 + 1}"
        try:
            code = attempt(name, address, port, auth, source)
        except OSError as error:
            code = str(error)
        print(json.dumps({"way": name, "code": code}), flush=True)


if __name__ == "__main__":
    main()
