# SPDX-License-Identifier: Apache-2.0
"""What the guide of meeting points shows is typed word by word, by an operator on a machine that
has nothing of it yet, and by passengers at home."""

import crypt
import datetime
import os
import re
import shlex
import shutil
import subprocess

import documents
from agent import Agent
from case import for_soak
from guide_case import GuideCase
from meet_broker import MOSQUITTO, certificate
from meet_dns import Records
from terminal import Terminal
from test_relay import apart
from waiting import until

MEET = "docs/guide/meet.md"
BLOCKS = (UP, CHECK, STATUS, ASK, READ, NATS_UP, STREAMS, NATS_CHECK) = [
    (MEET, number) for number in range(8)]
#: What the operator types, by its heading.
TYPED = (INSTALL, NATS) = [
    (MEET, "For operators"), (MEET, "One replicated engine: NATS")]
NAME = "meet.example.org"
WORD = "the operator's word"


class Operator:
    """A machine of its own. `apt` and `systemctl` are written down: what they would install is
    there, and no system runs in a namespace."""

    def __init__(self, host, names=(f"DNS:{NAME}",)):
        self.host = host
        self.folder = f"{host.folder}/work"
        self.asked = f"{host.folder}/asked"
        os.makedirs(f"{self.folder}/bin")
        shutil.copytree(f"{documents.ROOT}/examples/meet", f"{self.folder}/examples/meet",
                        ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        for tool in ("apt", "systemctl"):
            with open(f"{self.folder}/bin/{tool}", "w") as file:
                file.write(f"#!/bin/sh\necho {tool} \"$@\" >>{self.asked}\n")
            os.chmod(f"{self.folder}/bin/{tool}", 0o755)
        os.chmod(host.folder, 0o711)
        # What is written to is of this host alone.
        host.run(["sh", "-c", f"cp -a /etc {host.folder}/etc && mount --bind {host.folder}/etc /etc"
                  " && for place in /usr/local/lib /var/lib; do mount -t tmpfs tmpfs $place; done"
                  " && install -d -o mosquitto /var/lib/mosquitto"
                  " && install -d /etc/mosquitto/certs"])
        self.authority, key = certificate(self.folder, *names)
        os.rename(key, f"{self.folder}/privkey.pem")
        shutil.copy(self.authority, f"{self.folder}/fullchain.pem")

    def type(self, line):
        path = f"{self.folder}/bin:{self.host.env['PATH']}:/usr/sbin:/sbin"
        return self.host.run(["sh", "-c", f"cd {self.folder} && {line}"], timeout=60,
                             env={"PATH": path})

    def was_asked(self):
        """What was given to apt and to systemctl."""
        return [shlex.split(line) for line in self.host.text(self.asked).splitlines()]

    def runs(self, user, *argv):
        """What systemd does with a service of that user."""
        self.host.popen(["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups",
                         "--inh-caps=+net_bind_service", "--ambient-caps=+net_bind_service",
                         *argv], log=f"{user}.log")

    def mosquitto(self):
        """Its service, as Debian's unit and the file beside it say."""
        self.host.run(["install", "-d", "-o", "mosquitto", "-m", "750", "/run/mosquitto"])
        self.runs("mosquitto", MOSQUITTO, "-c", "/etc/mosquitto/mosquitto.conf")
        until("the broker takes connections", lambda: self.host.run(
            ["test", "-S", "/run/mosquitto/operator.sock"], check=False).returncode == 0, 20)

    def nats(self, number, secrets, addresses):
        """Its service, once the numbered lines are filled in and the certificates are there."""
        with open(f"{self.host.folder}/etc/hosts", "a") as file:
            file.writelines(f"{address} m{one}.{NAME}\n"
                            for one, address in enumerate(addresses, 1))
        path = f"{self.host.folder}/etc/nats-server.conf"
        with open(path) as file:
            text = file.read()
        others = ", ".join(f"nats-route://m{one}.{NAME}:6222" for one in (1, 2, 3)
                           if one != number)
        for old, new in (("server_name: m1\n", f"server_name: m{number}\n"),
                         (re.search(r"routes: (.*)", text)[1], f"[{others}]"),
                         ("$2b$11$of-ada", secrets["ada"]),
                         ("$2b$11$of-the-operator", secrets["operator"])):
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        with open(path, "w") as file:
            file.write(text)
        for names, source in ((("fullchain", "cluster", "cluster-ca"), "fullchain.pem"),
                              (("privkey", "cluster-key"), "privkey.pem")):
            for name in names:
                self.host.run(["install", "-o", "nats", "-m", "400", f"{self.folder}/{source}",
                               f"/etc/nats/certs/{name}.pem"])
        self.runs("nats", "/usr/sbin/nats-server", "-c", "/etc/nats-server.conf")


class GuideMeet(GuideCase):
    def begin(self):
        self.place = self.cabin("ada", "bo", "meet", switch=True, avahi=False)
        apart(self.place, "ada", "bo")
        self.operator = Operator(self.place["meet"])
        for line in documents.typed(*INSTALL):
            self.operator.type(line)
        self.operator.mosquitto()

    def passenger(self, name, seat):
        """Somebody with the flight in their list, who finds the meeting point by its name and
        trusts who signed for it."""
        host = self.place[name]
        records = Records(host, NAME, [(NAME, 8883)], self.place["meet"].address)
        self.addCleanup(records.close)
        return self.at_home(host, name, seat, self.operator.authority)

    def at_home(self, host, name, seat, authority):
        person = Agent(host, "default", seat)
        tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
        person.command("flight", "add", f"FR202/{tomorrow.date()}/DUB", "STN", "--departs", "23:50",
                       "--seat", seat, check=0)
        person.command("config", "set", "name", name, check=0)
        person.command("config", "set", "rendezvous.ca", authority, check=0)
        self.addCleanup(person.command, "down")
        return person

    def test_an_operator_and_two_passengers(self):
        self.begin()
        # Whatever is installed and started is there, and by that name.
        for words in self.operator.was_asked():
            if words[0] == "apt":
                subprocess.run(["dpkg", "-s", *words[2:]], check=True, stdout=subprocess.DEVNULL)
            else:
                self.assertIn(words[1], ("daemon-reload", "restart", "enable"))
        for unit in ("seatmeet-sweep.timer", "seatmeet-restart.timer"):
            self.place["meet"].run(["test", "-e", f"/etc/systemd/system/{unit}"])
        self.operator.type("/usr/local/lib/seatmeet/sweep.sh")
        bo, ada = self.passenger("bo", "15B"), self.passenger("ada", "14C")
        line, _ = documents.dialogues(MEET)[UP[1]][0]
        self.said(bo, shlex.split(line)[1:], None, line)
        until("bo's records are stored", lambda: self.is_stored(bo), 30)
        self.play(CHECK, ada)
        self.play(UP, ada)
        until("ada's records are stored", lambda: self.is_stored(ada), 30)
        self.play(STATUS, ada)

    @for_soak
    def test_a_request_by_letter(self):
        """Bo is away when ada asks, and ada when bo answers."""
        self.begin()
        bo, ada = self.passenger("bo", "15B"), self.passenger("ada", "14C")
        [(line, _)] = documents.dialogues(MEET)[UP[1]]
        for one in (bo, ada):
            one.call("flight", "change", "FR202", "--opens-before", "72h")
        self.said(bo, shlex.split(line)[1:], None, line)
        until("bo's records are stored", lambda: self.is_stored(bo), 30)
        bo.command("down", check=0)
        self.said(ada, shlex.split(line)[1:], None, line)
        until("ada sees bo's seat", lambda: ada.held() == {"14C": "ada", "15B": "bo"}, 30)
        self.play(ASK, ada, {"swap": ("y\ny\n",)})
        until("the request lies there", lambda: ada.request(1).get("letter") == "left", 30)
        ada.command("down", check=0)
        self.said(bo, shlex.split(line)[1:], None, line)
        bo.command("accept", bo.incoming(30), "--yes", check=0)
        until("the answer is left", lambda: bo.request(1).get("letter") == "left", 30)
        bo.command("down", check=0)
        self.said(ada, shlex.split(line)[1:], None, line)
        until("ada reads the answer", lambda: ada.request(1).get("would_do"), 30)
        self.play(READ, ada)

    @for_soak
    def test_three_operators_of_nats(self):
        names = ("m1", "m2", "m3")
        place = self.cabin(*names, "ada", switch=True, avahi=False)
        addresses = [place[name].address for name in names]
        secrets = {name: crypt.crypt(word, crypt.mksalt(crypt.METHOD_BLOWFISH, rounds=2**11))
                   for name, word in (("ada", "ada's word"), ("operator", WORD))}
        first = None
        for number, name in enumerate(names, 1):
            operator = Operator(place[name], [f"DNS:{NAME}", *(f"DNS:{one}.{NAME}"
                                                               for one in names)])
            first = first or operator
            for part in ("fullchain.pem", "privkey.pem"):
                if operator is not first:
                    shutil.copy(f"{first.folder}/{part}", f"{operator.folder}/{part}")
            for line in documents.typed(*NATS):
                operator.type(line)
            operator.nats(number, secrets, addresses)
        [(restart, _), (make, _)] = documents.dialogues(MEET)[STREAMS[1]]
        first.type(restart)
        until("the three have a leader and make the streams", lambda: self.makes(first, make), 60)
        host = place["ada"]
        records = Records(host, NAME, [(f"{one}.{NAME}", 4222) for one in names], addresses[0])
        self.addCleanup(records.close)
        ada = self.at_home(host, "ada", "14C", first.authority)
        with open(f"{host.folder}/word", "w") as file:
            os.chmod(file.name, 0o600)
            file.write("ada's word\n")
        ada.command("config", "set", "rendezvous.user", "ada", check=0)
        ada.command("config", "set", "rendezvous.password-file", file.name, check=0)
        self.play(NATS_CHECK, ada)
        self.play(NATS_UP, ada)
        until("ada's records are stored", lambda: self.is_stored(ada), 30)

    @staticmethod
    def makes(operator, line):
        """Types it on a terminal, and the password."""
        with Terminal(operator.host, ["sh", "-c", f"cd {operator.folder} && exec {line}"],
                      env={"SSL_CERT_FILE": f"{operator.folder}/fullchain.pem"}) as screen:
            screen.wait_for("Password of operator:")
            screen.enter(WORD)
            return screen.wait_until_ended(60) == 0

    @staticmethod
    def is_stored(person):
        return all(home["stored"] for home in person.call("status")["meeting"]["homes"])

    def test_all_that_operators_type_is_typed(self):
        self.assertEqual({(MEET, heading) for heading in documents.blocks(MEET, "sh")}, set(TYPED))
