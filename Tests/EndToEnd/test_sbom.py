# SPDX-License-Identifier: Apache-2.0
"""The list of the parts of a release (scripts/sbom), of the programs of this build."""

import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from agent import BINARY, ROOT
from spdx import Reader

#: Has our own words in it, but no line that says so: they are read as they are, or by tools.
OWN = r"module\.modulemap$|^Sources/CPage/page/(index\.html|.*\.(json|txt))$"
#: The C library, the kernel and the C++ library: each program names the one that it needs.
SYSTEM = {"glibc", "linux", "gcc"}


def printed(*line, **options):
    return subprocess.run(line, capture_output=True, text=True, check=True, **options).stdout


class Parts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(dir=os.path.dirname(BINARY))
        cls.addClassCleanup(cls.place.cleanup)
        cls.folder = f"{cls.place.name}/staged"
        cls.build = os.path.dirname(os.path.realpath(BINARY))
        with open(f"{ROOT}/packaging/programs") as file:
            programs = [line.split() for line in file if not line.startswith("#")]
        for product, place in programs:
            os.makedirs(os.path.dirname(f"{cls.folder}/{place}"), exist_ok=True)
            os.link(f"{cls.build}/{product}", f"{cls.folder}/{place}")
        examples = f"{cls.folder}/share/doc/seatagent/examples"
        shutil.copytree(f"{ROOT}/examples", examples, ignore=lambda top, names: [
            name for name in names if os.path.isdir(f"{top}/{name}")])
        cls.text = cls.write()
        cls.value = json.loads(cls.text)

    @classmethod
    def write(cls, **env):
        return printed(sys.executable, "-B", f"{ROOT}/scripts/sbom", cls.folder, cls.build,
                       env={**os.environ, "SOURCE_DATE_EPOCH": "1795824000", **env})

    def named(self, name):
        return next(one for one in self.value["packages"] if one["name"] == name)

    def test_it_is_spdx_and_names_each_library_that_a_program_needs(self):
        reader = Reader(self.value, self.folder)
        self.assertEqual(reader.read() + reader.libraries(), [])
        self.assertEqual(self.value["creationInfo"]["created"], "2026-11-28T00:00:00Z")
        # Not by the clock, nor by the order of a hash table.
        self.assertEqual(self.write(PYTHONHASHSEED="7"), self.text)

    def test_whatever_is_left_out_or_wrong_is_seen(self):
        library = self.named("libsodium23")["SPDXID"]
        for what, break_it in (
                ("no version", lambda value: value.pop("spdxVersion")),
                ("a day", lambda value: value["creationInfo"].update(created="2026-11-28")),
                ("no place", lambda value: value["packages"][3].pop("downloadLocation")),
                ("no licence", lambda value: value["packages"][3].update(licenseDeclared="free")),
                ("a sum", lambda value: value["files"][0]["checksums"][0].update(
                    checksumValue="0" * 40)),
                ("a lost file", lambda value: value["files"][0].update(fileName="./nowhere")),
                ("the same twice", lambda value: value["packages"].append(value["packages"][0])),
                ("a lost element", lambda value: value["packages"].remove(
                    next(one for one in value["packages"] if one["SPDXID"] == library))),
                ("a lost library", lambda value: next(
                    one for one in value["relationships"]
                    if one["relatedSpdxElement"] == library).pop("comment")),
        ):
            with self.subTest(what):
                value = copy.deepcopy(self.value)
                break_it(value)
                reader = Reader(value, self.folder)
                self.assertNotEqual(reader.read() + reader.libraries(), [])

    def test_what_others_made_is_in_it(self):
        names = {one["fileName"].removeprefix("./") for one in self.value["files"]}
        sources = printed("git", "-C", ROOT, "ls-files", "Sources").split()
        self.assertGreater(len(sources), 400)
        for path in sources:
            with open(f"{ROOT}/{path}", "rb") as file:
                ours = b"SPDX-License-Identifier: Apache-2.0" in file.read(400)
            folder, name = os.path.split(path)
            if name == "LICENSE":
                beside = [one for one in names if os.path.dirname(one) == folder]
                self.assertTrue(beside, f"nothing that {path} is for is in it")
            elif not ours and not re.search(OWN, path):
                self.assertIn(path, names)
        # The page is whole: each of its files is compiled in.
        page = [path for path in sources
                if path.startswith("Sources/CPage/page/") and not path.endswith("LICENSE")]
        self.assertLessEqual(set(page), names)
        with open(f"{ROOT}/packaging/copyright") as file:
            told = file.read()
        with open(f"{ROOT}/packaging/parts.json") as file:
            for part in json.load(file)["vendored"]:
                self.assertIn(part["name"], told)

    def test_what_comes_from_headers_is_in_it(self):
        """Some libraries are headers alone, which no program says that it needs."""
        said = printed("grep", "-rhoE", r"^ *# *include <[^>]+>", f"{ROOT}/Sources")
        headers = set(re.findall("<(.+)>", said))
        self.assertIn("stb/stb_image.h", headers)
        paths = [f"/usr/include/{header}" for header in sorted(headers)]
        paths = [path for path in paths if os.path.exists(path)]
        owners = subprocess.run(["dpkg-query", "-S", *paths], capture_output=True,
                                text=True, check=False).stdout
        packages = {line.split(":")[0].split(",")[0] for line in owners.splitlines()}
        sources = set(printed("dpkg-query", "-W", "-f", "${source:Package}\n",
                              *sorted(packages)).split())
        known = {one["sourceInfo"].split()[3] for one in self.value["packages"]
                 if "sourceInfo" in one}
        self.assertEqual({re.sub(r"-?\d+$", "", one) for one in sources - known} - SYSTEM, set())

    def test_parts_of_this_project_are_in_it_with_their_files(self):
        for name, file in (("seatagent-examples", "share/doc/seatagent/examples/api.py"),
                           ("seatagent-page", "Sources/CPage/page/wire.js"),
                           ("tweetnacl", "Sources/CPage/page/nacl/nacl-fast.min.js")):
            inside = Reader(self.value, self.folder).others(self.named(name)["SPDXID"], "CONTAINS")
            files = {one["fileName"] for one in self.value["files"] if one["SPDXID"] in inside}
            self.assertIn(f"./{file}", files)
