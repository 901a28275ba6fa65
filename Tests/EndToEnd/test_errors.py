# SPDX-License-Identifier: Apache-2.0
"""The eight errors of the design, word by word, each made to happen; and each `try:` line is typed.

Where the program says it otherwise than the design's sample, the test says why.
"""

import os
import re
import subprocess

import goldens
import world
from agent import BINARY, Agent, finish
from case import Case
from waiting import until

TAGS = ("c2d9", "04be", "9a11", "7f3a")


class Errors(Case):
    def fails(self, golden, status, done, host):
        """Compares what a failed command wrote; its `try:` line as printed."""
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        goldens.check(self, f"errors/{golden}", masked(done.stderr, host))
        return re.search(r"^  try: (.*)$", done.stderr, re.M)[1]

    def typed(self, host, line, profile, prefix=(), env=None):
        """Types `line` in a shell on `host`."""
        path = f"{os.path.dirname(BINARY)}:{host.env['PATH']}"
        return host.run(
            [*prefix, "sh", "-c", line], check=False, timeout=60,
            env={"PATH": path, "SEATAGENT_PROFILE": profile, **(env or {})})

    def works(self, host, line, profile, status=0):
        done = self.typed(host, line, profile)
        self.assertEqual(done.returncode, status, f"{line}\n{done.stdout}{done.stderr}")
        return done.stdout

    def two(self, name="bo", seat="12A"):
        here = self.loopback()
        bo = Agent(here, name, seat).board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return here, ada, bo

    def test_no_agent(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C")
        line = self.fails("no-agent", 3, ada.command("status"), here)
        self.addCleanup(ada.command, "down")
        self.assertIn("You are aboard: ada in 14C", self.works(here, line, "ada"))

    def test_an_agent_of_someone_else(self):
        """The line to try has a `;` where the sample has ", then": it can be pasted."""
        if world.no_namespaces or os.geteuid() != 0 or not has_users():
            self.skipTest("needs to be able to become other users")
        here = self.loopback()
        homes = {}
        os.chmod(here.folder, 0o711)
        for user in (1000, 1001):
            homes[user] = f"{here.folder}/u{user}"
            os.mkdir(homes[user], 0o700)
            os.chown(homes[user], user, user)

        def become(user):
            return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]

        def variables(user):
            return {"HOME": homes[user], **{
                name: homes[user] for name in here.env if name.startswith("XDG_")}}
        for user in (1000, 1001):
            here.popen(
                [*become(user), BINARY, "agent", "--seat", "14C", "--name", "ada", "--port",
                 str(here.port()), "--interface", "lo"], log=f"u{user}.log", env=variables(user))
            socket = f"{homes[user]}/seatagent/default.sock"
            until(f"the agent of {user} answers", lambda socket=socket: os.path.exists(socket), 20)
        env = {**variables(1000), "SEATAGENT_SOCKET": socket}
        done = here.run([*become(1000), BINARY, "status"], check=False, env=env)
        line = self.fails("not-your-agent", 8, done, here)
        done = self.typed(here, line, "default", become(1000), env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ada", done.stdout)

    def test_no_such_seat(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C").board()
        line = self.fails("no-such-seat", 4, ada.command("swap", "33B"), here)
        self.assertIn("32", self.works(here, line, "ada"))

    def test_two_of_one_name(self):
        here, ada, bo = self.two()
        other = Agent(here, "bo2", "27F", peers=[ada, bo])
        other.options += ["--name", "bo"]
        other.board()
        until("both are known", lambda: set(ada.held()) == {"14C", "12A", "27F"})
        self.verify(ada, bo)
        line = self.fails("two-of-one-name", 2, ada.command("msg", "bo", "hi"), here)
        self.works(here, line, "ada")
        until("the verified one reads it", lambda: "hi" in bo.said())
        self.assertNotIn("hi", other.said())

    def test_another_key_than_the_verified_one(self):
        """Its line names the other by the tag, and leaves asking in person to `why`: a `try:`
        line is a command. The test is on `verify` at that passenger's side too."""
        here, ada, bo = self.two()
        self.verify(ada, bo)
        other = Agent(here, "bo2", "27F", peers=[ada, bo])
        other.options += ["--name", "bo"]
        other.board()
        until("both are known", lambda: set(ada.held()) == {"14C", "12A", "27F"})
        line = self.fails("another-key", 8, ada.command("msg", "27F", "hi"), here)
        self.assertEqual([text for text in other.said() if text == "hi"], [])
        asked = other.begin("verify", "14C")
        until("ada is asked", lambda: ada.call("status")["verification"]["state"] == "asked")
        self.assertRegex(self.works(here, line, "ada"), r"Compare aloud: \d{4} - \d{4} - \d{4}")
        self.assertEqual(finish(asked)[0], 0)

    def test_no_one_aboard(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C").board()
        done = ada.command("peers", "--wait", "1", "--timeout", "1")
        line = self.fails("no-one-aboard", 5, done, here)
        # doctor says with 9 that something keeps this machine from others, and what.
        self.assertIn("lo", self.works(here, line, "ada", status=9))

    def test_a_request_that_was_withdrawn(self):
        """Our agent does not join "moved" and "withdrew": a request ends for one reason."""
        here, ada, dev = self.two("dev", "22D")
        number = dev.swap("14C")
        until("it reaches ada", lambda: ada.request(1))
        dev.call("cancel", number)
        until("ada knows", lambda: ada.request(1)["state"] == "withdrawn")
        line = self.fails("changed", 7, ada.command("accept", "1", "--yes"), here)
        self.works(here, line, "ada")

    def test_unknown_option(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C")
        line = self.fails("unknown-option", 2, ada.command("up", "--seta", "14C"), here)
        self.addCleanup(ada.command, "down")
        self.assertIn("in 14C", self.works(here, line, "ada"))

    def verify(self, one, other):
        waits = one.begin("verify", other.seat)
        until(f"{other.name} is asked",
              lambda: other.call("status")["verification"]["state"] == "asked")
        other.call("verify", one.seat)
        self.assertEqual(finish(waits)[0], 0)
        waits = one.begin("verify", "--match")
        until("the one has pressed", lambda: one.call("status")["verification"]["state"]
              == "matched")
        other.call("verify", "--match")
        self.assertEqual(finish(waits)[0], 0)


def masked(text, host):
    """`text` with the words that differ from run to run replaced by those of the design."""
    text = re.sub(rf"{host.folder}/u1001\b", "/run/user/1001", text)
    text = text.replace(host.env["XDG_RUNTIME_DIR"], "/run/user/1000")
    text = re.sub(r"(/seatagent/)ada(\.sock)", r"\1default\2", text)
    text = re.sub(r"\b(\d+ (s|min) ago|just now)\b", "a minute ago", text)
    seen = []

    def tag(found):
        if found[1] not in seen:
            seen.append(found[1])
        return "#" + TAGS[seen.index(found[1])]
    text = re.sub(r"#([a-z2-7]{4})\b", tag, text)
    # The whole tag in a line to try, where a `#` would begin a comment.
    for short, fixed in zip(seen, TAGS):
        text = re.sub(rf"\b{short}[a-z2-7-]+", fixed, text)
    return text


def has_users():
    """Whether this world has users besides 0."""
    return subprocess.run(
        ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups", "true"],
        capture_output=True).returncode == 0
