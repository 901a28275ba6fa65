# SPDX-License-Identifier: Apache-2.0
"""The page of an agent that is in a venue, in Chromium."""

import glob
import json
import os
import signal
import subprocess

from agent import BINARY
from browser import PROGRAM, Browser
from case import for_soak
from courts import Centre, Clerk, Guest, castles, day
from waiting import until


def mark_is(place, column, mark):
    """The expression that a place has a mark at a column."""
    return f"document.querySelector('[data-seat=\"{place}/{column}\"]')?.dataset.mark === '{mark}'"


class WebVenue(Centre):
    slow = 25

    def setUp(self):
        super().setUp()
        if PROGRAM is None:
            self.skipTest("needs Chromium: make setup")

    def page(self, person, slug, **options):
        process = person.host.popen(
            [BINARY, "web", "--profile", f"default_{slug}", "--port", "0", "--json"],
            log="web.log", stdout=subprocess.PIPE)
        address = json.loads(process.stdout.readline())["address"]
        browser = Browser(person.host.argv([]))
        self.addCleanup(browser.close)
        return browser.page(address, **options)

    def slide(self, page, within):
        page.wait(f"Boolean(document.querySelector('{within} .slide'))")
        page.run(f"(() => {{ const s = document.querySelector('{within} .slide'); s.value = 100;"
                 " s.dispatchEvent(new Event('input')); })()")

    def check_axe(self, page):
        files = glob.glob(".build/venv/lib/*/site-packages/axe_playwright_python/axe.min.js")
        if not files:
            return
        with open(files[0], encoding="utf-8") as file:
            page.run(file.read() + "; 0")
        for tab in ("cabin", "talk", "requests", "self"):
            page.click(f"#tab-{tab}")
            found = page.run(
                "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa',"
                " 'best-practice']}).then(said => said.violations.map(one =>"
                " one.id + ': ' + one.nodes.map(n => n.html).slice(0, 3).join(' ')))")
            self.assertEqual(found, [], tab)
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 320, tab)

    def check_gift(self, page):
        """Whoever a booking is for stays chosen when something is drawn anew."""
        page.click("#requests summary")
        choice = "document.querySelector('#requests details select')"
        name = page.run(f"{choice}.selectedIndex = {choice}.options.length - 1;"
                        f" {choice}.dispatchEvent(new Event('change'));"
                        f" {choice}.selectedOptions[0].text")
        page.wait_text("#requests details", f"Slide to give it to {name}")
        page.run("document.activeElement.blur(); readers.day()")
        self.assertEqual(page.run(f"{choice}.selectedOptions[0].text"), name)
        self.assertTrue(page.run("document.querySelector('#requests details').open"))

    @for_soak
    def test_courts_are_booked_and_cancelled_on_the_page(self):
        _, clerk, (ada, bo) = self.centre("ada", "bo")
        ada.student(0)
        bo.student(1)
        bo.books("Tennis 2", day(1), "10:00")
        page = self.page(ada, "rec", width=320)
        page.wait_text("#flight", "Rec Center")
        page.wait_text("#map", "4 h of 4 h left")
        # Browsers know other decimals of some currencies.
        self.assertEqual(page.run("['HUF', 'IQD', 'JPY', 'EUR'].map(currency =>"
                                  " money({currency, amount: 123456}).replace(/[^0-9.,]/g, ''))"),
                         ["1,234.56", "123.456", "123,456", "1,234.56"])
        page.wait_text("#map", "desk: here")
        self.assertEqual(page.text("#tab-cabin"), "Day")
        page.click("#map [aria-label='The day after']")
        # From six on: ten o'clock is the fifth column.
        page.wait(mark_is(2, 4, "taken"))
        page.wait(mark_is(1, 4, "free"))
        page.click('[data-seat="1/4"]')
        page.wait_text("#sheet", "Price: nothing")
        page.run("(() => { const s = document.querySelector('#sheet select'); s.value = '120';"
                 " s.dispatchEvent(new Event('change')); })()")
        page.wait_text("#sheet", "–12:00")
        self.slide(page, "#sheet")
        page.wait_text("#news", "Booked.")
        page.wait(mark_is(1, 5, "yours"))
        [booked] = ada.bookings()
        self.assertEqual((booked["name"], booked["day"], booked["from"], booked["minutes"]),
                         ("Tennis 1", day(1), 600, 120))
        page.wait_text("#map", "2 h of 4 h left")
        # The desk says something, and refuses a second booking of the day.
        clerk.desk("say", "Doors close at nine")
        page.wait_text("#map", "Doors close at nine")
        page.click('[data-seat="1/8"]')
        self.slide(page, "#sheet")
        page.wait_text("#news", "The desk said no. You have used what you may have that day.")
        self.check_axe(page)
        page.click("#tab-requests")
        page.wait_text("#requests", booked["code"])
        self.check_gift(page)
        # While the desk says nothing, the booking stands and cannot be cancelled twice.
        desk = clerk.pid
        os.kill(desk, signal.SIGSTOP)
        self.slide(page, "#requests")
        page.wait_text("#requests", "until it answers, the booking stands.")
        self.assertEqual(page.run("document.querySelectorAll('#requests .slide').length"), 0)
        os.kill(desk, signal.SIGCONT)
        until("it is cancelled", lambda: ada.states() == [], 20)
        page.wait_text("#requests", "You have no booking.")
        # A sheet that cannot be read yet says why, and is read when it can.
        page.run("window.look = wire.look; venue.sheet = null;"
                 " wire.look = async () => { throw {code: 'not-now', what: 'no words yet'}; };"
                 " readers.day()")
        page.wait_text("#map", "no words yet")
        page.run("wire.look = look")
        page.click("#tab-cabin")
        page.wait_text("#map", "Doors close at nine")
        self.assertEqual(page.complaints(), [])

    @for_soak
    def test_castles_by_the_day_with_what_is_to_be_paid(self):
        place = self.cabin("shop", "els")
        clerk = Clerk(place["shop"])
        els = Guest(place["els"]).take(clerk.up(castles()))
        els.open("dreamland")
        clerk.opens()
        page = self.page(els, "dreamland", language="de-DE")
        page.wait_text("#flight", "DreamLand")
        page.wait(mark_is(1, 2, "free"))
        self.assertEqual(page.text('[data-seat="1/2"]'), "4/4")
        page.click('[data-seat="1/2"]')
        page.wait_text("#sheet", "Preis: 85,00")
        page.run("(() => { const s = document.querySelectorAll('#sheet select')[1]; s.value = '2';"
                 " s.dispatchEvent(new Event('change')); })()")
        page.wait_text("#sheet", "Preis: 170,00")
        self.slide(page, "#sheet")
        page.wait_text("#news", "Gebucht.")
        page.wait(mark_is(1, 2, "unpaid"))
        self.assertEqual(page.text('[data-seat="1/2"]'), "2/4!")
        page.click("#tab-requests")
        page.wait_text("#requests", "BE71096123456769")
        page.wait_text("#requests", els.bookings()[0]["code"])
        self.assertEqual(page.complaints(), [])
