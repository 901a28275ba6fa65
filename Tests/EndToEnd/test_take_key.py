# SPDX-License-Identifier: Apache-2.0
"""A guest takes their key along, from the host's laptop into an agent on their own."""

import base64
import shutil
import subprocess
import unittest

from agent import Agent
from browser import AXE, PROGRAM, Browser
from case import Case, for_soak
from page_client import Page, inside
from test_phones import come_in, hosted, slide
from waiting import until

PHRASE = "correct horse battery"


class TakeKey(Case):
    """Ada hosts Mia, who has a laptop of her own in her bag; Bo sits elsewhere."""

    def setUp(self):
        super().setUp()
        self.place = self.cabin("ada", "bo", "mia", "phones")
        self.ada = Agent(self.place["ada"], "ada", "14C").board()
        self.bo = Agent(self.place["bo"], "bo", "12A").board()
        self.mia = Agent(self.place["mia"], "mia", "14B")
        self.addCleanup(lambda: self.ada.command("host", "off", check=None))

    def inside(self, work):
        return inside(self.place["phones"], work)

    def guest(self):
        """Mia comes in and speaks; her page. Each question may come from a process of its own."""
        self.process, address = hosted(self.ada)
        page = Page(address)

        def come():
            said = page.join("mia", "14B")["ok"]
            page.do("say", text="hello from my phone")
            return said
        self.assertTrue(self.inside(come))
        until("bo reads her", lambda: "hello from my phone" in self.bo.said(), 20)
        return page

    def ask(self, page, op, **more):
        """What is answered to one question of her page."""
        def question():
            page.hello()
            return page.ask({"op": op, **more})
        return self.inside(question)

    def take(self, page, phrase=PHRASE):
        said = self.ask(page, "take-key", passphrase=phrase)
        self.assertTrue(said["ok"], said)
        return said["result"]

    def bring(self, text, phrase=PHRASE, check=0):
        """Types the text and the passphrase on her laptop; what it says."""
        done = self.mia.command("key", "import", input=f"{text}\n{phrase}\n", check=check)
        return done.stdout + done.stderr

    def guests(self):
        return [(one["here"], one["taken"]) for one in self.ada.call("host", "guests")["guests"]]

    def key(self):
        return self.bo.call("who", "mia")["key"]

    def is_linked(self, key):
        return any(peer["key"] == key and peer["linked"] for peer in self.bo.call("peers")["peers"])

    def goes_on(self, key):
        """Her agent on her laptop signs, and Bo takes it for the same passenger as before."""
        until("her log goes on",
              lambda: self.mia.command("say", "hello from my laptop").returncode == 0, 60)
        until("bo reads her", lambda: "hello from my laptop" in self.bo.said(), 20)
        who = self.bo.call("who", "mia")
        self.assertEqual((who["key"], who["forked"], who["misdeed"], who["seats"]),
                         (key, False, None, ["14B"]))

    def test_a_key_goes_along(self):
        page = self.guest()
        key = self.key()
        short = self.ask(page, "take-key", passphrase="123456789")
        self.assertEqual(short["error"]["code"], "bad-request", short)
        taken = self.take(page)
        self.assertRegex(taken["text"], "^seatkey1:[A-Za-z0-9_-]{200,300}$")
        # An answer that was lost is told again as it was.
        again = self.take(page, "another passphrase")
        self.assertEqual((again["text"], again["code"], again["again"]),
                         (taken["text"], taken["code"], True))
        until("her agent has gone", lambda: self.guests() == [(False, True)], 10)
        self.assertIn("14B", self.bring(taken["text"]))
        self.mia.board()
        until("bo is linked with her again", lambda: self.is_linked(key), 20)

    @for_soak
    def test_the_log_goes_on(self):
        page = self.guest()
        key = self.key()
        until("all read whose guest she is",
              lambda: self.bo.call("who", "mia").get("host", {}).get("name") == "ada", 20)
        text = self.take(page)["text"]
        self.assertTrue(self.inside(page.hello)["taken"])
        until("her agent has gone", lambda: self.guests() == [(False, True)], 10)
        self.assertIn("took their key along", self.ada.command("host", "guests").stdout)
        # What is wrong with a text is said, with a line to type.
        other = "A" if text[20] != "A" else "B"
        for wrong, phrase, code, words in (
                (text, "another passphrase", 8, "does not open the key"),
                (text[:20] + other + text[21:], PHRASE, 2, "damaged"),
                (text[:-4], PHRASE, 2, "damaged"), ("seatkey2:" + text[9:], PHRASE, 2, "later"),
                ("hello", PHRASE, 2, "begins with seatkey1:"), ("", PHRASE, 2, "no text")):
            said = self.bring(wrong, phrase, code)
            self.assertIn(words, said)
            self.assertIn("try: seatagent", said)
        self.bring(text)
        self.assertIn("here already", self.bring(text, check=1))
        self.mia.board()
        self.goes_on(key)
        self.assertIn("an agent of this profile runs", self.bring(text, check=1))
        # Nobody reads of Ada's laptop any more, and swaps go on with the seat that she had.
        until("she is nobody's guest", lambda: not self.bo.call("who", "mia").get("host"), 20)
        number = self.mia.swap("12A")
        self.bo.command("accept", self.bo.incoming(), "--yes", check=0)
        until("they have swapped", lambda: self.mia.request(number)["state"] == "final", 20)
        until("ada sees it", lambda: self.ada.held() == {"14C": "ada", "12A": "mia", "14B": "bo"},
              20)
        # A restart of her agent claims nothing, and her log goes on.
        self.mia.leave()
        self.mia.board()
        until("her log goes on",
              lambda: self.mia.command("say", "still here").returncode == 0, 60)
        until("bo reads her", lambda: "still here" in self.bo.said(), 20)
        self.assertEqual(self.mia.seats_of_mine(), ["12A"])
        self.assertEqual((self.key(), self.bo.call("who", "mia")["forked"]), (key, False))
        # On Ada's laptop no agent starts with it, and the text goes when she says so.
        self.process.terminate()
        self.process.wait()
        hosted(self.ada)
        self.assertEqual(self.take(page)["text"], text)
        self.assertEqual(self.guests(), [(False, True)])
        # Another tab may not know yet that the text is here.
        self.assertEqual(self.ask(page, "leave")["error"]["code"], "not-now")
        self.assertTrue(self.ask(page, "leave", taken=True)["ok"])
        until("nothing of her is left", lambda: self.guests() == [], 20)

    @for_soak
    def test_a_key_with_an_open_yes_stays(self):
        page = self.guest()
        self.assertTrue(self.ask(page, "swap", seat="12A", unverified=True)["ok"])
        said = self.ask(page, "take-key", passphrase=PHRASE)
        self.assertEqual(said["error"]["code"], "not-now", said)
        self.assertIn("is not over", said["error"]["what"])
        self.assertTrue(self.ask(page, "cancel", request=1)["ok"])
        # Where nobody has all of her log it stays too.
        self.bo.kill()
        self.ada.kill()
        self.assertTrue(self.ask(page, "say", text="does anybody hear me?")["ok"])
        said = self.ask(page, "take-key", passphrase=PHRASE)
        self.assertIn("nobody else has all your records", said["error"]["what"])
        self.bo.board()
        until("it goes", lambda: self.ask(page, "take-key", passphrase=PHRASE)["ok"], 60)

    @for_soak
    def test_killed_before_it_left_she_goes_on(self):
        self.ada.host.env["SEATAGENT_DIE"] = "before:taken"
        page = self.guest()
        self.assertFalse(self.ask(page, "take-key", passphrase=PHRASE)["ok"])
        until("she speaks again", lambda: self.ask(page, "say", text="not gone")["ok"], 40)
        until("bo reads her", lambda: "not gone" in self.bo.said(), 20)
        self.assertEqual(self.guests(), [(True, False)])

    @for_soak
    def test_killed_behind_it_she_signs_nothing(self):
        self.ada.host.env["SEATAGENT_DIE"] = "after:taken"
        page = self.guest()
        key = self.key()
        until("all read whose guest she is",
              lambda: self.bo.call("who", "mia").get("host", {}).get("name") == "ada", 20)
        self.ask(page, "take-key", passphrase=PHRASE)
        # The server ends too, before the agent starts again and finds that the key has left.
        self.process.kill()
        self.process.wait()
        self.process, _ = hosted(self.ada)
        until("the text is told", lambda: self.ask(page, "take-key")["ok"], 40)
        self.assertFalse(self.ask(page, "say", text="from the grave")["ok"])
        self.bring(self.ask(page, "take-key")["result"]["text"])
        until("she is nobody's guest", lambda: not self.bo.call("who", "mia").get("host"), 20)
        self.process.kill()
        self.process.wait()
        hosted(self.ada)
        self.mia.board()
        self.goes_on(key)
        self.assertEqual(self.guests(), [(False, True)])
        self.assertNotIn("from the grave", self.bo.said())

    @for_soak
    def test_the_page_shows_it(self):
        if PROGRAM is None:
            self.skipTest("needs Chromium: make setup")
        _, address = hosted(self.ada)
        browser = Browser(self.place["phones"].argv([]))
        self.addCleanup(browser.close)
        mia = browser.page(address, width=320, dark=True)
        come_in(mia, "mia", "14B")
        until("bo knows her", lambda: "14B" in self.bo.held(), 20)
        mia.click("#tab-self")
        mia.click_text("Take my key along", "#self")
        mia.wait_text("#sheet", "your seat stays yours")
        mia.type("#take-first", PHRASE)
        mia.type("#take-again", PHRASE + "x")
        mia.click_text("Move my key", "#sheet")
        mia.wait_text("#sheet", "the same passphrase twice")
        if AXE:
            self.assertEqual(mia.axe(), [])
        other = browser.page(address, beside=mia)
        other.wait_text("#state", "Connected")
        mia.type("#take-again", PHRASE)
        mia.click_text("Move my key", "#sheet")
        mia.wait("Boolean(document.querySelector('#take-text'))")
        text = mia.run("document.querySelector('#take-text').value")
        self.assertNotIn(PHRASE, mia.run(
            "[...document.querySelectorAll('input')].map(n => n.value)"))
        # Another tab hears of it.
        other.wait("Boolean(document.querySelector('#take-text'))")
        # Also after a reload, with no agent there any more. A tab behind another reads nothing.
        mia.tell("Page.bringToFront")
        mia.reload()
        mia.wait("Boolean(document.querySelector('#take-text'))")
        mia.wait_text("#self", "that you typed first")
        self.assertEqual(mia.run("document.querySelector('#take-text').value"), text)
        self.assertLessEqual(mia.run("document.documentElement.scrollWidth"), 320)
        if AXE:
            self.assertEqual(mia.axe(), [])
        self.assertNotIn(PHRASE, mia.run("JSON.stringify(localStorage)"))
        self.assertEqual(self.read(mia), text)
        slide(mia)
        mia.wait_text("#self", "You have left")
        until("nothing of her is left", lambda: self.guests() == [], 20)
        self.assertEqual(mia.complaints(), [])
        self.bring(text)

    def read(self, page):
        """What a camera reads in the code."""
        if shutil.which("zbarimg") is None:
            self.skipTest("needs zbarimg: make setup")
        said = page.run("document.querySelector('#self canvas').toDataURL('image/png')")
        picture = f"{self.place['phones'].folder}/code.png"
        with open(picture, "wb") as file:
            file.write(base64.b64decode(said.split(",")[1]))
        done = subprocess.run(["zbarimg", "--raw", "-q", picture], capture_output=True, text=True,
                              check=True, timeout=30)
        return done.stdout.strip()


if __name__ == "__main__":
    unittest.main()
