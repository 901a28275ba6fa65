# SPDX-License-Identifier: Apache-2.0
"""The libraries that the program is linked with."""

import os
import re
import subprocess
import tempfile

from agent import BINARY, Agent
from case import Case

# What a command needs, and what the agent that it starts needs.
COMMAND = ("libsodium.so.23", "libncursesw.so.6", "libqrencode.so.4")
AGENT = ("libcrypto.so.3", "libssl.so.3", "libsqlite3.so.0", "libdns_sd.so.1",
         "libdbus-1.so.3", "libavahi-common.so.3", "libmosquitto.so.1")
READER = "libzip.so.4"
PAGE = ("libmicrohttpd.so.12", "libgnutls.so.30", "libsodium.so.23", "libz.so.1")


class Libraries(Case):
    def broken(self, file):
        """Where `file` is found first, and is no library."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(f"{folder.name}/{file}", "w"):
            pass
        others = os.environ.get("LD_LIBRARY_PATH")
        return {"LD_LIBRARY_PATH": ":".join(filter(None, [folder.name, others]))}

    def needed(self, program):
        """The libraries that a program of the build names."""
        path = os.path.join(os.path.dirname(os.path.realpath(BINARY)), program)
        said = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True)
        return re.findall(r"\(NEEDED\).*\[(.*)\]", said.stdout)

    def test_each_program_is_linked_with_what_it_needs_and_no_more(self):
        of = {program: self.needed(program)
              for program in ("seatagent", "seatagentd", "seatagent-pass", "seatagent-web")}
        for file in COMMAND:
            self.assertIn(file, of["seatagent"])
        for file in AGENT[:5]:
            self.assertIn(file, of["seatagentd"])
            self.assertNotIn(file, of["seatagent"])
        self.assertIn(READER, of["seatagent-pass"])
        for file in PAGE:
            self.assertIn(file, of["seatagent-web"])
        # It asks an agent, and has no key and no log of its own.
        for file in AGENT:
            self.assertNotIn(file, of["seatagent-web"])
        # Nothing to open the network with, and no key.
        for file in (*COMMAND, *AGENT):
            self.assertNotIn(file, of["seatagent-pass"])

    def test_where_a_library_is_missing_the_loader_names_it_and_nothing_starts(self):
        here = self.loopback()
        line = [BINARY, "up", "--profile", "ada", "--seat", "14C", "--interface", "lo", "--no-mdns"]
        for file in (*COMMAND, *AGENT):
            with self.subTest(file):
                said = here.run(line, check=False, env=self.broken(file))
                code = 127 if file in COMMAND else 1
                self.assertEqual((said.returncode, said.stdout), (code, ""))
                self.assertRegex(said.stderr, rf"{re.escape(file)}: file too short\n")
                status = here.run([BINARY, "status", "--profile", "ada"], check=False)
                self.assertIn("no agent is running", status.stderr)

    def test_the_machines_settings_of_openssl_are_not_read(self):
        here = self.loopback()
        path = f"{here.folder}/openssl.cnf"
        with open(path, "w") as file:
            # With these it finds no algorithm at all.
            file.write("openssl_conf = all\n[all]\nalg_section = algorithms\n"
                       "[algorithms]\ndefault_properties = provider=nobody\n")
        env = {"OPENSSL_CONF": path}
        refused = subprocess.run(["openssl", "dgst", "-sha256", path], capture_output=True,
                                 env={**os.environ, **env})
        self.assertNotEqual(refused.returncode, 0, "the file is without effect")
        bo = Agent(here, "bo", "12A").board(env=env)
        ada = Agent(here, "ada", "14C", peers=[bo]).board(env=env)
        ada.wait_for(bo)
