# SPDX-License-Identifier: Apache-2.0
"""A broker that shows two groups of passengers different boxes, as two brokers of which each gets
what the other one has, but for what is held back."""

import threading
import time

#: Subscription options (MQTT 5.0 section 3.8.3.1): quality 1, nothing that this client said itself,
#: kept as it was.
AS_IT_WAS = 1 | 4 | 8


class Split:
    """Carries everything between two brokers; `holds_back(topic, from_second)` is asked first."""

    def __init__(self, first, second, holds_back):
        self.holds_back = holds_back
        self.over = threading.Event()
        self.kept_back = 0
        self.brokers = first, second
        self.thread = threading.Thread(target=self._carry, daemon=True)
        self.thread.start()

    def _carry(self):
        with self.brokers[0].operator() as first, self.brokers[1].operator() as second:
            for one in (first, second):
                one.subscribe("sa1/#", qos=AS_IT_WAS)
            pinged = time.monotonic()
            while not self.over.is_set():
                for ear, mouth in ((first, second), (second, first)):
                    for one in ear.collect(1, 0.02):
                        self._give(one, mouth, ear is second)
                if time.monotonic() > pinged + 20:
                    first.ping()
                    second.ping()
                    pinged = time.monotonic()

    def _give(self, one, mouth, from_second):
        if self.holds_back(one.topic, from_second):
            self.kept_back += 1
        else:
            mouth.publish(one.topic, one.payload, kept=one.kept, expiry=one.expiry)

    def end(self):
        self.over.set()
        self.thread.join()
