# SPDX-License-Identifier: Apache-2.0
"""People with phones beside people with laptops: what they do together, in Chromium."""

import subprocess
import unittest

import terminal
from agent import BINARY, Agent
from browser import seat_is
from case import for_soak
from page_case import PhoneCase, ask_in, come_in, say, slide
from terminal import Terminal
from waiting import until


class People(PhoneCase):
    """Laptops, and a host on which all phones are."""

    def asks(self, page, seat, words):
        page.click("#tab-cabin")
        page.wait(seat_is(seat, "aboard"))
        page.click(f'[data-seat="{seat}"]')
        page.click_text(f"Ask for {seat}", "#sheet")
        page.wait_text("#sheet", words)
        page.click("#sheet button.main")

    @for_soak
    def test_the_code_of_the_poster_leads_in_and_three_talk(self):
        """The poster is looked at as a phone does; ada reads and writes in the view."""
        if not terminal.is_there():
            self.skipTest("needs tmux")
        cabin, browser = self.place("ada")
        ada, _, address = self.hosts(cabin, "ada", "14C")
        link = self.scanned(browser, ada)
        self.assertEqual(link, address)
        screen = Terminal(ada.host, [BINARY, "--profile", "ada"], size=(100, 30))
        self.addCleanup(screen.close)
        mia, leo = browser.page(link), browser.page(link)
        come_in(mia, "mia", "14B")
        come_in(leo, "leo", "20F")
        leo.click("#tab-talk")
        mia.wait(seat_is("20F", "aboard"))
        say(mia, "who has a window?")
        leo.wait_text("#lines", "who has a window?")
        screen.wait_for("who has a window?")
        say(leo, "I do: 20F")
        mia.wait_text("#lines", "I do: 20F")
        screen.wait_for("I do: 20F")
        screen.type("and I an aisle")
        screen.press("Enter")
        mia.wait_text("#lines", "and I an aisle")
        leo.wait_text("#lines", "and I an aisle")
        # All three have the same lines in the same order.
        words = ["who has a window?", "I do: 20F", "and I an aisle"]
        for page in (mia, leo):
            seen = page.run("[...document.querySelectorAll('#lines li')].map(n => n.textContent)")
            self.assertEqual([next(one for one in words if one in line) for line in seen], words)
        self.assertEqual(ada.said(), words)
        self.assertEqual(mia.complaints() + leo.complaints(), [])

    def scanned(self, browser, agent):
        """The address that a reader of codes finds in a picture of the poster."""
        folder = browser.folder
        agent.call("host", "poster", f"{folder}/poster.svg")
        page = browser.page(f"file://{folder}/poster.svg", width=600, height=800)
        page.wait("Boolean(document.querySelector('svg'))")
        page.picture(f"{folder}/poster.png")
        done = subprocess.run(["zbarimg", "--quiet", "--raw", f"{folder}/poster.png"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        links = [line for line in done.stdout.splitlines() if line.startswith("http")]
        self.assertEqual(len(links), 1, done.stdout)
        return links[0]

    def test_two_phones_on_two_laptops_a_no_a_reload_and_a_yes(self):
        cabin, browser = self.place("ada", "bo")
        ada, _, to_ada = self.hosts(cabin, "ada", "14C")
        bo, _, to_bo = self.hosts(cabin, "bo", "12A")
        mia, leo = browser.page(to_ada), browser.page(to_bo)
        ask_in(mia, "mia", "14B")
        ask_in(leo, "leo", "20F")
        mia.wait(seat_is("14B", "me"))
        leo.wait(seat_is("20F", "me"))
        say(mia, "who has a window?")
        leo.click("#tab-talk")
        leo.wait_text("#lines", "who has a window?")
        # Whose laptop somebody is on is read with their name.
        leo.wait("[...flight.peers.values()].find(one => one.name === 'mia')?.host?.name === 'ada'")
        # A no with a reason is told; one without is not, and Mia takes back what they asked.
        self.asks(mia, "20F", "You give 14B to leo and get 20F.")
        leo.wait_text("#tab-requests", "(1)")
        leo.click("#tab-requests")
        leo.click_text("No", "#requests")
        leo.type("#note", "I like it here")
        leo.click_text("No", "#sheet")
        leo.wait_text("#requests", "declined")
        mia.click("#tab-requests")
        mia.wait_text("#requests", "I like it here")
        mia.wait_text("#requests", "declined")
        self.asks(mia, "14C", "You give 14B to ada and get 14C.")
        ada.call("decline", ada.incoming(20))
        mia.click("#tab-requests")
        mia.click_text("Take back", "#requests")
        mia.wait_text("#requests", "taken back")
        # The page is loaded anew before it hears what came of the next question: it is asked once.
        self.asks(mia, "20F", "You give 14B to leo and get 20F.")
        mia.reload()
        leo.wait_text("#tab-requests", "(1)")
        leo.wait_text("#requests", "mia asks you")
        mia.wait(seat_is("14B", "me"))
        mia.click("#tab-requests")
        mia.wait_text("#requests", "You asked leo")
        # And once more around the yes.
        slide(leo)
        mia.reload()
        mia.wait(seat_is("20F", "me"))
        mia.click("#tab-requests")
        mia.wait_text("#requests", "done: you may move")
        self.assertEqual(mia.run("document.querySelectorAll('#requests article').length"), 3)
        leo.click("#tab-cabin")
        leo.wait(seat_is("14B", "me"))
        leo.wait(seat_is("20F", "aboard"))
        held = {"14C": "ada", "12A": "bo", "20F": "mia", "14B": "leo"}
        until("both laptops see it", lambda: ada.held() == bo.held() == held, 20)
        self.assertEqual(mia.complaints() + leo.complaints(), [])

    @for_soak
    def test_a_family_of_a_laptop_and_a_phone_sits_together(self):
        """Ada's child has a phone; bo, beside ada, would take the child's seat."""
        cabin, browser = self.place("ada", "bo")
        ada, _, address = self.hosts(cabin, "ada", "14C")
        bo = Agent(cabin["bo"], "bo", "14B").board()
        code = ada.call("party", "new")["code"]
        mia = browser.page(address)
        mia.wait("Boolean(document.querySelector('#join-party'))")
        mia.type("#join-party", code)
        come_in(mia, "mia", "20F")
        until("ada is asked about mia", lambda: [
            who["name"] for who in ada.call("party")["candidates"]] == ["mia"], 20)
        ada.call("party", "yes", "mia")
        mia.click("#tab-self")
        mia.wait_text("#self", "ada has the code")
        mia.click_text("Yes", "#self")
        until("they are companions", lambda: any(
            one["here"] for one in ada.call("party")["companions"]), 20)
        bo.call("wish", "20F")
        until("ada has heard bo's wish", lambda: any(
            peer["offer"] for peer in ada.call("peers")["peers"]), 20)
        # The phone finds the plan, shows how all would sit, and asks.
        mia.click("#tab-requests")
        mia.click_text("Sit together", "#requests")
        mia.wait_text("#sheet", "Before:")
        self.assertIn("14B", mia.text("#sheet"))
        mia.click_text("Propose it", "#sheet")
        mia.wait_text("#sheet", "14B goes from bo to you")
        mia.click("#sheet button.main")
        mia.wait_text("#requests", "You asked")
        bo.call("accept", bo.incoming(20), "--yes")
        mia.wait_text("#requests", "done: you may move")
        until("they sit together", lambda: ada.held() == {
            "14C": "ada", "14B": "mia", "20F": "bo"}, 20)
        self.assertEqual(mia.complaints(), [])


if __name__ == "__main__":
    unittest.main()
