# SPDX-License-Identifier: Apache-2.0
"""Every line that the program tells people to try is typed as it was printed, after the mistake
that it answers, and leads to something that works. goldens/tries has what was typed and how it
ended."""

import datetime
import json
import os
import re
import sys

import courts
import goldens
import mistakes
import straight
import tries
from agent import BINARY, Agent
from case import Case, for_soak

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ("nobody", "aboard", "straight", "centre")
#: Exit codes that are an answer: nobody is known there, the doctor found something, it goes on
#: until somebody ends it.
ENDINGS = {
    r"seatagent (doctor|meet check)\b.*": {9},
    r"seatagent friend .*": {1},
}


def lines(text):
    day = datetime.date.today() + datetime.timedelta(days=7)
    return [line.replace("{day}", day.isoformat()) for line in text.strip().splitlines()]


class Tries(Case):
    slow = 25

    def types(self, host, text, profile="default"):
        """What became of each line, typed by somebody on `host`, in its folder."""
        env = {"PATH": f"{os.path.dirname(BINARY)}:{host.env['PATH']}", "EDITOR": "true",
               "SEATAGENT_PROFILE": profile}
        done = host.run(
            ["sh", "-c", f"cd {host.folder} && exec {sys.executable} -B {HERE}/typist.py"],
            input=json.dumps(lines(text)), timeout=400, env=env)
        return json.loads(done.stdout)

    def keep(self, name, found):
        """Compares what was typed, and how it ended, with what is kept."""
        goldens.check(self, f"tries/{name}", self.written(found))

    def keep_but_days(self, name, found):
        """The same where the day of the week decides which court is free, and what is tried after
        which mistake: mistakes end as they are kept, and nothing is tried that is not."""
        written = self.written(found)
        if os.environ.get("GOLDENS") == "write":
            goldens.check(self, f"tries/{name}", written)
        with open(f"{goldens.FOLDER}/tries/{name}.txt", encoding="utf-8") as file:
            kept = file.read()
        seen, wanted = (
            [line for line in text.splitlines() if line.startswith("$ ")]
            for text in (written, kept))
        self.assertEqual(seen, wanted)
        tried, known = (
            {re.sub(r"'Tennis \d'|  \d+$", "", line) for line in text.splitlines()
             if not line.startswith("$ ")} for text in (written, kept))
        self.assertEqual(tried - known, set())

    @staticmethod
    def written(found):
        kept = []
        for steps in found:
            kept.append(f"$ {steps[0]['line']}  {steps[0]['status']}")
            kept += [f"  {one['line']}  {one['status']}" for one in steps[1:]]
        return tries.alike("\n".join(kept))

    def end_well(self, found):
        """Each mistake says what to try, and that ends in something that works."""
        for steps in found:
            last = steps[-1]
            if last["status"] in (0, 124) or any(
                    re.fullmatch(line, last["line"]) and last["status"] in codes
                    for line, codes in ENDINGS.items()):
                continue
            self.fail("\n".join(f"{one['line']}  {one['status']}\n{one['said']}"
                                for one in steps))

    def test_who_has_not_started(self):
        found = self.types(self.loopback(), mistakes.NOBODY)
        self.end_well(found)
        self.keep("nobody", found)

    def test_who_is_aboard(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A,12B").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        found = self.types(here, mistakes.ABOARD, "ada")
        self.end_well(found)
        self.keep("aboard", found)

    @for_soak
    def test_lines_without_their_mistake(self):
        """They are read: none is refused for its words."""
        found = self.types(self.loopback(), straight.STRAIGHT)
        for steps in found:
            self.assertNotRegex(
                steps[0]["said"], r"unknown (command|option)|too much for|wants (more|a value)",
                steps[0]["line"])
        self.keep("straight", found)

    @for_soak
    def test_a_recreation_centre(self):
        """Its desk takes seconds for a booking."""
        place, clerk, [kiki] = self.centre()
        found = self.types(kiki.host, mistakes.GUEST)
        found += self.types(clerk.host, mistakes.DESK)
        self.end_well(found)
        self.keep_but_days("centre", found)

    def centre(self):
        place = self.cabin("desk", "kiki")
        clerk = courts.Clerk(place["desk"])
        path = clerk.up(courts.words())
        clerk.roster(courts.STUDENTS)
        kiki = courts.Guest(place["kiki"]).take(path)
        kiki.open("rec")
        clerk.opens()
        kiki.student(0)
        return place, clerk, [kiki]


class Told(Case):
    def test_every_line_of_the_sources_is_typed(self):
        typed = set()
        for name in FILES:
            with open(f"{goldens.FOLDER}/tries/{name}.txt", encoding="utf-8") as file:
                typed |= {re.sub(r"^(\$| ) |  \d+$", "", line.rstrip("\n")) for line in file}
        missing = tries.untyped(typed)
        self.assertEqual(missing, {}, "no test types these: add a mistake to mistakes.py, and keep "
                         "what it leads to with GOLDENS=write")
