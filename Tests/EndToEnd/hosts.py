# SPDX-License-Identifier: Apache-2.0
"""Hosts: network namespaces joined by a cable or a switch, each with its own D-Bus and Avahi.

    with Cabin("ada", "bo") as cabin:         # two hosts, one veth pair between them
        cabin["ada"].run(["ip", "route"])     # no default route, no DNS
        cabin.cut("ada"); cabin.heal("ada")

Three hosts or more, or `switch=True`, hang on a bridge in a namespace of its own, and `plug_in`
adds another later. `delay=0.1` makes the switch slow, that many seconds each way, and `loss=5`
loses that many frames in a hundred: by netem where the kernel has it, else by cable.py.
`Loopback()` is one host without a network; it is all there is where the system allows no
namespaces.
"""

import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import program
import world
from waiting import until

PORT = "cabin0"
_numbers = itertools.count(1)

#: Starts a program in a folder, in the place of the shell. Some kernels say for a moment that a
#: program is being written ("Text file busy") while another process of it is killed: it waits then.
START = """shopt -s execfail; cd "$0" || exit 126
for pause in 0.1 0.3 1 3; do exec "$@"; code=$?; [ $code = 126 ] || exit $code; sleep $pause; done
exec "$@"; exit $?"""
DBUS = """<busconfig><type>system</type><listen>unix:path={bus}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/>
<allow own="*"/><allow user="*"/></policy></busconfig>
"""
AVAHI = """[server]
host-name={name}
use-ipv4=yes
use-ipv6=yes
allow-interfaces={port}
[publish]
publish-hinfo=no
publish-workstation=no
"""
# ethtool's ioctl: transmit checksums, scatter-gather, segmentation off.
NO_OFFLOAD = """
import array, fcntl, socket, struct, sys
card = socket.socket()
for command in (0x17, 0x1f, 0x24, 0x19):
    value = array.array("I", [command, 0])
    request = struct.pack("16sP", sys.argv[1].encode(), value.buffer_info()[0])
    try:
        fcntl.ioctl(card, 0x8946, request + bytes(16))
    except OSError as error:
        print(hex(command), error, file=sys.stderr)
"""


