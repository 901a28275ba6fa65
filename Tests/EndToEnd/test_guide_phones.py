# SPDX-License-Identifier: Apache-2.0
"""What the guide of phones shows of a console is typed word by word, and phones come in."""

import datetime
import os
import re
import shlex
import tarfile

import terminal
from agent import Agent
from case import for_soak
from courts import Centre
from guide_case import GuideCase
from page_client import Page, inside
from waiting import until

PHONES = "docs/guide/phones.md"
BLOCKS = (HOST, GUESTS, WIFI, PROGRAM, TAKEN, HTTPS, WEB, VENUE, POSTER) = [
    (PHONES, number) for number in range(9)]
PHRASE = "correct horse battery"


class Guided(GuideCase):
    """Whoever follows the guide has the profile that everybody has."""

    def setUp(self):
        super().setUp()
        if not terminal.is_there():
            self.skipTest("needs tmux")

    @staticmethod
    def page(screen):
        """The page at the address that a terminal shows."""
        return Page(re.search(r"https?://\S+#\S+", screen.wait_for("#k="))[0])

    def ends(self, screen):
        screen.press("C-c")
        self.assertEqual(screen.wait_until_ended(), 0)

    def comes_in(self, screen, host, name, seat):
        """Somebody with a phone comes in, once the host says yes to them; their page."""
        page = self.page(screen)

        def asks():
            page.hello()
            return page.ask({"op": "join", "name": name, "seat": seat})

        def stage():
            answer = inside(host, asks)
            self.assertTrue(answer["ok"], answer)
            return answer["result"]["stage"]
        self.assertEqual(stage(), "waits")
        screen.wait_for(f"{name} wants")
        screen.enter("y")
        until("the guest is in", lambda: stage() == "here", 30)
        return page


class Aboard(Guided):
    def setUp(self):
        super().setUp()
        self.place = self.cabin("ada", "mia", "phones")
        tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
        self.flight = ["--flight", f"FR202/{tomorrow.date()}/DUB"]
        self.ada = Agent(self.place["ada"], "default", "14C", options=self.flight).board()
        self.addCleanup(lambda: self.ada.command("host", "off", check=None))

    def test_a_host_takes_mia_in(self):
        screen, shown = self.serves(HOST, self.ada)
        self.comes_in(screen, self.place["phones"], "Mia", "14B")
        self.shows(shown, screen.text(), "host on")
        self.play(WIFI, self.ada, {"host": ("correct horse\n", ": ")})
        self.assertTrue(os.path.exists(f"{self.ada.host.folder}/poster.png"))
        self.play(GUESTS, self.ada)
        self.assertEqual(screen.wait_until_ended(), 0)

    def test_mia_moves_to_a_laptop_of_her_own(self):
        screen, _ = self.serves(HOST, self.ada)
        page = self.comes_in(screen, self.place["phones"], "Mia", "14B")
        bo = Agent(self.place["mia"], "bo", "12A", options=self.flight).board()
        until("bo sees her", lambda: "14B" in bo.held(), 20)

        def take():
            page.hello()
            return page.ask({"op": "take-key", "passphrase": PHRASE})

        def taken():
            answer = inside(self.place["phones"], take)
            return answer["ok"] and answer["result"]["text"]
        text = until("others have all her records", taken, 20)
        mia = Agent(self.place["mia"], "default", "14B")
        said = self.play(TAKEN, mia, {"key": (f"{text}\n{PHRASE}\n", ": ")})
        self.addCleanup(mia.command, "down")
        # She types the line that is printed last.
        mia.command(*shlex.split(re.search(r"Next: seatagent (.*)", said)[1]), check=0)
        until("ada's laptop knows", lambda: "took their key along" in
              self.ada.command("host", "guests").stdout, 20)

    @for_soak
    def test_the_program_and_a_page_over_https(self):
        folder = self.ada.host.folder
        with tarfile.open(f"{folder}/seatagent-0.3.0-linux-x86_64.tar.gz", "w:gz") as file:
            file.add(__file__, "seatagent-0.3.0/README")
        for block, words in ((PROGRAM, "SHA-256"), (HTTPS, "fingerprint")):
            screen, _ = self.serves(block, self.ada, lambda line: line.replace(
                "seatagent-0.3.0-", f"{folder}/seatagent-0.3.0-"))
            screen.wait_for(words)
            page = self.page(screen)
            self.assertEqual(page.is_secure, block == HTTPS)
            self.assertTrue(inside(self.place["phones"], page.hello))
            self.ends(screen)


class AtAVenue(Guided, Centre):
    @for_soak
    def test_a_browser_and_a_phone_at_a_venue(self):
        place, _, [ada] = self.centre("ada")
        screen, _ = self.serves(WEB, ada)
        page = self.page(screen)
        self.assertTrue(inside(ada.host, page.hello))
        self.ends(screen)
        screen, _ = self.serves(VENUE, ada)
        self.addCleanup(lambda: ada.told("host", "off", "--profile", "default_rec"))
        self.comes_in(screen, place["desk"], "Mia", "")
        self.play(POSTER, ada)
