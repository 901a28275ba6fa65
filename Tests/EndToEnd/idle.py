# SPDX-License-Identifier: Apache-2.0
"""Opens connections that say nothing, and opens each anew a moment after it ends.

    python3 idle.py ADDRESS PORT EACH SOURCE...

EACH from every SOURCE address. A line `ready` when all were open once, then nothing until it is
ended.
"""

import select
import socket
import sys
import time

#: Seconds until one that ended is opened anew: all together hundreds in a second.
AGAIN = 0.25


def dial(address, port, source):
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    line.setblocking(False)
    line.bind((source, 0))
    try:
        line.connect((address, port))
    except BlockingIOError:
        pass
    return line


def main():
    address, port, each, *sources = sys.argv[1:]
    lines = {}
    ended = []
    watcher = select.epoll()

    def begin(source):
        line = dial(address, int(port), source)
        lines[line.fileno()] = (line, source)
        watcher.register(line, select.EPOLLIN | select.EPOLLHUP | select.EPOLLERR)

    for source in sources * int(each):
        begin(source)
    print("ready", flush=True)
    while True:
        for number, _ in watcher.poll(AGAIN / 4):
            line, source = lines.pop(number)
            watcher.unregister(number)
            line.close()
            ended.append((time.monotonic() + AGAIN, source))
        while ended and ended[0][0] <= time.monotonic():
            begin(ended.pop(0)[1])


if __name__ == "__main__":
    main()
