# SPDX-License-Identifier: Apache-2.0
"""What a host sends, or all that it hears, too: its frames, and what stands in them."""

import os
import struct

from waiting import until

#: Keeps what this host sends, or all that passes, frame by frame with its length, in the file that
#: it is told.
PROGRAM = """
import socket, struct, sys
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(3))
wire.bind((sys.argv[1], 0))
with open(sys.argv[2], "wb", 0) as file:
    while True:
        frame, (_, _, kind, *_) = wire.recvfrom(1 << 17)
        if kind == 4 or sys.argv[3] == "all":
            file.write(struct.pack(">I", len(frame)) + frame)
"""


def record(host, name, what="sent"):
    """Begins to keep what a host sends, or "all"; the path of the file, and the program."""
    path = f"{host.folder}/{name}.frames"
    watch = host.popen(["python3", "-c", PROGRAM, host.interface, path, what])
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


#: What a file of libpcap says of the packets in it: Ethernet, or IP without a frame around it.
ETHERNET, IP = 1, 101


def write_pcap(path, packets, kind):
    """Writes packets as a file that tshark reads. Their times are their order."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 1 << 18, kind))
        for number, packet in enumerate(packets):
            file.write(struct.pack("<IIII", number, 0, len(packet), len(packet)) + packet)


def tcp_packet(data, seq=1, stream=0, back=False, port=7711):
    """Bytes in a packet of TCP over IPv4, from the one who dialled or `back` from the other."""
    ends = (40000 + stream, port)
    source, target = reversed(ends) if back else ends
    header = struct.pack(">HHIIBBHHH", source, target, seq, 1, 5 << 4, 0x18, 65535, 0, 0)
    hosts = (b"\x0a\0\0\2\x0a\0\0\1" if back else b"\x0a\0\0\1\x0a\0\0\2")
    total = 20 + len(header) + len(data)
    return struct.pack(">BBHHHBBH", 0x45, 0, total, 0, 0, 64, 6, 0) + hosts + header + data
