# SPDX-License-Identifier: Apache-2.0
"""Files of venues, as operators make, check and show them with the program."""

import base64
import json
import os
import pty
import re
import stat
import subprocess
import time
import zlib

import cbor
import ed25519
import passes
from agent import BINARY
from case import Case
from waiting import until

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = f"{ROOT}/examples/venues"


class Venues(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        self.file = f"{self.here.env['XDG_DATA_HOME']}/venue.json"
        os.makedirs(os.path.dirname(self.file), exist_ok=True)

    def venue(self, *argv, check=0):
        done = self.here.run([BINARY, "venue", *argv], check=False)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done

    def test_each_example_is_made_checked_and_shown_without_an_agent(self):
        for name in sorted(os.listdir(EXAMPLES)):
            kind = name.removesuffix(".json")
            path = f"{self.file}.{kind}"
            self.venue("new", path, "--like", kind)
            with open(path, encoding="utf-8") as made, open(
                    f"{EXAMPLES}/{name}", encoding="utf-8") as kept:
                self.assertEqual(json.load(made), json.load(kept))
            said = json.loads(self.venue("check", path, "--json").stdout)["result"]
            shown = json.loads(self.venue("show", path, "--json").stdout)["result"]["venue"]
            self.assertEqual(said["slug"], shown["slug"])
            self.assertEqual(said["places"], len(shown["places"]))
            self.assertIn("is there already", self.venue("new", path, check=1).stderr)

    def test_f2_the_map_has_a_number_for_each_place(self):
        drawn = self.venue("map", f"{EXAMPLES}/study.json", "--ascii").stdout
        spots = json.loads(self.venue("map", f"{EXAMPLES}/study.json", "--json").stdout)
        for spot in spots["result"]["spots"]:
            self.assertIn(f"{spot['number']}  {spot['name']}", drawn)
            self.assertRegex(spot["state"], "^(open|closed)")
        self.assertRegex(drawn, r"\nToday: [A-Z][a-z] 20\d\d-\d\d-\d\d ")
        # Examples need no file, signed or not.
        for word in ("study", "uva"):
            self.assertEqual(self.venue("map", word, "--ascii").stdout, drawn)
        folder = os.path.join(self.here.folder, "shelf")
        os.makedirs(os.path.join(folder, "study"))
        there = self.here.run([BINARY, "venue", "map", "study", "--ascii"], cwd=folder).stdout
        self.assertEqual(there, drawn)
        self.assertEqual(
            [spot["name"] for spot in spots["result"]["spots"]][:2], ["UB Singel", "Law library"])

    def test_what_is_wrong_is_named_with_what_it_needs(self):
        with open(f"{EXAMPLES}/study.json", encoding="utf-8") as file:
            venue = json.load(file)
        venue["places"][1]["hours"] = {"Mo-Fr": "9-20"}
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump(venue, file)
        wrong = self.venue("check", self.file, check=1).stderr
        self.assertIn("places[1].hours.Mo-Fr: hours as 08:00-22:00 are wanted", wrong)
        self.assertIn("try: seatagent help venue", wrong)
        self.assertIn("seatagent venue new", self.venue("show", "none.json", check=1).stderr)
        self.assertIn("no place", self.venue(
            "show", f"{EXAMPLES}/study.json", "Nowhere", check=4).stderr)


def line(venue):
    """The one form of an example, by another program than the one under test."""
    return json.dumps(venue, sort_keys=True, separators=(",", ":")).encode()


def signed(venue, seed, revision):
    """A signed file by docs/protocol.md section 31."""
    key = ed25519.public(seed)
    message = cbor.encode(["seatswap/1 venue", key, revision, line(venue)])
    return {
        "venue": venue, "operator": base64.b32encode(key).decode().lower().rstrip("="),
        "revision": revision,
        "signature": base64.b64encode(ed25519.sign(seed, message)).decode()}


def photograph(drawn, path, scale=4):
    """A PNG of a code that was drawn with two characters a module."""
    rows = [row for row in drawn.splitlines() if re.fullmatch(r"[# ]{58,}", row)]
    pixels = bytearray()
    for row in rows:
        grey = b"".join((b"\xff" if row[x] == "#" else b"\x00") * scale
                        for x in range(0, len(row), 2))
        pixels += (b"\x00" + grey) * scale
    side = len(rows) * scale
    return passes.write(path, passes.png(side, side, zlib.compress(bytes(pixels))))


class SignedVenues(Case):
    def setUp(self):
        super().setUp()
        self.owner, self.guest = self.loopback(), self.loopback()
        self.folder = self.owner.folder
        self.file, self.given = f"{self.folder}/uva.json", f"{self.folder}/uva.venue"
        with open(f"{EXAMPLES}/study.json", encoding="utf-8") as file:
            self.words = json.load(file)
        self.write(self.file, self.words)

    def write(self, path, value):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file)
        return path

    def venue(self, host, *argv, check=0):
        done = host.run([BINARY, "venue", *argv], check=False, timeout=60)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done

    def told(self, host, *argv, check=0):
        return json.loads(self.venue(host, *argv, "--json", check=check).stdout)[
            "error" if check else "result"]

    def data(self, host, name):
        return f"{host.env['XDG_DATA_HOME']}/seatagent/default/{name}"

    def test_signed_here_taken_and_shown_there(self):
        first = self.venue(self.owner, "sign", self.file)
        self.assertIn("Your key is new", first.stderr)
        tag = re.search(r"sign at the door: (\S+)", first.stdout)[1]
        key = self.data(self.owner, "operator.key")
        self.assertEqual(stat.S_IMODE(os.stat(key).st_mode), 0o600)

        # Another program finds the signature right.
        with open(self.given, encoding="utf-8") as file:
            given = json.load(file)
        public = base64.b32decode(given["operator"].upper() + "====")
        self.assertEqual(given["venue"], self.words)
        self.assertTrue(ed25519.verify(
            public, cbor.encode(["seatswap/1 venue", public, 1, line(given["venue"])]),
            base64.b64decode(given["signature"])))

        refused = self.venue(self.guest, "add", self.given, check=2).stderr
        self.assertIn(f"its operator's tag is {tag}", refused)
        self.assertEqual(self.told(self.guest)["venues"], [])
        typed = re.search(r"try: seatagent (.*)$", refused, re.M)[1]
        self.guest.run(["sh", "-c", f"{BINARY} {typed}"])
        [known] = self.told(self.guest)["venues"]
        self.assertEqual((known["slug"], known["tag"], known["revision"]), ("uva", tag, 1))
        self.assertEqual(
            stat.S_IMODE(os.stat(self.data(self.guest, "venues.json")).st_mode), 0o600)
        shown = self.told(self.guest, "show", "uva")
        self.assertEqual((shown["venue"], shown["tag"]), (self.words, tag))
        self.assertIn(f"revision 1, by {tag}", self.venue(self.guest, "show", "uva").stdout)
        self.assertIn("UB Singel", self.venue(self.guest, "show", "uva", "singel").stdout)
        self.assertIn("1  UB Singel", self.venue(self.guest, "map", "uva").stdout)
        self.assertIn("Signed: revision 1", self.venue(self.guest, "check", "uva").stdout)

        # Another revision counts up, and takes the place of the first without a question.
        self.words["name"] = "UvA"
        self.write(self.file, self.words)
        self.assertEqual(self.told(self.owner, "sign", self.file)["revision"], 2)
        old = self.write(f"{self.folder}/old.venue", given)
        self.assertEqual(self.told(self.guest, "add", self.given)["outcome"], "newer")
        self.assertEqual(self.told(self.guest, "add", self.given)["outcome"], "known")
        self.assertEqual(self.told(self.guest, "add", old, check=1)["code"], "already-so")
        self.assertEqual(self.told(self.guest, "show", "uva")["venue"]["name"], "UvA")
        self.told(self.owner, "sign", self.file, "--revision", "1", check=2)
        self.assertEqual(
            self.told(self.owner, "sign", self.file, "--revision", "9")["revision"], 9)

        self.venue(self.guest, "forget", "uva", check=2)
        self.venue(self.guest, "forget", "uva", "--yes")
        self.assertEqual(self.told(self.guest, "forget", "uva", "--yes", check=4)["code"],
                         "no-such-venue")
        self.assertEqual(self.told(self.guest, "show", "uvaa", check=4)["code"], "no-such-venue")

    def test_forged_and_unsigned_files_are_refused(self):
        self.venue(self.owner, "sign", self.file)
        with open(self.given, encoding="utf-8") as file:
            given = json.load(file)
        other = signed(self.words, bytes(32), 1)
        for forged in (
                {**given, "revision": 2}, {**given, "operator": other["operator"]},
                {**given, "signature": other["signature"]}, {**given, "more": 1},
                {**given, "venue": {**self.words, "name": "Mine"}}):
            path = self.write(f"{self.folder}/forged.venue", forged)
            for word in ("add", "show", "check"):
                self.assertEqual(
                    self.told(self.guest, word, path, check=1)["code"], "bad-venue", forged)
        self.assertFalse(os.path.exists(self.data(self.guest, "venues.json")))

        unsigned = self.venue(self.guest, "add", self.file, check=1).stderr
        self.assertIn("is not signed", unsigned)
        typed = re.search(r"try: seatagent (.*)$", unsigned, re.M)[1]
        # The guest's own key does not write over the operator's file.
        done = self.guest.run(["sh", "-c", f"{BINARY} {typed}"], check=False)
        self.assertIn("is there already", done.stderr)
        os.unlink(self.given)
        self.guest.run(["sh", "-c", f"{BINARY} {typed}"])
        self.venue(self.guest, "show", self.file)

    def test_another_key_under_a_known_name_is_refused(self):
        mine, theirs = (self.write(f"{self.folder}/{number}.venue",
                                   signed(self.words, bytes([number]) * 32, 3))
                        for number in (1, 2))
        self.venue(self.guest, "add", mine, "--yes")
        before = passes.files(self.data(self.guest, ""))
        before = sorted((path, content) for path, content in before)
        wrong = self.venue(self.guest, "add", theirs, "--yes", check=8).stderr
        self.assertIn("uva is in your list with another key", wrong)
        self.assertEqual(self.told(self.guest, "add", theirs, "--yes", check=8)["code"],
                         "key-changed")
        self.assertEqual(
            sorted((path, content) for path, content in passes.files(self.data(self.guest, ""))),
            before)
        # One key, one revision, two files.
        twin = self.write(f"{self.folder}/twin.venue", signed(
            {**self.words, "name": "Other"}, bytes([1]) * 32, 3))
        self.assertIn("has revision 3 too", self.venue(self.guest, "add", twin, check=1).stderr)

    def test_the_sign_at_the_door_is_read_from_a_picture(self):
        said = subprocess.run([BINARY, "--version"], stdout=subprocess.PIPE, check=True)
        self.venue(self.owner, "sign", self.file)
        sign = self.told(self.owner, "qr", "uva", "--svg", f"{self.folder}/sign.svg")
        with open(f"{self.folder}/sign.svg", encoding="utf-8") as file:
            svg = file.read()
        self.assertIn(sign["tag"], svg)
        self.assertIn("UvA study places", svg)
        self.assertEqual(
            sign["link"], f"seatagent:venue?n=uva&k={sign['operator']}&p=day")
        self.venue(self.owner, "qr", "uva", "--svg", f"{self.folder}/sign.svg", check=1)

        # By the link: name and key, whose words come later.
        self.assertEqual(self.told(self.guest, "add", sign["link"], "--yes")["outcome"], "added")
        self.assertIn("not here yet", self.venue(self.guest, "show", "uva").stdout)
        self.assertEqual(self.told(self.guest, "map", "uva", check=1)["code"], "not-now")
        self.assertEqual(self.told(self.guest, "qr", "uva")["link"], sign["link"])
        self.assertEqual(self.told(self.guest, "add", self.given)["outcome"], "words")
        self.venue(self.guest, "map", "uva")
        for wrong in (sign["link"] + "s", "seatagent:venue?v=2", "seatagent:party?v=1&k=a"):
            self.assertEqual(
                self.told(self.guest, "add", wrong, "--yes", check=1)["code"], "bad-venue")

        if b"ZXing" not in said.stdout:
            self.skipTest("this build has no reader of pictures")
        self.venue(self.guest, "forget", "uva", "--yes")
        drawn = self.venue(self.owner, "qr", "uva", "--ascii").stdout
        picture = photograph(drawn, f"{self.folder}/door.png")
        self.assertIn(sign["tag"], self.venue(self.guest, "add", picture, check=2).stderr)
        self.assertEqual(self.told(self.guest, "add", picture, "--yes")["outcome"], "added")
        [known] = self.told(self.guest)["venues"]
        self.assertEqual(known["link"], sign["link"])
        # What is no sign is refused for what it is, and stays out of the list.
        other = passes.picture(f"{self.folder}/pass.png", passes.text())
        blank = passes.write(f"{self.folder}/blank.png", passes.png(8, 8, passes.zeros(1 << 20)))
        pdf = passes.write(f"{self.folder}/x.pdf", b"%PDF-1.7\n")
        for path, words in ((other, "not that of a venue's sign"), (blank, "no bar code"),
                            (pdf, "is a PDF")):
            error = self.told(self.guest, "add", path, "--yes", check=1)
            self.assertEqual((error["code"], error["try"]), ("bad-venue", "seatagent help venue"))
            self.assertIn(words, error["what"])

    def test_the_first_time_a_person_is_asked_about_the_tag(self):
        self.venue(self.owner, "sign", self.file)
        tag = self.told(self.owner)["venues"][0]["tag"]
        self.assertEqual(self.ask(self.given, b"n\n", tag), 1)
        self.assertEqual(self.told(self.guest)["venues"], [])
        self.assertEqual(self.ask(self.given, b"y\n", tag), 0)
        self.assertEqual(self.told(self.guest)["venues"][0]["tag"], tag)

    def ask(self, path, answer, tag):
        """The exit status with this answer typed on a terminal."""
        ours, theirs = pty.openpty()
        child = self.guest.popen([BINARY, "venue", "add", path], stdin=theirs, stdout=theirs)
        os.close(theirs)
        said = b""
        end = time.monotonic() + 60
        while tag.encode() not in said and time.monotonic() < end:
            said += os.read(ours, 4096)
        self.assertIn(b"UvA study places  (uva)", said)

        def ended():
            # What is typed before the question can be read is no answer to it.
            time.sleep(0.3)
            if child.poll() is None:
                os.write(ours, answer)
            return child.poll() is not None
        until("it has ended", ended, 60)
        os.close(ours)
        return child.returncode

    def test_names_of_the_list_are_completed(self):
        self.venue(self.owner, "sign", self.file)
        offered = self.owner.run([BINARY, "__complete", "--", "venue", "show", "u"]).stdout
        self.assertEqual(offered, "uva\tUvA study places\n")
        offered = self.owner.run([BINARY, "__complete", "--", "venue", "show", "x"]).stdout
        self.assertEqual(offered, ":files\n")
        self.assertEqual(
            self.owner.run([BINARY, "__complete", "--", "venue", "forget", ""]).stdout,
            "uva\tUvA study places\n")
