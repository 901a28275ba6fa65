# SPDX-License-Identifier: Apache-2.0
"""A swap that is agreed or binds keeps the computer awake, and who wakes is told what is open."""

import json
import os
import shutil
import sys
import unittest

import logind
from agent import Agent, finish
from program import has_hooks
from views import ViewCase
from waiting import until

#: In place of systemd's: notes what it was asked, and runs the program as long as that lives.
INHIBIT = """#!/bin/sh
echo "begin $*" >> "{log}"
while [ "${{1#--}}" != "$1" ]; do shift; done
"$@"
echo end >> "{log}"
"""
#: One that is refused by logind.
REFUSED = """#!/bin/sh
echo refused >> "{log}"
echo "Failed to inhibit: Access denied" >&2
exit 1
"""


class Awake(ViewCase):
    slow = 8

    def aboard(self, program):
        """ada, on whose PATH that program stands, and bo, who asks her and is gone."""
        here = self.loopback()
        self.log = f"{here.folder}/inhibited"
        os.mkdir(f"{here.folder}/bin")
        path = f"{here.folder}/bin/systemd-inhibit"
        with open(path, "w") as file:
            file.write(program.format(log=self.log))
        os.chmod(path, 0o755)
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo])
        ada.board(env={"PATH": f"{here.folder}/bin:{here.env['PATH']}"})
        ada.wait_for(bo)
        bo.wait_for(ada)
        return ada, bo

    def noted(self):
        if not os.path.exists(self.log):
            return []
        with open(self.log) as file:
            return file.read().splitlines()

    def agreed(self, ada, bo, seat="14C"):
        """ada says yes to one who is gone: agreed, and nothing comes of it."""
        bo.swap(seat)
        number = ada.incoming()
        bo.kill()
        until("bo is gone", lambda: ada.call("status")["linked"] == 0)
        said = ada.command("accept", number, "--yes", check=0).stdout
        self.assertRegex(said, r"waiting for bo #\w{4}")
        return number

    def test_what_is_agreed_keeps_the_computer_awake_until_it_is_over(self):
        ada, bo = self.aboard(INHIBIT)
        screen = self.view(ada)
        self.assertFalse(ada.call("status")["awake"])
        number = self.agreed(ada, bo)
        screen.wait_for("this computer is kept awake until the swap is decided", "   kept awake")
        self.assertEqual(self.noted(), [
            "begin --what=sleep:idle --who=seatagent --why=a seat swap is being decided "
            "--mode=block cat"])
        self.assertTrue(ada.call("status")["awake"])
        self.assertIn("Awake     this computer is kept from sleeping until a swap is decided",
                      ada.command("status").stdout)
        ada.command("cancel", number, check=0)
        screen.wait_for("this computer may sleep again", gone=["   kept awake"])
        until("it is let go", lambda: self.noted()[1:] == ["end"])
        self.assertFalse(ada.call("status")["awake"])

    def test_systemd_s_own_program_asks_the_logind_of_a_private_bus(self):
        programs = [shutil.which(name) for name in ("systemd-inhibit", "dbus-daemon")]
        if not all(programs) or not logind.library():
            self.skipTest("needs systemd-inhibit, dbus-daemon and libsystemd")
        here = self.loopback()
        heard = f"{here.folder}/logind"
        here.popen([sys.executable, logind.__file__, here.start_bus(), heard], log="logind.log")

        def said():
            with open(heard) as file:
                return [json.loads(line) for line in file]

        until("logind is there", lambda: os.path.exists(heard))
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        self.agreed(ada, bo)
        until("it is held", lambda: ada.call("status")["awake"])
        self.assertEqual(said()[1:], [{"inhibit": [
            "sleep:idle", "seatagent", "a seat swap is being decided", "block"]}])
        # A dead agent keeps no computer awake.
        ada.kill()
        until("it is let go", lambda: said()[2:] == [{"released": True}])

    def test_where_logind_refuses_nothing_is_said_and_the_swap_goes_on(self):
        ada, bo = self.aboard(REFUSED)
        watch = ada.watch("awake")
        self.addCleanup(watch.end)
        asked = bo.begin("swap", "14C", "--wait")
        ada.command("accept", ada.incoming(), "--yes", "--wait", check=0)
        self.assertEqual(finish(asked)[0], 0)
        # Mostly it was over before anything was asked.
        self.assertLessEqual(len(self.noted()), 1)
        self.agreed(ada, bo, "12A")
        until("it was asked", lambda: self.noted()[-1:] == ["refused"])
        self.assertFalse(ada.call("status")["awake"])
        self.assertNotIn("Awake", ada.command("status").stdout)
        self.assertEqual(watch.events, [])


@unittest.skipUnless(has_hooks(), "only a debug build can be told that it slept")
class Woken(ViewCase):
    slow = 5

    def test_who_wakes_is_told_what_is_open(self):
        here = self.loopback()
        slept = f"{here.folder}/slept"
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board(env={"SEATAGENT_SLEPT": slept})
        ada.wait_for(bo)
        bo.wait_for(ada)
        watch = ada.watch("woke")
        self.addCleanup(watch.end)
        screen = self.view(ada)
        bo.swap("14C")
        number = ada.incoming()
        with open(f"{slept}.new", "w") as file:
            file.write("3725\n")
        os.rename(f"{slept}.new", slept)
        ada.call("status")
        woke = watch.wait_for("woke")
        self.assertIn(woke[0]["slept"], (3724, 3725))
        self.assertEqual(woke[0]["open"], [
            {"number": number, "state": "open", "needs_answer": True}])
        screen.wait_for("this computer slept for 1 h 2 min. Open: request 1 waits", "your answer.")
        # It is said once.
        ada.call("status")
        self.assertEqual(len(watch.events), 1)
