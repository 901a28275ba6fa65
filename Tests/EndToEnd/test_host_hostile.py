# SPDX-License-Identifier: Apache-2.0
"""Guests, and others in the network, who send a host what they should not."""

import base64
import re
import socket
import time
import unittest

import capture
from agent import Agent
from browser import seat_is
from case import Case, for_soak
from page_case import PhoneCase, come_in, hosted
from page_client import Page, inside, unbase
from test_web_hostile import closed
from waiting import until

#: What would be a script, a picture that runs one, or a place elsewhere, if it were read as HTML.
SCRIPTS = ["<script>alert(1)</script>", "<img src=x onerror=alert(2)>",
           "</li><iframe src=//evil.example>", "<svg/onload=alert(3)>"]


class HostileGuests(Case):
    def setUp(self):
        super().setUp()
        self.cabin_ = self.cabin("ada", "phones", avahi=False)
        self.cabin_.start_avahi("ada")
        self.phones = self.cabin_["phones"]
        self.ada = Agent(self.cabin_["ada"], "ada", "14C").board()
        self.process, self.address = hosted(self.ada)
        self.addCleanup(lambda: self.ada.command("host", "off", check=None))

    def inside(self, work):
        return inside(self.phones, work)

    def second_address(self):
        self.phones.run(["ip", "addr", "add", "10.77.0.9/24", "dev", "cabin0"], check=False)
        return "10.77.0.9"

    def test_sixteen_connections_of_an_address_and_no_more(self):
        """Two phones behind one address have six each; whoever takes all disturbs no other."""
        other = self.second_address()

        def ask():
            name, port = self.address.split("/")[2].split(":")
            lines = []
            for _ in range(24):
                line = socket.create_connection((name, int(port)), 5)
                line.setblocking(False)
                lines.append(line)
            end = time.monotonic() + 5
            while sum(map(closed, lines)) < 8 and time.monotonic() < end:
                time.sleep(0.05)
            said = [sum(not closed(line) for line in lines),
                    "session" in Page(self.address, other).hello()]
            # A place that is given up is free again.
            next(line for line in lines if not closed(line)).close()
            page, end = Page(self.address), time.monotonic() + 5
            while time.monotonic() < end:
                try:
                    said.append("session" in page.hello())
                    break
                except OSError:
                    page.kept = None
                    time.sleep(0.1)
            return said
        self.assertEqual(self.inside(ask), [16, True, True])

    def test_a_body_of_another_guest_is_of_no_use(self):
        def ask():
            mia, leo = Page(self.address), Page(self.address)
            mia.join("mia", "14B")
            leo.join("leo", "20F")
            words = leo.call({"op": "say", "text": "said by leo alone"})
            # Under mia's key, with mia's session; leo's own bytes, from mia's connection; cut and
            # put together from two calls of one page.
            own = mia.call({"op": "say", "text": "said by mia"})
            said = [mia.send("/call", mia.box.key.raw + words[32:])[0],
                    mia.send("/call", words[:56] + own[56:])[0],
                    mia.send("/call", own[:56] + words[56:])[0],
                    mia.send("/events", words[:-1])[0]]
            first = mia.send("/call", words)
            try:
                mia.opened(first[1])
                said.append("opened")
            except ValueError:
                said.append("sealed")
            said.append(leo.opened(leo.send("/call", words)[1]))
            mia.do("say", text="and that was all")
            return said
        said = self.inside(ask)
        self.assertEqual(said, [400, 400, 400, 400, "sealed", {"again": "number"}])
        until("ada reads the last", lambda: "and that was all" in self.ada.said(), 20)
        # Whoever repeats what they heard delivers it, once, in the name of who sealed it.
        lines = [(item["who"]["name"], item["text"]) for item in self.ada.call("log")["items"]
                 if item.get("text")]
        self.assertEqual(lines, [("leo", "said by leo alone"), ("mia", "and that was all")])

    def test_what_a_whole_session_sends_has_no_secret_in_it(self):
        """Two guests come in, talk, and swap with a yes; a third machine hears every frame."""
        watched = [capture.record(host, "session") for host in self.cabin_.hosts.values()]
        said = self.inside(self.session)
        wire = []
        for path, watch in watched:
            watch.terminate()
            watch.wait()
            wire += capture.frames(path)
        wire = b"\n".join(wire)
        # It has the whole session: calls, streams, and the public keys of the pages alone.
        for words in (b"POST /call", b"POST /events", b"text/event-stream",
                      *map(bytes.fromhex, said["public"])):
            self.assertIn(words, wire)
        for secret in said["secrets"] + [unbase(said["key"]).hex()]:
            self.absent(bytes.fromhex(secret), wire)
        for words in said["words"]:
            self.absent(words.encode(), wire)

    def session(self):
        mia, leo = Page(self.address), Page(self.address)
        mia.join("Zephyrine", "14B")
        leo.join("Leopoldine", "20F")
        events = leo.events(seconds=20)
        next(events)
        mia.do("say", text="where is my neighbour of today")
        for _, event in events:
            if event.get("event") == "chat":
                break
        end = time.monotonic() + 30
        while "20F" not in {one["seat"] for one in mia.do("seats")["seats"]}:
            if time.monotonic() > end:
                raise AssertionError("they have not met")
            time.sleep(0.1)
        mia.do("swap", seat="20F", note="for the sunset", unverified=True)
        for _, event in events:
            if event.get("event") == "request":
                break
        one = leo.do("requests")["requests"][0]
        leo.do("accept", request=one["number"], contract=one["contract"], unverified=True)
        while mia.do("status")["me"]["seats"] != ["20F"]:
            if time.monotonic() > end:
                raise AssertionError(mia.do("requests", all=True))
            time.sleep(0.1)
        receipt = leo.do("receipt", request=one["number"])
        keys = [page.do("status")["me"]["key"] for page in (mia, leo)]
        mia.do("leave")
        fragment = re.search(r"k=([\w-]+)", self.address)[1]
        return {"public": [page.box.key.raw.hex() for page in (mia, leo)], "key": fragment,
                "secrets": [*keys, *(page.box.secret.raw.hex() for page in (mia, leo)),
                            *(page.session.hex() for page in (mia, leo)), one["contract"]],
                "words": ["Zephyrine", "Leopoldine", "neighbour", "sunset", '"14B"', '"20F"',
                          '"op"', '"event"', '"accept"', receipt["flight"] + '"', fragment]}

    def absent(self, secret, wire):
        """Neither as it is, nor in hex or Base64, wherever it begins."""
        shapes = {secret, secret.hex().encode(), secret.hex().upper().encode()}
        for before in range(3):
            # The letters that the bytes beside it do not change.
            text = base64.b64encode(bytes(before) + secret)
            text = text[-(-before * 8 // 6):(before + len(secret)) * 8 // 6]
            if len(text) >= 6:
                shapes |= {text, text.replace(b"+", b"-").replace(b"/", b"_")}
        for shape in shapes:
            self.assertNotIn(shape, wire, secret)


class HostilePages(PhoneCase):
    """What Chromium makes of it."""

    def setUp(self):
        super().setUp()
        cabin, self.browser = self.place("ada")
        self.phones = cabin["phones"]
        self.ada, _, self.address = self.hosts(cabin, "ada", "14C")

    def test_scripts_in_name_seat_words_and_notes_stay_words(self):
        def ask():
            said = [Page(self.address).join("x", seat)["ok"] for seat in
                    [*SCRIPTS[:2], '1"onclick=', "14B<b>"]]
            eve = Page(self.address)
            said.append(eve.join(SCRIPTS[1], "12A")["ok"])
            for text in SCRIPTS:
                eve.do("say", text=text)
            eve.do("offer", **{"for": ["window"], "note": SCRIPTS[2]})
            eve.do("swap", seat="14C", note=SCRIPTS[0], unverified=True)
            for field in ("name", "seat", "text"):
                eve.ask({"op": {"name": "rename", "seat": "claim", "text": "msg"}[field],
                         field: SCRIPTS[3], "who": "14C"})
            return said
        self.assertEqual(inside(self.phones, ask), [False] * 4 + [True])
        until("ada is asked", lambda: self.ada.call("requests")["requests"], 20)
        leo = self.browser.page(self.address)
        come_in(leo, "leo", "20F")
        # Leo has what eve says they want.
        leo.wait(seat_is("12A", "wants"))
        leo.click("#tab-talk")
        leo.wait_text("#lines", SCRIPTS[-1])
        text = leo.text("#lines")
        for words in SCRIPTS:
            self.assertIn(words, text)
        leo.click("#tab-cabin")
        leo.click('[data-seat="12A"]')
        leo.wait_text("#sheet", SCRIPTS[2])
        leo.click_text("Ask for 12A", "#sheet")
        leo.wait_text("#sheet", "You give 20F to <")
        leo.click("#sheet button.main")
        leo.click("#tab-requests")
        leo.wait_text("#requests", "You asked <")
        made = leo.run("document.querySelectorAll('img, iframe, svg, script:not([src^=\"/\"]),"
                       " [onerror], [onload], [onclick]').length")
        self.assertEqual(made, 0)
        self.assertEqual(leo.complaints(), [])
        self.assertEqual([one for one in self.browser.events
                          if one["method"] == "Page.javascriptDialogOpening"], [])

    @for_soak
    def test_the_page_does_not_open_in_a_frame(self):
        # A page of another machine in the same network has the host's page within it.
        place = self.address.split("#")[0]
        with open(f"{self.phones.folder}/around.html", "w") as file:
            file.write(f"<title>around</title><iframe src='{self.address}'></iframe>"
                       f"<iframe src='{place}page.css'></iframe>")
        served = self.phones.popen(
            ["python3", "-u", "-m", "http.server", "8000", "--bind",
             self.phones.address, "-d", self.phones.folder], log="around.log")
        until("it is served", lambda: "Serving" in self.phones.text(
            f"{self.phones.folder}/around.log") or served.poll() is not None, 10)
        page = self.browser.page(f"http://{self.phones.address}:8000/around.html")
        until("both are refused", lambda: page.run("1") and len(
            [one for one in page.complaints() if "frame" in one]) == 2, 20)


if __name__ == "__main__":
    unittest.main()
