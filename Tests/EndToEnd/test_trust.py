# SPDX-License-Identifier: Apache-2.0
"""Another user serves the control socket: the command and the examples tell them nothing."""

import os
import re
import shutil
import subprocess
import sys

import world
from agent import BINARY, ROOT
from case import Case
from waiting import until

#: Says what an agent says and keeps what it is told. With three words it makes the directory too,
#: as somebody would who is first in /tmp; with four it gets its place from root.
SERVER = r"""
import json, os, socket, sys
path, log, user = sys.argv[1:4]
server = socket.socket(socket.AF_UNIX)
if len(sys.argv) > 4:
    server.bind(path)
    os.chown(path, int(sys.argv[4]), -1)
    os.chmod(path, 0o600)
    os.setuid(int(user))
else:
    os.setuid(int(user))
    os.mkdir(os.path.dirname(path), 0o755)
    server.bind(path)
    os.chmod(path, 0o777)
server.listen(8)
print("listening", flush=True)
while True:
    client, _ = server.accept()
    stream = client.makefile("rwb")
    hello = {"agent": "0.1.0", "event": "hello", "pid": 1, "profile": "default", "version": 1}
    try:
        stream.write(json.dumps(hello).encode() + b"\n")
        stream.flush()
        for line in stream:
            print("told:", line.decode(), flush=True)
            answer = {"id": json.loads(line).get("id"), "ok": True, "version": 1,
                      "result": {"id": "00", "linked": 1, "me": {"name": "ada", "seats": []}}}
            stream.write(json.dumps(answer).encode() + b"\n")
            stream.flush()
    except OSError:
        pass
"""
SECRET = "the gate code is 4711"


class Trust(Case):
    def setUp(self):
        super().setUp()
        # Numbers of users that nobody has, so that tests beside this one are in nobody's way.
        self.me = 30000 + os.getpid() % 10000
        self.other = self.me + 10000
        become = subprocess.run([*self.becoming(), "true"], capture_output=True, check=False)
        if world.no_namespaces or os.geteuid() != 0 or become.returncode != 0:
            self.skipTest("needs to be able to become other users")

    def becoming(self):
        return ["setpriv", f"--reuid={self.me}", f"--regid={self.me}", "--clear-groups", "--"]

    def place(self, given):
        """A host where this user has a home, and nothing that says where sockets are."""
        here = self.loopback()
        os.chmod(here.folder, 0o711)
        home = f"{here.folder}/me"
        os.mkdir(home, 0o700)
        os.chown(home, self.me, self.me)
        env = {"HOME": home, "PATH": f"{os.path.dirname(BINARY)}:{here.env['PATH']}",
               "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "",
               "XDG_RUNTIME_DIR": "", **given}
        return here, home, env

    def serve(self, here, path, *more):
        server = here.popen(
            [sys.executable, "-c", SERVER, path, "-", str(self.other), *more], log="server.log")
        self.addCleanup(server.kill)
        log = here.logs[-1]
        until("somebody else listens", lambda: "listening" in here.text(log), 20)
        return log

    def tells_nothing(self, here, env, log, what):
        """Every client is refused before it says a word; gives the command's line to try."""
        done = here.run(
            [*self.becoming(), BINARY, "say", SECRET], check=False, env=env)
        self.assertEqual(done.returncode, 8, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn(f"seatagent: {what}\n  why: ", done.stderr)
        script = here.run(
            [*self.becoming(), "/usr/bin/env", "python3", f"{self.shown}/api.py", "say", SECRET],
            check=False, env=env)
        self.assertEqual(script.returncode, 1, script.stdout + script.stderr)
        self.assertIn("api.py: ", script.stderr)
        for words in (["up", "--seat", "14C"], ["status"], ["down"], ["restart"]):
            again = here.run([*self.becoming(), BINARY, *words], check=False, env=env)
            self.assertNotEqual(again.returncode, 0, words)
        self.assertNotIn("told:", here.text(log))
        return re.search(r"^  try: (.*)$", done.stderr, re.M)[1]

    @property
    def shown(self):
        """The examples where any user may read them."""
        folder = f"{self._places[0].folder}/examples"
        if not os.path.exists(folder):
            shutil.copytree(f"{ROOT}/examples", folder)
            os.chmod(folder, 0o755)
        return folder

    def test_a_directory_in_tmp_that_another_user_made_first(self):
        here, home, env = self.place({})
        folder = f"/tmp/seatagent-{self.me}"
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        log = self.serve(here, f"{folder}/default.sock")
        line = self.tells_nothing(
            here, env, log, "the directory of the control socket belongs to someone else")
        socat = here.run([*self.becoming(), "sh", f"{self.shown}/api-socat.sh"],
                         check=False, env=env)
        self.assertEqual(socat.returncode, 8, socat.stderr)
        # The line to try starts an agent at a place of one's own.
        done = here.run([*self.becoming(), "sh", "-c", line], check=False, timeout=60, env=env)
        self.addCleanup(here.run, [*self.becoming(), BINARY, "down"], check=False,
                        env={**env, "XDG_RUNTIME_DIR": home})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("You are aboard: ada in 14C", done.stdout)
        self.assertNotIn("told:", here.text(log))

    def test_a_socket_of_my_directory_that_another_user_serves(self):
        here, home, env = self.place({})
        folder = f"{home}/seatagent"
        os.mkdir(folder, 0o700)
        os.chown(folder, self.me, self.me)
        env["XDG_RUNTIME_DIR"] = home
        log = self.serve(here, f"{folder}/default.sock", str(self.me))
        self.tells_nothing(
            here, env, log, "what answers at the control socket is not your agent")
