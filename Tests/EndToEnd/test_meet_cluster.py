# SPDX-License-Identifier: Apache-2.0
"""Three NATS servers that keep everything together, each killed once under load: what was
acknowledged is there, and agents meet (docs/meet.md section 9)."""

import base64
import os
import random
import threading
import time

from case import for_soak
from meet_broker import box, group
from meet_stream import StreamCase
from waiting import until

SIZES = (512, 1024, 2048, 16384)


class Writer(threading.Thread):
    """A passenger's client that leaves boxes, one after another, at whichever server takes them."""

    def __init__(self, cluster, seed):
        super().__init__(daemon=True)
        self.cluster, self.random = cluster, random.Random(seed)
        #: What a server said that it has: subject -> body.
        self.acknowledged = {}
        self.is_over = False
        self.client = None

    def run(self):
        count = 0
        while not self.is_over:
            subject = f"{group()}/c/{self.random.choice('0123456789abcdef')}/{box()}"
            body = os.urandom(self.random.choice(SIZES))
            count += 1
            while not self.is_over and not self.leave(subject.replace("/", "."), body):
                time.sleep(0.2)

    def leave(self, subject, body):
        try:
            if self.client is None:
                server = self.random.choice(self.cluster.servers)
                self.client = self.cluster.client(server, user="ada", wait=3)
            answer = self.client.ask(subject, body)
        except OSError:
            if self.client:
                self.client.close()
            self.client = None
            return False
        if "error" in answer:
            return False
        self.acknowledged[subject] = body
        time.sleep(0.01)
        return True


class ClusterTest(StreamCase):
    """One host with three servers, and two more with agents."""

    @for_soak
    def test_each_of_three_servers_dies_under_load_and_nothing_acknowledged_is_lost(self):
        self.begin("ada", "bo", count=3)
        servers = self.meet.servers
        urls = [f"nats+tls://{server.at}:{server.port}" for server in servers]
        ada = self.passenger("ada", "14C", url=urls[0]).board()
        bo = self.passenger("bo", "15B", url=urls[1]).board()
        both = {"14C": "ada", "15B": "bo"}
        until("they meet over two servers", lambda: ada.held() == bo.held() == both, 60)
        writers = [Writer(self.meet, seed) for seed in range(3)]
        for writer in writers:
            writer.start()
        for number, server in enumerate(servers):
            before = sum(len(writer.acknowledged) for writer in writers)
            until("boxes are left", lambda: sum(
                len(writer.acknowledged) for writer in writers) > before + 200, 120)
            server.kill()
            ada.call("say", f"said without server {number + 1}")
            during = sum(len(writer.acknowledged) for writer in writers)
            until("boxes are left at the other two", lambda: sum(
                len(writer.acknowledged) for writer in writers) > during + 200, 120)
            server.start()
            until("the server is back", lambda: self.meet.is_whole(server), 120)
            until("bo hears it", lambda: f"said without server {number + 1}" in bo.said(), 200)
        for writer in writers:
            writer.is_over = True
        for writer in writers:
            writer.join(60)
        meant = {}
        for writer in writers:
            meant |= writer.acknowledged
        self.assertGreater(len(meant), 1200)
        for server in servers:
            kept = self.meet.kept(server)
            lost = [subject for subject, body in meant.items()
                    if kept.get(subject) != base64.b64encode(body).decode()]
            self.assertEqual(lost, [], f"{len(lost)} of {len(meant)} lost")
        print(f"{len(meant)} acknowledged, none lost")
        until("both are stored", lambda: self.is_stored(ada) and self.is_stored(bo), 120)
