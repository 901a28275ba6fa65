# SPDX-License-Identifier: Apache-2.0
"""The hosts themselves: what every other test stands on."""

import time

from case import Case
from hosts import PORT
from waiting import until

LABEL = "0123456789abcdef"
CONNECT = "import socket, sys; socket.create_connection((sys.argv[1], 7711), timeout=1)"
FETCH = "import sys, urllib.request; print(len(urllib.request.urlopen(sys.argv[1]).read()))"


class Hosts(Case):
    def test_two_hosts_hear_each_other_by_mdns_and_nothing_else(self):
        cabin = self.cabin("ada", "bo")
        ada, bo = cabin["ada"], cabin["bo"]
        self.assertNotIn("default", ada.run(["ip", "route"]).stdout)
        self.assertNotIn("default", ada.run(["ip", "-6", "route"]).stdout)
        self.assertEqual(ada.run(["cat", "/etc/resolv.conf"], check=False).stdout, "")
        self.publish(bo, LABEL)
        self.wait_for_label(ada, LABEL)
        ada.restart_avahi()
        self.wait_for_label(ada, LABEL)

    def test_a_cable_can_be_pulled_and_put_back(self):
        for switch in (False, True):
            cabin = self.cabin("ada", "bo", switch=switch, avahi=False)
            ada, bo = cabin["ada"], cabin["bo"]
            bo.popen(["python3", "-m", "http.server", "7711", "--bind", bo.address], log="web.log")
            until("bo answers", lambda: self.reaches(ada, bo))
            cabin.cut("bo")
            self.assertFalse(self.reaches(ada, bo))
            cabin.heal("bo")
            until("bo answers again", lambda: self.reaches(ada, bo))

    def test_three_hosts_on_a_switch_and_one_that_comes_later(self):
        cabin = self.cabin("ada", "bo", "cy")
        self.publish(cabin["ada"], LABEL)
        self.wait_for_label(cabin["bo"], LABEL)
        self.wait_for_label(cabin["cy"], LABEL)
        late = cabin.plug_in("late")
        self.wait_for_label(late, LABEL)
        self.assertIn(PORT, late.run(["ip", "-br", "link"]).stdout)

    def test_a_slow_cable_carries_a_whole_file_and_can_be_cut_while_it_is_under_way(self):
        cabin = self.cabin("ada", "bo", avahi=False, delay=0.1)
        ada, bo = cabin["ada"], cabin["bo"]
        with open(f"{bo.folder}/big", "wb") as file:
            file.write(bytes(range(256)) * 2000)
        bo.popen(["python3", "-m", "http.server", "7711", "--bind", bo.address,
                  "--directory", bo.folder], log="web.log")
        until("bo answers", lambda: self.reaches(ada, bo))
        began = time.monotonic()
        got = ada.run(["python3", "-c", FETCH, f"http://{bo.address}:7711/big"]).stdout
        self.assertEqual(got.strip(), "512000")
        self.assertGreater(time.monotonic() - began, 0.4)
        cabin.cut("ada")
        self.assertFalse(self.reaches(ada, bo))
        cabin.heal("ada")
        until("bo answers again", lambda: self.reaches(ada, bo))

    def publish(self, host, label):
        host.popen(["avahi-publish", "-s", label, "_seatswap._tcp", "7711"], log="publish.log")

    def browse(self, host):
        return host.run(["avahi-browse", "-pt", "_seatswap._tcp"], check=False).stdout

    def wait_for_label(self, host, label):
        until(f"{host.name} hears {label}", lambda: label in self.browse(host), 15)

    def reaches(self, one, other):
        return one.run(["python3", "-c", CONNECT, other.address], check=False).returncode == 0
