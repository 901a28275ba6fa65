# SPDX-License-Identifier: Apache-2.0
"""Guests of a laptop in a venue: people with a phone, whose page is in Chromium."""

import json
import os
import signal
import subprocess

import library
from agent import BINARY
from browser import PROGRAM, Browser
from case import for_soak
from courts import STUDENTS, Centre, Clerk, Guest, day, words
from test_web_venue import mark_is
from waiting import until, until_gone


def hall():
    """The words of a centre with a hall where people only say that they are there."""
    said = words()
    said["places"].append({"id": 20, "name": "Gym", "mode": "counted", "count": 30})
    return said


class PhoneInVenue(Centre):
    """People with a phone alone, guests of a laptop whose agent is in a venue."""

    slow = 25

    def setUp(self):
        super().setUp()
        if PROGRAM is None:
            self.skipTest("needs Chromium: make setup")

    def hosted(self, person, *options):
        """What `host on` printed, once it serves."""
        process = person.host.popen(
            [BINARY, "host", "on", "--open", "--profile", "default_rec", "--json",
             "--address", person.host.address, *options],
            log="host.log", stdout=subprocess.PIPE)
        self.addCleanup(lambda: self.host(person, "off"))
        return process, json.loads(process.stdout.readline())["address"]

    def host(self, person, *argv, **options):
        return person.told("host", *argv, "--profile", "default_rec", **options)

    def phones(self, host):
        browser = Browser(host.argv([]))
        self.addCleanup(browser.close)
        return browser

    def come_in(self, page, name):
        page.wait("Boolean(document.querySelector('#join-name'))")
        page.type("#join-name", name)
        page.click("form button")

    def join(self, page, number, left="4 h of 4 h left"):
        """Tells the desk what the roster has of that student."""
        mail, card = STUDENTS[number]
        page.wait("Boolean(document.querySelector('#member-1'))")
        page.type("#member-1", mail)
        page.type("#member-2", card)
        page.click("#member button")
        page.wait_text("#map", left)

    def book(self, page, key):
        page.click(f'[data-seat="{key}"]')
        page.wait("Boolean(document.querySelector('#sheet .slide'))")
        page.run("document.querySelector('#sheet .slide').focus()")
        page.key("End", 35)

    def test_a_phone_comes_into_a_venue(self):
        """The laptop is the desk, which is quick: it grants nothing in the first five seconds, so
        what it has made of the ask is for the soak."""
        place = self.cabin("desk", "phones")
        clerk = Clerk(place["desk"])
        clerk.up(hall())
        clerk.roster(STUDENTS)
        _, address = self.hosted(clerk)
        page = self.phones(place["phones"]).page(address, width=320)
        page.wait_text("#map", "Rec Center")
        self.assertFalse(page.run("Boolean(document.querySelector('#join-seat'))"))
        self.come_in(page, "Mia")
        self.join(page, 0)
        # A button that is drawn anew under a finger is pressed all the same.
        today = page.text("#day")
        page.click("#map [aria-label='The day after']", between="redraw('cabin')")
        page.wait(f"document.querySelector('#day').innerText !== {json.dumps(today)}")
        page.wait(mark_is(1, 4, "free"))
        self.book(page, "1/4")
        page.wait(mark_is(1, 4, "asked"))
        page.click_text("I am here", "#map")
        page.wait_text("#map", "people: 1")
        # The laptop sees who is there, and what is asked.
        until("it counts her", lambda: clerk.told("venue", "open", "rec")["places"] == [
            {"place": 20, "people": 1}], 20)
        [asked] = clerk.desk("requests")["requests"]
        self.assertEqual((asked["place"], asked["period"]["from"]), (1, 600))
        page.reload()
        page.wait_text("#map", "I leave")
        page.click("#tab-requests")
        page.wait_text("#requests", "Tennis 1")
        # Neither the desk's nor the operator's work is a guest's, although the desk is right here.
        refused = page.run(
            "Promise.all(['desk', 'desk-open', 'desk-bookings', 'desk-member', 'desk-backup',"
            " 'hosting', 'peer-add', 'forget', 'down'].map(op => wire.look(op,"
            " {first: '2026-01-01', last: '2026-01-02', to: '/tmp/x', number: 1, class: 0,"
            " who: '00', role: 'guest', address: '127.0.0.1:1'})"
            ".then(() => op, error => error.what)))")
        self.assertEqual([what for what in refused if "a page cannot ask" not in what], [])
        with open(self.kept(clerk, 1), encoding="utf-8") as file:
            kept = json.load(file)["options"]
        self.assertEqual((kept["name"], kept["port"]), (["Mia"], ["7712"]))
        self.assertEqual([name for name in kept if "desk" in name or "announced" in name], [])
        self.assertEqual(self.host(clerk, "guests")["guests"], [
            {"guest": 1, "name": "Mia", "seats": [], "here": True, "taken": False}])
        self.assertEqual(page.complaints(), [])

    @for_soak
    def test_a_phone_in_a_library_without_a_desk(self):
        place = self.cabin("ada", "bo", "phones")
        ada, bo = Guest(place["ada"]), Guest(place["bo"])
        path = library.sign(place["ada"], library.words("rec"), "rec")
        for reader in (ada, bo):
            reader.take(path).open("rec")
        _, address = self.hosted(ada)
        poster = f"{ada.host.folder}/poster.svg"
        self.host(ada, "poster", poster)
        with open(poster, encoding="utf-8") as file:
            self.assertIn("Check in with your phone", file.read())
        mia = self.phones(place["phones"]).page(address, language="pl-PL")
        self.come_in(mia, "mia")
        mia.wait_text("#map", "UB Singel")
        # Nothing is booked, so nobody joins.
        self.assertFalse(mia.run("Boolean(document.querySelector('#member'))"))
        mia.click("#map .card button.main")
        until("both count her", lambda: ada.counts("rec") == bo.counts("rec") == {1: 1}, 20)
        mia.click("#tab-self")
        mia.click("#self button.grave")
        until("she has left", lambda: ada.counts("rec") == bo.counts("rec") == {}, 20)
        self.assertEqual(mia.complaints(), [])

    @for_soak
    def test_guests_of_a_venue_from_coming_to_going(self):
        place, clerk, (ada,) = self.phone_centre()
        ada.student(0)
        process, address = self.hosted(ada, "--joins", "60")
        poster = f"{ada.host.folder}/poster.svg"
        self.host(ada, "poster", poster)
        with open(poster, encoding="utf-8") as file:
            self.assertIn("Book with your phone", file.read())
        browser = self.phones(place["phones"])
        mia = browser.page(address)
        self.come_in(mia, "mia")
        self.join(mia, 1)
        self.booked(clerk, ada, mia)
        mia = self.taken_back(process, browser.page(address), mia)
        leo = browser.page(address, language="de-DE", width=320)
        leo.wait_text("#map", "Hereinkommen")
        self.assertEqual(leo.axe(), [])
        self.come_in(leo, "MIA")
        leo.wait_text("#news", "a guest of that name is here")
        self.come_in(leo, "leo")
        leo.wait("Boolean(document.querySelector('#member'))")
        self.assertEqual(leo.axe(), [])
        self.assertLessEqual(leo.run("document.documentElement.scrollWidth"), 320)
        self.assertEqual(leo.run("[...document.querySelectorAll('#member input, #member button')]"
                                 ".filter(n => n.getClientRects().length && n.offsetHeight < 44)"
                                 ".map(n => n.id)"), [])
        # Who has another address has no number; what the desk refuses can be typed again.
        leo.type("#member-1", "leo@example.org")
        self.assertTrue(leo.run("document.querySelector('#member-2').parentNode.hidden"))
        leo.type("#member-1", STUDENTS[2][0])
        leo.type("#member-2", "77")
        leo.click("#member button")
        leo.wait_text("#map", "Die Theke hat Nein gesagt.")
        self.join(leo, 2, "4 Std. von 4 Std.")
        self.given(mia, leo)
        mia.close()
        self.assertEqual(leo.complaints(), [])
        # Everything of the laptop dies, and starts again days later.
        process.kill()
        process.wait()
        for pid in (ada.told("status", "--profile", "default_rec")["pid"], self.guest_pid(ada, 2)):
            os.kill(pid, signal.SIGKILL)
            until_gone(pid)
        with open(self.kept(ada, 2), "w", encoding="utf-8") as file:
            json.dump({"at": "2026-01-01T00:00:00Z", "options": {
                "name": ["leo"], "venue": ["of another day"]}}, file)
        leo.wait_text("#state", "Keine Verbindung")
        ada.open("rec")
        process, _ = self.hosted(ada)
        leo.wait_text("#state", "Verbunden")
        leo.click("#tab-requests")
        leo.wait_text("#requests", "Tennis 1")
        self.left(ada, process, leo)

    def phone_centre(self):
        """A desk, ada who has come there with a laptop, and a network of phones."""
        place = self.cabin("desk", "ada", "phones")
        clerk = Clerk(place["desk"])
        path = clerk.up(hall())
        clerk.roster(STUDENTS)
        ada = Guest(place["ada"]).take(path)
        ada.open("rec")
        return place, clerk.opens(), [ada]

    def booked(self, clerk, ada, mia):
        mia.click("#map [aria-label='The day after']")
        mia.wait(mark_is(1, 4, "free"))
        self.book(mia, "1/4")
        mia.wait_text("#news", "Booked.")
        code = mia.wait("(venue.sheet.own[0] || {}).code")
        clerk.desk("arrived", code)
        self.assertEqual(ada.book("Tennis 1", day(1), "10:00", check=1)["code"], "full")
        mia.click_text("I am here", "#map")
        mia.wait_text("#map", "people: 1")

    def given(self, mia, leo):
        # Who has said something has a name there.
        leo.click("#tab-talk")
        leo.wait("Boolean(document.querySelector('#words'))")
        self.assertEqual(leo.run("[...document.querySelectorAll('#room option')]"
                                 ".filter(one => one.value === 'party').length"), 0)
        leo.type("#words", "who plays?")
        leo.click("#talk form button")
        mia.click("#tab-talk")
        mia.wait_text("#lines", "who plays?")
        mia.click("#tab-requests")
        mia.wait("[...document.querySelectorAll('#requests select option')]"
                 ".some(one => one.text === 'leo')")
        # What is drawn anew in the same moment stays open.
        mia.run("document.querySelector('#requests summary').click(); redraw('requests')")
        mia.wait("document.querySelector('#requests details').open")
        mia.run("(() => { const s = document.querySelector('#requests select');"
                " s.value = [...s.options].find(one => one.text === 'leo').value;"
                " s.dispatchEvent(new Event('change')); })()")
        mia.wait_text("#requests details", "Slide to give it to leo")
        mia.run("document.querySelector('#requests details .slide').focus()")
        mia.key("End", 35)
        mia.wait_text("#requests", "You have no booking.")
        leo.click("#tab-requests")
        leo.wait_text("#requests", "Tennis 1")

    def taken_back(self, process, again, mia):
        """Another browser goes on as mia, by a code; she is where she was."""
        again.wait("Boolean(document.querySelector('#join-name'))")
        again.type("#join-name", "Mia")
        again.click_text("I was here before", "#map")
        told = json.loads(process.stdout.readline())
        self.assertEqual((told["guest"], told["seats"]), (1, []))
        again.wait("Boolean(document.querySelector('#join-digits'))")
        again.type("#join-digits", told["code"])
        again.click_text("Go on as before", "#map")
        again.wait_text("#map", "I leave")
        mia.wait_text("#state", "not let in any more")
        mia.close()
        return again

    def kept(self, person, number):
        """What the agent of a guest starts with."""
        guests = f"{person.host.env['XDG_STATE_HOME']}/seatagent/default_rec/guests"
        return f"{guests}/seatagent/guest-{number}/options.json"

    def guest_pid(self, person, number):
        guests = f"{person.host.env['XDG_DATA_HOME']}/seatagent/default_rec/guests"
        with open(f"{guests}/seatagent/guest-{number}/lock", encoding="utf-8") as file:
            return int(file.read())

    def left(self, ada, process, leo):
        """Who is there or has booked stays, however long they are away; all others go."""
        def here():
            return [one["name"] for one in self.host(ada, "guests")["guests"]]
        kim = leo.browser.page(self.host(ada, "guests")["page"]["address"])
        kim.click_text("Yes", "#map")
        self.come_in(kim, "kim")
        kim.wait_text("#map", "desk: here")
        until("three are there", lambda: here() == ["mia", "leo", "kim"], 20)
        kim.close()
        process.terminate()
        process.wait()
        process = ada.host.popen(
            [f"{os.path.dirname(os.path.realpath(BINARY))}/seatagent-web", "--host", "--open",
             "--profile", "default_rec", "--address", ada.host.address, "--idle", "2,2",
             "--venue", "Rec Center", "--program", os.path.realpath(BINARY)], log="idle.log")
        until("kim makes room", lambda: here() == ["mia", "leo"], 20)
        leo.wait_text("#state", "Verbunden")
        leo.click("#tab-self")
        leo.wait_text("#self", "Sag zuerst deine Buchungen ab")
        leo.click("#tab-requests")
        leo.wait("Boolean(document.querySelector('#requests .slide'))")
        leo.run("document.querySelector('#requests .slide').focus()")
        leo.key("End", 35)
        leo.wait_text("#requests", "keine Buchung")
        leo.click("#tab-self")
        leo.click_text("Endgültig gehen", "#self")
        leo.wait_text("#self", "Du bist gegangen")
        until("leo is gone", lambda: here() == ["mia"], 20)
        self.assertEqual(ada.counts("rec"), {20: 1})
        self.host(ada, "remove", "MIA")
        until("nobody is counted", lambda: ada.counts("rec") == {}, 20)
