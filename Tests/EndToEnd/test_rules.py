# SPDX-License-Identifier: Apache-2.0
"""Rules of the cabin: exits, children, classes, old seats; and that facts are told to nobody."""

import glob
import os

from agent import Agent
from case import Case
from peers import handmade, token_of
from waiting import until

#: Words about own seats that no frame and no file of another passenger may hold.
PRIVATE = ("child", "infant", "helped", "standby", "exit", "paid", "belt", "twelve", "needs")


class Rules(Case):
    slow = 40

    def aboard(self, mine="14C", theirs="16A", cabin="ryanair-737-800"):
        here = self.loopback()
        bo = Agent(here, "bo", theirs).board()
        ada = Agent(here, "ada", mine, peers=[bo]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        if cabin:
            self.suggest(bo, cabin, ada)
        return ada, bo

    def suggest(self, bo, cabin, ada):
        self.assertTrue(bo.ask("cabin-suggest", layout=cabin)["ok"])
        until("ada sees the suggestion", lambda: [
            one["id"] for one in ada.ask("cabin-suggestions")["result"]["suggestions"]] == [cabin])

    def test_what_one_suggests_is_listed_and_the_own_choice_wins(self):
        ada, bo = self.aboard(cabin=None)
        bo.call("cabin", "use", "ryanair-737-800")
        first = until("ada hears of it",
                      lambda: ada.call("cabin", "suggestions")["suggestions"])[0]
        self.assertIn("ryanair-737-800     1  bo", ada.command("cabin", "suggestions").stdout)
        self.assertFalse(first["agreed"])
        self.assertEqual([who["name"] for who in first["by"]], ["bo"])
        self.assertEqual(ada.call("seats")["cabin"]["id"], "standard")
        ada.call("cabin", "use", "easyjet-a320", "--only-me")
        self.assertEqual(ada.call("seats")["cabin"]["id"], "easyjet-a320")
        self.assertEqual(len(bo.call("cabin", "suggestions")["suggestions"]), 1)
        ada.call("cabin", "use", "easyjet-a319")
        until("bo hears of it", lambda: len(
            bo.call("cabin", "suggestions")["suggestions"]) == 2)
        self.assertEqual(bo.call("seats")["cabin"]["id"], "ryanair-737-800")

    def test_a_layout_of_another_can_be_taken_over_and_borrows_no_name(self):
        ada, bo = self.aboard(cabin=None)
        editor = {"EDITOR": "sh -c 'sed -i s/unverified/partly/ \"$1\"' editor"}
        for name, start in (("bos-own", "easyjet-a320"), ("klm-e190", "easyjet-a319")):
            bo.command("cabin", "edit", name, "--from", start, check=0, env=editor)
        self.suggest(bo, "bos-own", ada)
        shown = ada.command("cabin", "show", "bos-own", check=0).stdout
        self.assertIn("bos-own: bos-own", shown)
        self.assertEqual(ada.call("cabin", "use", "nobodys-own", expect=4)["code"], "no-such-cabin")
        ada.call("cabin", "use", "bos-own", "--only-me")
        cabin = ada.call("seats")["cabin"]
        self.assertEqual(cabin["id"], "bos-own")
        bo.leave()
        self.assertIn("* bos-own", ada.command("cabins").stdout)
        self.assertEqual(ada.call("cabin", "show", "bos-own")["cabin"], cabin)
        bo.board()
        bo.wait_for(ada)
        self.suggest(bo, "klm-e190", ada)
        self.assertIn("not the one of that name", ada.command("cabin", "suggestions").stdout)
        self.assertNotIn("* klm-e190", ada.command("cabins").stdout)

    def test_an_exit_seat_is_refused_to_who_did_not_confirm(self):
        ada, bo = self.aboard()
        # What bo suggests is told; what ada chooses stops.
        draft = ada.ask("swap", seat="16A", draft=True)
        self.assertTrue(draft["ok"])
        self.assertEqual(draft["result"]["warnings"][0]["code"], "exit")
        ada.call("cabin", "use", "ryanair-737-800", "--only-me")
        error = ada.call("swap", "16A", expect=1)
        self.assertEqual(error["code"], "against-rules")
        self.assertIn("exit row", error["what"])
        self.assertEqual(error["try"], "seatagent needs 14C exit")
        number = bo.swap("14C")
        asked = ada.incoming()
        request = ada.request(asked)
        self.assertEqual(request["blocked"]["code"], "against-rules")
        self.assertEqual(ada.call("accept", asked, "--yes", expect=1)["code"], "against-rules")
        # bo hears nothing of it.
        self.assertEqual(bo.request(number)["state"], "open")
        self.assertNotIn("reason", bo.request(number))
        ada.call("needs", "exit", expect=2)
        ada.call("needs", "exit", "--yes")
        request = ada.request(asked)
        self.assertNotIn("blocked", request)
        codes = [warning["code"] for warning in request["warnings"]]
        self.assertEqual(codes, ["better", "row", "belongings", "pass"])
        ada.call("accept", asked, "--yes", "--wait")
        final = ada.request(asked)
        self.assertEqual([w["code"] for w in final["warnings"]], ["crew", "airline"])
        self.assertIn("word is final", final["warnings"][0]["what"])
        # What was said goes where the passenger goes, also over a restart.
        self.assertEqual(ada.call("needs")["people"], [
            {"seat": "16A", "yours": True, "facts": ["exit"]}])
        ada.leave()
        ada.seat = "16A"
        ada.board()
        self.assertEqual(ada.call("needs")["people"][0]["facts"], ["exit"])

    def test_a_child_is_not_parted_from_its_grown_ups(self):
        ada, bo = self.aboard(mine="14A,14B", theirs="20A,20B")
        ada.call("needs", "14A", "child", "--with", "14B")
        error = ada.call("swap", "20A", "--give", "14A", expect=1)
        self.assertIn("child", error["what"])
        self.assertEqual(
            ada.call("swap", "20B", "--give", "14B", expect=1)["code"], "against-rules")
        number = bo.swap("14A", "--give", "20A")
        asked = ada.incoming()
        self.assertEqual(ada.call("accept", asked, "--yes", expect=1)["code"], "against-rules")
        self.assertEqual(bo.request(number)["state"], "open")
        # Both together may go.
        legs = [{"seat": seat, "to": who} for seat, who in (
            ("14A", "bo"), ("14B", "bo"), ("20A", "ada"), ("20B", "ada"))]
        self.assertTrue(ada.ask("propose", legs=legs, unverified=True)["ok"])

    def test_a_counter_offer_is_judged_by_the_seats_it_asks_for(self):
        ada, bo = self.aboard(theirs="16A,12A", cabin=None)
        ada.call("cabin", "use", "ryanair-737-800", "--only-me")
        bo.swap("14C", "--give", "16A")
        asked = ada.incoming()
        text = ada.command("counter", asked, "--take", "12A")
        self.assertIn("note: 12A is in another row", text.stderr)
        bo.call("accept", bo.incoming(), "--yes", "--wait")
        until("both see the swap", lambda: [
            one.held().get("12A") for one in (ada, bo)] == ["ada", "ada"])

    def test_what_is_asked_is_taken_back_when_the_needs_change(self):
        ada, bo = self.aboard(theirs="20A", cabin=None)
        number = ada.swap("20A")
        asked = bo.incoming()
        ada.call("needs", "standby")
        self.assertEqual(ada.request(number)["state"], "withdrawn")
        until("bo hears of it", lambda: bo.request(asked)["state"] == "withdrawn")
        ada.call("needs", "standby", "--remove")
        self.assertTrue(ada.ask("swap", seat="20A", unverified=True)["ok"])

    def test_lines_to_try_keep_seat_and_words(self):
        ada, _ = self.aboard(mine="14A,14B", cabin=None)
        error = ada.call("needs", "14B", "exit", "paid", expect=2)
        self.assertEqual(error["try"], "seatagent needs 14B exit paid --yes")
        # What it was called before leads there.
        error = ada.call("party", "14A", "child", "--with", "14B", expect=2)
        self.assertEqual(error["try"], "seatagent needs 14A child --with 14B")
        error = ada.call("needs", "14A", "chidl", "--with", "14B", expect=2)
        self.assertEqual(error["try"], "seatagent needs 14A child --with 14B")
        self.assertEqual(
            ada.call("needs", "14A", "child", "--with", "41B", expect=4)["code"], "empty-seat")

    def test_other_classes_are_told_by_the_layout_of_others(self):
        ada, bo = self.aboard(mine="20A", theirs="5A", cabin=None)
        # What is only suggested is told, and stops nobody.
        self.suggest(bo, "lufthansa-a350-900", ada)
        number = bo.swap("20A")
        asked = ada.incoming()
        self.assertIn("compartment", [w["code"] for w in ada.request(asked)["warnings"]])
        self.assertNotIn("blocked", ada.request(asked))
        self.assertEqual(bo.request(number)["state"], "open")

    def test_other_classes_do_not_swap_by_the_own_layout(self):
        ada, bo = self.aboard(mine="20A", theirs="5A", cabin=None)
        number = bo.swap("20A")
        asked = ada.incoming()
        self.assertNotIn("blocked", ada.request(asked))
        ada.call("cabin", "use", "lufthansa-a350-900", "--only-me")
        error = ada.call("accept", asked, "--yes", expect=1)
        self.assertEqual(error["code"], "against-rules")
        self.assertIn("business", error["what"])
        self.assertEqual(bo.request(number)["state"], "open")

    def test_a_seat_that_went_elsewhere_voids_the_request(self):
        ada, bo = self.aboard(theirs="12A", cabin=None)
        bo.swap("14C")
        asked = ada.incoming()
        bo.call("claim", "20F")
        bo.call("release", "12A")
        until("ada sees it", lambda: ada.request(asked)["state"] == "withdrawn")
        refused = ada.call("accept", asked, "--yes", expect=7)
        self.assertEqual(refused["code"], "changed")
        self.assertRegex(refused["why"], r"bo #\w{4} gave 12A up")

    def files(self, agent, least=1):
        """What stands in the files of an agent, of which there are some."""
        paths = [path for path in glob.glob(
            f"{agent.host.folder}/**/seatagent/{agent.name}/**", recursive=True)
            if os.path.isfile(path)]
        self.assertGreaterEqual(len(paths), least)
        found = []
        for path in paths:
            with open(path, "rb") as file:
                found.append(file.read())
        return found

    def test_needs_go_to_nobody(self):
        ada, bo = self.aboard(mine="14A,14B", theirs="16A", cabin=None)
        ada.call("needs", "14A", "child", "infant", "paid", "--with", "14B")
        ada.call("needs", "14B", "exit", "standby", "helped", "paid", "--yes")
        mallory = handmade(self, ada, os.urandom(32))
        mallory("greet")
        mallory("dress", name="mallory", program="x", seat=[17, 0])
        until("ada knows mallory", lambda: "17A" in ada.held())
        mallory("ask", token=token_of(ada), note="please")
        asked = ada.incoming()
        self.assertEqual(ada.call("accept", asked, "--yes", expect=1)["code"], "against-rules")
        ada.call("decline", asked)
        number = bo.swap("14B")
        other = ada.incoming()
        ada.call("accept", other, "--yes", expect=1)
        ada.call("say", "good morning")
        heard = "".join(mallory("hear"))
        self.assertIn(b"good morning".hex(), heard)
        for word in PRIVATE:
            self.assertNotIn(word.encode().hex(), heard, word)
        # Nothing came at all for the no: no DECLINE (28), no WITHDRAW (30).
        self.assertEqual(bo.request(number)["state"], "open")
        # What is looked for can be found where it is, and the files are the right ones.
        facts = (b"with=14B", b"standby", b"infant", b"helped")
        hers = b"".join(self.files(ada))
        for word in facts:
            self.assertIn(word, hers)
        self.assertIn(b"good morning", b"".join(self.files(bo)))
        for word in facts:
            self.assertNotIn(word, b"".join(self.files(bo)))
        for agent in (ada, bo):
            with open(f"{agent.host.folder}/{agent.name}.log", "rb") as file:
                log = file.read()
            self.assertTrue(log, agent.name)
            for word in ("infant", "standby", "helped", "with=14B"):
                self.assertNotIn(word.encode(), log, word)
        records = os.path.join(ada.host.folder, "ada.exported")
        ada.call("log", "--export", records)
        with open(records, "rb") as file:
            data = file.read()
        for word in PRIVATE:
            self.assertNotIn(word.encode(), data, word)
        # It goes with the flight.
        ada.call("forget", "practice", "--yes")
        self.assertNotIn(b"with=14B", b"".join(self.files(ada, least=0)))
