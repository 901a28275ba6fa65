# SPDX-License-Identifier: Apache-2.0
"""Row 16, the peer's clients: the same asks as `wire rush` makes, over HTTP.

    rush_http.py PORT MEMBERS LINKS COURTS

Milliseconds from the first ask to the last answer, and how many were booked. Each of LINKS
connections asks in turn, and the next ask of one waits for the answer of the one before.
"""

import http.client
import json
import queue
import sys
import threading
import time


def ask(number, courts):
    slot = number // 2
    return json.dumps({"member": f"m{number}", "place": 1 + slot % courts, "day": 1,
                       "start": 480 + 60 * (slot // courts)})


def main():
    port, members, links, courts = map(int, sys.argv[1:])
    waiting, booked, ends = queue.Queue(), [], []

    def talk():
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        line.connect()
        while True:
            number = waiting.get()
            if number is None:
                return
            line.request("POST", "/", ask(number, courts))
            told = json.load(line.getresponse())
            booked.append(told["booked"])
            ends.append(time.monotonic())
    threads = [threading.Thread(target=talk) for _ in range(links)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    began = time.monotonic()
    for number in range(members):
        pause = began + (number // 2) * 2 / members - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        waiting.put(number)
    for _ in threads:
        waiting.put(None)
    for thread in threads:
        thread.join()
    assert len(booked) == members
    print("answered", f"{(max(ends) - began) * 1000:.3f}", "ms")
    print("booked", sum(booked), "asks")


main()
