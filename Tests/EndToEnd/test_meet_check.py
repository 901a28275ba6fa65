# SPDX-License-Identifier: Apache-2.0
"""`seatagent meet check`: what it says of brokers that are well, and of those that are not."""

import json
import os

from agent import Agent
from case import Case
from meet_broker import Broker


class MeetCheck(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        self.ada = Agent(self.here, "ada", "14C")

    def broker(self, name="meet", change=None, **options):
        """A broker of this machine, with `change` made to its configuration."""
        broker = Broker(self.here, name=name, **options)
        if change:
            path = f"{broker.folder}/mosquitto.conf"
            with open(path) as file:
                text = change(file.read(), broker)
            with open(path, "w") as file:
                file.write(text)
        return broker.start()

    def check(self, broker, cause, port=None, authority=None):
        """The findings by name, once the check came to this cause."""
        self.ada.command("config", "set", "rendezvous.ca", authority or broker.authority, check=0)
        url = f"mqtts://localhost:{port or broker.port}"
        code = 0 if cause in ("well", "meet-wide") else 9
        done = self.ada.command("meet", "check", url, "--json", check=code)
        reply = json.loads(done.stdout)
        self.assertEqual(reply["result"]["cause"], cause, done.stdout)
        self.assertEqual(reply["ok"], code == 0)
        if code:
            self.assertEqual(reply["error"]["code"], "network-trouble")
        return {finding["name"]: finding for finding in reply["result"]["findings"]}

    def test_a_broker_as_the_example_has_it_is_well(self):
        broker = self.broker()
        found = self.check(broker, "well")
        self.assertEqual(
            [(name, one["state"]) for name, one in found.items()],
            [(f"meet-{name}", "ok") for name in
             ("name", "reach", "tls", "login", "features", "store", "wide", "loop")])
        self.assertRegex(found["meet-tls"]["what"], "good for (29|30) more days")
        # Nothing of it stays there.
        self.assertEqual(broker.topics(), set())
        # For people, with the configured address.
        self.ada.command("config", "set", "rendezvous.url", f"mqtts://localhost:{broker.port}")
        text = self.ada.command("meet", "check", check=0).stdout
        self.assertIn("Cause: localhost can be used as a meeting point (well)", text)

    def test_a_broker_without_the_plugin_is_named(self):
        def open_(text, broker):
            return text.replace(f"plugin {broker.plugin}\n", "")
        broker = self.broker(change=open_)
        found = self.check(broker, "meet-wide")
        self.assertEqual(found["meet-wide"]["state"], "warn")
        self.assertEqual(found["meet-store"]["state"], "ok")
        self.assertEqual(broker.topics(), set())

    def test_what_keeps_agents_out_is_named(self):
        broker = self.broker(users={"ada": "secret"})
        found = self.check(broker, "meet-login")
        self.assertEqual(list(found)[-2:], ["meet-tls", "meet-login"])
        path = f"{self.here.folder}/password"
        with open(path, "w") as file:
            os.chmod(path, 0o600)
            file.write("secret\n")
        self.ada.command("config", "set", "rendezvous.user", "ada", check=0)
        self.ada.command("config", "set", "rendezvous.password-file", path, check=0)
        self.check(broker, "well")
        other = Broker(self.here, name="other", names=["DNS:other"])
        found = self.check(broker, "meet-tls", authority=other.authority)
        self.assertIn("nobody who is trusted here signed", found["meet-tls"]["what"])
        found = self.check(other.start(), "meet-tls")
        self.assertIn("is another host's", found["meet-tls"]["what"])
        found = self.check(broker, "meet-reach", port=self.here.port())
        self.assertIn("nothing answers at localhost", found["meet-reach"]["what"])

    def test_a_broker_that_keeps_nothing_is_named(self):
        broker = self.broker(change=lambda text, _: "retain_available false\n" + text)
        found = self.check(broker, "meet-features")
        self.assertIn("keeps no messages", found["meet-features"]["what"])

    def test_a_broker_that_forgets_is_named(self):
        def forgetful(text, broker):
            # The reader is let in, and gets nothing of what the writer left.
            path = f"{broker.folder}/acl"
            with open(path, "w") as file:
                os.chmod(path, 0o644)
                file.write("topic write sa1/#\npattern read sa1/+/+/t/+\n")
            return text.replace(f"plugin {broker.plugin}\n", f"acl_file {path}\n")
        broker = self.broker(change=forgetful)
        found = self.check(broker, "meet-store")
        self.assertIn("forgets", found["meet-store"]["what"])
        self.assertEqual(found["meet-wide"]["state"], "ok")

    def test_a_wrong_line_is_refused(self):
        for words, why in (((), "meet wants to know"), (("look",), "does not know"),
                           (("check",), "no meeting point is configured"),
                           (("check", "http://x"), "does not begin with mqtts://")):
            done = self.ada.command("meet", *words, check=2)
            self.assertIn(why, done.stderr)
