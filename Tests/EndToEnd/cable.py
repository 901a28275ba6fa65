# SPDX-License-Identifier: Apache-2.0
"""A bad switch: hands every Ethernet frame on after a delay, and loses some.

    python3 cable.py SECONDS PERCENT PORT PORT...

Runs in the switch's namespace in place of a bridge, on any kernel, also one without netem. It
learns where each address is, so that a frame for one host goes to one port. A frame is lost by
chance, the same chances on every run. The delay gives a test time to pull the plug while a frame
is on its way.
"""

import collections
import random
import select
import socket
import sys
import time

ALL = 0x0003  # ETH_P_ALL
OUTGOING = 4  # PACKET_OUTGOING: our own frames, seen again on the way out
BATCH = 64  # frames of one port before the others get their turn
QUEUE = 20000  # frames under way; more are lost, as in any switch


def main(delay, loss, names):
    ports = [open_port(name) for name in names]
    number = {port.fileno(): index for index, port in enumerate(ports)}
    poll = select.epoll()
    for port in ports:
        poll.register(port.fileno(), select.EPOLLIN)
    print("ready", flush=True)
    chance = random.Random(1)
    waiting = collections.deque()  # one delay for all: first in, first out
    where = {}
    while True:
        rest = max(0, waiting[0][0] - time.monotonic()) if waiting else -1
        for descriptor, _ in poll.poll(rest):
            here = number[descriptor]
            for _ in range(BATCH):
                try:
                    frame, source = ports[here].recvfrom(65536)
                except OSError:
                    break  # no more, or the cable is down
                if source[2] == OUTGOING:
                    continue
                where[frame[6:12]] = here
                if chance.random() * 100 < loss or len(waiting) > QUEUE:
                    continue
                waiting.append((time.monotonic() + delay, here, frame))
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, here, frame = waiting.popleft()
            there = None if frame[0] & 1 else where.get(frame[:6])
            for index in range(len(ports)) if there is None else (there,):
                if index != here:
                    send(ports[index], frame)


def open_port(name):
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL))
    port.bind((name, 0))
    port.setblocking(False)
    port.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    return port


def send(port, frame):
    try:
        port.send(frame)
    except OSError:
        pass  # lost, as on a cable that was pulled


if __name__ == "__main__":
    main(float(sys.argv[1]), float(sys.argv[2]), sys.argv[3:])
