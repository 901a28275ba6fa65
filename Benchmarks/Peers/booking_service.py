# SPDX-License-Identifier: Apache-2.0
"""Row 16, the peer: a service for bookings over HTTP, with SQLite, as one would write it.

    booking_service.py right|naive FILE

`right` looks and writes in one transaction, which is on the disk before the answer. `naive` looks,
and then writes, as is common: between the two somebody else may look. Each connection to the
database is a thread's own. Prints its port.
"""

import http.server
import json
import sqlite3
import sys
import threading

MODE, FILE = sys.argv[1:]
LOCAL = threading.local()
SCHEMA = """CREATE TABLE IF NOT EXISTS booking (
    place INTEGER, day INTEGER, start INTEGER, finish INTEGER, member TEXT)"""
TAKEN = "SELECT 1 FROM booking WHERE place = ? AND day = ? AND start < ? AND finish > ?"
QUOTA = "SELECT COUNT(*) FROM booking WHERE member = ? AND day = ?"


def database():
    if not hasattr(LOCAL, "database"):
        LOCAL.database = sqlite3.connect(FILE, isolation_level=None, timeout=30)
        LOCAL.database.execute("PRAGMA journal_mode = WAL")
        LOCAL.database.execute("PRAGMA synchronous = FULL")
    return LOCAL.database


def booked(ask):
    """Whether the member has it now."""
    file = database()
    place, day, start, finish = ask["place"], ask["day"], ask["start"], ask["start"] + 60
    if MODE == "right":
        file.execute("BEGIN IMMEDIATE")
    free = file.execute(TAKEN, (place, day, finish, start)).fetchone() is None
    left = file.execute(QUOTA, (ask["member"], day)).fetchone()[0] < 1
    if free and left:
        file.execute("INSERT INTO booking VALUES (?, ?, ?, ?, ?)",
                     (place, day, start, finish, ask["member"]))
    if MODE == "right":
        file.execute("COMMIT")
    return free and left


class Counter(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        ask = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"booked": booked(ask)}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Service(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


def main():
    database().execute(SCHEMA)
    service = Service(("127.0.0.1", 0), Counter)
    print(service.server_address[1], flush=True)
    service.serve_forever()


main()
