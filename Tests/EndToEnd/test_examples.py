# SPDX-License-Identifier: Apache-2.0
"""What is shown to people runs: the demo, in every way it can run, and each file of examples/."""

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import demo_meet
import demo_phone
import terminal
import world
from agent import BINARY, ROOT, Agent
from case import Case
from terminal import Terminal
from waiting import until

DEMO = [sys.executable, "-B", os.path.join(ROOT, "Tests", "EndToEnd", "demo.py"), "--play"]


def agents():
    """Process numbers of all agents in this world that run below a demo."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if b"DEMO_UNDER_TEST=1" in file.read():
                    found.append(int(pid))
        except OSError:
            pass
    return found


class Demo(Case):
    slow = 20

    def test_two_hosts_swap_and_print_the_transcript(self):
        if world.no_namespaces:
            self.skipTest(f"needs network namespaces: {world.no_namespaces}")
        done = subprocess.run(
            DEMO, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
        self.assertEqual(done.returncode, 0, done.stdout)
        for line in ("two hosts", "ada$ seatagent swap 12A", "bo$ seatagent accept 1", "equal"):
            self.assertIn(line, done.stdout)

    def test_two_phones_swap_as_make_demo_shows(self):
        why = demo_phone.why_not() or world.no_namespaces
        if why:
            self.skipTest(f"needs Chromium and network namespaces: {why}")
        done = subprocess.run(DEMO, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=200, env={**os.environ, "PHONE": "1"})
        self.assertEqual(done.returncode, 0, done.stdout)
        for line in ("leo's phone: slides: yes", "ada$ seatagent host guests", "mia (20F)",
                     "demo: 14B and 20F were swapped"):
            self.assertIn(line, done.stdout)

    def test_two_meet_at_home_and_swap_aboard_as_make_demo_shows(self):
        why = demo_meet.why_not() or world.no_namespaces
        if why:
            self.skipTest(f"needs mosquitto, openssl and network namespaces: {why}")
        done = subprocess.run(DEMO, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=200, env={**os.environ, "MEET": "1"})
        self.assertEqual(done.returncode, 0, done.stdout)
        for line in ("at the meeting point", "== the broker is stopped", "bo$ seatagent accept 1",
                     "bytes: equal", "closed aboard, without the broker"):
            self.assertIn(line, done.stdout)

    def test_make_demo_installs_what_a_build_and_a_run_need_and_no_more(self):
        here = self.loopback()

        def listed(*words):
            return set(here.run(
                ["sh", f"{ROOT}/scripts/setup", *words, "--list"]).stdout.split())
        demo, everything = listed("demo"), listed()
        self.assertLess(demo, everything)
        # Nothing that measures, checks or packages, and no reader of calendars.
        for package in ("spin", "valgrind", "mosquitto", "ngircd", "debootstrap", "khal", "zint",
                        "shellcheck", "python3-venv", "fish"):
            self.assertIn(package, everything)
            self.assertNotIn(package, demo)
        # All headers, and whatever has a program that the demo starts.
        self.assertLessEqual({p for p in everything if p.endswith("-dev")} - demo,
                             {"libcbor-dev", "libical-dev", "libzmq3-dev", "libc6-dev",
                              "dpkg-dev", "mosquitto-dev", "libmosquitto-dev"})
        self.assertLessEqual({"util-linux", "iproute2", "dbus", "avahi-daemon", "python3", "tmux"},
                             demo)
        self.assertEqual(listed("demo-phone") - demo, {"chromium"})
        self.assertLessEqual({"mosquitto", "mosquitto-dev", "openssl"}, listed("demo-meet") - demo)
        self.assertLess(listed("demo-meet"), everything)
        makes = here.run(["make", "-n", "-C", ROOT, "demo", "MEET=1"]).stdout.splitlines()
        self.assertIn("sh scripts/setup demo-meet", makes)
        makes = here.run(["make", "-n", "-C", ROOT, "demo"]).stdout.splitlines()
        self.assertIn("sh scripts/setup demo", makes)
        self.assertNotIn("sh scripts/setup", makes)
        self.assertIn("sh scripts/setup", here.run(
            ["make", "-n", "-C", ROOT, "test"]).stdout.splitlines())

    def test_without_namespaces_it_says_so_and_uses_loopback(self):
        here = self.loopback()
        done = here.run(DEMO, check=False, timeout=200,
                        env={"SEATAGENT_E2E_NO_NAMESPACES": "1", "SEATAGENT": BINARY})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("no network namespaces here", done.stdout)
        self.assertIn("equal", done.stdout)

    def test_nothing_is_left_after_it_was_interrupted(self):
        for more in ({}, {"SEATAGENT_E2E_NO_NAMESPACES": "1"}):
            here = self.loopback()
            demo = here.popen(DEMO, log="demo.log", env={
                "DEMO_UNDER_TEST": "1", "SEATAGENT": BINARY, **more})
            log = here.logs[-1]
            until("both are aboard", lambda: "peers --wait" in here.text(log), 60)
            demo.send_signal(signal.SIGINT)
            self.assertEqual(demo.wait(15), 130)
            until("all is gone", lambda: not agents(), 10)


class Examples(Case):
    def test_two_terminals_plays_over_loopback(self):
        here = self.loopback()
        began = time.monotonic()
        done = here.run(["sh", f"{ROOT}/examples/two-terminals.sh", "--play"], check=False,
                        timeout=120, env={"SEATAGENT": BINARY})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("bo$ seatagent accept 1", done.stdout)
        self.note = f"{time.monotonic() - began:.0f} s"

    def aboard(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        return here, ada, bo

    def as_ada(self, here, *argv, **options):
        return here.run(list(argv), timeout=60, env={
            "SEATAGENT": BINARY, "SEATAGENT_PROFILE": "ada"}, **options)

    def test_wait_for_offer_asks_for_the_first_window(self):
        here, ada, bo = self.aboard()
        waiting = here.popen(["sh", f"{ROOT}/examples/wait-for-offer.sh", "AF"], log="wait.log",
                             env={"SEATAGENT": BINARY, "SEATAGENT_PROFILE": "ada"})
        # An offer made before the script listens is not an event: offer until it has asked. What
        # others know is not said again, and one wish in 5 s is said.
        def asked():
            bo.call("offer", "--for", "aisle", "--note", next(notes))
            return [r for r in bo.call("requests")["requests"] if r["needs_answer"]]
        notes = map(str, itertools.count())
        number = until("ada's script asks", asked, pause=0.5)[0]["number"]
        bo.call("accept", number, "--yes", "--wait")
        self.assertEqual(waiting.wait(20), 0)
        self.assertIn("12A is offered", here.text(here.logs[-1]))
        self.assertEqual(ada.held(), {"12A": "ada", "14C": "bo"})

    def test_api_lists_says_and_asks(self):
        here, ada, bo = self.aboard()
        api = f"{ROOT}/examples/api.py"
        listed = self.as_ada(here, sys.executable, "-B", api).stdout
        self.assertIn("12A bo", listed)
        self.assertIn("14C ada (you)", listed)
        self.as_ada(here, sys.executable, "-B", api, "say", "hello", "bo")
        until("bo reads it", lambda: "hello bo" in bo.said())
        self.as_ada(here, sys.executable, "-B", api, "ask", "swap",
                    '{"seat": "12A", "unverified": true}')
        bo.incoming()
        refused = self.as_ada(here, sys.executable, "-B", api, "ask", "swap", '{"seat": "20F"}',
                              check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("20F", refused.stderr)

    def test_what_two_terminals_md_says_to_type_works(self):
        here = self.loopback()
        sides = {"1": [], "2": []}
        for page in open(f"{ROOT}/examples/two-terminals.md").read().split("Terminal ")[1:]:
            block = page.split("```sh\n")[1].split("```")[0]
            sides[page[0]].append(block)
        shell = {side: blocks[0].splitlines()[0] for side, blocks in sides.items()}
        self.assertEqual(sorted(shell), ["1", "2"])
        path = {"PATH": f"{os.path.dirname(BINARY)}:{here.env['PATH']}"}

        def script(side, block):
            return ["sh", "-ec", shell[side] + "\n" + block]
        done = here.run(script("1", sides["1"][0]), env=path)
        done = here.run(script("2", sides["2"][0]), env=path)
        asking = here.popen(script("1", sides["1"][1]), log="one.log", env=path)
        until("the request reaches bo", lambda: "12A" in here.run(
            script("2", "seatagent requests"), env=path).stdout)
        done = here.run(script("2", sides["2"][1]), env=path)
        self.assertEqual(asking.wait(30), 0)
        self.assertIn("Swapped: ada is now in 12A, bo in 14C", here.text(here.logs[-1]))
        self.assertIn("14C", done.stdout)
        here.run(script("1", sides["1"][2]), env=path)

    def test_two_terminals_shows_two_cabins_to_type_in(self):
        here = self.loopback()
        screen = self.screen(here, ["sh", f"{ROOT}/examples/two-terminals.sh"], size=(100, 60),
                             env={"SEATAGENT": BINARY})
        screen.wait_for(" seatagent   ada 14C", " seatagent   bo 12A", seconds=40)
        screen.enter("/swap 12A aisle for window")
        screen.answer("y", "for 12A (window)? y/n")
        screen.answer("y", "Go on? y/n")
        screen.wait_for("F5 answer")
        screen.press("C-b", "o")
        screen.press("F5", "a")
        screen.answer("y")
        screen.wait_for(" seatagent   ada 12A", " seatagent   bo 14C", "Receipt 1")
        screen.enter("/quit")
        screen.wait_for(" seatagent   ada 12A", gone=[" seatagent   bo 14C"])
        screen.enter("/quit")
        self.assertEqual(screen.wait_until_ended(), 0)
        self.assertEqual(screen.is_restored(), "")

    def screen(self, here, argv, **options):
        if not terminal.is_there():
            self.skipTest("needs tmux")
        screen = Terminal(here, argv, **options)
        self.addCleanup(screen.close)
        return screen

    def test_status_line_is_one_short_line(self):
        here, ada, bo = self.aboard()

        def line():
            return self.as_ada(here, "sh", f"{ROOT}/examples/status-line.sh").stdout
        self.assertEqual(line(), "14C 1+\n")
        bo.swap("14C")
        ada.incoming()
        self.assertEqual(line(), "14C 1+ !1\n")
        bo.leave()
        ada.leave()
        self.assertEqual(line(), "")

    def test_notify_hook_keeps_a_list_and_shows_the_text_as_it_is(self):
        here = self.loopback()
        socket = f"{here.folder}/own"
        os.mkdir(f"{here.env['XDG_STATE_HOME']}/seatagent")
        screen = self.screen(
            here, ["tmux", "-S", socket, "-f", "/dev/null", "new-session", "cat"])
        until("the tmux inside runs", lambda: here.run(
            ["tmux", "-S", socket, "list-clients"], check=False).stdout)
        text = f"bo: #(touch {here.folder}/pwned) 100%H `touch {here.folder}/pwned` $(true)"
        for env in ({}, {"TMUX": f"{socket},1,0"}):
            here.run(["sh", f"{ROOT}/examples/notify-hook.sh", "Message", text], env=env)
        screen.wait_for("Message: bo: #(touch", "100%H")
        self.assertFalse(os.path.exists(f"{here.folder}/pwned"))
        with open(f"{here.env['XDG_STATE_HOME']}/seatagent/calls") as file:
            self.assertEqual([line[7:] for line in file], [f"Message: {text}\n"] * 2)

    def test_api_socat_asks_one_thing(self):
        if not shutil.which("socat"):
            self.skipTest("needs socat")
        here, ada, bo = self.aboard()
        script = f"{ROOT}/examples/api-socat.sh"

        def asked(*words, check=True):
            done = self.as_ada(here, "sh", script, *words, check=check)
            return done.returncode, json.loads(done.stdout or "null")
        began = time.monotonic()
        self.assertEqual(asked()[1]["result"]["me"]["name"], "ada")
        self.assertLess(time.monotonic() - began, 8)
        asked("say", '"text":"hello from a script"')
        until("bo reads it", lambda: "hello from a script" in bo.said())
        status, reply = asked("msg", '"who":"nobody","text":"x"', check=False)
        self.assertEqual((status, reply["error"]["code"]), (1, "no-such-passenger"))
        ada.leave()
        self.assertEqual(asked(check=False), (3, None))
