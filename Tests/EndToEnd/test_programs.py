# SPDX-License-Identifier: Apache-2.0
"""The three programs beside each other: how one finds, starts and understands another."""

import json
import os
import resource
import shutil
import signal
import subprocess
import time

from agent import BINARY, Agent
from case import Case
from hosts import START
from waiting import until

INSTALL = os.path.join(os.path.dirname(__file__), "../../packaging/install.sh")
PROGRAMS = os.path.dirname(os.path.realpath(BINARY))
DAEMON = f"{PROGRAMS}/seatagentd"
READER = f"{PROGRAMS}/seatagent-pass"


class Programs(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        self.folder = self.here.folder

    def path(self, *parts):
        path = os.path.join(self.folder, *parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def script(self, path, text):
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)
        return path

    def said(self, *argv, program=BINARY, **options):
        return self.here.run([program, *argv], check=False, **options)

    def reads(self, pid):
        """Whether a process waits in read(2) for its standard input."""
        if os.geteuid() != 0:
            self.skipTest("needs to look into other processes")
        with open(f"/proc/{pid}/syscall") as call:
            number, *rest = call.read().split()
        # As x86 and ARM number it.
        return number in ("0", "63") and rest[:1] == ["0x0"]

    def daemon(self, argument, line, **options):
        """What the agent's program says to one line of its own kind."""
        return subprocess.run(
            [DAEMON, *argument], input=line, capture_output=True, text=True, timeout=30,
            env={**os.environ, **self.here.env}, **options)

    # Finding

    def test_the_others_are_found_however_the_first_is_started(self):
        """Below PREFIX, by a link on PATH, under another name, and by the variable alone."""
        program = self.path("prefix/bin/seatagent")
        shutil.copy(BINARY, program)
        link = self.path("links/seatagent")
        os.symlink(program, link)
        # What is no program, and what is only called so, is passed over.
        os.mkdir(self.path("prefix/bin/seatagentd"))
        open(self.path("prefix/bin/seatagent-pass"), "w").close()

        def missing(program, env={}, **options):
            parts = json.loads(self.said(
                "--version", "--json", program=program, env=env, **options).stdout)
            return [part for part in parts["result"]["parts"] if "seatagent" in part]

        none = ["no seatagentd", "no seatagent-pass", "no seatagent-web"]
        self.assertEqual(missing(program), none)
        # An empty variable is none, and not the root of all files.
        self.assertEqual(missing(program, {"SEATAGENT_EXEC_PATH": ""}), none)
        for name in ("seatagentd", "seatagent-pass", "seatagent-web"):
            self.script(
                self.path("prefix/libexec/seatagent", name), f'exec {PROGRAMS}/{name} "$@"')
        self.assertEqual(missing(program), [])
        self.assertEqual(missing(link), [])
        shell = f'cd /; PATH={self.folder}/links; exec -a /nowhere/x seatagent --version --json'
        self.assertNotIn("no seatagent", self.here.run(["bash", "-c", shell]).stdout)
        shutil.rmtree(self.path("prefix/libexec"))
        for folder in (PROGRAMS, PROGRAMS + "/", os.path.relpath(PROGRAMS)):
            self.assertEqual(missing(link, {"SEATAGENT_EXEC_PATH": folder}), [], folder)

    def test_a_missing_program_is_named_by_every_command_that_needs_it(self):
        program = self.path("alone/seatagent")
        shutil.copy(BINARY, program)
        for line in ("up --seat 14C --no-mdns", "agent --seat 14C --no-mdns", "doctor",
                     "export all.json"):
            with self.subTest(line):
                done = self.said(*line.split(), program=program, cwd=self.folder)
                self.assertEqual(done.returncode, 1)
                self.assertIn("seatagentd is not there", done.stderr)
                self.assertTrue(done.stderr.endswith("  try: seatagent --version\n"))

    # Understanding

    def test_another_version_is_told_whatever_else_its_line_says(self):
        """A later version may mean other things by the rest of the line, or more."""
        told = "seatagent and seatagentd are of two versions"
        ours, theirs = os.pipe()
        line = json.dumps({"version": "9.0.0", "profile": ["ada"], "ready": theirs})
        done = self.daemon(["--start", "0"], line, pass_fds=[theirs])
        os.close(theirs)
        with open(ours) as pipe:
            error = json.loads(pipe.read() or "{}").get("error", {})
        self.assertEqual((done.returncode, error.get("what")), (1, told))
        self.assertRegex(error["why"], r"seatagent is 9\.0\.0, seatagentd is \d")
        self.assertIn(told, done.stderr)
        done = self.daemon(["--errand"], '{"version": "9.0.0", "job": "dance", "places": 7}')
        self.assertEqual(json.loads(done.stdout)["error"]["what"], told)

    def test_a_line_that_is_no_line_starts_nothing(self):
        version = json.loads(self.said("--version", "--json").stdout)["result"]["version"]
        head = '{"version": "%s", ' % version
        for line in ("", "\n", "{", head, head + '"profile": 7}', head + '"profile": "../x"}',
                     head + '"profile": "ada", "values": {"seat": ["14C"]}}\n{}', "[" * 70_000,
                     head + '"job": "files", "job": "delete"}'):
            for argument in (["--start", "0"], ["--errand"]):
                with self.subTest((argument, line[:60])):
                    done = self.daemon(argument, line)
                    self.assertIn(done.returncode, (1, 2))
                    self.assertNotIn("JSON", done.stdout + done.stderr)
        self.assertFalse(os.path.exists(self.path("d/seatagent")), "something was begun")

    def test_version_names_a_program_of_another_version_or_that_does_not_run(self):
        self.script(self.path("other/seatagentd"), "echo seatagentd 9.0.0; echo Else 1.0")
        self.script(self.path("other/seatagent-pass"), "exit 3")
        env = {"SEATAGENT_EXEC_PATH": self.path("other")}
        parts = self.said("--version", env=env).stdout.splitlines()[1]
        self.assertTrue(parts.startswith("with seatagentd 9.0.0, Else 1.0, "), parts)
        self.assertIn(", a seatagent-pass that does not run, ", parts)

    def test_the_end_of_a_program_is_heard_where_that_signal_was_ignored(self):
        done = self.said("--version", preexec_fn=lambda: signal.signal(
            signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual(done.stdout, self.said("--version").stdout)

    def test_a_program_that_hangs_keeps_nobody_at_the_keyboard_waiting(self):
        open(self.path("d/seatagent/ada/flight.db"), "w").close()
        self.script(self.path("other/seatagentd"), "exec sleep 60")
        began = time.monotonic()
        done = self.said("__complete", "--", "--profile", "ada", "forget", "", env={
            "SEATAGENT_EXEC_PATH": self.path("other")})
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertLess(time.monotonic() - began, 30)

    def test_who_cannot_be_asked_what_was_before_gets_no_second_seat(self):
        """As long as nobody could look at the records, a start claims nothing beside them."""
        ada = Agent(self.here, "ada", "14C")
        ada.command("up", "--seat", "14C", "--name", "ada", *ada.options, check=0)
        ada.command("down", check=0)
        self.script(self.path("other/seatagentd"),
                    f'[ "$1" = --errand ] && kill -9 $$; exec {DAEMON} "$@"')
        done = ada.command("up", "--seat", "15C", *ada.options, env={
            "SEATAGENT_EXEC_PATH": self.path("other")})
        self.assertEqual(done.returncode, 1)
        self.assertIn("seatagentd did not answer", done.stderr)
        self.assertIn("no agent is running", ada.command("status").stderr)

    def test_the_log_of_an_agent_that_ended_at_once_can_be_shown_as_printed(self):
        self.script(self.path("other/seatagentd"), "echo it broke >&2")
        done = self.said("up", "--seat", "14C", env={
            "SEATAGENT_EXEC_PATH": self.path("other"), "XDG_STATE_HOME": self.path("a b")})
        self.assertIn("  why: it broke\n", done.stderr)
        line = done.stderr.split("  try: ")[1]
        self.assertEqual(self.here.run(["sh", "-c", line]).stdout, "it broke\n")

    # What goes along

    def test_an_agent_in_the_background_keeps_nothing_of_whoever_started_it(self):
        """A script that holds a lock, or waits for the end of a pipe, is done when `up` is."""
        ours, theirs = os.pipe()
        ada = Agent(self.here, "ada", "14C")
        ada.command("up", "--seat", "14C", "--name", "ada", *ada.options, check=0,
                    pass_fds=[theirs])
        self.addCleanup(ada.command, "down")
        os.close(theirs)
        os.set_blocking(ours, False)

        def is_over():
            try:
                return os.read(ours, 1) == b""
            except BlockingIOError:
                return False
        # Whoever kept it would hold it as long as the agent runs.
        until("nobody holds the other end", is_over, 5)
        os.close(ours)

    def test_the_reader_of_passes_has_two_descriptors_and_no_way_to_another(self):
        ours, theirs = os.pipe()
        reader = subprocess.Popen(
            [READER, "--on", "2026-11-23"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, pass_fds=[theirs])
        os.close(theirs)
        self.addCleanup(os.close, ours)

        def sealed():
            with open(f"/proc/{reader.pid}/status") as status:
                return "Seccomp:\t2" in status.read()

        until("it is sealed", sealed)
        os.set_blocking(ours, False)
        self.assertEqual(os.read(ours, 1), b"", "it could write to a stranger's descriptor")
        self.assertEqual(json.loads(reader.communicate(b"x", 30)[0])["error"]["code"], "bad-pass")

    def test_an_errand_ends_with_the_command_that_gave_it(self):
        """That may have held the lock while it had a flight's file deleted."""
        question, kept = os.pipe()
        command = subprocess.Popen(
            ["bash", "-c", 'bash -c "$0" / "$1" --errand <&"$2" & echo $!; wait', START, DAEMON,
             str(question)], pass_fds=[question], stdout=subprocess.PIPE)
        os.close(question)
        self.addCleanup(os.close, kept)
        errand = int(command.stdout.readline())
        until("it reads", lambda: self.reads(errand))
        command.kill()
        command.communicate(timeout=30)

        def ended():
            try:
                with open(f"/proc/{errand}/status") as status:
                    return "State:\tZ" in status.read()
            except OSError:
                return True

        until("it has ended", ended)

    def test_an_errand_of_a_command_that_has_ended_already_is_not_begun(self):
        version = json.loads(self.said("--version", "--json").stdout)["result"]["version"]
        line = {"version": version, "profile": "ada", "job": "files",
                "places": ["HOME=" + self.path("h")]}
        done = self.daemon(["--errand"], json.dumps({**line, "asker": os.getpid()}))
        self.assertEqual((done.returncode, json.loads(done.stdout)), (0, {"result": []}))
        done = self.daemon(["--errand"], json.dumps({**line, "asker": 1}))
        self.assertEqual((done.returncode, done.stdout), (1, ""))

    def test_an_agent_goes_on_where_none_could_be_started_again(self):
        ada = Agent(self.here, "ada", "14C")
        ada.command("up", "--seat", "14C", "--name", "ada", *ada.options, check=0)
        self.addCleanup(ada.command, "down")
        other = {"SEATAGENT_EXEC_PATH": self.path("other")}
        for words, told in (("echo seatagentd 9.0.0", "seatagentd are of two versions"),
                            ("exit 3", "seatagentd does not run")):
            self.script(self.path("other/seatagentd"), words)
            done = ada.command("restart", env=other)
            self.assertEqual(done.returncode, 1)
            self.assertIn(told, done.stderr)
            self.assertEqual(ada.call("status")["me"]["seats"], ["14C"])

    def test_no_core_file_has_a_key_or_a_code(self):
        most = resource.getrlimit(resource.RLIMIT_CORE)[1]

        def dumps(argv):
            child = subprocess.Popen(
                argv, stdin=subprocess.PIPE, cwd=self.folder,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (most, most)))
            until("it reads", lambda: self.reads(child.pid))
            # One that the language's own reports of a crash leave alone.
            child.send_signal(signal.SIGXCPU)
            status = os.waitpid(child.pid, 0)[1]
            child.returncode = -os.WTERMSIG(status)
            child.stdin.close()
            return os.WCOREDUMP(status)

        if not dumps(["cat"]):
            self.skipTest("no program leaves a core file here")
        self.assertFalse(dumps([DAEMON, "--errand"]))
        self.assertFalse(dumps([DAEMON, "--start", "0"]))

    # Installing

    def tarball(self):
        """A folder like that of the tarball, with programs that do nothing."""
        files = {"bin/seatagent": "/bin/true", "libexec/seatagent/seatagentd": "/bin/true",
                 "install.sh": INSTALL}
        for name, source in files.items():
            shutil.copy(source, self.path("tarball", name))
        files["share/systemd/user/seatagent.service"] = None
        with open(self.path("tarball/share/systemd/user/seatagent.service"), "w") as unit:
            unit.write("ExecStart=/usr/local/bin/seatagent agent --stored\n")
        with open(self.path("tarball/SHA256SUMS"), "w") as sums:
            subprocess.run(["sha256sum", *files], cwd=self.path("tarball"), stdout=sums, check=True)

    def install(self, *words):
        return subprocess.run(
            ["sh", "tarball/install.sh", *words], cwd=self.folder, capture_output=True, text=True,
            timeout=30)

    def test_what_install_sh_installs_it_removes_however_the_folder_is_written(self):
        self.tarball()
        if "nothing is missing" not in (said := self.install("check")).stdout:
            self.skipTest(said.stderr)
        below = self.path("below")
        for words in (["PREFIX=/opt//"], ["PREFIX=/"],
                      ["PREFIX=/o/p t/.", "DESTDIR=below/"], ["PREFIX=/opt", "DESTDIR=below"]):
            if "DESTDIR" not in words[-1]:
                words = [*words, f"DESTDIR={below}"]
            with self.subTest(words):
                done = self.install(*words)
                if " " in words[0]:
                    self.assertIn("a character that a unit cannot hold", done.stderr)
                    self.assertFalse(os.path.exists(below))
                    continue
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                files = [os.path.join(at, name) for at, _, names in os.walk(below)
                         for name in names if name != "made-libexec"]
                self.assertEqual(len(files), 3, files)
                unit, = [path for path in files if path.endswith(".service")]
                program, = [path for path in files if path.endswith("bin/seatagent")]
                with open(unit) as text:
                    self.assertIn(f"ExecStart={program[len(below):]} agent", text.read())
                self.assertEqual(self.install("uninstall", *words).returncode, 0)
                left = [name for *_, names in os.walk(below) for name in names]
                self.assertEqual(left, [])
                self.assertFalse(os.path.exists(f"{below}/opt/libexec"))
                shutil.rmtree(below)
        # A folder that was there stays there, also if it is empty.
        words = ["PREFIX=/opt", f"DESTDIR={below}"]
        os.makedirs(f"{below}/opt/libexec")
        for verb in ([], [], ["uninstall"]):
            self.assertEqual(self.install(*verb, *words).returncode, 0)
        self.assertEqual(os.listdir(f"{below}/opt/libexec"), [])
