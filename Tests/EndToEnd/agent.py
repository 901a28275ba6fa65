# SPDX-License-Identifier: Apache-2.0
"""One passenger's agent on a host, driven the way a person or a script drives it.

    ada = Agent(host, "ada", "14C").board()
    ada.call("say", "hello")                 # a command with --json; returns its result
    ada.call("swap", "33Z", expect=4)        # a command that must fail; returns its error
"""

import json
import os
import pty
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress

from program import BINARY, ROOT
from waiting import READING, TimeRanOut, until


#: Commands that change nothing, whose JSON is the agent's own.
READS = {("status",), ("seats",), ("peers",), ("requests",)}


class CommandFailed(AssertionError):
    """A command ended with another exit status than it should."""


class Agent:
    """A passenger: a seat, a name, a profile, and the agent process while it runs."""

    #: The program, of which tests of another version set another one.
    binary = BINARY

    def __init__(self, host, name, seat, peers=(), port=None, options=(), mdns=False):
        self.host = host
        self.name = name
        self.seat = seat
        self.port = port or host.port()
        self.options = list(options)
        self.read = set()
        if host.interface == "lo":
            self.options += ["--interface", "lo"]
            # There is none, and each view would say so in red.
            if not mdns:
                self.options += ["--no-mdns"]
        for peer in peers:
            self.options += ["--peer", peer if isinstance(peer, str) else peer.reached_at]
        self.process = None

    @property
    def reached_at(self):
        return f"{self.host.address}:{self.port}"

    def board(self, env=None, wait=True):
        """Starts the agent in the foreground of its host and waits until it answers."""
        self.process = self.host.popen(
            [self.binary, "agent", "--profile", self.name, "--seat", self.seat, "--name", self.name,
             "--port", str(self.port), *self.options],
            log=f"{self.name}.log", env=env)
        if wait:
            until(f"the agent of {self.name} answers", self.answers, 20)
        return self

    def answers(self):
        if self.process.poll() is not None:
            raise TimeRanOut(
                f"the agent of {self.name} ended with {self.process.returncode} at its start")
        return self.command("status").returncode == 0

    def leave(self):
        """As `seatagent down`: says good-bye."""
        self.command("down", check=0)
        self.process.wait(15)

    def kill(self):
        self.process.kill()
        self.process.wait(10)

    def wait_until_dead(self, seconds=30):
        """For an agent that is to kill itself; returns its exit status."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TimeRanOut(f"the agent of {self.name} still runs after {seconds} s") from None

    @property
    def rss(self):
        """Resident memory in KiB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    # Commands

    def command(self, *argv, check=None, timeout=60, asks=False, **options):
        """Runs `seatagent ARGV`, as typed; the finished process. Most tests are of people who know
        whom they trade with: unless `asks`, the second question before a swap is answered."""
        if not asks and argv and argv[0] in ("swap", "accept", "counter", "undo"):
            argv += ("--unverified",)
        done = self.host.run(
            [self.binary, *map(str, argv), "--profile", self.name], check=False, timeout=timeout,
            **options)
        if check is not None and done.returncode != check:
            raise CommandFailed(
                f"{self.name}$ seatagent {' '.join(map(str, argv))}\n"
                f"ended with {done.returncode}, not {check}\n{done.stdout}{done.stderr}")
        return done

    def call(self, *argv, expect=0, **options):
        """Runs a command with --json; its `result`, or its `error` where `expect` is not 0. What
        only reads is asked once like that and then over the socket, which says the same: tests ask
        it again and again, and a third of a run would be the start of commands."""
        if argv in READS and expect == 0 and not options:
            if argv in self.read:
                with suppress(OSError, ValueError, CommandFailed):
                    answer = self.ask(*argv)
                    if answer["ok"]:
                        return answer["result"]
            self.read.add(argv)
        done = self.command(*argv, "--json", check=expect, **options)
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            raise CommandFailed(f"{argv}: not JSON: {done.stdout!r} {done.stderr}") from None
        if answer.get("version") != 1 or answer.get("ok") is not (expect == 0):
            raise CommandFailed(f"{argv}: {done.stdout}")
        return answer["result" if expect == 0 else "error"]

    def typed(self, argv, answer, question="y/n", cwd=None):
        """What a command says on a terminal where a line of `answer` is typed for each question,
        an answer once it could be read."""
        answers = answer.splitlines(keepends=True)
        leader, follower = pty.openpty()
        process = subprocess.Popen(
            self.host.argv([*(["env", "-C", cwd] if cwd else []), self.binary, *argv, "--profile",
                            self.name]), env=self.host.env,
            stdin=follower, stdout=follower, stderr=follower, start_new_session=True)
        os.close(follower)
        text, asked = b"", 0
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                piece = os.read(leader, 4096)
            except OSError:
                break
            if not piece:
                break
            text += piece
            # On a busy machine a question may come again.
            again = text.count(b"before the question could be read")
            if asked < min(text.count(question.encode()) - again, len(answers)):
                if answers[asked].strip() in ("y", "n", "move", "both"):
                    time.sleep(READING)
                os.write(leader, answers[asked].encode())
                asked += 1
        process.wait(10)
        os.close(leader)
        return text.decode()

    def begin(self, *argv):
        """Starts a command that waits; `finish` gets what came of it."""
        if argv[0] in ("swap", "accept", "counter"):
            argv += ("--unverified",)
        return subprocess.Popen(
            self.host.argv([self.binary, *map(str, argv), "--profile", self.name]),
            env=self.host.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)

    def wait_for(self, *others, seconds=20):
        """Until this agent is linked with all of `others`."""
        self.call("peers", "--wait", len(others), "--timeout", seconds)
        names = {other.name for other in others}
        until(f"{self.name} is linked with {names}", lambda: names <= {
            peer["name"] for peer in self.call("peers")["peers"] if peer["linked"]}, seconds)
        return self

    # The map

    def seats(self):
        """The map as `seats --json` gives it, without what each sees in their own way."""
        return without_me(self.call("seats"))

    def held(self):
        """Seat -> name of its holder; a set of names where several claim it."""
        seats = {}
        for seat in self.call("seats")["seats"]:
            names = {holder["name"] for holder in seat["holders"]}
            if names:
                seats[seat["seat"]] = names.pop() if len(names) == 1 else names
        return seats

    def seats_of_mine(self):
        return self.call("status")["me"]["seats"]

    # Requests

    def request(self, number):
        """One request by its number, `None` when there is none."""
        every = self.call("requests", "--all")["requests"]
        found = [r for r in every if r["number"] == number]
        return found[0] if found else None

    def incoming(self, seconds=10):
        """The number of a request that waits for this passenger's answer."""
        def waiting():
            return [r["number"] for r in self.call("requests")["requests"]
                    if r.get("needs_answer")]
        return until(f"a request reaches {self.name}", waiting, seconds)[-1]

    def swap(self, seat, *options):
        """Asks for a seat; the request's number."""
        return self.call("swap", seat, *options)["number"]

    def said(self):
        """Texts of chat and messages, oldest first."""
        return [item["text"] for item in self.call("log")["items"] if item.get("text")]

    # The socket

    def socket_path(self):
        return f"{self.host.env['XDG_RUNTIME_DIR']}/seatagent/{self.name}.sock"

    def ask(self, op, **fields):
        """One request over the control socket, as `examples/api.py` makes it."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(30)
            line.connect(self.socket_path())
            with line.makefile("rwb") as stream:
                request = {"id": 1, "op": op, **fields}
                stream.write(json.dumps(request).encode() + b"\n")
                stream.flush()
                for text in stream:
                    answer = json.loads(text)
                    if answer.get("id") == 1:
                        return answer
        raise CommandFailed(f"{self.name}: no answer to {op}")

    def watch(self, *events):
        return Watch(self, events)


class Watch:
    """What an agent tells of the events that are watched. It stands when this returns: what happens
    from then on is in `events`, the oldest first."""

    def __init__(self, agent, events):
        self.events = []
        self.line = socket.socket(socket.AF_UNIX)
        self.line.connect(agent.socket_path())
        self.stream = self.line.makefile("rwb")
        named = {"events": list(events)} if events else {}
        self.stream.write(json.dumps({"id": 1, "op": "watch", **named}).encode() + b"\n")
        self.stream.flush()
        self.line.settimeout(30)
        while "id" not in (answer := json.loads(self.stream.readline())):
            pass  # The greeting.
        if not answer["ok"]:
            raise CommandFailed(f"{agent.name}: {answer}")
        self.line.settimeout(None)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with suppress(OSError):  # The agent may die.
            for line in self.stream:
                self.events.append(json.loads(line))

    def wait_for(self, event, seconds=15):
        return until(f"event {event}",
                     lambda: [e for e in self.events if e.get("event") == event], seconds)

    def end(self):
        with suppress(OSError):
            self.line.shutdown(socket.SHUT_RDWR)


def finish(process, seconds=60):
    """Exit status and output of what `begin` started."""
    out, errors = process.communicate(timeout=seconds)
    return process.returncode, out + errors


def without_me(value):
    """The same JSON without any key "me", nor evidence, which is each agent's own."""
    if isinstance(value, dict):
        return {key: without_me(item) for key, item in value.items()
                if key not in ("me", "evidence", "since")}
    if isinstance(value, list):
        return [without_me(item) for item in value]
    return value
