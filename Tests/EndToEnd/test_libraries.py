"""Libraries that are loaded when one of their functions is called first."""

import os
import re
import subprocess
import tempfile

from agent import BINARY, Agent
from case import Case

LATE = re.compile(r"lib(crypto|ssl|sodium|sqlite3|dns_sd|ncursesw|tinfo|zip|ZXing|avahi\S*)\.so")


class Libraries(Case):
    def test_a_question_to_the_agent_loads_none_of_them(self):
        ada = Agent(self.loopback(), "ada", "14C").board()
        # The loader tells of each file that it opens.
        asked = ada.host.run(["env", "LD_DEBUG=files", BINARY, "status", "--json", "--profile",
                              ada.name])
        self.assertIn("libc.so", asked.stderr)
        self.assertIsNone(LATE.search(asked.stderr))

    def test_an_agent_loads_what_it_needs(self):
        ada = Agent(self.loopback(), "ada", "14C", options=["--no-mdns"]).board()
        with open(f"/proc/{ada.call('status')['pid']}/maps") as file:
            found = {match.group(1) for match in LATE.finditer(file.read())}
        self.assertEqual(found, {"crypto", "ssl", "sodium", "sqlite3"})

    def test_one_that_cannot_be_loaded_is_named_with_its_package(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/libzip.so.4", "w"):
                pass
            said = subprocess.run([BINARY, "--version"], capture_output=True, text=True,
                                  env={**os.environ, "LD_LIBRARY_PATH": folder})
        self.assertEqual(said.returncode, 1)
        self.assertRegex(said.stderr, r"^seatagent: a library cannot be loaded\n"
                                      r"  why: \S*libzip\.so\.4: file too short\n"
                                      r"  try: sudo apt-get install --reinstall libzip4\n$")
