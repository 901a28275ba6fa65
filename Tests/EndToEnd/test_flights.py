# SPDX-License-Identifier: Apache-2.0
"""The life of a flight: the cabin code, forgetting, deletion by date, a file that was put back."""

import os
import shutil
import re
import sqlite3
import time

from agent import BINARY, Agent, finish
from case import Case
from waiting import until, until_gone

NEXT = "XY123/2099-11-22/DUB"
PAST = "XY123/2020-01-02/DUB"


class Flights(Case):
    def files(self, agent):
        """Every byte of every file of the profile's data and state."""
        found = {}
        for top in ("d", "s"):
            for folder, _, names in os.walk(f"{agent.host.folder}/{top}"):
                for name in names:
                    with open(os.path.join(folder, name), "rb") as file:
                        found[os.path.join(folder, name)] = file.read()
        return found

    def database(self, agent):
        folder = f"{agent.host.env['XDG_DATA_HOME']}/seatagent/{agent.name}"
        return next(f"{folder}/{name}" for name in os.listdir(folder) if name.endswith(".db"))

    def test_a_cabin_code_keeps_out_who_does_not_know_it(self):
        here = self.loopback()
        code = ["--flight", NEXT, "--code", "K7Q2-m5"]
        bo = Agent(here, "bo", "12A", options=code).board()
        ada = Agent(here, "ada", "14C", peers=[bo], options=["--flight", NEXT, "--code", "k7q2m5"])
        eve = Agent(here, "eve", "7F", options=["--flight", NEXT])
        ada.board().wait_for(bo)
        watch = eve.board().watch()
        until("the watch has begun", lambda: eve.call("say", "here") and [
            event for event in watch.events if event["event"] == "chat"], 10)
        eve.ask("peer-add", address=bo.reached_at)
        until("eve is told", lambda: [event for event in watch.events
                                      if event.get("code") == "other-flight"], 20)
        watch.end()
        self.assertEqual(eve.call("peers")["peers"], [])
        self.assertEqual({peer["name"] for peer in bo.call("peers")["peers"]}, {"ada"})
        self.assertTrue(bo.call("status")["flight"]["gated"])
        self.assertFalse(eve.call("status")["flight"]["gated"])
        shown = bo.command("status", check=0).stdout
        self.assertIn("cabin code set", shown)
        self.assertNotIn("k7q2m5", shown.lower() + bo.host.text(f"{here.folder}/bo.log"))
        for wrong in ("k7q2m", "k7q2m1", "k7q2m5!"):
            done = ada.host.run(
                [BINARY, "up", "--seat", "1A", "--code", wrong, "--profile", "x"], check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("cabin code", done.stderr)

    def test_a_number_in_another_spelling_is_the_same_flight(self):
        here = self.loopback()
        rest = "2099-11-22/DUB"
        bo = Agent(here, "bo", "12A", options=["--flight", f"FR 123/{rest}"]).board()
        ada = Agent(here, "ada", "14C", peers=[bo], options=["--flight", f"ryr0123/{rest}"])
        ada.board().wait_for(bo)
        self.assertEqual(ada.call("status")["flight"]["name"], f"FR123/{rest}")
        # Nobody's designator, and well formed: it passes with a remark.
        eve = Agent(here, "eve", "7F", options=["--flight", f"IV999/{rest}"]).board()
        self.assertEqual(eve.call("status")["flight"]["name"], f"IV999/{rest}")
        self.assertIn("The airline IV is not in the table.", here.text(f"{here.folder}/eve.log"))
        self.assertNotIn("not in the table", here.text(f"{here.folder}/ada.log"))
        for wrong, why in (("EZY84FX", "radio call sign"), ("FR0", "1 to 9999"),
                           ("11 123", "designator"), ("QQQ1", "two characters")):
            done = here.run([BINARY, "up", "--seat", "1A", "--flight", f"{wrong}/{rest}",
                             "--profile", "x"], check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(why, done.stderr)
        ada.leave()
        done = here.run([BINARY, "forget", f"ryr 123/{rest}", "--yes", "--profile", "ada"])
        self.assertIn(f"FR123/{rest} is forgotten", done.stdout)

    def test_forgetting_takes_the_claim_back_and_leaves_nothing(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        until("bo sees ada's seat", lambda: bo.held().get("14C") == "ada", 10)
        self.assertEqual(ada.call("flights")["flights"][0]["flight"], "practice")
        seed = self.seed(self.database(ada))
        self.assertTrue(any(seed in content for content in self.files(ada).values()))
        ada.command("forget", "practice", check=2)
        ada.call("forget", "practice", "--yes")
        ada.process.wait(15)
        until("ada's seat is open", lambda: "14C" not in bo.held(), 10)
        left = [path for path, content in self.files(ada).items() if seed in content]
        self.assertEqual(left, [])
        self.assertEqual(ada.call("flights")["flights"], [])
        error = ada.call("forget", "practice", "--yes", expect=4)
        self.assertEqual(error["code"], "no-such-flight")

    def test_records_go_three_days_after_the_flight(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C", options=["--flight", NEXT]).board()
        ada.leave()
        old = Agent(here, "ada", "14C", options=["--flight", PAST])
        stored = f"{here.env['XDG_STATE_HOME']}/seatagent/ada/options.json"
        with open(stored) as file:
            before = file.read()
        self.assertIn(NEXT, before)
        done = here.run(
            [BINARY, "agent", "--profile", "ada", "--seat", "14C", "--flight", PAST,
             "--interface", "lo"], check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("over more than three days ago", done.stderr)
        self.assertEqual([f["flight"] for f in old.call("flights")["flights"]], [NEXT])
        # What `restart` starts is what was started last, and not what was refused.
        with open(stored) as file:
            self.assertEqual(file.read(), before)
        # Begun in the background its options were stored, and go with it.
        ada.command("up", "--flight", PAST, "--seat", "14C", check=1)
        self.assertFalse(os.path.exists(stored))

    def ends(self, path, seconds):
        """Lets the flight of a file end so many seconds from now."""
        with sqlite3.connect(path) as database:
            database.execute("UPDATE copy SET ends = ?", (int(time.time()) + seconds,))
        database.close()

    def test_a_clock_that_is_days_ahead_deletes_no_key(self):
        """As the agent sees it: a flight that was over four days ago by the clock."""
        here = self.loopback()
        ada = Agent(here, "ada", "14C", options=["--flight", NEXT]).board()
        ada.leave()
        path = self.database(ada)
        seed = self.seed(path)
        start = ["agent", "--seat", "14C", "--flight", NEXT, "--interface", "lo"]
        self.ends(path, -4 * 86400)
        for _ in range(2):
            done = ada.command(*start, check=1)
            self.assertIn("by this computer's clock that flight was over", done.stderr)
            self.assertIn("are kept", done.stderr)
            line = re.search(r"^  try: (.*)$", done.stderr, re.M)[1]
            here.run(["sh", "-c", line])
            self.assertEqual(self.seed(path), seed)
        # The clock is set: all is as it was, and what the wrong one noted is void.
        self.ends(path, 86400)
        ada.board()
        self.assertEqual(ada.call("status")["me"]["seats"], ["14C"])
        ada.leave()
        self.ends(path, -4 * 86400)
        ada.command(*start, check=1)
        self.assertEqual(self.seed(path), seed)
        # Two days later a second start agrees.
        state = f"{here.env['XDG_STATE_HOME']}/seatagent/ada"
        mark = next(f"{state}/{name}" for name in os.listdir(state) if name.endswith(".over"))
        with open(mark) as file:
            first = int(file.read())
        with open(mark, "w") as file:
            file.write(f"{first - 2 * 86400 - 60}\n")
        done = ada.command(*start, check=1)
        self.assertIn("its records and its key are deleted by now", done.stderr)
        self.assertEqual([p for p, content in self.files(ada).items() if seed in content], [])

    def test_lost_records_stop_the_start_and_a_new_key_claims_nothing(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo])
        self.addCleanup(ada.command, "down")
        words = ["up", "--seat", "14C", "--name", "ada", *ada.options]
        ada.command(*words, check=0, timeout=40)
        ada.wait_for(bo)
        asked = ada.begin("swap", "12A", "--wait", "--timeout", "30")
        bo.call("accept", bo.incoming(), "--yes", "--wait")
        self.assertEqual(finish(asked)[0], 0)
        old = ada.call("status")["me"]["key"]
        # The process dies, and the log of writes is gone before it went into the file.
        pid = ada.call("status")["pid"]
        os.kill(pid, 9)
        until_gone(pid)
        path = self.database(ada)
        for part in ("-wal", "-shm"):
            if os.path.exists(path + part):
                os.unlink(path + part)
        with open(path, "rb") as file:
            left = file.read()
        for again in (words, ["restart"]):
            done = ada.command(*again, check=1, timeout=40)
            self.assertIn(
                "seatagent: the records of this flight are lost, and your key with them\n  why: ",
                done.stderr)
            line = re.search(r"^  try: (.*)$", done.stderr, re.M)[1]
        self.assertEqual(line, "seatagent restart --new-key")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), left)
        env = {"PATH": f"{os.path.dirname(BINARY)}:{here.env['PATH']}", "SEATAGENT_PROFILE": "ada"}
        done = here.run(["sh", "-c", line], check=False, timeout=60, env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("in no seat yet", done.stdout)
        self.assertIn("seatagent claim 14C", done.stderr)
        ada.wait_for(bo)
        status = ada.call("status")
        self.assertNotEqual(status["me"]["key"], old)
        self.assertTrue(status["renewed"])
        # Nor at the next start, and bo's new seat is bo's alone.
        ada.command("restart", check=0, timeout=40)
        ada.wait_for(bo)
        ada.call("say", "I lost my key")
        until("bo hears the new key", lambda: "I lost my key" in bo.said(), 20)
        self.assertEqual(ada.call("status")["me"]["seats"], [])
        seats = {seat["seat"]: seat for seat in bo.call("seats")["seats"]}
        self.assertEqual([one["name"] for one in seats["14C"]["holders"]], ["bo"])
        self.assertEqual(seats["14C"]["state"], "held")
        self.assertEqual(ada.call("restart", "--new-key", expect=1)["code"], "already-so")
        # What the passenger says is claimed.
        ada.call("claim", "20F")
        until("bo sees it", lambda: bo.held().get("20F") == "ada", 20)

    def test_a_file_put_back_is_not_written_before_a_peer_told_the_rest(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        ada.leave()
        path = self.database(ada)
        shutil.copy(path, f"{here.folder}/old")
        ada.board().wait_for(bo)
        ada.call("say", "signed after the copy was made")
        until("bo has read it", lambda: "signed after the copy was made" in bo.said(), 10)
        ada.kill()
        for part in ("-wal", "-shm"):
            if os.path.exists(path + part):
                os.unlink(path + part)
        shutil.copy(f"{here.folder}/old", path)
        bo.leave()
        ada.board()
        error = ada.call("say", "too early", expect=1)
        self.assertEqual(error["code"], "log-closed")
        self.assertIn("put back", error["why"])
        # Alone once more, it is still known for what it is.
        ada.leave()
        ada.board()
        self.assertEqual(ada.call("say", "too early", expect=1)["code"], "log-closed")
        bo.board()
        until("ada may write again", lambda: ada.call("status")["log"]["open"], 40)
        ada.call("say", "in order")
        until("bo reads it", lambda: "in order" in bo.said(), 10)
        self.assertEqual([peer for peer in bo.call("peers")["peers"] if peer["forked"]], [])

    def test_a_log_that_stays_closed_keeps_nobody_from_forgetting(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C").board()
        ada.leave()
        path = self.database(ada)
        shutil.copy(path, f"{here.folder}/old")
        ada.board()
        ada.call("say", "signed after the copy was made")
        ada.kill()
        for part in ("-wal", "-shm"):
            if os.path.exists(path + part):
                os.unlink(path + part)
        shutil.copy(f"{here.folder}/old", path)
        # The agent that is started for its goodbye alone cannot say it, and goes.
        done = ada.command("forget", "practice", "--yes", check=0)
        self.assertIn("No goodbye could be said: nothing can be written now", done.stderr)
        self.assertFalse(os.path.exists(path))
        self.assertEqual(ada.command("status").returncode, 3)

    def test_a_copied_key_in_a_second_profile_stops_before_it_signs_beside_the_first(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        ada.leave()
        path = self.database(ada)
        twin = Agent(here, "twin", "14C", peers=[bo])
        folder = f"{here.env['XDG_DATA_HOME']}/seatagent/twin"
        os.mkdir(folder, 0o700)
        shutil.copy(path, folder)
        ada.board().wait_for(bo)
        watch = bo.watch()
        twin.board()
        until("the copy may write", lambda: twin.call("status")["log"]["open"], 40)
        until("bo warns", lambda: [
            event for event in watch.events if event.get("code") == "peer-runs-twice"], 40)
        # The first word of one of them stops the other before it can sign at the same place.
        ada.call("say", "it is me")
        until("the copy is told", lambda: "second process" in (
            twin.call("status")["log"].get("why") or ""), 20)
        self.assertEqual(twin.call("say", "no, me", expect=1)["code"], "log-closed")
        watch.end()
        self.assertEqual([peer for peer in bo.call("peers")["peers"] if peer["forked"]], [])

    def test_a_code_is_kept_over_a_restart_and_every_code_has_its_own_records(self):
        here = self.loopback()
        ada = Agent(here, "ada", "14C")
        code = ["--seat", "14C", "--name", "ada", "--flight", NEXT, *ada.options, "--code"]
        try:
            ada.command("up", *code, "k7q2m5", check=0, timeout=40)
            first = ada.call("status")["flight"]["id"]
            ada.command("restart", check=0, timeout=40)
            self.assertEqual(ada.call("status")["flight"]["id"], first)
            self.assertTrue(ada.call("status")["flight"]["gated"])
            ada.command("down", check=0)
            ada.command("up", *code, "zzzzzz", check=0, timeout=40)
            self.assertNotEqual(ada.call("status")["flight"]["id"], first)
            kept = ada.call("flights")["flights"]
            self.assertEqual([flight["flight"] for flight in kept], [NEXT, NEXT])
            self.assertEqual(sorted(flight["running"] for flight in kept), [False, True])
            ada.call("forget", NEXT, "--yes")
            self.assertEqual(ada.call("flights")["flights"], [])
        finally:
            ada.command("down")

    def seed(self, path):
        """The key's seed as it stands in the file."""
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            return database.execute("SELECT seed FROM identity").fetchone()[0]
