# SPDX-License-Identifier: Apache-2.0
"""A driver with a list of parked cars, alone on a host: what tests of it have in common."""

import json
import os
from datetime import datetime, timedelta, timezone

from agent import BINARY
from case import Case

CAR = ("--plate", "ab-12 cde", "--suite", "12b", "--hours", "4h")


class ParkingCase(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()

    def park(self, *argv, check=0):
        done = self.here.run([BINARY, "park", *argv], check=False)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done

    def told(self, *argv):
        return json.loads(self.park(*argv, "--json").stdout)["result"]

    def run_here(self, *argv, check=0, **env):
        done = self.here.run([BINARY, *argv], check=False, env=env or None)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done

    def write(self, name, text, mode=0o600):
        path = f"{self.here.folder}/{name}"
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def add(self, *argv, check=0):
        return self.park("add", "B7K2Q", *CAR, *argv, check=check)

    @property
    def list(self):
        return f"{self.here.env['XDG_DATA_HOME']}/seatagent/default/parking.json"

    def end_in(self, seconds, number=1):
        """Lets the time of a record be up so soon."""
        with open(self.list) as file:
            book = json.load(file)
        record = next(row for row in book["records"] if row["number"] == number)
        since = datetime.now(timezone.utc) + timedelta(seconds=seconds, hours=-record["hours"])
        record["since"] = since.strftime("%Y-%m-%dT%H:%M:%SZ")
        with open(f"{self.list}.edit", "w") as file:
            json.dump(book, file)
        os.rename(f"{self.list}.edit", self.list)
