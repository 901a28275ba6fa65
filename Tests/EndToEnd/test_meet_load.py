# SPDX-License-Identifier: Apache-2.0
"""The program that plays many flights at one broker still plays, and its goals are looked at."""

import math
import os

import meet_load
import meet_load_table as table
from case import Case
from program import WITH_HOOKS

#: Three small flights on one day of boxes, with a week of talk in each second.
SMALL = {**meet_load.PLAN, "flights": 3, "passengers": 10, "connected": 10, "coming": 1, "fast": 1,
         "factor": 4000, "calm": 0, "days": 1}


class MeetLoad(Case):
    def test_a_few_flights_meet_at_one_broker(self):
        program = f"{os.path.dirname(WITH_HOOKS)}/meetload"
        if not os.path.exists(program):
            self.skipTest("needs meetload: swift build --product meetload")
        phases, tls = meet_load.play(self.loopback(), SMALL, program, count=20)
        come, lively = phases["all come"], phases[table.ALL]
        self.assertEqual((come["connected"], len(come["reads"]), come["topics"]), (30, 30, 60))
        # The machine has other tests to run: no figure is held to the goal, but all are there.
        self.assertEqual((lively["late"], lively["lost"], lively["refused"]), (0, 0, 0))
        self.assertGreater(lively["said"], 3)
        self.assertEqual(len(lively["claims"]) + len(lively["others"]), lively["said"])
        self.assertGreater(lively["delivered"], 9 * lively["said"])
        self.assertGreater(come["broker"] + lively["broker"], 0)
        self.assertIn("kB a second", table.measured(phases, tls, SMALL))

    def test_a_goal_that_is_missed_is_told(self):
        phase = {"phase": table.ALL, "broker": 20, "seconds": 50, "late": 0, "lost": 0,
                 "refused": 0, "claims": [5.0] * 95 + [2500.0] * 5}
        self.assertTrue(all(map(table.is_met, table.goals({table.ALL: phase}))))
        for name, value in (("broker", 26), ("claims", [5.0] * 94 + [2500.0] * 6), ("claims", []),
                            ("late", 1), ("lost", 1), ("refused", 1)):
            with self.subTest(name):
                goals = table.goals({table.ALL: {**phase, name: value}})
                self.assertEqual([table.is_met(goal) for goal in goals].count(False), 1)
        self.assertIn("MISSED", table.judged([{table.ALL: phase},
                                              {table.ALL: {**phase, "claims": []}}]))
        self.assertTrue(math.isnan(table.quantile([], 0.5)))
        self.assertEqual([table.number(value) for value in (0, 0.01234, 9.996, 1234567)],
                         ["0", "0.0123", "10", "1 230 000"])
