# SPDX-License-Identifier: Apache-2.0
"""Boarding passes from files into the list of flights: kinds of files, questions, broken ones."""

import json
import os
import pty
import random
import subprocess
import tempfile
import time
import zipfile
import zlib
from datetime import date, timedelta

import passes
from agent import BINARY, ROOT
from case import Case
from waiting import until

#: Seconds that a broken file may take on a busy machine; the program's own limit is below.
PATIENCE = 60
#: KiB that it may take: well below the limit of the process that reads it, which would end it.
MEMORY = 700 << 10


class Pass(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        self.day = date.today() + timedelta(days=30)
        self.words = passes.text(day=f"{self.day.timetuple().tm_yday:03}")

    def path(self, name):
        return os.path.join(self.here.folder, name)

    def board(self, *argv, check=0, **options):
        done = self.here.run([BINARY, "board", *argv], check=False, timeout=PATIENCE, **options)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done

    def trips(self):
        """The list as it is kept."""
        for path, content in passes.files(self.here.folder):
            if path.endswith("/trips.json"):
                return json.loads(content)["trips"]
        return []


class Board(Pass):
    def test_a_picture_of_a_pass_becomes_a_flight_of_the_list(self):
        picture = passes.picture(self.path("pass.png"), self.words)
        said = self.board("--yes", picture).stdout
        self.assertIn(f"added: FR 202 on {self.day} from DUB", said)
        [trip] = self.trips()
        self.assertEqual(trip["flight"], f"FR202/{self.day}/DUB")
        self.assertEqual((trip["to"], trip["seats"], trip["compartment"]), ("STN", ["17A"], "Y"))
        self.assertIn("already in your list", self.board("--yes", picture).stdout)

        # The pass of somebody who travels along, through a pipe.
        other = passes.picture(self.path("other.png"), self.words.replace("Y017A", "Y017B"))
        with open(other, "rb") as file:
            content = file.read()
        done = subprocess.run(
            self.here.argv([BINARY, "board", "--yes", "--json", "-"]), input=content,
            env=self.here.env, stdout=subprocess.PIPE, timeout=PATIENCE, check=True)
        [flight] = json.loads(done.stdout)["result"]["flights"]
        self.assertEqual(flight["outcome"], "seat-added")
        self.assertEqual(self.trips()[0]["seats"], ["17A", "17B"])

    def test_a_wallet_knows_when_it_departs(self):
        wallet = passes.wallet(
            self.path("pass.pkpass"), relevantDate=f"{self.day}T12:00Z",
            barcodes=[{"format": "PKBarcodeFormatQR", "message": "https://example.org"},
                      {"format": "PKBarcodeFormatAztec", "message": self.words}])
        self.board("--yes", wallet)
        [trip] = self.trips()
        self.assertIn(trip["departs"], (f"{self.day}T12:00", f"{self.day}T13:00"))

    def test_nothing_is_added_before_somebody_said_yes(self):
        picture = passes.picture(self.path("pass.png"), self.words)
        done = self.board(picture, check=2)
        self.assertIn("nobody to ask", done.stderr)
        self.assertEqual(self.trips(), [])
        for answer, code in ((b"n\n", 1), (b"y\n", 0)):
            self.assertEqual(self.ask(picture, answer), code)
            self.assertEqual(len(self.trips()), int(code == 0))

    def ask(self, picture, answer):
        """The exit status with this answer typed on a terminal."""
        ours, theirs = pty.openpty()
        child = self.here.popen([BINARY, "board", picture], stdin=theirs, stdout=theirs)
        os.close(theirs)
        said = b""
        end = time.monotonic() + PATIENCE
        # The question itself goes to standard error; what it is about comes before it.
        while b"seat 17A" not in said and time.monotonic() < end:
            said += os.read(ours, 4096)
        time.sleep(0.3)  # what is typed before the question can be read is no answer to it
        while child.poll() is None and time.monotonic() < end:
            os.write(ours, answer)
            try:
                child.wait(1)
            except subprocess.TimeoutExpired:
                continue
        os.close(ours)
        return child.returncode

    def test_a_day_that_is_not_known_is_asked_for(self):
        words = self.words.replace(f"{self.day.timetuple().tm_yday:03}Y", "419Y")
        text = passes.write(self.path("pass.txt"), words.encode())
        self.assertIn("names no day", self.board("--yes", text, check=1).stderr)
        self.board("--yes", "--date", str(self.day), text)
        self.assertEqual(self.trips()[0]["flight"], f"FR202/{self.day}/DUB")

    def test_files_that_are_no_pass_are_told_apart(self):
        def why(content, words):
            done = self.board("--parse", passes.write(self.path("file"), content), check=1)
            self.assertIn(words, done.stderr)
        why(b"%PDF-1.7\n", "this is a PDF")
        why(b"\0\0\0\x18ftypheic\0\0\0\0", "a HEIC or AVIF picture")
        why(b"", "the whole text is empty")
        why(b"hello", "neither M nor S")
        why(b"M" * 5000, "longer than 4096 bytes")
        why(passes.png(8, 8, passes.zeros(1 << 20)), "no bar code")
        done = self.board("--parse", self.path("nothing.png"), check=1)
        self.assertIn("there is no such file", done.stderr)
        self.assertIn("cannot be read", self.board("--parse", self.here.folder, check=1).stderr)
        other = passes.picture(self.path("other.png"), "https://example.org/a-longer-advertisement")
        self.assertIn("not that of a boarding pass", self.board("--parse", other, check=1).stderr)


class Hostile(Pass):
    #: KiB that one of these files took.
    most = 0

    def refused(self, name, content):
        """Whoever made the file: an error with a reason, in bounded time and memory."""
        path = passes.write(self.path(name), content)
        child = self.here.popen(
            [BINARY, "board", "--parse", "--json", path], stdout=subprocess.PIPE)
        said = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        answer = json.loads(said)
        self.assertEqual((child.returncode, answer["ok"]), (1, False), (name, answer))
        self.assertEqual(answer["error"]["code"], "bad-pass", (name, answer))
        self.assertLess(usage.ru_maxrss, MEMORY, name)
        self.most = max(self.most, usage.ru_maxrss)
        return answer["error"]

    def test_pictures_that_are_cut_off_random_or_enormous(self):
        whole = passes.picture(self.path("pass.png"), self.words)
        with open(whole, "rb") as file:
            content = file.read()
        chance = random.Random(6)
        began = time.monotonic()
        for length in (4, 8, 20, 33, 60, len(content) // 2, len(content) - 30):
            self.refused("cut.png", content[:length])
        for number in range(12):
            junk = chance.randbytes(chance.randrange(1, 5000))
            self.refused("junk.png", content[:chance.choice([8, 33, 41])] + junk)
            self.refused("junk.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF\0" + junk)
        for size in ((2 ** 31 - 1, 2 ** 31 - 1), (70000, 70000), (16384, 16384), (1, 20000)):
            error = self.refused("large.png", passes.png(*size, passes.zeros(1 << 20)))
            self.assertIn("too large", error["what"] + error.get("why", ""), size)
        self.refused("none.png", passes.png(0, 5, b""))
        large = b"\xff\xd8\xff\xc0\0\x11\x08\xff\xff\xff\xff\x03\x01\x22\0\x02\x11\x01\x03\x11\x01"
        self.refused("large.jpg", large + bytes(64))
        self.note = f"{time.monotonic() - began:.0f} s"

    def test_the_process_that_reads_it_can_open_and_send_nothing(self):
        chance = random.Random(8)
        rows = b"".join(b"\0" + chance.randbytes(2000) for _ in range(1500))
        path = passes.write(self.path("noise.png"), passes.png(2000, 1500, zlib.compress(rows, 1)))
        passes.picture(self.path("pass.png"), self.words)  # skips where nothing reads pictures
        board = self.here.popen([BINARY, "board", "--parse", path])
        seen = {}

        def sealed():
            """What the kernel says of the process that reads, once it has sealed itself."""
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/status") as file:
                        status = dict(line.rstrip("\n").split(":\t", 1) for line in file)
                except (OSError, ValueError):
                    continue
                if status.get("PPid") == str(board.pid) and status.get("Seccomp") == "2":
                    with open(f"/proc/{pid}/limits") as file:
                        seen.update(status, limits=file.read())
                    return True
            return False

        until("the file is read", sealed, PATIENCE)
        self.assertEqual(seen["NoNewPrivs"], "1")
        self.assertRegex(seen["limits"], r"Max address space +1073741824 +1073741824")
        self.assertRegex(seen["limits"], r"Max cpu time +30 +30")
        self.assertRegex(seen["limits"], r"Max core file size +0 +0")

    def test_bombs(self):
        # 8000 x 8000 of nothing in 62 KB, and more in 1 MB than may be had, for a small picture.
        self.refused("white.png", passes.png(8000, 8000, passes.zeros(8001 * 8000 + (1 << 20))))
        self.refused("bomb.png", passes.png(100, 100, passes.zeros(1200 << 20)))
        self.note = f"at most {self.most >> 10} MiB"

    def test_archives_that_are_broken_or_bombs(self):
        good = passes.wallet(self.path("good.pkpass"), barcode={"message": self.words})
        self.board("--parse", good)
        with open(good, "rb") as file:
            content = file.read()
        for length in (4, 30, len(content) // 2, len(content) - 5):
            self.refused("cut.pkpass", content[:length])
        chance = random.Random(7)
        for _ in range(10):
            self.refused("junk.pkpass", content[:30] + chance.randbytes(400))
        with zipfile.ZipFile(self.path("none.pkpass"), "w") as archive:
            archive.writestr("manifest.json", "{}")
        with open(self.path("none.pkpass"), "rb") as file:
            self.assertIn("no pass.json", self.refused("none.pkpass", file.read())["why"])
        with zipfile.ZipFile(self.path("bomb.pkpass"), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("pass.json", bytes(200 << 20))
        with open(self.path("bomb.pkpass"), "rb") as file:
            error = self.refused("bomb.pkpass", file.read())
        self.assertIn("more than 1048576 bytes", error["why"])
        with zipfile.ZipFile(self.path("deep.pkpass"), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("pass.json", "[" * 100_000)
        with open(self.path("deep.pkpass"), "rb") as file:
            self.refused("deep.pkpass", file.read())


class Pictures(Case):
    def test_pictures_of_three_makers_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            passes.picture(os.path.join(folder, "pass.png"), passes.text())
        python = os.path.join(ROOT, ".build/venv/bin/python")
        if not os.path.exists(python):
            self.skipTest("needs .build/venv, which make setup makes with packages of PyPI")
        done = subprocess.run(
            [python, "-B", os.path.join(ROOT, "Tests/Pictures/figures.py"), BINARY,
             "--damaged", "22"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=500, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        reads = [line.split(";")[0] for line in done.stdout.splitlines() if "  read: " in line]
        self.note = ", ".join(line.strip() for line in reads)
