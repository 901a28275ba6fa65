# SPDX-License-Identifier: Apache-2.0
"""The libraries that the program is linked with."""

import os
import re
import subprocess
import tempfile

from agent import BINARY, Agent
from case import Case

LINKED = ("libcrypto.so.3", "libssl.so.3", "libsodium.so.23", "libsqlite3.so.0",
          "libdns_sd.so.1", "libavahi-common.so.3", "libncursesw.so.6", "libzip.so.4")


class Libraries(Case):
    def broken(self, file):
        """Where `file` is found first, and is no library."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(f"{folder.name}/{file}", "w"):
            pass
        others = os.environ.get("LD_LIBRARY_PATH")
        return {"LD_LIBRARY_PATH": ":".join(filter(None, [folder.name, others]))}

    def test_where_a_library_is_missing_the_loader_names_it_and_nothing_starts(self):
        here = self.loopback()
        line = [BINARY, "up", "--profile", "ada", "--seat", "14C", "--interface", "lo", "--no-mdns"]
        for file in LINKED:
            with self.subTest(file):
                said = here.run(line, check=False, env=self.broken(file))
                self.assertEqual((said.returncode, said.stdout), (127, ""))
                self.assertRegex(said.stderr, rf"{re.escape(file)}: file too short\n$")
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
