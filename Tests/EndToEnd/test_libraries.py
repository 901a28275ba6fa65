"""Libraries that are loaded when one of their functions is called first."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import zipfile

import terminal
from agent import BINARY, Agent
from case import Case
from waiting import until

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

    def broken(self, file):
        """Where `file` is found first, and is no library."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(f"{folder.name}/{file}", "w"):
            pass
        others = os.environ.get("LD_LIBRARY_PATH")
        return {"LD_LIBRARY_PATH": ":".join(filter(None, [folder.name, others]))}

    def assert_brings_back(self, line, file):
        """The line installs the package that has the file here, as Debian's own list says."""
        self.assertRegex(line, r"^(sudo )?apt-get install --reinstall \S+$")
        if not shutil.which("dpkg-query"):
            return
        owners = subprocess.run(["dpkg-query", "-S", f"*/{file}"], capture_output=True, text=True)
        if owners.returncode == 0:
            self.assertIn(line.split()[-1], {one.split(":")[0] for one in
                                             owners.stdout.splitlines()})

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

    def test_one_that_cannot_be_loaded_is_named_with_its_package(self):
        said = subprocess.run([BINARY, "--version"], capture_output=True, text=True,
                              env={**os.environ, **self.broken("libzip.so.4")})
        self.assertEqual(said.returncode, 1)
        self.assertRegex(said.stderr, r"^seatagent: a library cannot be loaded\n"
                                      r"  why: \S*libzip\.so\.4: file too short\n"
                                      r"  try: sudo apt-get install --reinstall libzip4\n$")

    def test_up_tells_what_the_new_agent_lacks(self):
        here = self.loopback()
        for file in ("libsodium.so.23", "libsqlite3.so.0", "libcrypto.so.3", "libssl.so.3"):
            with self.subTest(file):
                line = [BINARY, "up", "--profile", "ada", "--seat", "14C", "--interface", "lo"]
                said = here.run(line, check=False, env=self.broken(file))
                what, why, advice = said.stderr.splitlines()
                self.assertEqual(what, "seatagent: the agent lacks a library")
                self.assertRegex(why, rf"^  why: \S*{re.escape(file)}: file too short$")
                self.assert_brings_back(advice.removeprefix("  try: "), file)
                told = here.run([*line, "--json"], check=False, env=self.broken(file))
                error = json.loads(told.stdout)["error"]
                self.assertEqual((said.returncode, error["code"]), (told.returncode, "no-start"))
                self.assertEqual(f"  try: {error['try']}", advice)

    def test_without_dns_sd_an_agent_goes_on_and_says_why(self):
        ada = Agent(self.loopback(), "ada", "14C", mdns=True)
        ada.board(env=self.broken("libdns_sd.so.1"))
        trouble = until("it says so", lambda: ada.call("status")["network"]["trouble"])
        self.assertIn("libdns_sd.so.1: file too short", trouble["why"])
        self.assert_brings_back(trouble["try"], "libdns_sd.so.1")

    def test_without_dns_sd_the_doctor_gives_its_findings(self):
        said = self.loopback().run([BINARY, "doctor", "--json"], check=False,
                                   env=self.broken("libdns_sd.so.1"))
        found = {one["name"]: one for one in json.loads(said.stdout)["result"]["findings"]}
        self.assertEqual((said.returncode, len(found)), (9, 13))
        self.assertEqual(found["avahi"]["state"], "bad")
        self.assertIn("libdns_sd.so.1: file too short", found["avahi"]["what"])
        self.assert_brings_back(found["avahi"]["try"], "libdns_sd.so.1")

    def test_the_reader_of_passes_says_what_it_lacks(self):
        here = self.loopback()
        path = f"{here.folder}/pass.pkpass"
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("pass.json", "{}")
        said = here.run([BINARY, "board", path, "--profile", "ada"], check=False,
                        env=self.broken("libzip.so.4"))
        what, why, advice = said.stderr.splitlines()
        self.assertEqual(what, "seatagent: the reader of passes lacks a library")
        self.assertRegex(why, r"^  why: \S*libzip\.so\.4: file too short$")
        self.assert_brings_back(advice.removeprefix("  try: "), "libzip.so.4")

    def test_without_ncurses_there_are_plain_lines(self):
        if not terminal.is_there():
            self.skipTest("needs tmux")
        ada = Agent(self.loopback(), "ada", "14C").board()
        # Only for the program: what stands around it may need the library too.
        values = [f"{name}={value}" for name, value in self.broken("libncursesw.so.6").items()]
        screen = terminal.Terminal(ada.host, ["env", *values, BINARY, "--profile", "ada"],
                                   size=(100, 24))
        self.addCleanup(screen.close)
        screen.wait_for("seatagent: the view lacks a library", "libncursesw.so.6: file too short",
                        "Plain lines are used instead.")
        screen.enter("still here")
        until("it is said", lambda: "still here" in ada.said())
