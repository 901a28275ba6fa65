# SPDX-License-Identifier: Apache-2.0
"""A schedule service on this machine, for tests.

    python3 schedule_service.py FOLDER

Answers each request with FOLDER/answer (a status in its first line, then the body; `hang` in its
place: never) and writes a line of JSON to FOLDER/asked: path, headers, and what everybody can see
of the programs that run meanwhile. Its port stands in FOLDER/port.
"""

import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FOLDER = sys.argv[1]


def command_lines():
    lines = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                lines.append(file.read().decode(errors="replace"))
        except OSError:
            pass
    return lines


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        asked = {"path": self.path, "headers": dict(self.headers), "programs": command_lines()}
        with open(f"{FOLDER}/asked", "a") as file:
            file.write(json.dumps(asked) + "\n")
        with open(f"{FOLDER}/answer", "rb") as file:
            first, body = file.read().split(b"\n", 1)
        if first == b"hang":
            time.sleep(60)
        self.send_response(int(first))
        if first == b"302":
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
with open(f"{FOLDER}/port.new", "w") as file:
    file.write(str(server.server_port))
os.rename(f"{FOLDER}/port.new", f"{FOLDER}/port")
server.serve_forever()
