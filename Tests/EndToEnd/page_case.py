# SPDX-License-Identifier: Apache-2.0
"""Tests with Chromium: pages of two agents on one host, and phones on a network with laptops."""

import json
import subprocess

from agent import BINARY, Agent
from browser import PROGRAM, Browser, seat_is
from case import Case
from hosts import Host, Loopback


def served(agent, port=0):
    """The process that serves an agent's page, and the address that it prints."""
    process = agent.host.popen(
        [BINARY, "web", "--profile", agent.name, "--port", str(port), "--json"],
        log=f"{agent.name}-web.log", stdout=subprocess.PIPE)
    return process, json.loads(process.stdout.readline())["address"]


def hosted(agent, *options, port=7790):
    """The process that serves guests of an agent, and the address that it prints."""
    process = agent.host.popen(
        [BINARY, "host", "on", "--open", "--profile", agent.name, "--port", str(port),
         "--address", agent.host.address, "--json", *options],
        log=f"{agent.name}-host.log", stdout=subprocess.PIPE)
    return process, json.loads(process.stdout.readline())["address"]


def ask_in(page, name, seat):
    """Types name and seat, and sends them."""
    page.wait("Boolean(document.querySelector('#join-seat'))")
    page.type("#join-name", name)
    page.type("#join-seat", seat)
    page.click("form button")


def come_in(page, name, seat):
    """The same, and waits for the cabin."""
    ask_in(page, name, seat)
    page.wait(seat_is(seat, "me"))


def say(page, words):
    """Says something where all read it."""
    page.click("#tab-talk")
    page.wait("Boolean(document.querySelector('#words'))")
    page.type("#words", words)
    page.click("#talk form button")


def slide(page):
    """Says yes: with the keys, as whoever cannot drag does."""
    page.wait("Boolean(document.querySelector('.slide'))")
    page.run("document.querySelector('.slide').focus()")
    page.key("End", 35)


class PageCase(Case):
    """Ada has a page, and bo a terminal. All tests of a class are in one Chromium, which is on the
    network of all their hosts; each has pages and agents of its own."""

    @classmethod
    def setUpClass(cls):
        if PROGRAM is None:
            return
        cls.network = Loopback()
        cls.addClassCleanup(cls.network.close)
        cls.chromium = Browser(cls.network.argv([]))
        cls.addClassCleanup(cls.chromium.close)

    def setUp(self):
        super().setUp()
        if PROGRAM is None:
            self.skipTest("needs Chromium: make setup")
        self.here = self.until_done(Host("here", beside=self.network))
        self.bo = Agent(self.here, "bo", "12A").board()
        self.ada = Agent(self.here, "ada", "14C", peers=[self.bo]).board()
        self.ada.wait_for(self.bo)

    def browser(self):
        """The Chromium, whose pages are closed after the test."""
        self.addCleanup(self.chromium.close_pages)
        return self.chromium


class PhoneCase(Case):
    """Laptops, some of which take guests in, and phones on their network."""

    def setUp(self):
        super().setUp()
        if PROGRAM is None:
            self.skipTest("needs Chromium: make setup")

    def place(self, *laptops):
        """The hosts, and the Chromium of all phones: it starts while mDNS does."""
        cabin = self.cabin(*laptops, "phones", avahi=False)
        browser = Browser(cabin["phones"].argv([]))
        self.addCleanup(browser.close)
        cabin.start_avahi(*laptops)
        return cabin, browser

    def hosts(self, cabin, name, seat):
        """Somebody with a laptop who takes guests in, what serves them, and the address."""
        agent = Agent(cabin[name], name, seat).board()
        process, address = hosted(agent)
        self.addCleanup(lambda: agent.command("host", "off", check=None))
        return agent, process, address
