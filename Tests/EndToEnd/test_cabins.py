# SPDX-License-Identifier: Apache-2.0
"""Cabin layouts as passengers choose, see and edit them."""

import json
import os
import stat

from agent import BINARY, Agent
from case import Case
from views import ViewCase
from waiting import until

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
IDS = sorted(name[:-5] for name in os.listdir(f"{ROOT}/cabins"))

#: An editor: a shell that gets the draft as $1 and changes it.
EDITOR = "sh -c '{}' editor"


class Layouts(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        self.folder = f"{self.here.env['XDG_DATA_HOME']}/seatagent/default/cabins"

    def run_it(self, *argv, check=0, **env):
        done = self.here.run([BINARY, *argv], check=False, env=env)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done

    def test_all_are_listed_and_shown_without_an_agent_from_any_directory(self):
        listed = json.loads(self.run_it("cabins", "--json").stdout)["result"]["cabins"]
        self.assertEqual(sorted(row["id"] for row in listed), IDS)
        self.assertEqual([row["id"] for row in listed if row["used"]], ["standard"])
        for row in listed:
            shown = json.loads(self.run_it("cabin", "show", row["id"], "--json").stdout)
            with open(f"{ROOT}/cabins/{row['id']}.json", encoding="utf-8") as file:
                self.assertEqual(shown["result"]["cabin"], json.load(file))
            text = self.run_it("cabin", "show", row["id"], "--ascii").stdout
            self.assertEqual(text.count(" .") + text.count("\n."), row["seats"], text)

    def test_what_is_wrong_says_what_to_try(self):
        missing = self.run_it("cabin", "show", "klm-e191", check=4).stderr
        self.assertIn("why: the nearest is klm-e190", missing)
        self.assertIn("try: seatagent cabin show klm-e190", missing)
        self.assertIn("wants to know which layout", self.run_it("cabin", "use", check=2).stderr)
        self.assertIn(
            "try: seatagent cabin show klm-e190", self.run_it("cabin", "klm-e190", check=2).stderr)
        alone = self.run_it("cabin", "use", "klm-e190", check=3)
        self.assertIn("no agent is running", alone.stderr)
        self.run_it("up", "--seat", "4A", "--cabin", "klm-e191", check=4)

    def test_edit_saves_what_is_right_and_keeps_what_is_wrong(self):
        wrong = EDITOR.format('sed -i "s/\\"1-12\\", \\"14-26\\"/\\"1-300\\"/" "$1"')
        refused = self.run_it("cabin", "edit", "mine", "--from", "klm-e190", check=1, EDITOR=wrong)
        draft = f"{self.folder}/mine.json.draft"
        self.assertIn("not saved: the text is wrong at cabins[0].rows", refused.stderr)
        self.assertIn(f"from 1 to 255; your text is kept in {draft}", refused.stderr)
        self.assertIn("try: seatagent cabin edit mine", refused.stderr)
        self.assertFalse(os.path.exists(f"{self.folder}/mine.json"))
        right = EDITOR.format('sed -i "s/1-300/1-30/" "$1"')
        saved = self.run_it("cabin", "edit", "mine", EDITOR=right)
        self.assertIn("Going on with what was not saved", saved.stderr)
        self.assertEqual(saved.stdout, f"Saved {self.folder}/mine.json.\n")
        self.assertIn("Next: seatagent cabin use mine", saved.stderr)
        self.assertEqual(stat.S_IMODE(os.stat(f"{self.folder}/mine.json").st_mode), 0o600)
        self.assertFalse(os.path.exists(draft))
        self.assertRegex(self.run_it("cabins").stdout, r"mine +120  Embraer 190 +your own")
        renamed = EDITOR.format('sed -i "s/\\"mine\\"/\\"yours\\"/" "$1"')
        other = self.run_it("cabin", "edit", "mine", check=1, EDITOR=renamed)
        self.assertIn("at id", other.stderr)
        self.assertIn("it says yours, and mine is being edited", other.stderr)
        self.run_it("cabin", "edit", "../mine", check=2)
        with open(f"{self.folder}/mine.json", "w") as file:
            file.write("{}\n")
        self.assertIn("wrong: version", self.run_it("cabins").stdout)
        self.assertIn(
            "try: seatagent cabin edit mine", self.run_it("cabin", "show", "mine", check=1).stderr)

    def test_the_chosen_one_is_kept_and_an_edited_one_is_drawn_at_once(self):
        ada = Agent(self.here, "ada", "14C")
        flight = ["--flight", "FR202/2026-12-05/DUB", "--no-mdns", "--interface", "lo"]
        up = ada.command(
            "up", "--seat", "33A", "--name", "ada", *flight, check=0)
        try:
            self.assertIn("33A is not in the layout standard, where rows go from 1 to", up.stderr)
            self.assertIn("Not in this layout: 33A @", ada.command("seats").stdout)
            used = ada.command("cabin", "use", "ryanair-737-800", check=0)
            self.assertEqual(used.stdout, "The cabin is drawn as Ryanair 737-800, 189 seats.\n")
            self.assertEqual(used.stderr, "")
            self.assertNotIn("Not in this layout", ada.command("seats").stdout)
            self.assertIn("33   @", ada.command("seats").stdout)
            self.assertIn("Your 33A is not in it",
                          ada.command("cabin", "use", "klm-e190", check=0).stderr)
            ada.command("cabin", "use", "Ryanair-737-800", check=0)
            ada.command("restart", check=0)
            self.assertEqual(ada.call("status")["cabin"]["id"], "ryanair-737-800")
            self.assertEqual(ada.call("seats")["cabin"], ada.call("cabin")["cabin"])
            self.assertIn("* ryanair-737-800", ada.command("cabins").stdout)
            editor = {"EDITOR": EDITOR.format('sed -i "s/33/34/" "$1"')}
            edited = ada.command("cabin", "edit", check=0, env=editor)
            self.assertIn("The cabin is drawn by it now.", edited.stderr)
            self.assertEqual(ada.call("status")["cabin"]["cabins"][0]["rows"], ["1-12", "14-34"])
            self.assertIn("Cabin     Ryanair 737-800", ada.command("status").stdout)
            suggested = ada.call("cabin", "suggestions")["suggestions"]
            self.assertEqual([one["cabin"] for one in suggested], [ada.call("cabin")["cabin"]])
        finally:
            ada.command("down")

    def test_an_agent_starts_although_its_layout_has_gone_wrong(self):
        ada = Agent(self.here, "ada", "14C", options=["--cabin", "mine"])
        ada.board()
        self.assertEqual(ada.call("status")["cabin"]["id"], "standard")
        ada.leave()


class Agreed(ViewCase):
    slow = 14

    def test_one_passengers_layout_changes_nobodys_map(self):
        seats = {"ada": "14C", "bo": "12A", "cy": "22D", "dev": "31F"}
        hosts = self.cabin(*seats)
        ada, bo, cy, dev = self.aboard = [
            Agent(hosts[name], name, seat).board() for name, seat in seats.items()]
        for agent in self.aboard:
            agent.wait_for(*[other for other in self.aboard if other is not agent])
        # One alone: all hear of it, nobody's map changes, nobody is asked.
        bo.call("cabin", "use", "klm-e190")
        for agent in (ada, cy, dev):
            self.suggested(agent, {"klm-e190": 1})
            status = agent.call("status")
            self.assertEqual(status["cabin"]["id"], "standard")
            self.assertIsNone(status["cabin_asked"])
        # One against one is no more. Whoever chose is not asked, and keeps their own.
        cy.call("cabin", "use", "ryanair-737-800")
        self.suggested(ada, {"klm-e190": 1, "ryanair-737-800": 1})
        self.assertIsNone(ada.call("status")["cabin_asked"])
        watch = ada.watch("layout", "cabin")
        self.addCleanup(watch.end)
        dev.call("cabin", "use", "ryanair-737-800")
        asked = watch.wait_for("layout")[0]
        self.assertEqual((asked["state"], asked["id"], asked["voices"]),
                         ("asked", "ryanair-737-800", 3))
        self.assertEqual({who["name"] for who in asked["by"]}, {"cy", "dev"})
        self.assertEqual(ada.call("status")["cabin"]["id"], "standard")
        self.suggested(bo, {"klm-e190": 1, "ryanair-737-800": 2})
        self.assertIsNone(bo.call("status")["cabin_asked"])
        for word in ("status", "seats", "cabin suggestions"):
            done = ada.command(*word.split())
            self.assertIn("see the cabin as Ryanair 737-800, 189 seats (2 of the 3 who suggest a "
                          "layout): seatagent cabin accept ryanair-737-800 draws it so here",
                          done.stdout + done.stderr)
        # A no is the last word, also after a restart.
        self.assertEqual(ada.call("cabin", "accept", "klm-e190", expect=7)["code"], "changed")
        done = ada.command("cabin", "decline", "ryanair-737-800", check=0)
        self.assertIn("you are not asked about Ryanair 737-800, 189 seats again", done.stdout)
        self.again(ada)
        self.suggested(ada, {"klm-e190": 1, "ryanair-737-800": 2})
        self.assertIsNone(ada.call("status")["cabin_asked"])
        self.assertEqual(ada.call("cabin", "accept", expect=1)["code"], "not-now")
        # Others agree on one that lacks dev's seat: nobody is asked. The yes is given in the view.
        screen = self.view(ada)
        cy.call("cabin", "use", "klm-e190")
        self.suggested(ada, {"klm-e190": 2, "ryanair-737-800": 1})
        hidden = ada.call("cabin", "suggestions")
        self.assertEqual(hidden["suggestions"][0]["hides"], ["31F"])
        self.assertTrue(hidden["suggestions"][0]["agreed"])
        self.assertIsNone(hidden["asked"])
        self.assertIn("(not asked about: it lacks 31F, where somebody sits)",
                      ada.command("cabin", "suggestions").stdout)
        for agent in (cy, dev):
            agent.call("cabin", "use", "ryanair-737-8-200")
        screen.wait_for("see the cabin as Ryanair 737-8-200", "Draw it so here? y/n")
        self.assertEqual(ada.call("status")["cabin"]["id"], "standard")
        screen.answer("y", "Draw it so here? y/n")
        screen.wait_for("It is drawn so for you alone.", gone=["Draw it so here?"])
        until("ada's map is drawn so",
              lambda: ada.call("seats")["cabin"]["id"] == "ryanair-737-8-200")
        # A yes is kept, and is no suggestion: the voices are as they were.
        screen.close()
        self.again(ada)
        self.assertEqual(ada.call("status")["cabin"]["id"], "ryanair-737-8-200")
        self.suggested(bo, {"klm-e190": 1, "ryanair-737-8-200": 2})
        self.assertIsNone(ada.call("status")["cabin_asked"])

    def suggested(self, agent, voices):
        until(f"{agent.name} knows of {voices}", lambda: {
            one["id"]: len(one["by"]) for one in agent.call("cabin", "suggestions")["suggestions"]
        } == voices)

    def again(self, agent):
        """The agent ends and starts once more, and meets the others."""
        agent.leave()
        agent.board()
        agent.wait_for(*[other for other in self.aboard if other is not agent])


class Drawn(ViewCase):
    def test_the_view_follows_another_layout_and_scrolls_in_a_wide_one(self):
        ada, bo = self.two()
        screen = self.view(ada)
        ada.command("cabin", "use", "ryanair-737-8-200", check=0)
        self.golden(screen, "ryanair-80x24", "the cabin is drawn as Ryanair 737-8-200", "x x exit")
        screen.press("Tab")
        screen.type("29a")
        screen.wait_for("29A  nobody is known here   window, no window there, exit row")
        # The seat at the door of row 28 is missing.
        screen.press("Left")
        screen.wait_for("27A  nobody")
        screen.press("Escape")
        screen.wait_for(" Enter send")
        screen.enter("/cabin use lufthansa-a350-900")
        screen.wait_for("The cabin is drawn as Lufthansa A350-900, 293 seats.")
        screen.press("Escape")
        # The page is gone: a key right behind Escape would be one with Alt.
        screen.wait_for(" K  ", " G  ", " Enter send")
        screen.press("Tab")
        screen.type("42k")
        self.golden(screen, "wide-80x24", "42K  nobody is known here   window")
        until("bo hears of it", lambda: [
            one["id"] for one in bo.call("cabin", "suggestions")["suggestions"]
        ] == ["lufthansa-a350-900"])
        self.assertEqual(bo.call("status")["cabin"]["id"], "standard")
        screen.resize(120, 40)
        self.golden(screen, "wide-120x40", "42K  nobody is known here   window", "exit")
