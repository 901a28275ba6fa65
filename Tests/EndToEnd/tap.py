# SPDX-License-Identifier: Apache-2.0
"""Hands on what a client and a broker say to each other, and keeps it: what the broker sees.

    python3 tap.py PORT ADDRESS THERE FILE

Listens at 127.0.0.1:PORT. Each piece is a line of JSON in FILE: connection, time, whether it is of
the client, and the bytes; null where that side ended.
"""

import json
import select
import socket
import sys
import time


def main(port, address, there, path):
    door = socket.create_server(("127.0.0.1", port))
    lines, count = {}, 0
    poll = select.epoll()
    poll.register(door.fileno(), select.EPOLLIN)
    with open(path, "w", buffering=1, encoding="ascii") as file:
        while True:
            for number, _ in poll.poll():
                if number == door.fileno():
                    count += 1
                    ends = door.accept()[0], socket.create_connection((address, there))
                    for one, other, is_client in ((*ends, True), (*ends[::-1], False)):
                        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                        lines[one.fileno()] = one, other, count, is_client
                        poll.register(one.fileno(), select.EPOLLIN)
                elif number in lines:
                    hand_on(lines, number, poll, file)


def hand_on(lines, number, poll, file):
    one, other, count, is_client = lines[number]
    try:
        data = one.recv(65536)
        other.sendall(data)
    except OSError:
        data = b""
    print(json.dumps([count, time.time(), is_client, data.hex() or None]), file=file)
    if not data:
        for end in (one, other):
            lines.pop(end.fileno(), None)
            poll.unregister(end.fileno())
            end.close()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])