class Host:
    """One machine: a network and a /run of its own, a home, and what runs on it."""

    def __init__(self, name, isolated=True, beside=None):
        """`beside` is a host on whose network it is, with a home of its own."""
        self.name = name
        self.keeper = None
        self.folder = os.path.join(world.folder, f"{next(_numbers)}{name}")
        self.children = []
        self.logs = []
        self.address = "127.0.0.1"
        self.interface = "lo"
        self._enter = []
        self._daemons = {}
        self._ports = itertools.count(7711)
        os.makedirs(self.folder, 0o700)
        for part in ("home", "c", "d", "s", "r"):
            os.mkdir(os.path.join(self.folder, part), 0o700)
        self.env = {
            "PATH": os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"),
            "LANG": "C.UTF-8",
            "HOME": f"{self.folder}/home",
            "XDG_CONFIG_HOME": f"{self.folder}/c",
            "XDG_DATA_HOME": f"{self.folder}/d",
            "XDG_STATE_HOME": f"{self.folder}/s",
            "XDG_RUNTIME_DIR": f"{self.folder}/r",
            "AVAHI_COMPAT_NOWARN": "1",
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.folder}/bus",
        }
        self.isolated = isolated and not world.no_namespaces
        if beside:
            self._enter, self._ports = beside._enter, beside._ports
        elif self.isolated:
            self._make_namespaces()

    def _make_namespaces(self):
        # The folder of the hosts lies below /run, so it is bound into the host's own /run.
        self.keeper = subprocess.Popen(
            ["unshare", "--net", "--mount", "sh", "-c",
             f"mkdir -p /tmp && mount --bind {world.folder} /mnt && mount -t tmpfs tmpfs /run"
             f" && mkdir -p {world.folder} /run/avahi-daemon"
             f" && mount --move /mnt {world.folder}"
             " && chown avahi:avahi /run/avahi-daemon 2>/dev/null;"
             " ip link set lo up && echo ready && exec sleep infinity"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        if self.keeper.stdout.readline() != "ready\n":
            raise RuntimeError(f"no namespaces for host {self.name}")
        keeper = f"/proc/{self.keeper.pid}"
        # The keeper's root is named for the case that we run in a chroot.
        self._enter = ["nsenter", f"--net={keeper}/ns/net", f"--mount={keeper}/ns/mnt",
                       f"--root={keeper}/root", "--"]
        for knob in ("all/accept_dad", "default/accept_dad"):
            # Link-local addresses at once, not after a second of asking for duplicates.
            self.run(["sh", "-c", f"echo 0 > /proc/sys/net/ipv6/conf/{knob}"], check=False)

    def argv(self, argv):
        """The command line that runs `argv` on this host, from the folder we are in."""
        if not self.isolated:
            return list(argv)
        return self._enter + ["env", "-C", os.getcwd()] + list(argv)

    def started(self, argv):
        """The same, for what nobody sits in front of: as ``START`` says."""
        if not self.isolated:
            return list(argv)
        return self._enter + ["bash", "-c", START, os.getcwd()] + list(argv)

    def run(self, argv, check=True, timeout=30, env=None, **options):
        """Runs to its end; text in, text out."""
        options.setdefault("stdin", subprocess.DEVNULL if "input" not in options else None)
        if "input" in options:
            options.pop("stdin")
        env = {**self.env, **(env or {})}
        return subprocess.run(
            self.started(program.command(argv, env)), env=env, text=True, timeout=timeout,
            check=check, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def popen(self, argv, log=None, env=None, **options):
        """Starts and goes on; `log` names a file in the host's folder for standard error."""
        errors = subprocess.DEVNULL
        if log:
            path = os.path.join(self.folder, log)
            if path not in self.logs:
                self.logs.append(path)
            errors = open(path, "ab")
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", errors)
        env = {**self.env, **(env or {})}
        child = subprocess.Popen(
            self.started(program.command(argv, env)), env=env, stderr=errors, **options)
        if log:
            errors.close()
        self.children.append(child)
        return child

    def port(self):
        """A TCP port nobody on this host uses."""
        if self.isolated:
            return next(self._ports)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    def start_bus(self):
        """A D-Bus of this host's own, in the place of the system's; its address."""
        bus = f"{self.folder}/bus"
        if "dbus" not in self._daemons:
            self._write("dbus.conf", DBUS.format(bus=bus))
            self._daemons["dbus"] = self.popen(
                ["dbus-daemon", f"--config-file={self.folder}/dbus.conf", "--nofork"],
                log="dbus.log")
            until("D-Bus answers", lambda: answers(bus), 30)
        return f"unix:path={bus}"

    def start_avahi(self):
        """A D-Bus and an avahi-daemon of this host's own; returns when mDNS is up."""
        self.start_bus()
        self._write("avahi.conf", AVAHI.format(name=self.name, port=self.interface))
        log = os.path.join(self.folder, "avahi.log")
        seen = self.text(log).count("Server startup complete")
        self._daemons["avahi"] = self.popen(
            ["avahi-daemon", "-f", f"{self.folder}/avahi.conf", "--no-drop-root", "--no-rlimits",
             "--no-chroot"], log="avahi.log")
        until(f"avahi-daemon of {self.name} is up", lambda: self._is_up(log, seen), 30)

    def _is_up(self, log, seen):
        """Whether Avahi says so once more than `seen` times. One that ended is not waited for."""
        code = self._daemons["avahi"].poll()
        if code is not None:
            raise RuntimeError(f"avahi-daemon of {self.name} ended with {code}:\n{self.text(log)}")
        return self.text(log).count("Server startup complete") > seen

    def stop_avahi(self):
        daemon = self._daemons.pop("avahi")
        daemon.terminate()
        daemon.wait(10)

    def stop_bus(self):
        """At once, so that nobody says good-bye."""
        bus = self._daemons.pop("dbus")
        bus.kill()
        bus.wait(10)

    def restart_avahi(self):
        self.stop_avahi()
        self.start_avahi()

    def has_netem(self, netem):
        """Whether the kernel can make this host's own cable bad."""
        return self.run(["tc", "qdisc", "replace", "dev", "lo", "root", "netem", *netem],
                        check=False).returncode == 0

    def impair(self, *netem):
        """Loss and the like on this host's cable: impair("loss", "5%"). False where the kernel
        has no netem."""
        return self.run(["tc", "qdisc", "replace", "dev", self.interface, "root", "netem", *netem],
                        check=False).returncode == 0

    def bytes_moved(self):
        """Bytes of all frames that went through this host's cable, in both directions."""
        words = self.run(["cat", "/proc/net/dev"]).stdout.split(f"{self.interface}:")[1].split()
        return int(words[0]) + int(words[8])

    def close(self):
        """Ends all that was started here."""
        for child in self.children:
            if child.poll() is None:
                child.kill()
        for child in self.children:
            child.wait()
            for stream in (child.stdin, child.stdout):
                if stream:
                    stream.close()
        if self.keeper:
            self._kill_inhabitants()
            self.keeper.kill()
            self.keeper.wait()
            self.keeper.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _kill_inhabitants(self):
        """Whoever still lives in this host's network, such as an agent that `up` left behind."""
        home = os.readlink(f"/proc/{self.keeper.pid}/ns/net")
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if int(pid) != self.keeper.pid and os.readlink(f"/proc/{pid}/ns/net") == home:
                    os.kill(int(pid), signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                pass

    def _write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    @staticmethod
    def text(path):
        try:
            with open(path, errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""


def answers(path):
    """Whether somebody listens at that socket: its file is there a moment sooner."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


def Loopback(name="here"):
    """One host without a network, for agents that are told of each other with --peer."""
    return Host(name)


class Cabin:
    """Hosts on one link, by name."""

    def __init__(self, *names, avahi=True, switch=False, delay=0, loss=0):
        if world.no_namespaces:
            raise RuntimeError(f"no namespaces: {world.no_namespaces}")
        self.avahi = avahi
        self.hosts = {}
        self.switch = None
        try:
            if len(names) == 2 and not switch and not delay and not loss:
                self._join_directly(*[self._add(name) for name in names])
            else:
                self.switch = Host("switch")
                bad = ["delay", f"{delay}s", "loss", f"{loss}%"] if delay or loss else []
                netem = bool(bad) and self.switch.has_netem(bad)
                bridge = netem or not bad
                if bridge:
                    self._make_bridge()
                for name in names:
                    self._plug_in(self._add(name), bridge=bridge)
                    if netem:
                        self.hosts[name].impair(*bad)
                if not bridge:
                    self._make_bad_switch(delay, loss)
                self.made_bad_by = "netem" if netem else "cable.py" if bad else ""
            if avahi:
                self.start_avahi(*self.hosts)
        except BaseException:
            self.close()
            raise

    def __getitem__(self, name):
        return self.hosts[name]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def start_avahi(self, *names):
        """Starts mDNS on these hosts, at once."""
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(Host.start_avahi, map(self.hosts.get, names)))

    def plug_in(self, name):
        """One more host, on a cabin with a switch."""
        host = self._add(name)
        self._plug_in(host)
        if self.avahi:
            host.start_avahi()
        return host

    def cut(self, name):
        """Pulls the cable of this host."""
        self._cable(name, "down")

    def heal(self, name):
        """Puts the cable back."""
        self._cable(name, "up")

    def close(self):
        for host in reversed(list(self.hosts.values())):
            host.close()
        if self.switch:
            self.switch.close()
            self.switch = None
        self.hosts = {}

    def _add(self, name):
        host = Host(name)
        self.hosts[name] = host
        return host

    def _make_bridge(self):
        self.switch.run(["ip", "link", "add", "br0", "type", "bridge", "mcast_snooping", "0",
                         "forward_delay", "0"])
        self.switch.run(["ip", "link", "set", "br0", "up"])

    def _make_bad_switch(self, delay, loss):
        ends = [host.switch_end for host in self.hosts.values()]
        here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cable.py")
        cable = self.switch.popen(
            [sys.executable, "-B", here, str(delay), str(loss), *ends], log="cable.log",
            stdout=subprocess.PIPE, text=True)
        if cable.stdout.readline() != "ready\n":
            raise RuntimeError("the bad switch did not start")

    def _join_directly(self, one, other):
        one.run(["ip", "link", "add", PORT, "type", "veth", "peer", "name", PORT,
                 "netns", str(other.keeper.pid)])
        for host in (one, other):
            self._address(host)

    def _plug_in(self, host, bridge=True):
        end = f"to{len(self.hosts)}"
        self.switch.run(["ip", "link", "add", end, "type", "veth", "peer", "name", PORT,
                         "netns", str(host.keeper.pid)])
        if bridge:
            self.switch.run(["ip", "link", "set", end, "master", "br0"])
        else:
            # Whole frames with whole checksums: a raw socket does not finish what a card would.
            host.run([sys.executable, "-B", "-c", NO_OFFLOAD, PORT])
        self.switch.run(["ip", "link", "set", end, "up"])
        host.switch_end = end
        self._address(host)

    def _address(self, host):
        host.interface = PORT
        host.address = f"10.77.0.{list(self.hosts.values()).index(host) + 1}"
        host.run(["ip", "addr", "add", f"{host.address}/24", "dev", PORT])
        host.run(["ip", "link", "set", PORT, "up"])

    def _cable(self, name, state):
        host = self.hosts[name]
        if self.switch:
            self.switch.run(["ip", "link", "set", host.switch_end, state])
        else:
            host.run(["ip", "link", "set", PORT, state])
