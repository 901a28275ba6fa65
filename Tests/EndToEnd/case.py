# SPDX-License-Identifier: Apache-2.0
"""What every end-to-end test is: hosts that go away after it, and their logs if it fails."""

import os
import unittest

import world
from hosts import Cabin, Loopback

#: How much of each log a failure shows.
LOG_LINES = 40


def for_soak(test):
    """Marks a test that is part of `make soak` alone."""
    test.is_for_soak = True
    return test


class Case(unittest.TestCase):
    def setUp(self):
        self._places = []

    def cabin(self, *names, **options):
        """Hosts on one link; the test is skipped where there can be none."""
        if world.no_namespaces:
            self.skipTest(f"needs network namespaces: {world.no_namespaces}")
        place = Cabin(*names, **options)
        self._places.append(place)
        self.addCleanup(place.close)
        return place

    def loopback(self):
        """One host without mDNS; works everywhere."""
        return self.until_done(Loopback())

    def until_done(self, host):
        """A host that goes away after the test."""
        self._places.append(host)
        self.addCleanup(host.close)
        return host

    def evidence(self):
        """The last lines of every log of every host of this test."""
        pages = []
        for place in self._places:
            for host in getattr(place, "hosts", {"": place}).values():
                for path in host.logs:
                    with open(path, errors="replace") as file:
                        lines = file.read().splitlines()[-LOG_LINES:]
                    if lines:
                        pages.append(f"-- {host.name}: {os.path.basename(path)}")
                        pages += lines
        return "\n".join(pages)
