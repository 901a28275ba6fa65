# SPDX-License-Identifier: Apache-2.0
"""What agents of a venue have on their disks: rows of a table, and the ledger as the second reader
reads it (docs/protocol.md section 32)."""

import base64
import contextlib
import glob
import sqlite3

from second_book import Book
from second_ledgers import VenueEntry, VenueLogs, is_ledger


def path(host, slug="rec"):
    [found] = glob.glob(f"{host.env['XDG_DATA_HOME']}/seatagent/default_{slug}/*.db")
    return found


def rows(host, table, columns="*", slug="rec"):
    """All rows of a table; none if there is no such table yet."""
    with contextlib.closing(
            sqlite3.connect(f"file:{path(host, slug)}?mode=ro", uri=True)) as database:
        known = database.execute("SELECT name FROM sqlite_master").fetchall()
        if (table,) not in known:
            return []
        return database.execute(f"SELECT {columns} FROM {table}").fetchall()


class Ledger:
    """The ledger as the agent of somebody has it, with all signatures verified."""

    def __init__(self, person, slug="rec"):
        [known] = [one for one in person.told("venue")["venues"] if one["slug"] == slug]
        operator = base64.b32decode(known["operator"].upper() + "====")
        found = [VenueEntry(data) for data, in rows(person.host, "entry", "bytes", slug)]
        self.logs = VenueLogs(found[0].flight, operator)
        for entry in sorted(found, key=lambda one: one.seq):
            if not self.logs.insert(entry):
                raise AssertionError(f"entry {entry.seq} of {entry.author.hex()} is bad")
        self.book = Book(self.logs)

    @property
    def entries(self):
        """Of all desks, in their order."""
        return [entry for _, log in sorted(self.logs.logs.items()) if is_ledger(log)
                for entry in log]

    @property
    def live(self):
        return [token for token in self.book.tokens.values() if token.is_live()]
