# SPDX-License-Identifier: Apache-2.0
"""What the full-screen view costs: 192 passengers, 5 000 lines of chat, one key after another.

The agent is a stand-in at the control socket, so that only the view is measured. CPU time comes
from the kernel's own count for the process, memory is its largest resident size.
"""

import fcntl
import json
import os
import pty
import select
import shutil
import signal
import socket
import statistics
import struct
import sys
import tempfile
import termios
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BINARY = os.environ.get("SEATAGENT", os.path.join(
    os.path.dirname(os.path.dirname(HERE)), ".build", "release", "seatagent"))
PASSENGERS = 192
LINES = 5000
KEYS = 200
CPU_LIMIT_MS = 10.0
MEMORY_LIMIT_MIB = 40.0
LETTERS = "ABCDEF"


def passenger(number):
    seat = f"{number // 6 + 1}{LETTERS[number % 6]}"
    return {"key": f"{number:064x}", "tag": f"#{number:04x}", "name": f"passenger {number}",
            "seats": [seat]}


PEOPLE = [passenger(number) for number in range(PASSENGERS)]
ME = dict(PEOPLE[80], me=True)


def chat(number):
    who = PEOPLE[number % PASSENGERS]
    return {"event": "chat", "at": "2026-11-22T10:02:00Z", "who": who, "id": f"{number:064x}",
            "text": f"line {number}: does anybody want to swap a window for an aisle seat?"}


def answer(request):
    """What the stand-in knows, by operation."""
    seats = [{"seat": who["seats"][0], "state": "held", "holders": [who]} for who in PEOPLE]
    return {
        "watch": {"events": []},
        "log": {"items": [chat(number) for number in range(2000)]},
        "status": {"me": ME, "aboard": PASSENGERS - 1, "linked": 8, "alone": None, "window": None,
                   "flight": {"practice": True}, "network": {}, "requests": {}},
        "peers": {"peers": [dict(who, linked=True, offer=None) for who in PEOPLE
                            if who["key"] != ME["key"]]},
        "seats": {"seats": [dict(seat, holders=[ME] if seat["holders"][0]["key"] == ME["key"]
                                 else seat["holders"]) for seat in seats]},
        "requests": {"requests": []},
        "say": {"id": "0" * 64, "linked": 8},
    }.get(request["op"], {})


def serve(path, ready):
    """One view at a time; after its history come the rest of the lines as events."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(4)
    ready.set()
    while True:
        link, _ = listener.accept()
        # Two files: one for both ways would drop what was read ahead at every write.
        requests = link.makefile("r", encoding="utf-8")
        lines = link.makefile("w", encoding="utf-8")
        lines.write('{"agent":"0.1.0","event":"hello","pid":1,"profile":"default","version":1}\n')
        lines.flush()
        for line in requests:
            request = json.loads(line)
            reply = {"id": request.get("id"), "ok": True, "version": 1, "result": answer(request)}
            lines.write(json.dumps(reply) + "\n")
            if request["op"] == "log":
                for number in range(2000, LINES):
                    lines.write(json.dumps(chat(number)) + "\n")
            lines.flush()


def cpu_ms(pid):
    """CPU time of the process so far."""
    with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0]) / 1e6


def peak_mib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024


def drain(terminal, quiet, first=5):
    """Reads until nothing came for `quiet` seconds, and waits `first` for the first byte; gives how
    many came."""
    count = 0
    while select.select([terminal], [], [], quiet if count else first)[0]:
        count += len(os.read(terminal, 65536))
    return count


def measure(pid, terminal, keys, quiet=0.03):
    costs = []
    for key in keys:
        before = cpu_ms(pid)
        os.write(terminal, key)
        if drain(terminal, quiet) == 0:
            raise SystemExit(f"nothing was drawn for {key!r}")
        costs.append(cpu_ms(pid) - before)
    return costs


def report(what, value, unit, limit):
    verdict = "" if value <= limit else "   OVER ITS LIMIT"
    print(f"{what:44} {value:9.2f} {unit}   ({value / limit:.0%} of the limit of "
          f"{limit:.0f} {unit}){verdict}", flush=True)
    return value <= limit


def main():
    folder = tempfile.mkdtemp(prefix="seatagent-bench-")
    ready = threading.Event()
    path = f"{folder}/default.sock"
    threading.Thread(target=serve, args=(path, ready), daemon=True).start()
    ready.wait(5)
    environment = dict(os.environ, SEATAGENT_SOCKET=path, TERM="xterm-256color", HOME=folder,
                       XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder, XDG_STATE_HOME=folder)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(BINARY, [BINARY], environment)
    try:
        return run(pid, terminal)
    finally:
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
        shutil.rmtree(folder, ignore_errors=True)


def run(pid, terminal):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    if drain(terminal, 3) == 0:
        raise SystemExit("the view drew nothing")
    time.sleep(0.5)
    # Letters that differ: a full line of one letter looks the same after one more.
    typed = measure(pid, terminal, [bytes([97 + number % 26]) for number in range(KEYS)])
    scrolled = measure(pid, terminal, [b"\x1b[5~"] * (KEYS // 4))
    os.write(terminal, b"\x03\x1bOQ")
    drain(terminal, 0.3)
    moved = measure(pid, terminal, [b"l", b"h"] * (KEYS // 4))
    fine = [
        report(f"view: a letter, median of {len(typed)}", statistics.median(typed), "ms",
               CPU_LIMIT_MS),
        report("view: a letter, the slowest", max(typed), "ms", CPU_LIMIT_MS),
        report("view: a page back, the slowest", max(scrolled), "ms", CPU_LIMIT_MS),
        report("view: a step in the cabin, the slowest", max(moved), "ms", CPU_LIMIT_MS),
        report("view: largest memory", peak_mib(pid), "MiB", MEMORY_LIMIT_MIB),
    ]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
