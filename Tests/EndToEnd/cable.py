"""A slow cable: hands every Ethernet frame from each port to all others after a delay.

    python3 cable.py SECONDS PORT PORT...

Runs in the switch's namespace in place of a bridge. It gives a test time to pull the plug while
a frame is on its way, on any kernel, also one without netem.
"""

import heapq
import select
import socket
import sys
import time

ALL = 0x0003  # ETH_P_ALL
OUTGOING = 4  # PACKET_OUTGOING: our own frames, seen again on the way out


def main(delay, names):
    ports = []
    for name in names:
        port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL))
        port.bind((name, 0))
        ports.append(port)
    print("ready", flush=True)
    waiting, count = [], 0
    while True:
        rest = max(0, waiting[0][0] - time.monotonic()) if waiting else None
        for port in select.select(ports, [], [], rest)[0]:
            try:
                frame, source = port.recvfrom(65536)
            except OSError:
                continue  # the cable is down
            if source[2] == OUTGOING:
                continue
            for other in ports:
                if other is not port:
                    count += 1
                    heapq.heappush(waiting, (time.monotonic() + delay, count, other, frame))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, port, frame = heapq.heappop(waiting)
            try:
                port.send(frame)
            except OSError:
                pass  # lost, as on a cable that was pulled


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
