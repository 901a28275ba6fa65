# SPDX-License-Identifier: Apache-2.0
"""After `board`, nothing of the person on the pass is anywhere: files, wire, logs, memory."""

import base64
import os
import pty
import subprocess
import time
from datetime import date, timedelta

import passes
from agent import BINARY, Agent
from case import Case
from peers import handmade
from waiting import until

#: Keeps what goes over this host's loopback, frame by frame, in the file that it is told.
CAPTURE = """
import socket, sys
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(3))
wire.bind(("lo", 0))
with open(sys.argv[1], "wb", 0) as file:
    while True:
        file.write(wire.recv(1 << 17))
"""


class PassPrivacy(Case):
    def setUp(self):
        super().setUp()
        if os.geteuid() != 0 or not os.access("/proc/1/mem", os.R_OK):
            self.skipTest("needs to read the memory of other processes")

    def words(self):
        day = date.today() + timedelta(days=30)
        return passes.text(day=f"{day.timetuple().tm_yday:03}"), f"FR202/{day}/DUB"

    def clean(self, content, place):
        self.assertEqual(passes.leaks(content), set(), f"found in {place}")

    def test_nothing_of_the_person_is_left_anywhere(self):
        here = self.loopback()
        words, flight = self.words()
        outside = passes.picture(os.path.join("/tmp", f"pass-{os.getpid()}.png"), words)
        self.addCleanup(os.unlink, outside)
        ada = Agent(here, "ada", "17A", options=["--flight", flight])
        bo = Agent(here, "bo", "12A", options=["--flight", flight])
        traffic = os.path.join(here.folder, "traffic")
        here.popen(["python3", "-c", CAPTURE, traffic], log="capture.log")
        until("the capture runs", lambda: os.path.exists(traffic))

        # The search itself finds what is there.
        for form in (words, words.lower(), words.encode().hex()):
            self.assertEqual(passes.leaks(form.encode()), set(passes.SECRETS))
        for shift in range(3):
            coded = base64.b64encode(b"-" * shift + words.encode())
            self.assertEqual(passes.leaks(coded), set(passes.SECRETS))
        bo.board()
        ada.options += ["--peer", bo.reached_at]
        ada.command("board", "--yes", outside, check=0)
        ada.command("up", "--seat", "17A", "--name", "ada", "--port", ada.port, *ada.options,
                    check=0)
        try:
            ada.wait_for(bo)
            # What goes to others is sealed on the wire: this peer hears it in the clear. The other
            # door of an agent is its control socket.
            canonical = "|".join(["seatswap-flight-v1", *flight.split("/")])
            mallory = handmade(self, ada, os.urandom(32), canonical)
            mallory("greet")
            watch = ada.begin("watch", "--json")
            self.addCleanup(watch.kill)
            # While an agent of the flight runs: all three kinds of files once more.
            text = passes.write(os.path.join("/tmp", f"pass-{os.getpid()}.txt"), words.encode())
            self.addCleanup(os.unlink, text)
            purse = passes.wallet(
                os.path.join("/tmp", f"pass-{os.getpid()}.pkpass"), barcode={"message": words})
            self.addCleanup(os.unlink, purse)
            for path in (outside, text, purse):
                ada.command("board", "--yes", path, check=0)
            ada.call("say", "hello from seventeen")
            until("bo heard it", lambda: "hello from seventeen" in bo.command("log").stdout)
            heard = bytes.fromhex("".join(mallory("hear")))
            self.assertIn(b"hello from seventeen", heard)
            self.clean(heard, "what a peer hears")
            watch.terminate()
            told = watch.communicate(timeout=30)[0]
            self.assertIn("hello from seventeen", told)
            self.clean(told.encode(), "what the control socket tells")

            pids = [ada.call("status")["pid"], bo.process.pid]
            for pid in pids:
                pieces = list(passes.memory(pid))
                self.assertTrue(any(b"hello from seventeen" in piece for piece in pieces))
                for piece in pieces:
                    self.clean(piece, f"the memory of agent {pid}")
        finally:
            ada.command("down")
        kept = dict(passes.files(here.folder))
        self.assertTrue(any(flight.encode() in content for content in kept.values()))
        self.assertGreater(len(kept[traffic]), 5_000)
        for path, content in kept.items():
            self.clean(content, path)

    def test_nothing_of_the_person_is_in_memory_while_the_question_stands(self):
        here = self.loopback()
        words, _ = self.words()
        folder = here.folder
        for path in (
                words,
                passes.picture(os.path.join(folder, "pass.png"), words),
                passes.write(os.path.join(folder, "pass.txt"), (words + "\n").encode()),
                passes.wallet(os.path.join(folder, "pass.pkpass"), barcode={"message": words})):
            ours, theirs = pty.openpty()
            child = subprocess.Popen(
                here.argv([BINARY, "board", path]), env=here.env, stdin=theirs, stdout=theirs,
                stderr=theirs)
            os.close(theirs)
            said = b""
            end = time.monotonic() + 60
            while b"y/n" not in said and time.monotonic() < end:
                said += os.read(ours, 4096)
            self.assertIn(b"seat 17A", said)
            pieces = list(passes.memory(child.pid))
            self.assertGreater(sum(map(len, pieces)), 1 << 20)
            for piece in pieces:
                self.clean(piece, f"the memory of board {os.path.basename(path)}")
            with open(f"/proc/{child.pid}/cmdline", "rb") as line:
                self.clean(line.read(), "the command line")
            # Enter puts the question away, at any time.
            os.write(ours, b"\n")
            self.assertEqual(child.wait(30), 1)
            os.close(ours)
