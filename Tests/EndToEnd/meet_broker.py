# SPDX-License-Identifier: Apache-2.0
"""A meeting point as examples/meet has it: Debian's mosquitto, the plugin, a certificate."""

import contextlib
import ctypes
import os
import random
import shutil
import signal
import ssl
import subprocess
import threading

import mqtt
import world
from agent import ROOT
from waiting import until

MOSQUITTO = "/usr/sbin/mosquitto"
EXAMPLE = f"{ROOT}/examples/meet"

_lock = threading.Lock()


def plugin(flags=""):
    """The plugin of the example with these flags, built once for all tests."""
    folder = f"{world.folder}/narrow{flags}"
    with _lock:
        if not os.path.exists(f"{folder}/narrow.so"):
            shutil.copytree(f"{EXAMPLE}/plugin", folder, ignore=shutil.ignore_patterns("*.so"))
            subprocess.run(["make", "-C", folder, "CFLAGS=-O2 -g -Werror", f"CPPFLAGS={flags}"],
                           check=True, stdout=subprocess.DEVNULL)
    return f"{folder}/narrow.so"


def certificate(folder, *names):
    """A certificate for names and addresses that is its own authority: its file and its key's."""
    paths = f"{folder}/meet.pem", f"{folder}/meet-key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-subj", "/CN=meeting point of tests", "-days", "30", "-keyout", paths[1],
         "-out", paths[0], "-addext", "subjectAltName=" + ",".join(names)],
        check=True, stderr=subprocess.DEVNULL)
    os.chmod(paths[1], 0o644)  # mosquitto reads it after it gave up being root
    return paths


@contextlib.contextmanager
def network_of(host):
    """This thread in the network of a host: a socket made there stays there."""
    if not host.isolated:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    with open("/proc/thread-self/ns/net") as here, \
            open(f"/proc/{host.keeper.pid}/ns/net") as there:
        if libc.setns(there.fileno(), 0):
            raise OSError(ctypes.get_errno(), "setns")
        try:
            yield
        finally:
            libc.setns(here.fileno(), 0)


class Broker:
    """One mosquitto of a host. `port` and `second_port` speak TLS, `socket` is the operator's;
    `plain_port` is there with `plain`: without TLS, but with the plugin. With `users`, name ->
    password, TLS is for them alone. `flags` are for the compiler of the plugin."""

    def __init__(self, host, name="meet", names=("DNS:localhost", "IP:127.0.0.1"), plain=False,
                 users=None, flags="", at="127.0.0.1"):
        self.host = host
        self.name = name
        self.at = at
        self.plugin = plugin(flags)
        self.folder = f"{host.folder}/{name}"
        os.makedirs(self.folder)
        os.chmod(host.folder, 0o711)  # mosquitto is user mosquitto when it comes here
        os.chmod(self.folder, 0o777)
        self.port, self.second_port = host.port(), host.port()
        self.plain_port = host.port() if plain else None
        self.socket = f"{self.folder}/operator.sock"
        self.authority, self.key = certificate(self.folder, *names)
        #: All that it logs.
        self.log = f"{host.folder}/{name}.log"
        text = self.configuration()
        if users:
            text = self._closed(text, users)
        with open(f"{self.folder}/mosquitto.conf", "w") as file:
            file.write(text)
        self.process = None

    def configuration(self):
        """The example's, with ports, files and folders of this host; nothing else is changed."""
        with open(f"{EXAMPLE}/mosquitto.conf") as file:
            text = file.read()
        for old, new in (("listener 8883\n", f"listener {self.port} {self.at}\n"),
                         ("listener 443\n", f"listener {self.second_port} {self.at}\n"),
                         ("/run/mosquitto/operator.sock", self.socket),
                         ("/etc/mosquitto/certs/fullchain.pem", self.authority),
                         ("/etc/mosquitto/certs/privkey.pem", self.key),
                         ("/usr/local/lib/seatmeet/narrow.so", self.plugin),
                         ("/var/lib/mosquitto/", f"{self.folder}/"),
                         ("sys_interval 60", "sys_interval 1")):
            if old not in text:
                raise AssertionError(f"{old!r} is not in {EXAMPLE}/mosquitto.conf")
            text = text.replace(old, new)
        if self.plain_port:
            text += (f"listener {self.plain_port} 127.0.0.1\nallow_anonymous true\n"
                     f"plugin {self.plugin}\nmax_qos 1\nmax_topic_alias 0\n")
        return text

    def _closed(self, text, users):
        """As the comment beside these lines says it."""
        path = f"{self.folder}/meet.users"
        with open(path, "w"):
            os.chmod(path, 0o644)
        for name, password in users.items():
            subprocess.run(["mosquitto_passwd", "-b", path, name, password], check=True)
        old = "allow_anonymous true\n#password_file /etc/mosquitto/meet.users\n"
        return text.replace(old, f"allow_anonymous false\npassword_file {path}\n")

    def start(self):
        """Returns when it takes connections."""
        self.process = self.host.popen([MOSQUITTO, "-c", f"{self.folder}/mosquitto.conf"],
                                       log=f"{self.name}.log")
        until("the broker takes connections", self._answers, 20)
        return self

    def _answers(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"mosquitto ended with {self.process.returncode}:\n"
                               + self.host.text(self.log))
        try:
            self.operator().close()
            return True
        except OSError:
            return False

    def kill(self):
        """As a crash does it."""
        self.process.kill()
        self.process.wait(10)

    def stop(self):
        """As `systemctl stop` does it: what is kept goes to the disk."""
        self.process.terminate()
        self.process.wait(10)

    def forget(self):
        """Its disk is gone, while it does not run."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{self.folder}/mosquitto.db")

    def stored(self):
        """What it has on the disk and in its log, as bytes."""
        path = f"{self.folder}/mosquitto.db"
        before = os.path.getmtime(path) if os.path.exists(path) else 0
        self.process.send_signal(signal.SIGUSR1)
        until("the broker writes its store",
              lambda: os.path.exists(path) and os.path.getmtime(path) > before, 20)
        with open(path, "rb") as store, open(self.log, "rb") as log:
            return store.read() + log.read()

    def topics(self):
        """The topics under which something is kept."""
        with self.operator() as operator:
            return {message.topic for message in operator.collect_kept("sa1/#")}

    def operator(self, **options):
        """A client at the operator's socket."""
        return mqtt.Client(self.socket, **options)

    def client(self, port=None, **options):
        """A client over TLS, as a passenger's agent is one."""
        context = ssl.create_default_context(cafile=self.authority)
        context.set_alpn_protocols(["mqtt"])
        with network_of(self.host):
            return mqtt.Client(("127.0.0.1", port or self.port), tls=context, **options)

    def plain(self, **options):
        """A client of the port without TLS."""
        with network_of(self.host):
            return mqtt.Client(("127.0.0.1", self.plain_port), **options)


def group(shard=None):
    """What the topics of a group begin with, at random."""
    return f"sa1/{shard or f'{random.randrange(256):02x}'}/{_letters(26)}"


def box():
    """The name of a box or an inbox, at random."""
    return _letters(13)


def _letters(count):
    return "".join(random.choices("abcdefghijklmnopqrstuvwxyz234567", k=count))
