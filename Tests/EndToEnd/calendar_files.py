# SPDX-License-Identifier: Apache-2.0
"""Calendar files that the program wrote, and everybody who reads them."""

import json
import os
import subprocess

import calendar_rules
from agent import BINARY, ROOT

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = f"{ROOT}/.build/venv/bin/python"
NOTHING = {"own": [], "libical": [], "icalendar": [], "vobject": []}


class CalendarFiles:
    """For tests with a host `here`."""

    def write(self, *argv, expect=0):
        done = self.here.run([BINARY, "calendar", *argv], check=False)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def file(self, *argv):
        """The bytes of a file that the program writes."""
        path = f"{self.here.folder}/flights.ics"
        self.write("--out", path, *argv)
        with open(path, "rb") as file:
            return file.read()

    # Readers

    def readers(self, data):
        """Reader -> what it finds wrong."""
        found = {"own": calendar_rules.faults(data), "libical": self.libical(data)}
        path = f"{self.here.folder}/read.ics"
        with open(path, "wb") as file:
            file.write(data)
        done = subprocess.run(
            [PYTHON, "-B", f"{HERE}/calendar_readers.py", path], capture_output=True, check=True)
        return {**found, **json.loads(done.stdout)}

    def libical(self, data):
        """As a file, and as a message, for which it looks at more."""
        program = f"{self.here.folder}/libical"
        if not os.path.exists(program):
            subprocess.run(
                ["cc", "-o", program, f"{HERE}/calendar_libical.c", "-lical"], check=True)
        message = data.replace(b"CALSCALE", b"METHOD:PUBLISH\r\nCALSCALE").replace(
            b"BEGIN:VEVENT", b"BEGIN:VEVENT\r\nORGANIZER:mailto:a@example.invalid")
        found = []
        for text in (data, message):
            done = subprocess.run([program], input=text, capture_output=True, check=True)
            found += done.stdout.decode().splitlines()
        return found

    def needs_readers(self):
        if not os.path.exists("/usr/include/libical/ical.h"):
            self.skipTest("needs libical-dev")
        look = [PYTHON, "-c", "import icalendar, vobject"]
        if not os.path.exists(PYTHON) or subprocess.run(look, capture_output=True).returncode:
            self.skipTest("needs icalendar and vobject of PyPI: make setup")
