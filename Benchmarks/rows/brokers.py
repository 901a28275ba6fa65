# SPDX-License-Identifier: Apache-2.0
"""The peers that are programs of their own: brokers of Debian, on 127.0.0.1, for one run each."""

import os
import pwd
import subprocess

from frame import free_port, wait_for_port

MOSQUITTO = "/usr/sbin/mosquitto"
NGIRCD = "/usr/sbin/ngircd"


class Broker:
    """A started peer: `port`, as long as the `with` lasts."""

    def __init__(self, bench, name, configuration, argv, pin):
        self.bench = bench
        self.port = free_port()
        path = f"{bench.folder}/{name}.conf"
        with open(path, "w") as file:
            file.write(configuration(self.port))
        self.process = bench.start([*argv, path], pin, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)

    def __enter__(self):
        wait_for_port(self.port, self.process)
        return self

    def __exit__(self, *_):
        self.bench.end(self.process)


def mosquitto(bench, pin=None):
    """MQTT without TLS, without a file, without limits, without Nagle's delay."""
    path = bench.needs(MOSQUITTO, "mosquitto")

    def configuration(port):
        return (f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n"
                "set_tcp_nodelay true\nmax_queued_messages 0\nmax_inflight_messages 0\n"
                f"log_dest none\n{_user('user', 'mosquitto')}")
    return Broker(bench, "mosquitto", configuration, [path, "-c"], pin)


def ngircd(bench, pin=None):
    """IRC without TLS, without lookups, and without penalties for talking much."""
    path = bench.needs(NGIRCD, "ngircd")

    def configuration(port):
        return ("[Global]\nName = bench.invalid\nInfo = bench\nListen = 127.0.0.1\n"
                f"Ports = {port}\nMotdPhrase = hello\n"
                f"{_user('ServerUID =', 'irc')}"
                "[Limits]\nMaxConnectionsIP = 0\nMaxPenaltyTime = 0\nPingTimeout = 120\n"
                "[Options]\nDNS = no\nIdent = no\nPAM = no\nNoticeBeforeRegistration = no\n")
    return Broker(bench, "ngircd", configuration, [path, "-n", "-f"], pin)


def _user(word, name):
    """Neither changes its user where this is not root; both would look for one of their own."""
    if os.geteuid() != 0:
        return ""
    try:
        pwd.getpwnam(name)
    except KeyError:
        name = "nobody"
    return f"{word} {name}\n"
