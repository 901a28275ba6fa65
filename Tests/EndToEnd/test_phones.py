# SPDX-License-Identifier: Apache-2.0
"""Guests of a laptop: people with a phone, whose page is in Chromium or speaks the protocol."""

import base64
import concurrent.futures
import json
import os
import pty
import re
import select
import signal
import subprocess
import time
import unittest

import capture
import forty
from agent import BINARY, Agent
from browser import PROGRAM, Browser
from case import Case, for_soak
from page_client import Page, inside, unbase
from test_web import seat_is
from waiting import until


def hosted(agent, *options, port=7790):
    """The process that serves guests of an agent, and the address that it prints."""
    process = agent.host.popen(
        [BINARY, "host", "on", "--open", "--profile", agent.name, "--port", str(port),
         "--address", agent.host.address, "--json", *options],
        log=f"{agent.name}-host.log", stdout=subprocess.PIPE)
    return process, json.loads(process.stdout.readline())["address"]


def come_in(page, name, seat):
    """Types name and seat, and waits for the cabin."""
    page.wait("Boolean(document.querySelector('#join-seat'))")
    page.type("#join-name", name)
    page.type("#join-seat", seat)
    page.click("form button")
    page.wait(seat_is(seat, "me"))


class Phones(Case):
    """Ada hosts; phones are on a network with her laptop."""

    def setUp(self):
        super().setUp()
        if PROGRAM is None:
            self.skipTest("needs Chromium: make setup")
        self.cabin_ = self.cabin("ada", "phones")
        self.ada = Agent(self.cabin_["ada"], "ada", "14C").board()

    def phones(self):
        browser = Browser(self.cabin_["phones"].argv([]))
        self.addCleanup(browser.close)
        self.addCleanup(self.off)
        return browser

    def off(self):
        self.ada.command("host", "off", check=None)

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
        mia.click("#tab-talk")
        mia.wait("Boolean(document.querySelector('#words'))")
        mia.type("#words", "who has a window?")
        mia.click("#talk form button")
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
        self.slide(leo)
        mia.wait(seat_is("20F", "me"))
        until("ada sees it", lambda: self.ada.held() == {
            "14C": "ada", "20F": "mia", "14B": "leo"}, 20)
        # The page dies and starts again; then a guest's agent dies: nothing is lost.
        process.kill()
        process.wait()
        mia.wait_text("#state", "No connection")
        process, _ = hosted(self.ada)
        mia.wait_text("#state", "Connected")
        os.kill(self.guest_pid(1), signal.SIGKILL)
        mia.wait_text("#state", "The agent is away")
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
        until("leo is gone", lambda: len(self.ada.call("host", "guests")["guests"]) == 1, 20)
        self.ada.call("host", "remove", "Mia")
        self.assertEqual(self.ada.call("host", "guests")["guests"], [])
        mia.wait_text("#state", "not let in any more")

    def test_everything_dies_and_a_phone_sleeps(self):
        process, address = hosted(self.ada)
        browser = self.phones()
        mia = browser.page(address)
        come_in(mia, "mia", "14B")
        number = self.ada.swap("14B", "--note", "aisle for a window")
        mia.wait_text("#tab-requests", "(1)")
        # The phone sleeps: half a minute here, ten in make soak.
        os.killpg(browser.process.pid, signal.SIGSTOP)
        self.ada.call("say", "said while the phone slept")
        time.sleep(600 if os.environ.get("SEATAGENT_SOAK") else 5)
        os.killpg(browser.process.pid, signal.SIGCONT)
        mia.click("#tab-talk")
        mia.wait_text("#lines", "said while the phone slept")
        mia.wait_text("#state", "Connected")
        # The page, the guest's agent and the host's die at once, while a request is open.
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
        self.slide(mia)
        until("they have swapped", lambda: self.ada.held() == {"14B": "ada", "14C": "mia"}, 20)
        mia.wait_text("#requests", "done: you may move")
        self.assertEqual(self.ada.request(number)["state"], "final")

    @for_soak
    def test_the_first_picture(self):
        """Over a slow Wi-Fi: what it weighs is checked, how long it takes is said."""
        _, address = hosted(self.ada)
        page = self.phones().page("about:blank")
        page.tell("Network.emulateNetworkConditions", offline=False, latency=100,
                  downloadThroughput=1e6 / 8, uploadThroughput=1e6 / 8)
        page.tell("Network.setCacheDisabled", cacheDisabled=True)
        page.go(address)
        page.wait("Boolean(document.querySelector('#join-seat'))")
        painted = page.wait("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
        bytes_ = sum(one["params"]["encodedDataLength"] for one in page.browser.events
                     if one["method"] == "Network.loadingFinished")
        self.assertLessEqual(bytes_, 45_000)
        hosts = {one.split("/")[2] for one in page.sent() if one.startswith("http")}
        self.assertEqual(hosts, {address.split("/")[2]})
        self.note = f"{bytes_} bytes on the wire, the first picture after {painted:.0f} ms"

    def guest_pid(self, number):
        guests = f"{self.ada.host.env['XDG_DATA_HOME']}/seatagent/ada/guests"
        with open(f"{guests}/seatagent/guest-{number}/lock") as file:
            return int(file.read())

    def slide(self, page):
        page.wait("Boolean(document.querySelector('.slide'))")
        page.run("document.querySelector('.slide').focus()")
        page.key("End", 35)


class Guests(Case):
    """Guests without a browser: they speak the page's protocol."""

    def setUp(self):
        super().setUp()
        self.cabin_ = self.cabin("ada", "phones")
        self.ada = Agent(self.cabin_["ada"], "ada", "14C").board()
        self.addCleanup(lambda: self.ada.command("host", "off", check=None))

    def inside(self, work):
        return inside(self.cabin_["phones"], work)

    def test_what_guests_may_not_do(self):
        _, address = hosted(self.ada)

        def ask():
            mia, said = Page(address), {}
            said["before"] = mia.hello()
            said["nobody"] = mia.ask({"op": "status"})
            # What is no name or no seat costs nobody a place.
            wrong = [("", "14B"), ("x" * 200, "14B"), ("mia", "14"), ("mia", "B14"), ("mia", ""),
                     ("mia", "../14B"), ("14B", "14B")]
            said["wrong"] = [mia.ask({"op": "join", "name": name, "seat": seat})
                             for name, seat in wrong]
            said["join"] = mia.join("mia <b>", "14b")
            said["me"] = mia.do("status")["me"]
            said["owner's"] = [mia.ask({"op": op, **more}) for op, more in (
                ("peer-add", {"address": "127.0.0.1:22"}), ("desk", {}), ("down", {}),
                ("export", {}), ("forget", {}), ("desk-member", {}), ("enter", {"key": "00" * 16}))]
            # Another seat than one's own is taken by nobody's word.
            leo = Page(address)
            said["leo"] = leo.join("leo", "20F")
            said["scripts"] = leo.ask({"op": "say", "text": "<script>alert(1)</script>\u001b[2J"})
            said["third"] = Page(address).join("eve", "30A")
            # What leo's page has sealed is of no use under mia's key, nor the other way round.
            words = leo.call({"op": "say", "text": "stolen"})
            said["stolen"] = mia.send("/call", mia.box.key.raw + words[32:])[0]
            said["events"] = next(leo.events(seconds=5))[1]["event"]
            return said
        said = self.inside(ask)
        self.assertTrue(said["before"]["joins"])
        self.assertEqual(said["nobody"]["error"]["code"], "not-yours")
        for answer in said["wrong"] + said["owner's"]:
            self.assertFalse(answer["ok"], answer)
            self.assertNotIn("try", answer["error"], answer) if answer in said["wrong"] else None
        self.assertTrue(said["join"]["ok"], said["join"])
        self.assertEqual((said["me"]["name"], said["me"]["seats"]), ("mia <b>", ["14B"]))
        self.assertTrue(said["leo"]["ok"])
        self.assertIn("from this phone already", said["third"]["error"]["what"])
        self.assertEqual((said["stolen"], said["events"]), (400, "stream"))
        until("ada reads what leo said",
              lambda: any("script" in text for text in self.ada.said()), 20)
        self.assertNotIn("stolen", self.ada.said())
        # The files of guests are the host's alone, and the settings are not the host's.
        folder = f"{self.ada.host.env['XDG_DATA_HOME']}/seatagent/ada/guests"
        self.assertEqual(os.stat(folder).st_mode & 0o777, 0o700)
        self.assertEqual(len(os.listdir(f"{folder}/seatagent")), 2)

    def test_three_in_a_minute(self):
        self.cabin_["phones"].run(["ip", "addr", "add", "10.77.0.9/24", "dev", "cabin0"],
                                  check=False)
        process, address = hosted(self.ada)

        def ask():
            sources = [None, None, "10.77.0.9", "10.77.0.9"]
            return [Page(address, source).join(f"guest {number}", f"2{number}A")
                    for number, source in enumerate(sources)]
        said = self.inside(ask)
        self.assertEqual([one["ok"] for one in said], [True, True, True, False])
        self.assertIn("many come at once", said[3]["error"]["what"])
        self.assertIsNone(process.poll())

    def test_the_host_is_asked(self):
        host = self.ada.host
        lines = []

        def ask():
            # The words on the host's terminal lead here.
            said = []
            for name, seat in (("mia", "14B"), ("eve", "14C")):
                said.append(Page(lines[0]).join(name, seat, seconds=30))
            return said
        leader, follower = pty.openpty()
        process = host.popen(
            [BINARY, "host", "on", "--profile", "ada", "--address", host.address, "--ascii"],
            stdin=follower, stdout=follower, start_new_session=True)
        os.close(follower)
        text = read_until(leader, b"ctrl-C")
        lines.append(re.search(r"http://\S+", text)[0])
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            guests = pool.submit(self.inside, ask)
            self.assertIn("mia wants 14B: y/n", read_until(leader, b"y/n"))
            os.write(leader, b"what?\n")
            self.assertIn("mia wants 14B: y/n", read_until(leader, b"y/n"))
            os.write(leader, b"y\n")
            self.assertIn("eve wants 14C: y/n", read_until(leader, b"y/n"))
            os.write(leader, b"n\n")
            mia, eve = guests.result(60)
        self.assertTrue(mia["ok"])
        self.assertEqual(eve["error"]["what"], "the host said no")
        guests = self.ada.call("host", "guests")["guests"]
        self.assertEqual([one["name"] for one in guests], ["mia"])
        poster = f"{host.folder}/poster.svg"
        self.ada.call("host", "poster", poster)
        with open(poster, encoding="utf-8") as file:
            self.assertIn("Sitze tauschen", file.read())
        said = self.ada.command("host", "off").stdout
        self.assertIn("The page is not served any more. One guest has left.", said)
        self.assertEqual(process.wait(10), 0)
        os.close(leader)
        error = self.ada.call("host", "poster", poster, expect=1)
        self.assertEqual(error["try"], "seatagent host on")

    def test_who_listens_learns_nothing(self):
        _, address = hosted(self.ada)
        watched = [capture.record(host, "session") for host in self.cabin_.hosts.values()]

        def ask():
            mia = Page(address)
            said = [mia.join("Zephyrine", "14B")]
            said.append(mia.do("say", text="where is my neighbour of today"))
            events = mia.events(seconds=5)
            said.append(next(events)[1]["event"])
            self.ada.host.run([BINARY, "say", "an answer for the listener", "--profile", "ada"])
            for _, event in events:
                if event.get("text") == "an answer for the listener":
                    break
            said.append(mia.do("status")["me"]["key"])
            said.append(mia.do("leave"))
            return [*said, mia.box.key.raw.hex(), mia.session.hex()]
        said = self.inside(ask)
        frames = []
        for path, watch in watched:
            watch.terminate()
            watch.wait()
            frames.append(b"\n".join(capture.payloads(path)[0]))
        wire = b"\n".join(frames)
        self.assertIn(b"POST /call", wire)
        # The page's own public key stands before each box; nothing else does.
        self.assertIn(bytes.fromhex(said[5]), wire)
        fragment = address.split("k=")[1].split("&")[0]
        secret = [b"Zephyrine", b"neighbour", b"listener", b'"14B"', b'"op"', b'"event"',
                  bytes.fromhex(said[3]), said[3].encode(), fragment.encode(),
                  unbase(fragment), bytes.fromhex(said[6]), said[6].encode()]
        for words in secret:
            self.assertNotIn(words, wire)
            if len(words) > 6:
                self.assertNotIn(base64.b64encode(words)[:-4], wire)


    @for_soak
    def test_forty_guests(self):
        process, address = hosted(self.ada, "--joins", "60")
        go = f"{self.ada.host.folder}/go"
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            said = pool.submit(forty.guests, self.cabin_["phones"], address, 20, go)
            until("forty have come in", lambda: os.path.exists(go + ".ready") or said.done(), 400)
            if said.done():
                said.result()
            numbers = forty.pids(self.ada.host, "ada")
            before = [forty.ticks(pid) for pid in numbers]
            begin = time.monotonic()
            with open(go, "w"):
                pass
            until("all was said", lambda: os.path.exists(go + ".done") or said.done(), 120)
            used = sum(forty.ticks(pid) - at for pid, at in zip(numbers, before))
            used /= time.monotonic() - begin
            memory = sum(forty.written(pid) for pid in numbers)
            times = sorted(said.result())
        self.assertEqual(len(numbers), 1 + forty.GUESTS)
        self.assertLess(memory, 400e6)
        error = self.inside(lambda: Page(address, "10.77.0.100").join("guest 41", "1A"))
        self.assertIn("all places", error["error"]["what"])
        self.assertIsNone(process.poll())
        self.note = (f"{memory / 1e6:.0f} MB written, {used:.2f} cores, a line with all 40 in "
                     f"{times[int(len(times) * 0.95) - 1] * 1000:.0f} ms at the 95th percentile")


def read_until(leader, words, seconds=20):
    """What a terminal shows until certain words come."""
    text, end = b"", time.monotonic() + seconds
    while words not in text:
        if time.monotonic() > end or not select.select([leader], [], [], 1)[0]:
            if time.monotonic() > end:
                raise AssertionError(text.decode(errors="replace"))
            continue
        text += os.read(leader, 4096)
    return text.decode(errors="replace")


if __name__ == "__main__":
    unittest.main()
