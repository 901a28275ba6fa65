# SPDX-License-Identifier: Apache-2.0
"""Half an hour at the counter of a venue, typed by whoever sits there: goldens/desk/half-hour.txt
has it word by word."""

import datetime
import re

import courts
import goldens
import library
from courts import STUDENTS, Centre, Clerk, day


class Counter(Centre):
    def test_half_an_hour_at_the_counter(self):
        self.clerk = Clerk(self.loopback())
        self.told, self.names = [], {}
        library.sign(self.clerk.host, courts.words(), "rec")
        path = f"{self.clerk.host.folder}/roster.csv"
        with open(path, "w", encoding="utf-8") as file:
            file.write("mail,number,name\n"
                       + "".join(f"{mail},{number},\n" for mail, number in STUDENTS))
        self.say("The key of the venue is here: the desk is up, and needs nobody to begin.")
        self.types("desk", "up", "rec", "--no-mdns")
        self.types("desk", "members", "import", path)
        self.say("Els calls, then Bo, who wants to play now.")
        els = self.books("Tennis 2", day(1), "18:00", "1h", "--for", "Els",
                         "--mail", "els@example.org")
        bo = self.books("Badminton", day(0), "09:00", "4h", "--for", "Bo",
                        "--mail", "bo@example.org")
        self.types("desk", "book", "tennis", day(1), "18:00", "1h", "--for", "Cy")
        self.types("desk", "book", "tennis", day(1), "18:00", "1h", "--for", "Di", check=1)
        self.types("desk", "slip", els)
        self.say("Els comes by to pay; Bo's friends did not come, and the floor is wet.")
        self.types("desk", "paid", els, "20", check=2)
        self.types("desk", "paid", els, "--by", "card")
        self.types("desk", "slip", els)
        self.types("desk", "close", bo, "--reason", "no-show", "--spent")
        self.types("desk", "block", "Basketball", day(0), "13:00", "1h", "--for-note", "wet floor")
        self.say("Somebody has had a court since the morning, and does not bring its key back.")
        key = self.books("Tennis 1", day(0), "08:00", "8h", "--for", "Flo")
        self.types("desk", "handed", key)
        self.types("desk", "late", key, "+1h")
        self.types("desk", "book", "Tennis 1", day(0), "16:00", "--for", "Gus", check=1)
        self.types("desk", "returned", key)
        self.types("bookings", "--mail", "els@example.org")
        self.types("bookings", "--mail", "nobody@example.org", check=4)
        self.say("What it came to, and out.")
        self.types("desk", "report")
        self.types("desk", "backup", "--to", f"{self.clerk.host.folder}/copy")
        self.types("desk", "away")
        self.types("desk")
        self.types("venue", "leave", "rec")
        goldens.check(self, "desk/half-hour", "\n".join(self.told))

    def say(self, words):
        self.told += ([""] if self.told else []) + [words, ""]

    def types(self, *argv, check=0):
        done = self.clerk.type(*argv, check=check)
        quoted = " ".join(f"'{word}'" if " " in word else word for word in argv)
        text = f"$ seatagent {quoted}\n{done.stdout}{done.stderr}".rstrip()
        self.told.append(self.masked(text))
        return done

    def books(self, *argv):
        """Books for a caller; the code."""
        done = self.types("desk", "book", *argv)
        return re.search(r"code ([A-Z2-7]{8})\n", done.stdout)[1]

    def masked(self, text):
        """Without what is another from run to run: days, codes, folders."""
        text = text.replace(self.clerk.host.folder, "/home")
        for code in re.findall(r"\b[A-Z2-7]{8}\b(?<!BE71)", text):
            text = text.replace(code, self.names.setdefault(code, f"CODE{len(self.names) + 2}AAA"))
        for ahead, name in ((0, "today"), (1, "tomorrow")):
            date = courts.today() + datetime.timedelta(ahead)
            text = text.replace(date.isoformat(), name)
            text = re.sub(rf"{date:%a} {date.day} {date:%b}(\s+{date.year})?", name, text)
        # Where a slip is wrapped depends on the day.
        return re.sub(r"\b(today|tomorrow)\s+(?=\d\d:\d\d)", r"\1 ", text)
