# SPDX-License-Identifier: Apache-2.0
"""`make demo`: two hosts, two passengers, one swap.

On a terminal it opens tmux with the two sides for you to type in; elsewhere, or with --play, it
plays the swap and prints what both sides typed and saw. The hosts are network namespaces of our
own, joined by a cable: no default route, no DNS, nothing of this machine's network is touched.
VENUE=study, parking, rec and castles play what venues do instead, PHONE=1 what phones do, MEET=1
two passengers who meet from home.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys

import demo_desk
import demo_meet
import demo_phone
import demo_venue
import world
from agent import BINARY, finish, without_me
from hosts import Cabin, Loopback
from waiting import TimeRanOut, until

LIMIT = 180


class Side:
    """One passenger at a keyboard."""

    def __init__(self, host, name, seat, options=()):
        self.host = host
        self.name = name
        self.up = ["up", "--seat", seat, "--name", name, *options]
        self.env = {
            "SEATAGENT_PROFILE": name,
            "PATH": f"{os.path.dirname(BINARY)}:{host.env['PATH']}",
        }

    def show(self, argv):
        print(f"\n{self.name}$ seatagent {shlex.join(argv)}", flush=True)

    def type(self, *argv, quiet=False):
        """Types a command, prints it and what it says; its output. Ends the demo if it fails."""
        if not quiet:
            self.show(argv)
        done = self.host.run(["seatagent", *argv], check=False, timeout=60, env=self.env)
        if not quiet or done.returncode:
            print((done.stdout + done.stderr).rstrip(), flush=True)
        if done.returncode:
            raise SystemExit(
                f"demo: {self.name}'s `seatagent {shlex.join(argv)}` ended with {done.returncode}")
        return done.stdout

    def json(self, *argv):
        return json.loads(self.type(*argv, "--json", quiet=True))["result"]

    def begin(self, *argv):
        self.show(argv)
        return subprocess.Popen(
            self.host.argv(["seatagent", *argv]), env={**self.host.env, **self.env}, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def two_sides():
    """ada and bo on hosts of their own; or, where there can be none, both on this one."""
    if not world.no_namespaces:
        cabin = Cabin("ada", "bo")
        print("two hosts: ada at 10.77.0.1, bo at 10.77.0.2, one cable, each with its own avahi;"
              " no default route, no DNS")
        return Side(cabin["ada"], "ada", "14C"), Side(cabin["bo"], "bo", "12A")
    print(f"no network namespaces here ({world.no_namespaces}):\n"
          "both passengers are on this machine's loopback, each told of the other with --peer")
    here = Loopback()
    ports = here.port(), here.port()
    return [
        Side(here, name, seat, ["--interface", "lo", "--port", str(ports[mine]),
                                "--peer", f"127.0.0.1:{ports[1 - mine]}"])
        for mine, (name, seat) in enumerate((("ada", "14C"), ("bo", "12A")))]


def play(ada, bo):
    ada.type(*ada.up)
    bo.type(*bo.up)
    ada.type("peers", "--wait", "1", "--timeout", "20")
    bo.type("peers", "--wait", "1", "--timeout", "20")
    ada.type("say", "hello bo, is 12A a window?")
    until("bo reads it", lambda: "12A a window" in bo.type("log", quiet=True))
    bo.type("say", "it is. Would you like it?")
    until("ada reads it", lambda: "Would you like it" in ada.type("log", quiet=True))
    bo.type("log")
    asked = ada.begin("swap", "12A", "--note", "aisle for window", "--unverified",
                      "--wait", "--timeout", "30")
    waiting = until("the request reaches bo", lambda: bo.json("requests")["requests"])
    bo.type("requests")
    bo.type("accept", str(waiting[-1]["number"]), "--yes", "--wait")
    status, text = finish(asked)
    print(f"\nada, who waited:\n{text.rstrip()}")
    if status:
        raise SystemExit(f"demo: ada's request ended with {status}")
    for side in (ada, bo):
        side.type("receipt")
        side.type("receipt", "--verify")
    ada.type("seats")
    maps = until("both show one map", lambda: same_map(ada, bo))
    print(f"\n`seatagent seats --json` of both, without the \"me\" mark, {len(maps)} bytes: equal")
    for side in (ada, bo):
        side.type("down")


def same_map(*sides):
    """The map as both print it, byte for byte, without "me"; None while they differ."""
    texts = [json.dumps(without_me(side.json("seats"))) for side in sides]
    return texts[0] if texts[0] == texts[1] else None


def in_tmux(ada, bo):
    """The two sides in two panes, for the user to type in."""
    for side in (ada, bo):
        side.type(*side.up)
    tmux = ["tmux", "-S", f"{world.folder}/tmux", "-f", "/dev/null"]
    panes = []
    for side in (ada, bo):
        settings = {**side.host.env, **side.env, "TERM": "screen-256color"}
        panes.append(shlex.join(side.host.argv(
            ["env", "-i", *(f"{key}={value}" for key, value in settings.items()),
             "seatagent", "chat"])))
    hint = " above: /swap 12A   below: /accept 1   both: /seats, /receipt   end: Ctrl-b d"
    subprocess.run(tmux + ["new-session", "-d", "-s", "demo", panes[0], ";",
                           "split-window", "-v", "-t", "demo", panes[1], ";",
                           "set", "-g", "status-left", hint, ";",
                           "set", "-g", "status-left-length", "100", ";",
                           "set", "-g", "status-right", "", ";",
                           "set", "-g", "window-status-current-format", "", ";",
                           "select-pane", "-t", "demo.0"], check=True)
    subprocess.run(tmux + ["attach", "-t", "demo"])
    for side in (ada, bo):
        side.host.run(["seatagent", "down"], check=False, env=side.env)


def show_venue(word):
    """Plays the demo of a venue."""
    plays = {
        "study": (demo_venue.study, ("ada", "bo", "cy")),
        "rec": (demo_desk.rec, ("desk", "ada", "bo")),
        "castles": (demo_desk.castles, ("desk", "els", "jan"))}
    if word != "parking" and word not in plays:
        raise SystemExit(f"demo: there is no VENUE={word}; there are parking, {', '.join(plays)}\n"
                         "  try: make demo VENUE=rec")
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"demo: not done after {LIMIT} s"))
    signal.alarm(LIMIT)
    if word == "parking":
        return demo_venue.parking()
    if world.no_namespaces:
        raise SystemExit(f"demo: three hosts need network namespaces: {world.no_namespaces}\n"
                         "  try: make demo VENUE=parking")
    try:
        play, names = plays[word]
        play(Cabin(*names))
    except TimeRanOut as error:
        raise SystemExit(f"demo: {error}") from None


def show_phones():
    """Plays the demo of a laptop and two phones."""
    why = demo_phone.why_not() or world.no_namespaces
    if why:
        raise SystemExit(f"demo: two phones need Chromium and network namespaces: {why}\n"
                         "  try: make setup")
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"demo: not done after {LIMIT} s"))
    signal.alarm(LIMIT)
    try:
        demo_phone.play(Cabin("ada", "mia", "leo", avahi=False))
    except TimeRanOut as error:
        raise SystemExit(f"demo: {error}") from None


def show_meeting():
    """Plays the demo of two passengers who meet from home."""
    why = demo_meet.why_not() or world.no_namespaces
    if why:
        raise SystemExit(f"demo: homes with a broker between need mosquitto, openssl and network "
                         f"namespaces: {why}\n  try: make setup")
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"demo: not done after {LIMIT} s"))
    signal.alarm(LIMIT)
    try:
        cabin = Cabin("ada", "bo", "meet", switch=True, avahi=False)
        demo_meet.play(cabin, Side, same_map)
    except TimeRanOut as error:
        raise SystemExit(f"demo: {error}") from None
    print("\ndemo: a request that was made at home was closed aboard, without the broker, and both"
          " passengers\nagree on 14C and 12A")


def main():
    watch = "--play" not in sys.argv and os.isatty(0) and os.isatty(1) and shutil.which("tmux")
    if not os.access(BINARY, os.X_OK):
        raise SystemExit(f"demo: there is no {BINARY}\n  try: make build")
    world.enter()
    if os.environ.get("VENUE"):
        return show_venue(os.environ["VENUE"])
    if os.environ.get("PHONE"):
        return show_phones()
    if os.environ.get("MEET"):
        return show_meeting()
    ada, bo = two_sides()
    if watch:
        in_tmux(ada, bo)
        return
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"demo: not done after {LIMIT} s"))
    signal.alarm(LIMIT)
    try:
        play(ada, bo)
    except TimeRanOut as error:
        raise SystemExit(f"demo: {error}") from None
    print("\ndemo: 14C and 12A were swapped, and both passengers agree on it")


if __name__ == "__main__":
    main()
