# SPDX-License-Identifier: Apache-2.0
"""People in a library: hosts on one link, a venue that is open now, and what each of them types."""

import datetime
import json
import os

from agent import BINARY
from waiting import until, until_gone


def zone_of_noon():
    """A zone where it is about noon, so that no test meets the end of a day."""
    ahead = 12 - datetime.datetime.now(datetime.timezone.utc).hour
    return f"Etc/GMT{-ahead:+d}" if ahead else "Etc/GMT"


def zone_of_another_day():
    """A zone whose clocks show another date than those of `zone_of_noon`, and are two hours or
    more from midnight."""
    ahead = 12 - datetime.datetime.now(datetime.timezone.utc).hour
    return "Etc/GMT-14" if ahead < 2 else "Etc/GMT+12"


def words(slug="uva"):
    """The words of a library that is open day and night, but for one room."""
    return {
        "version": 1, "slug": slug, "name": "UvA study places", "zone": zone_of_noon(),
        "volume": "day", "hours": {"Mo-Su": "00:00-24:00"},
        "places": [
            {"id": 1, "name": "UB Singel", "mode": "counted", "count": 120, "card": False},
            {"id": 2, "name": "Law library", "mode": "counted", "count": 2, "card": True},
            {"id": 3, "name": "Night room", "mode": "counted", "count": 9,
             "hours": {"Mo-Su": "02:00-03:00"}}],
        "classes": [{"name": "everybody"}], "rules": {"join": "open"}}


class Reader:
    """Somebody in the library: a host, and what they type there."""

    def __init__(self, host, options=(), binary=BINARY):
        self.host, self.options, self.binary = host, options, binary

    def type(self, *argv, check=0, **options):
        done = self.host.run([self.binary, *argv], check=False, timeout=60, **options)
        if check is not None and done.returncode != check:
            raise AssertionError(f"{self.host.name}$ seatagent {' '.join(argv)}\nended with "
                                 f"{done.returncode}, not {check}\n{done.stdout}{done.stderr}")
        return done

    def told(self, *argv, check=0, **options):
        answer = json.loads(self.type(*argv, "--json", check=check, **options).stdout)
        return answer["error" if check else "result"]

    def take(self, path):
        self.told("venue", "add", path, "--yes")
        return self

    def troubles(self, profile="default"):
        """Begins to listen; returns what says which troubles came since, in order."""
        log = f"troubles-{profile}.log"
        self.host.popen([self.binary, "watch", "trouble", "chat", "--profile", profile], log=log)
        until("it listens", lambda: self.told(
            "say", "here", "--profile", profile) and self.host.text(f"{self.host.folder}/{log}"))

        def said():
            lines = self.host.text(f"{self.host.folder}/{log}").splitlines()
            events = [json.loads(line) for line in lines if line.endswith("}")]
            return [one["code"] for one in events if one["event"] == "trouble"]
        return said

    def open(self, slug="uva"):
        return self.told("venue", "open", slug, *self.options)

    def counts(self, slug="uva"):
        return {one["place"]: one["people"] for one in self.open(slug)["places"]}

    @property
    def pid(self):
        return self.told("status", "--profile", "default_uva")["pid"]

    def kill(self):
        pid = self.pid
        os.kill(pid, 9)
        until_gone(pid)


def sign(host, value, name="uva"):
    """A signed file of the venue; its path."""
    path = f"{host.folder}/{name}.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)
    host.run([BINARY, "venue", "sign", path], timeout=60)
    return f"{host.folder}/{name}.venue"


def agree(readers, counts, seconds=20):
    """Waits until everybody counts the same."""
    until(f"everybody counts {counts}",
          lambda: all(reader.counts() == counts for reader in readers), seconds,
          pause=0.2)
