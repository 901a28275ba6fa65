# SPDX-License-Identifier: Apache-2.0
"""What a host sends: its frames, and what stands in them."""

import os

from waiting import until

#: Keeps what this host sends, frame by frame with its length, in the file that it is told.
PROGRAM = """
import socket, struct, sys
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(3))
wire.bind((sys.argv[1], 0))
with open(sys.argv[2], "wb", 0) as file:
    while True:
        frame, (_, _, kind, *_) = wire.recvfrom(1 << 17)
        if kind == 4:
            file.write(struct.pack(">I", len(frame)) + frame)
"""


def record(host, name):
    """Begins to keep what a host sends; the path of the file, and the program."""
    path = f"{host.folder}/{name}.frames"
    watch = host.popen(["python3", "-c", PROGRAM, host.interface, path])
    until("it is recorded", lambda: os.path.exists(path))
    return path, watch


def frames(path):
    with open(path, "rb") as file:
        data = file.read()
    place, found = 0, []
    while place < len(data):
        size = int.from_bytes(data[place:place + 4], "big")
        found.append(data[place + 4:place + 4 + size])
        place += 4 + size
    return found


def payloads(path):
    """What stands behind the headers of the frames that a host sent: of TCP, and of UDP."""
    found = {6: [], 17: []}
    for frame in frames(path):
        if frame[12:14] == b"\x08\x00":
            inner, kind = 14 + (frame[14] & 15) * 4, frame[23]
        elif frame[12:14] == b"\x86\xdd":
            inner, kind = 54, frame[20]
        else:
            continue
        if kind in found:
            header = (frame[inner + 12] >> 4) * 4 if kind == 6 else 8
            found[kind].append(frame[inner + header:])
    return found[6], found[17]
