# SPDX-License-Identifier: Apache-2.0
"""Row 14, the peer: milliseconds from starting a process that publishes one retained message
(MQTT 3.1.1) to five subscribers having it.

    retained.py PORT ROUNDS
"""

import socket
import subprocess
import sys
import time

PUBLISH = """
import socket, sys
wire = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
wire.sendall(bytes([16, 14, 0, 4]) + b"MQTT" + bytes([4, 2, 0, 60, 0, 2]) + b"p0")
wire.recv(4)
topic, text = b"uva/p0", sys.argv[2].encode()
wire.sendall(bytes([49, 2 + len(topic) + len(text), 0, len(topic)]) + topic + text)
wire.sendall(bytes([224, 0]))
wire.close()
"""


def packet(wire):
    """The type and the body of the next packet; bodies here are short."""
    kind, size = wire.recv(1), wire.recv(1)
    body = b""
    while len(body) < size[0]:
        body += wire.recv(size[0] - len(body))
    return kind[0], body


def subscriber(port, number):
    wire = socket.create_connection(("127.0.0.1", port))
    name = b"s%d" % number
    wire.sendall(bytes([16, 14, 0, 4]) + b"MQTT" + bytes([4, 2, 0, 60, 0, 2]) + name)
    assert packet(wire)[0] == 32
    wire.sendall(bytes([130, 10, 0, 1, 0, 5]) + b"uva/#" + bytes([0]))
    assert packet(wire)[0] == 144
    return wire


def main():
    port, rounds = int(sys.argv[1]), int(sys.argv[2])
    wires = [subscriber(port, number) for number in range(5)]
    times = []
    for number in range(rounds):
        text = f"{number:04}"
        began = time.monotonic()
        process = subprocess.Popen([sys.executable, "-S", "-c", PUBLISH, str(port), text])
        for wire in wires:
            while True:
                kind, body = packet(wire)
                if kind >> 4 == 3 and body.endswith(text.encode()):
                    break
        times.append((time.monotonic() - began) * 1000)
        process.wait(10)
    print("retained", *(f"{one:.3f}" for one in times), "ms")


main()
