# SPDX-License-Identifier: Apache-2.0
"""`seatagent doctor` names the right cause on networks that are broken in one way each, and what
it says to try can be typed and helps."""

import json
import os
import socket

import world
from agent import BINARY, Agent
from case import Case
from page_case import hosted
from waiting import until

#: Nothing that is typed may end so: wrong command line, not executable, not found.
WRONG = (2, 126, 127)
SUDO = '#!/bin/sh\nexec "$@"\n'
NMCLI = ('#!/bin/sh\ncase "$*" in *--active*) echo 1b2c-3d:802-11-wireless:wlan0;;'
         ' *mode*1b2c-3d) echo ap;; *) exit 1;; esac\n')
#: In place of the machine's own, which would start services outside of the host.
SYSTEMCTL = '#!/bin/sh\necho "$@" >>"$HOME/systemctl.log"\n'


class Doctor(Case):
    waits = True

    def setUp(self):
        super().setUp()
        if world.no_namespaces:
            self.skipTest(f"needs network namespaces: {world.no_namespaces}")

    # What a person at a host types

    def path(self, host):
        """A PATH on which `seatagent`, `sudo` and `systemctl` can be typed."""
        folder = f"{host.folder}/bin"
        if not os.path.isdir(folder):
            os.mkdir(folder)
            os.symlink(BINARY, f"{folder}/seatagent")
            for name, text in (("sudo", SUDO), ("systemctl", SYSTEMCTL)):
                with open(f"{folder}/{name}", "w") as file:
                    file.write(text)
                os.chmod(f"{folder}/{name}", 0o755)
        return {"PATH": f"{folder}:{host.env['PATH']}"}

    def types(self, host, line, profile="ada"):
        return host.run(["timeout", "20", "sh", "-c", line], check=False,
                        env={**self.path(host), "SEATAGENT_PROFILE": profile})

    def doctor(self, host, *words, profile="ada"):
        """The result of `doctor --json`, with `findings` by name; its exit code is checked."""
        done = host.run([BINARY, "doctor", "--json", *words], check=False, timeout=20,
                        env={**self.path(host), "SEATAGENT_PROFILE": profile})
        reply = json.loads(done.stdout)
        result = reply["result"]
        well = result["cause"] in ("well", "alone")
        self.assertEqual((reply["ok"], done.returncode), (well, 0 if well else 9), done.stdout)
        if not well:
            self.assertEqual(reply["error"]["code"], "network-trouble")
            self.assertEqual(reply["error"]["what"], result["what"])
        result["findings"] = {finding["name"]: finding for finding in result["findings"]}
        result["states"] = {n: f["state"] for n, f in result["findings"].items()}
        return result

    def finds(self, cause, host, *words, **options):
        """The doctor's result, which has to name `cause`."""
        result = self.doctor(host, *words, **options)
        self.assertEqual(result["cause"], cause, json.dumps(result, indent=1))
        return result

    def when(self, cause, host):
        """The doctor's result if it names `cause`, else nothing."""
        result = self.doctor(host)
        return result if result["cause"] == cause else None

    def type_all(self, host, result):
        """Types every line that the report says to try."""
        lines = {result.get("try")} | {f.get("try") for f in result["findings"].values()}
        for line in sorted(filter(None, lines)):
            with self.subTest(line):
                done = self.types(host, line)
                self.assertNotIn(done.returncode, WRONG, f"{line}\n{done.stderr}")
            if line.startswith("seatagent up"):
                self.types(host, "seatagent down")

    def two(self, **options):
        cabin = self.cabin("ada", "bo", **options)
        return cabin, cabin["ada"], cabin["bo"]

    def printer(self, host):
        """Something else that this machine announces, as most machines do."""
        host.popen(["avahi-publish", "-s", "printer", "_ipp._tcp", "631"], log="printer.log")

    def drop_in_switch(self, cabin, *rules):
        """The switch forwards nothing that fits one of the rules."""
        text = ("add table bridge air; add chain bridge air pass "
                "{ type filter hook forward priority 0; }; ")
        text += "; ".join(f"add rule bridge air pass {rule} drop" for rule in rules)
        done = cabin.switch.run(["nft", text], check=False)
        if done.returncode != 0:
            self.skipTest(f"no nftables for bridges here: {done.stderr.strip()}")

    def drop(self, host, hook, rule):
        host.run(["nft", f"add table inet wall; add chain inet wall {hook} "
                  f"{{ type filter hook {hook} priority 0; }}; "
                  f"add rule inet wall {hook} {rule} drop"])

    # The computer's name

    def test_the_computer_s_name_is_on_the_air_until_the_line_is_typed(self):
        _, here, there = self.two()
        bo = Agent(there, "bo", "12A").board()
        ada = Agent(here, "ada", "14C").board().wait_for(bo)
        name = socket.gethostname().split(".")[0]
        if name == "localhost":
            self.skipTest("this machine has no name")
        here.run(["avahi-set-host-name", name])
        told = until("the doctor warns", lambda: self.named(here, "warn"), 20)
        self.assertIn(f"{name}.local", told["what"])
        self.assertIn(f"{name}.local", self.announced(there, ada))
        self.assertRegex(told["try"], "avahi-set-host-name [a-z2-7]{10}$")
        self.assertEqual(self.types(here, told["try"]).returncode, 0)
        fresh = told["try"].split()[-1]
        told = until("the doctor is content", lambda: self.named(here, "ok"), 20)
        self.assertIn(f"{fresh}.local", told["what"])
        until("others read the new name",
              lambda: f"{fresh}.local" in self.announced(there, ada), 20)
        ada.wait_for(bo)

    def named(self, host, state):
        """The finding about the computer's name, if it is in this state."""
        found = self.doctor(host)["findings"]["computer-name"]
        return found if found["state"] == state else None

    def announced(self, host, agent):
        """What a neighbour reads of the agent by mDNS, a line for each address."""
        label = agent.call("status")["network"]["label"]
        lines = host.run(["timeout", "10", "avahi-browse", "-rtp", "_seatswap._tcp"],
                         check=False).stdout.splitlines()
        return "\n".join(line for line in lines if line.startswith("=") and label in line)

    # All well

    def test_all_well_and_nobody_is_disturbed(self):
        _, here, there = self.two()
        self.printer(there)
        alone = until("the printer is heard", lambda: self.when("alone", here))
        self.type_all(here, alone)
        bo = Agent(there, "bo", "12A").board()
        self.finds("well", here)
        ada = Agent(here, "ada", "14C").board().wait_for(bo)
        well = self.finds("well", here)
        # No page is served, and this machine runs no hotspot that it could tell of.
        skipped = {name: well["states"].pop(name) for name in ("page", "hotspot")}
        self.assertEqual(set(skipped.values()), {"skipped"}, skipped)
        self.assertEqual(set(well["states"].values()), {"ok"}, well["states"])
        self.assertEqual(well["findings"]["agent"]["what"],
                         f"runs with 1 link; others reach it at {ada.reached_at}")
        shown = ada.command("doctor", check=0)
        self.assertIn("Cause: all is well: 1 other within reach (well)", shown.stdout)
        # The test announcement was nobody to dial, and what connected was nobody to punish.
        self.assertEqual(bo.call("status")["network"]["silent"], [])
        self.assertEqual(bo.call("status")["linked"], 1)

    def test_a_wrong_command_line_says_what_to_type(self):
        here = self.loopback()
        for words in (["x"], ["--port", "0"], ["10.0.0.1"]):
            done = self.types(here, " ".join(["seatagent", "doctor", *words]))
            self.assertEqual(done.returncode, 2)
            advice = done.stderr.splitlines()[-1].removeprefix("  try: ")
            self.assertNotIn(self.types(here, advice).returncode, WRONG, advice)

    # One thing is broken

    def test_no_avahi_daemon(self):
        _, here, there = self.two()
        self.printer(there)
        here.stop_avahi()
        found = self.finds("no-avahi-daemon", here)
        self.assertEqual(found["try"], "systemctl start avahi-daemon")
        self.type_all(here, found)
        with open(f"{here.env['HOME']}/systemctl.log") as log:
            self.assertIn("start avahi-daemon\n", log.readlines())
        here.start_avahi()
        until("it is well", lambda: self.when("alone", here))

    def test_only_loopback(self):
        here = self.loopback()
        self.type_all(here, self.finds("only-loopback", here))
        here.start_avahi()
        found = self.finds("only-loopback", here)
        self.assertEqual(found["states"]["avahi"], "ok")

    def test_an_interface_that_is_off(self):
        _, here, there = self.two()
        Agent(there, "bo", "12A").board()
        here.run(["ip", "link", "set", here.interface, "down"])
        found = self.finds("no-network", here)
        self.assertEqual(self.types(here, found["try"]).returncode, 0)
        until("bo is found", lambda: self.when("well", here), 30)

    def test_no_multicast_because_the_interface_does_none(self):
        _, here, there = self.two()
        Agent(there, "bo", "12A").board()
        here.run(["ip", "link", "set", here.interface, "multicast", "off"])
        found = self.finds("no-multicast", here)
        self.assertEqual(found["states"]["multicast"], "bad")
        self.assertEqual(self.types(here, found["try"]).returncode, 0)
        until("bo is found", lambda: self.when("well", here), 30)

    def test_no_multicast_because_the_network_carries_none(self):
        cabin, here, there = self.two(switch=True)
        self.drop_in_switch(cabin, "ip daddr 224.0.0.0/4", "ip6 daddr ff02::fb")
        bo = Agent(there, "bo", "12A").board()
        # By itself it cannot be told from solitude; an address that answers shows it.
        self.finds("nobody-heard", here)
        found = self.finds("no-multicast", here, bo.reached_at)
        self.assertEqual(found["states"]["tcp"], "ok")
        self.type_all(here, found)
        ada = Agent(here, "ada", "14C").board()
        found = self.finds("no-multicast", here, bo.reached_at)
        self.assertEqual(found["try"], f"seatagent peers --add {bo.reached_at}")
        self.assertEqual(self.types(here, found["try"]).returncode, 0)
        ada.wait_for(bo)
        self.finds("no-multicast", here)

    def test_clients_kept_apart_for_all_but_multicast(self):
        cabin, here, there = self.two(switch=True)
        self.drop_in_switch(cabin, "ether daddr & 01:00:00:00:00:00 == 00:00:00:00:00:00")
        bo = Agent(there, "bo", "12A").board()
        ada = Agent(here, "ada", "14C").board()
        until("ada saw bo", lambda: ada.call("status")["network"]["silent"], 30)
        found = self.finds("isolated", here)
        self.assertEqual(found["states"]["agents-seen"], "ok")
        self.assertEqual(found["states"]["tcp"], "bad")
        self.type_all(here, found)
        self.assertIn("try: seatagent doctor", ada.command("peers", check=0).stdout)
        cabin.switch.run(["nft", "flush", "ruleset"])
        ada.wait_for(bo, seconds=60)
        self.finds("well", here)

    def test_clients_kept_apart_for_everything(self):
        cabin, here, there = self.two(switch=True)
        for host in (here, there):
            cabin.switch.run(["bridge", "link", "set", "dev", host.switch_end, "isolated", "on"])
        bo = Agent(there, "bo", "12A").board()
        self.type_all(here, self.finds("nobody-heard", here))
        self.finds("isolated", here, bo.reached_at)
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        # After a while alone the status says so and names the doctor.
        until("the doctor is named", lambda: ada.call("status")["next"] == "seatagent doctor", 30)
        self.assertRegex(ada.command("status").stdout,
                         r"Aboard +no one else in \d+ s: seatagent doctor tells why")
        found = self.finds("isolated", here)
        self.assertEqual(found["states"]["own-registration"], "ok")
        self.type_all(here, found)

    def test_a_vpn_that_takes_the_local_network(self):
        _, here, there = self.two()
        Agent(there, "bo", "12A").board()
        for words in ("link add tun0 type veth peer name far", "link set tun0 up",
                      "link set far up", "addr add 10.9.0.1/24 dev tun0",
                      "route add 10.77.0.0/25 dev tun0"):
            here.run(["ip", *words.split()])
        found = self.finds("vpn", here)
        self.assertEqual(found["try"], "ip link set tun0 down")
        self.assertEqual(self.types(here, found["try"]).returncode, 0)
        self.finds("well", here)

    # The firewall

    def test_a_firewall_that_drops_the_port(self):
        _, here, there = self.two()
        bo = Agent(there, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", port=4711).board().wait_for(bo)
        self.drop(here, "input", "tcp dport 4000-5000")
        found = self.finds("firewall", here)
        self.assertIn("TCP port 4711", found["what"])
        self.assertEqual(self.types(here, found["try"]).returncode, 0)
        self.finds("well", here)
        ada.leave()

    def test_phones_behind_a_firewall_and_a_hotspot(self):
        _, here, there = self.two()
        bo = Agent(there, "bo", "12A").board()
        ada = Agent(here, "ada", "14C").board().wait_for(bo)
        hosted(ada)
        self.addCleanup(lambda: ada.command("host", "off", check=None))
        program = self.path(here)["PATH"].split(":")[0] + "/nmcli"
        with open(program, "w") as file:
            file.write(NMCLI)
        os.chmod(program, 0o755)
        self.drop(here, "input", "tcp dport 7740-7790")
        found = self.finds("well", here)["findings"]
        self.assertIn("port 7790, where phones get the page", found["page"]["what"])
        self.assertEqual(self.types(here, found["page"]["try"]).returncode, 0)
        self.assertEqual(found["hotspot"]["what"],
                         "this machine runs a hotspot on wlan0: phones can join it")
        found = self.finds("well", here)["findings"]["page"]
        self.assertIn("port 7740, where guests are met", found["what"])

    def test_a_firewall_of_iptables_that_lets_nothing_in(self):
        _, here, there = self.two()
        Agent(there, "bo", "12A").board()
        for words in ("-A INPUT -i lo -j ACCEPT",
                      "-A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT",
                      "-P INPUT DROP"):
            here.run(["iptables", *words.split()])
        seen = set()
        for _ in range(2):  # mDNS first, then the port
            found = self.finds("firewall", here)
            seen.add(found["try"].split()[0])
            self.assertEqual(self.types(here, found["try"]).returncode, 0)
        self.assertEqual(seen, {"iptables"})
        self.finds("well", here)

    def test_a_firewall_that_drops_mdns(self):
        for hook in ("input", "output"):
            with self.subTest(hook):
                _, here, there = self.two()
                self.printer(there)
                self.drop(here, hook, "udp dport 5353")
                found = self.finds("firewall", here)
                self.assertIn("mDNS", found["what"])
                self.assertEqual(found["states"]["own-registration"], "bad")
                self.assertEqual(self.types(here, found["try"]).returncode, 0)
                until("the printer is heard", lambda: self.when("alone", here))

    def test_a_firewall_on_the_other_machine(self):
        _, here, there = self.two()
        bo = Agent(there, "bo", "12A").board()
        self.drop(there, "input", f"tcp dport {bo.port}")
        found = self.finds("firewall-there", here)
        self.assertIn(f"drops connections to TCP port {bo.port}", found["what"])
        # What it says to type over there names the cause and what to do about it.
        shown = self.types(there, found["try"], profile="bo")
        self.assertEqual(shown.returncode, 9, shown.stdout)
        self.assertIn("(firewall)\n", shown.stdout)
        line = shown.stdout.splitlines()[-1].removeprefix("  try: ")
        self.assertEqual(self.types(there, line).returncode, 0)
        self.finds("well", here)

    def test_an_agent_that_ended_without_a_word(self):
        _, here, there = self.two()
        there.popen(["avahi-publish", "-s", "0123456789abcdef", "_seatswap._tcp", "7711"],
                    log="publish.log")
        until("it is refused", lambda: self.when("refused", here), 20)
