# SPDX-License-Identifier: Apache-2.0
"""Guests of a laptop: people with a phone, whose page is in Chromium."""

import json
import os
import signal
import time
import unittest

import passes
from agent import Agent
from browser import AXE, seat_is
from case import for_soak
from page_case import PhoneCase, come_in, hosted, say, slide
from slow_wifi import first_picture
from waiting import until


class Phones(PhoneCase):
    """Ada hosts; phones are on a network with her laptop."""

    def setUp(self):
        super().setUp()
        self.cabin_, self.browser = self.place("ada")
        self.ada = Agent(self.cabin_["ada"], "ada", "14C").board()
        self.addCleanup(lambda: self.ada.command("host", "off", check=None))

    def phones(self):
        return self.browser

    @for_soak
    def test_two_phones_come_aboard_and_swap(self):
        process, address = hosted(self.ada)
        browser = self.phones()
        mia = browser.page(address)
        come_in(mia, "mia", "14B")
        leo = browser.page(address, language="de-DE")
        come_in(leo, "leo", "20F")
        until("ada is linked with both", lambda: {"mia", "leo"} <= {
            peer["name"] for peer in self.ada.call("peers")["peers"] if peer["linked"]}, 20)
        # All three talk.
        say(mia, "who has a window?")
        leo.click("#tab-talk")
        leo.wait_text("#lines", "who has a window?")
        until("ada reads it", lambda: "who has a window?" in self.ada.said(), 20)
        # Mia asks, Leo slides.
        mia.click("#tab-cabin")
        mia.wait(seat_is("20F", "aboard"))
        mia.click('[data-seat="20F"]')
        mia.click_text("Ask for 20F", "#sheet")
        mia.wait_text("#sheet", "You give 14B to leo and get 20F.")
        mia.click("#sheet button.main")
        leo.wait_text("#tab-requests", "(1)")
        leo.click("#tab-requests")
        leo.wait_text("#requests", "mia fragt dich")
        slide(leo)
        mia.wait(seat_is("20F", "me"))
        until("ada sees it", lambda: self.ada.held() == {
            "14C": "ada", "20F": "mia", "14B": "leo"}, 20)
        # The page and the host's agent are killed and start again: nothing is lost.
        process.kill()
        process.wait()
        self.ada.kill()
        mia.wait_text("#state", "No connection")
        self.ada.board()
        process, _ = hosted(self.ada)
        mia.wait_text("#state", "Connected")
        mia.click("#tab-requests")
        mia.wait_text("#requests", "done: you may move")
        guests = self.ada.call("host", "guests")["guests"]
        self.assertEqual([(one["guest"], one["name"], one["seats"]) for one in guests],
                         [(1, "mia", ["20F"]), (2, "leo", ["14B"])])
        # Leo leaves for good; Mia is removed.
        leo.click("#tab-self")
        leo.click_text("Endgültig gehen", "#self")
        leo.wait_text("#self", "Du bist gegangen")
        self.ada.call("host", "remove", "Mia")
        mia.wait_text("#state", "not let in any more")
        until("both have gone", lambda: self.ada.call("host", "guests")["guests"] == [], 20)

    @for_soak
    def test_a_boarding_pass_fills_in_the_form(self):
        folder = self.ada.host.folder
        good = passes.picture(f"{folder}/pass.png", passes.text())
        other = passes.write(f"{folder}/other.png", passes.png(8, 8, passes.zeros(1 << 20)))
        _, address = hosted(self.ada)
        mia = self.phones().page(address)
        mia.choose("#pass-camera", other)
        mia.wait_text("#news", "No boarding pass was found")
        mia.choose("#pass-file", good)
        mia.wait("document.querySelector('#join-seat').value === '17A'")
        # Nobody comes in by a picture alone.
        self.assertEqual(self.ada.call("host", "guests")["guests"], [])
        mia.type("#join-name", "mia")
        mia.click("form button")
        mia.wait(seat_is("17A", "me"))
        # No part of it is anywhere: what of a pass is nobody's business stays on the phone.
        for path, content in passes.files(folder):
            if path not in (good, other):
                self.assertFalse([one for one in passes.SECRETS.values() if one in content], path)

    @for_soak
    def test_an_address_is_typed_and_a_seat_taken_back(self):
        process, _ = hosted(self.ada)
        typed = self.ada.call("host", "guests")["page"]
        browser = self.phones()
        mia = browser.page(typed["address"])
        mia.wait_text("#map", "Are these the words on ada's screen?")
        self.assertEqual(mia.text("#six"), typed["words"])
        self.assertEqual(len(typed["words"].split()), 6)
        mia.click_text("No", "#map")
        mia.wait_text("#map", "do not go on")
        self.assertIsNone(mia.run("localStorage.getItem('seatagent')"))
        mia.reload()
        mia.click_text("Yes", "#map")
        come_in(mia, "mia", "14B")
        # From now on the key is known.
        mia.reload()
        mia.wait(seat_is("14B", "me"))
        mia.wait_text("#state", "Connected")
        # Another browser knows nothing, as after a change of address.
        other = browser.page(typed["address"], language="de-DE")
        other.click_text("Ja", "#map")
        other.wait("Boolean(document.querySelector('#join-seat'))")
        other.type("#join-name", "Mia")
        other.type("#join-seat", "14B")
        other.click_text("Ich war schon hier", "#map")
        other.wait_text("#map", "ada sieht auf dem Laptop einen Code")
        told = json.loads(process.stdout.readline())
        self.assertEqual((told["guest"], told["open"], told["seats"]), (1, True, ["14B"]))
        other.type("#join-digits", "000000" if told["code"] != "000000" else "000001")
        other.click_text("Meinen Sitz zurückholen", "#map")
        other.wait_text("#map", "Versuche übrig: 2")
        mia.wait_text("#state", "Connected")
        other.type("#join-digits", told["code"])
        other.click_text("Meinen Sitz zurückholen", "#map")
        other.wait(seat_is("14B", "me"))
        mia.wait_text("#state", "not let in any more")
        self.assertEqual(len(self.ada.call("host", "guests")["guests"]), 1)
        self.assertEqual(other.complaints(), [])

    @for_soak
    def test_axe_finds_nothing_at_the_door(self):
        if not AXE:
            self.skipTest("needs axe-playwright-python: make setup")
        given = f"{self.ada.host.folder}/seatagent.tar.gz"
        with open(given, "w") as file:
            file.write("a program")
        hosted(self.ada, "--get", given)
        typed = self.ada.call("host", "guests")["page"]["address"]
        browser = self.phones()
        first, page = (browser.page(typed, width=320, dark=dark) for dark in (False, True))
        for one in (first, page):
            one.wait_text("#map", "Are these the words")
            self.assertEqual(one.axe(), [])
            one.click_text("Yes", "#map")
            one.wait("Boolean(document.querySelector('#join-seat'))")
            one.wait_text("#map", "For a laptop with Linux")
            self.assertEqual(one.axe(), [])
        come_in(first, "mia", "14B")
        page.type("#join-name", "mia")
        page.type("#join-seat", "14B")
        page.click("form button")
        page.wait("document.activeElement.id === 'join-digits'")
        self.assertEqual(page.axe(), [])
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 320)
        small = page.run("[...document.querySelectorAll('button, input, a')].filter(n =>"
                         " n.getClientRects().length && n.getBoundingClientRect().height < 43.9)"
                         ".map(n => n.outerHTML)")
        self.assertEqual(small, [])

    @for_soak
    def test_everything_dies_and_a_phone_sleeps(self):
        process, address = hosted(self.ada)
        browser = self.phones()
        mia = browser.page(address)
        come_in(mia, "mia", "14B")
        number = self.ada.swap("14B", "--note", "aisle for a window")
        mia.wait_text("#tab-requests", "(1)")
        # The phone sleeps for ten minutes.
        os.killpg(browser.process.pid, signal.SIGSTOP)
        self.ada.call("say", "said while the phone slept")
        time.sleep(600)
        os.killpg(browser.process.pid, signal.SIGCONT)
        mia.click("#tab-talk")
        mia.wait_text("#lines", "said while the phone slept")
        mia.wait_text("#state", "Connected")
        # A guest's agent dies; then the page and all agents at once, while a request is open.
        os.kill(self.guest_pid(1), signal.SIGKILL)
        mia.wait_text("#state", "The agent is away")
        mia.wait_text("#state", "Connected")
        guest = self.guest_pid(1)
        process.kill()
        process.wait()
        os.kill(guest, signal.SIGKILL)
        self.ada.kill()
        self.ada.wait_until_dead()
        mia.wait_text("#state", "No connection")
        self.ada.board()
        process, _ = hosted(self.ada)
        mia.wait_text("#state", "Connected")
        mia.click("#tab-cabin")
        mia.wait(seat_is("14B", "me"))
        mia.click("#tab-talk")
        mia.wait_text("#lines", "said while the phone slept")
        # The request outlives its maker's death too; the yes comes after all.
        until("they are linked", lambda: any(
            peer["name"] == "mia" and peer["linked"] for peer in self.ada.call("peers")["peers"]),
            20)
        mia.click("#tab-requests")
        mia.wait_text("#requests", "aisle for a window")
        slide(mia)
        until("they have swapped", lambda: self.ada.held() == {"14B": "ada", "14C": "mia"}, 20)
        mia.wait_text("#requests", "done: you may move")
        self.assertEqual(self.ada.request(number)["state"], "final")

    @for_soak
    def test_the_first_picture(self):
        """Over a slow Wi-Fi: what it weighs is checked, how long it takes is said."""
        _, address = hosted(self.ada)
        page, painted, ready, weight = first_picture(self.phones(), address)
        self.assertLessEqual(weight, 45_000)
        hosts = {one.split("/")[2] for one in page.sent() if one.startswith("http")}
        self.assertEqual(hosts, {address.split("/")[2]})
        self.note = (f"{weight} bytes on the wire, the first picture after {painted:.0f} ms, "
                     f"the form after {ready:.0f} ms")

    def guest_pid(self, number):
        guests = f"{self.ada.host.env['XDG_DATA_HOME']}/seatagent/ada/guests"
        with open(f"{guests}/seatagent/guest-{number}/lock") as file:
            return int(file.read())


if __name__ == "__main__":
    unittest.main()
