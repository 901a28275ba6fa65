# SPDX-License-Identifier: Apache-2.0
"""Strangers with free keys who write as much as an agent lets them.

    python3 flood.py ADDRESS PORT FLIGHT-AUTH KEYS SECONDS logs|messages

Each key has a link of its own. With `logs` it pushes lines of 2000 bytes into its log, with
`messages` it sends direct messages of that size. Prints one line of JSON: bytes sent, and how many
links stood at the end.
"""

import json
import os
import select
import sys
import threading
import time

from stranger import ENTRIES, Closed, Key, Stranger, entry, flight_id

DM = 42
TEXT = 2000
#: Words of many letters, so that an index of words has something to do.
WORDS = 8


class Flooder:
    """One key and its link."""

    def __init__(self, place, auth, what):
        self.auth, self.what = auth, what
        self.sent = 0
        self.stands = True
        self.peer = Stranger(*place, key=Key(), seconds=60)
        self.peer.hello(auth)
        self.seq = 0
        self.last = None

    def flood(self, until):
        try:
            if self.what == "messages":
                self.write(0, ["stranger", "flood"])
                self.write(2, [[31 + os.urandom(1)[0] % 9, 0], 0])
            while time.monotonic() < until:
                self.hear()
                if self.what == "logs":
                    self.write(*self.next_entry())
                else:
                    self.peer.frame(DM, [os.urandom(16), self.text()])
                    self.sent += TEXT
        except (Closed, OSError):
            self.stands = False

    def text(self):
        return " ".join(os.urandom(WORDS).hex() for _ in range(TEXT // (2 * WORDS + 1)))

    def next_entry(self):
        if self.seq == 0:
            return 0, ["stranger", "flood"]
        return 7, [self.text(), None, 0, []]

    def write(self, kind, body):
        self.seq += 1
        whole, self.last = entry(
            self.peer.key, flight_id(self.auth), self.seq, self.last, kind, body)
        self.peer.frame(ENTRIES, [0, [whole]])
        self.sent += len(whole)

    def hear(self):
        """Takes what came, so that the agent does not think that nobody reads."""
        while select.select([self.peer.socket], [], [], 0)[0]:
            self.peer.read_frame()


def main(address, port, auth, keys, seconds, what):
    auth = bytes.fromhex(auth)
    flooders = []
    for _ in range(int(keys)):
        try:
            flooders.append(Flooder((address, int(port)), auth, what))
        except (Closed, OSError):
            pass
    until = time.monotonic() + float(seconds)
    threads = [threading.Thread(target=one.flood, args=(until,)) for one in flooders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({
        "keys": len(flooders), "stand": sum(one.stands for one in flooders),
        "bytes": sum(one.sent for one in flooders)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
