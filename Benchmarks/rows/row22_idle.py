# SPDX-License-Identifier: Apache-2.0
"""Row 22: bytes of an agent that waits at a meeting point for an hour and has nothing to say.

They are those of MQTT in both directions, counted between the agent and the broker, with the four
bytes of each sign of life (every 25 s); what TLS and TCP add is not among them. The meeting's clock
is fast, so an hour of six cards and four looks at the others' boxes takes half a minute.
"""

import socket
import subprocess
import threading

import brokers
from figures import Ratio
from frame import Broken

WHAT = "idle at a meeting point"
GOAL = 20
SPEED = 120
OTHERS = 5
SIGNS_OF_LIFE = 3600 / 25 * 4


class Wire:
    """Hands bytes on between whoever connects and a port, and counts them."""

    def __init__(self, port):
        self.there = port
        self.bytes = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                one, _ = self.listener.accept()
            except OSError:
                return
            other = socket.create_connection(("127.0.0.1", self.there))
            for ends in ((one, other), (other, one)):
                threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source, target):
        try:
            while data := source.recv(65536):
                self.bytes += len(data)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        self.listener.close()


def measure(bench):
    alone = [hour(bench, 0)]
    among = [hour(bench, OTHERS)]
    return [ratio("alone there", alone), ratio(f"with {OTHERS} others' boxes", among)]


def ratio(what, values):
    kilobytes = [value / 1000 for value in values]
    return Ratio(what, kilobytes[0], GOAL, unit="kB an hour",
                 details=[f"of these {SIGNS_OF_LIFE / 1000:.2f} kB signs of life"])


def hour(bench, others):
    """Bytes in the hour behind the first five minutes."""
    shore = bench.swift("shore")
    with brokers.mosquitto(bench) as peer:
        there = f"mqtt://127.0.0.1:{peer.port}"
        if others:
            bench.run([shore, "fill", there, str(others)], port=there)
        wire = Wire(peer.port)
        url = f"mqtt://127.0.0.1:{wire.port}"
        guest = bench.start([shore, "idle", url, str(SPEED)], port=url,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            counts = []
            for word in ("begins", "ends"):
                if guest.stdout.readline().strip() != word:
                    raise Broken(f"shore idle does not say {word}")
                counts.append(wire.bytes)
                guest.stdin.write("\n")
                guest.stdin.flush()
        finally:
            wire.close()
            bench.end(guest)
    return counts[1] - counts[0] + SIGNS_OF_LIFE
