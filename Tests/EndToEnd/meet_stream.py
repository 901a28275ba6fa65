# SPDX-License-Identifier: Apache-2.0
"""A meeting point as examples/meet/nats has it: Debian's nats-server, users and streams."""

import importlib.util
import os
import re

from agent import Agent
from case import Case
from meet_broker import EXAMPLE, certificate, network_of
from test_relay import apart
from waiting import until

SERVER = "/usr/sbin/nats-server"


def _streams():
    """The operator's program."""
    spec = importlib.util.spec_from_file_location("streams", f"{EXAMPLE}/nats/streams.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


streams = _streams()


def _replaced(text, old, new):
    if old not in text:
        raise AssertionError(f"{old!r} is not in {EXAMPLE}/nats/meet.conf")
    return text.replace(old, new)


class Server:
    """One nats-server of a host: `port` speaks TLS, `routes` leads to the others."""

    def __init__(self, host, name, at):
        self.host, self.name, self.at = host, name, at
        self.folder = f"{host.folder}/{name}"
        os.makedirs(self.folder)
        self.port, self.routes = host.port(), host.port()
        self.process = None

    def configure(self, authority, key, others=()):
        """The example's text with ports, files and passwords of this test; nothing else."""
        with open(f"{EXAMPLE}/nats/meet.conf") as file:
            text = file.read()
        for old, new in (("server_name: m1", f"server_name: {self.name}"),
                         ("0.0.0.0:4222", f"{self.at}:{self.port}"),
                         ("0.0.0.0:6222", f"{self.at}:{self.routes}"),
                         ("/etc/nats/certs/fullchain.pem", authority),
                         ("/etc/nats/certs/privkey.pem", key),
                         ("/etc/nats/certs/cluster.pem", authority),
                         ("/etc/nats/certs/cluster-key.pem", key),
                         ("/etc/nats/certs/cluster-ca.pem", authority),
                         ("/var/lib/nats", f"{self.folder}/store"),
                         ("$2b$11$of-ada", "ada's word"),
                         ("$2b$11$of-the-operator", "operator's word")):
            text = _replaced(text, old, new)
        routes = ", ".join(f"nats-route://{self.at}:{other.routes}" for other in others)
        text, count = re.subn(r"routes: \[.*\]", f"routes: [{routes}]", text)
        if count != 1:
            raise AssertionError("routes: [...] is not in the example once")
        if not others:
            text = re.sub(r"(?ms)^cluster \{.*?^\}\n", "", text)
        with open(f"{self.folder}/meet.conf", "w") as file:
            file.write(text)

    def start(self):
        self.process = self.host.popen([SERVER, "-c", f"{self.folder}/meet.conf"],
                                       log=f"{self.name}.log")
        return self

    def kill(self):
        """As a crash does it."""
        self.process.kill()
        self.process.wait(10)

    def log(self):
        return self.host.text(f"{self.host.folder}/{self.name}.log")


class Cluster:
    """Servers of one host that keep everything together; one alone is none."""

    def __init__(self, host, count=1, at="127.0.0.1", name="stream"):
        self.host, self.at = host, at
        self.folder = f"{host.folder}/{name}"
        os.makedirs(self.folder)
        self.authority, key = certificate(self.folder, f"IP:{at}", "DNS:localhost")
        self.servers = [Server(host, f"{name}{number}", at) for number in range(1, count + 1)]
        for server in self.servers:
            others = [other for other in self.servers if other is not server]
            server.configure(self.authority, key, others)

    def start(self, has_streams=True):
        """Returns when there are streams."""
        for server in self.servers:
            server.start()
        if has_streams:
            until("streams can be made", self.make, 60)
        return self

    def make(self):
        try:
            client = self.client()
            for digit in streams.DIGITS:
                client.make(streams.settings(digit, len(self.servers), 2**28))
            return True
        except OSError:
            return False

    def answers(self):
        try:
            self.client().close()
            return True
        except OSError:
            return False

    def client(self, server=None, user="operator", wait=10):
        server = server or self.servers[0]
        with network_of(self.host):
            return streams.Client(f"tls://{self.at}:{server.port}", user, f"{user}'s word",
                                  self.authority, wait)

    def is_whole(self, server):
        """Whether a server has all that the others have, of every stream."""
        try:
            client = self.client(server)
            for digit in streams.DIGITS:
                answer = client.ask(f"$JS.API.STREAM.INFO.SA1_{digit.upper()}")
                others = answer["cluster"].get("replicas", [])
                if len(others) + 1 < len(self.servers) or not all(
                        other.get("current") for other in others):
                    return False
            client.close()
            return True
        except (OSError, KeyError):
            return False

    def kept(self, server=None):
        """What lies under each subject, as whoever asks gets it."""
        client, found = self.client(server), {}
        for digit in streams.DIGITS:
            place = 1
            while True:
                answer = client.ask(f"$JS.API.STREAM.MSG.GET.SA1_{digit.upper()}",
                                    {"seq": place, "next_by_subj": "sa1.>"})
                if "error" in answer:
                    if answer["error"]["code"] != 404:
                        raise OSError(answer["error"]["description"])
                    break
                message = answer["message"]
                found[message["subject"]] = message.get("data", "")
                place = message["seq"] + 1
        client.close()
        return found

    @property
    def url(self):
        return f"nats+tls://{self.at}:{self.servers[0].port}"

    def admit(self, agent):
        """Tells an agent whom to trust and who it is."""
        path = f"{self.folder}/{agent.name}.word"
        with open(path, "w") as file:
            os.chmod(path, 0o600)
            file.write("ada's word\n")
        for key, value in (("ca", self.authority), ("user", "ada"), ("password-file", path)):
            agent.command("config", "set", f"rendezvous.{key}", value, check=0)
        return agent


class StreamCase(Case):
    """Hosts that reach a cluster, but not each other."""

    def begin(self, *names, count=1):
        self.cabin_ = self.cabin(*names, "meet", switch=True, avahi=False)
        apart(self.cabin_, *names)
        host = self.cabin_["meet"]
        self.meet = Cluster(host, count, at=host.address).start()

    def passenger(self, name, seat, url=None):
        """An agent that meets there, not started yet."""
        options = ["--no-mdns", "--meet", url or self.meet.url]
        return self.meet.admit(Agent(self.cabin_[name], name, seat, options=options))

    def meeting(self, agent):
        return agent.call("status")["meeting"]

    def is_stored(self, agent):
        """Whether all streams said that they have this agent's records."""
        return all(home["stored"] for home in self.meeting(agent)["homes"])
