# SPDX-License-Identifier: Apache-2.0
"""Guests of a laptop, whose page is no browser: it speaks what docs/page.md says."""

import concurrent.futures
import base64
import hashlib
import json
import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

import forty
import passes
from agent import BINARY, Agent
from case import Case, for_soak
from page_client import Page, inside
from test_phones import hosted
from waiting import until


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
                     ("mia", "../14B"), ("14B", "14B"), ("mia", "0A"), ("mia", "256A")]
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
        self.assertEqual(said["events"], "stream")
        until("ada reads what leo said",
              lambda: any("script" in text for text in self.ada.said()), 20)
        # The files of guests are the host's alone, and the settings are not the host's.
        folder = f"{self.ada.host.env['XDG_DATA_HOME']}/seatagent/ada/guests"
        self.assertEqual(os.stat(folder).st_mode & 0o777, 0o700)
        self.assertEqual(len(os.listdir(f"{folder}/seatagent")), 2)

    def test_six_agents_on_two_laptops(self):
        """Two laptops with two guests each: guests of different hosts meet, and swap."""
        place = self.cabin("ada", "bo", "phones")
        ada = Agent(place["ada"], "ada", "14C").board()
        bo = Agent(place["bo"], "bo", "12A").board()
        for host in (ada, bo):
            self.addCleanup(lambda host=host: host.command("host", "off", check=None))
        addresses = [hosted(host)[1] for host in (ada, bo)]

        def ask():
            seats = [("mia", "14A"), ("kim", "15A"), ("leo", "20F"), ("sam", "21F")]
            pages = [Page(addresses[number // 2]) for number in range(4)]
            said = [page.join(*seat)["ok"] for page, seat in zip(pages, seats)]
            mia, leo = pages[0], pages[2]
            end = time.monotonic() + 30
            while {"20F", "21F", "12A", "14C"} - {one["seat"] for one in mia.do("seats")["seats"]}:
                if time.monotonic() > end:
                    raise AssertionError(mia.do("seats")["seats"])
                time.sleep(0.2)
            asked = mia.do("swap", seat="20F", unverified=True)
            found = []
            while not found:
                found = [one for one in leo.do("requests")["requests"] if one["needs_answer"]]
                if time.monotonic() > end:
                    raise AssertionError(asked)
                time.sleep(0.1)
            leo.do("accept", request=found[0]["number"], contract=found[0]["contract"])
            while mia.do("status")["me"]["seats"] != ["20F"]:
                if time.monotonic() > end:
                    raise AssertionError(mia.do("requests", all=True))
                time.sleep(0.1)
            return [*said, leo.do("status")["me"]["seats"], mia.do("status")["aboard"]]
        said = inside(place["phones"], ask)
        self.assertEqual(said, [True] * 4 + [["14A"], 5])
        until("both laptops see it", lambda: ada.held() == bo.held() == {
            "14C": "ada", "12A": "bo", "20F": "mia", "15A": "kim", "14A": "leo", "21F": "sam"}, 20)
        self.hosts_are_named(ada, bo)

    def hosts_are_named(self, ada, bo):
        """Both laptops, and the receipts, say whose agent runs where."""
        def host(agent, who):
            return agent.call("who", who).get("host", {}).get("name")
        guests = {"mia": "ada", "kim": "ada", "leo": "bo", "sam": "bo", "ada": None, "bo": None}
        until("all read who is whose guest", lambda: all(
            {who: host(agent, who) for who in guests} == guests for agent in (ada, bo)), 20)
        self.assertIn("on ada's laptop", bo.command("who", "mia").stdout)
        self.assertIn("kim (15A), mia (20F) on this laptop", ada.command("status").stdout)
        self.assertRegex(bo.command("peers").stdout, r"mia #\w+ +on ada's laptop")
        # A guest who leaves is nobody's guest any more.
        self.assertTrue(ada.command("host", "remove", "kim").stdout)
        until("kim is gone", lambda: [one["name"] for one in ada.call("status")["guests"]]
              == ["mia"], 20)

    def test_two_hundred_keys_of_one_phone(self):
        self.cabin_["phones"].run(["ip", "addr", "add", "10.77.0.9/24", "dev", "cabin0"],
                                  check=False)
        process, address = hosted(self.ada)

        def ask():
            said = {"in": 0, "refused": 0, "too many": 0}
            for number in range(200):
                page = Page(address)
                try:
                    page.hello()
                    answer = page.ask({"op": "join", "name": f"x {number}", "seat": "9A"})
                    said["in" if answer["ok"] else "refused"] += 1
                except ValueError:
                    said["too many"] += 1
                page.kept.close()
            begin = time.monotonic()
            said["honest"] = Page(address, "10.77.0.9").join("mia", "14B")["ok"]
            said["seconds"] = time.monotonic() - begin
            return said
        said = self.inside(ask)
        self.assertEqual(said["in"], 2)
        self.assertGreater(said["too many"], 50)
        self.assertTrue(said["honest"])
        self.assertIsNone(process.poll())
        guests = self.ada.call("host", "guests")["guests"]
        self.assertEqual(len(guests), 3)
        self.note = f"{said}"

    def test_pictures_of_strangers(self):
        """Pictures of people who are not in: small ones, and one at a time."""
        folder = self.ada.host.folder
        bomb = passes.png(3500, 3500, passes.zeros(3501 * 3500 + (1 << 20)))
        with open(passes.picture(f"{folder}/pass.png", passes.text()), "rb") as file:
            good = file.read()
        _, address = hosted(self.ada)

        def ask():
            mia = Page(address)
            mia.hello()

            def read(content, page=mia):
                text = base64.b64encode(content).decode() if isinstance(content, bytes) else content
                return page.ask({"op": "read-pass", "picture": text})
            said = {"good": read(good)}
            said["wrong"] = [read(one) for one in (
                b"", b"%PDF-1.7", b"PK\3\4" + bytes(60), "no base64!", 7, None, ["a"],
                b"\xff\xd8\xff" + bytes(49_000))]
            # A second one in the same moment waits for nobody.
            eve = Page(address)
            eve.hello()
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                # The rest behind the first one.
                time.sleep(0.5)
                first = pool.submit(read, bomb)
                time.sleep(0.1)
                said["second"] = read(good, eve)
                said["bomb"] = first.result()
            said["join"] = mia.join("mia", "17A")
            said["in"] = read(good)
            return said
        said = self.inside(ask)
        self.assertEqual(said["good"]["result"]["legs"][0]["seat"], "17A")
        self.assertNotIn("QUOKKA", str(said["good"]))
        for answer in said["wrong"]:
            self.assertEqual(answer["error"]["code"], "bad-pass", answer)
        self.assertIn("another picture", said["second"]["error"]["what"])
        self.assertEqual(said["bomb"]["error"]["code"], "bad-pass")
        self.assertTrue(said["join"]["ok"])
        self.assertEqual(said["in"]["error"]["code"], "bad-request")

    def test_the_codes_of_a_poster(self):
        if shutil.which("zbarimg") is None:
            self.skipTest("needs zbarimg: make setup")
        host = self.ada.host
        _, address = hosted(self.ada)
        picture = f"{host.folder}/poster.png"

        def codes():
            said = subprocess.run(["zbarimg", "--raw", "-q", picture], capture_output=True,
                                  text=True, check=True, timeout=30)
            return set(said.stdout.splitlines())
        self.ada.call("host", "poster", picture)
        self.assertEqual(codes(), {address})
        self.assertEqual(os.stat(picture).st_mode & 0o777, 0o600)
        # NetworkManager tells of a hotspot, in its own words.
        with open(f"{host.folder}/secret", "w") as file:
            file.write("correct; horse\n")
        os.mkdir(f"{host.folder}/bin")
        nmcli = f"{host.folder}/bin/nmcli"
        with open(nmcli, "w") as file:
            file.write("#!/bin/sh\ncase \"$*\" in *--active) echo 1-2:802-11-wireless;;\n"
                       "*psk*1-2) printf 'ap\\nada: 7\\nbattery,staple\\n';; esac\n")
        os.chmod(nmcli, 0o755)
        path = {"PATH": f"{host.folder}/bin:{os.environ['PATH']}"}
        self.ada.command("host", "poster", picture, "--wifi", "ada: 7", env=path)
        self.assertEqual(codes(), {address, "WIFI:T:WPA;S:ada\\: 7;P:battery\\,staple;;"})
        for name in ("ada: 7", "other"):
            self.ada.command("host", "poster", picture, "--wifi", name, "--passphrase-file",
                             f"{host.folder}/secret", env=path)
            name = name.replace(":", "\\:")
            self.assertEqual(codes(), {address, f"WIFI:T:WPA;S:{name};P:correct\\; horse;;"})
        error = self.ada.call("host", "poster", picture, "--wifi", "x" * 33, "--passphrase-file",
                              f"{host.folder}/secret", expect=2)
        self.assertIn("no name of a Wi-Fi", error["what"])

    @for_soak
    def test_who_does_nothing_makes_room(self):
        """With seconds in place of ten minutes and of an hour."""
        process, address = hosted(self.ada)
        def come():
            mia, leo = Page(address), Page(address)
            mia.join("mia", "14B")
            leo.join("leo", "20F")
            return leo.do("release", seat="20F")["me"]["seats"]
        self.assertEqual(self.inside(come), [])
        process.terminate()
        process.wait()

        def serve(idle):
            return self.ada.host.popen(
                [f"{os.path.dirname(os.path.realpath(BINARY))}/seatagent-web", "--host", "--open",
                 "--profile", "ada", "--address", self.ada.host.address, "--idle", idle,
                 "--program", os.path.realpath(BINARY)], log="idle.log")

        def here():
            return [one["name"] for one in self.ada.call("host", "guests")["guests"]]
        process = serve("2,3600")
        until("leo makes room", lambda: here() == ["mia"], 20)
        process.terminate()
        process.wait()
        process = serve("3600,2")
        until("mia makes room", lambda: here() == [], 20)
        self.assertNotIn("14B", self.ada.held())
        process.terminate()
        process.wait()

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
            new = Page(lines[0])
            new.hello()
            return [*said, new.ask({"op": "join", "name": "mia", "seat": "14B"})]
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
            asked = read_until(leader, b"good for 2 minutes")
            mia, eve, new = guests.result(60)
        self.assertTrue(mia["ok"])
        self.assertEqual(eve["error"]["what"], "the host said no")
        self.assertEqual(new["result"]["stage"], "code")
        self.assertIn("mia (14B) wants to have their seat back in another browser.", asked)
        self.assertIn("Is it mia who asks you?", asked)
        guests = self.ada.call("host", "guests")["guests"]
        self.assertEqual([one["name"] for one in guests], ["mia"])
        poster = f"{host.folder}/poster.svg"
        self.ada.call("host", "poster", poster)
        page = self.ada.call("host", "guests")["page"]
        self.assertIn(page["words"], text)
        with open(poster, encoding="utf-8") as file:
            drawn = file.read()
        for words in ("Sitze tauschen", page["address"], *page["words"].split()):
            self.assertIn(words, drawn)
        said = self.ada.command("host", "off").stdout
        self.assertIn("The page is not served any more. One guest has left.", said)
        self.assertEqual(process.wait(10), 0)
        os.close(leader)
        error = self.ada.call("host", "poster", poster, expect=1)
        self.assertEqual(error["try"], "seatagent host on")

    def test_nobody_takes_a_seat_without_the_code(self):
        process, address = hosted(self.ada, "--joins", "60")

        def code():
            return json.loads(process.stdout.readline())

        def ask():
            mia, new, eve = Page(address), Page(address), Page(address)
            said = {"mia": mia.join("mia", "14B"), "host": new.hello()["host"]}
            eve.hello()
            wish = {"op": "join", "name": "MIA", "seat": "14B"}
            # A name that nobody has, and a code that nobody was told.
            said["nobody"] = new.ask({**wish, "name": "kim", "back": True})
            said["early"] = new.ask({**wish, "code": "123456"})
            said["code"], first = new.ask(wish), code()
            said["open"] = first["open"]
            said["again"] = new.ask(wish)
            said["eve"] = eve.ask({**wish, "code": first["code"]})
            said["taken"] = eve.ask({**wish, "back": True})
            wrong = "000000" if first["code"] != "000000" else "000001"
            said["wrong"] = [new.ask({**wish, "code": wrong}) for _ in range(3)]
            said["over"] = new.ask({**wish, "code": first["code"]})
            said["still"] = mia.do("status")["me"]["seats"]
            said["second"] = new.ask({**wish, "seat": "9A", "back": True})
            said["right"] = new.ask({**wish, "code": code()["code"]})
            said["new"] = new.do("status")["me"]["name"]
            said["old"] = mia.ask({"op": "status"})
            said["used"] = eve.ask({**wish, "back": True})
            return said
        said = self.inside(ask)
        self.assertTrue(said["mia"]["ok"], said["mia"])
        self.assertEqual((said["host"], said["open"]), ("ada", False))
        for word in ("nobody", "early", "eve", "taken", "over", "used"):
            self.assertFalse(said[word]["ok"], (word, said[word]))
        for word in ("code", "again", "second"):
            self.assertEqual(said[word]["result"], {"stage": "code"}, word)
        self.assertEqual([one.get("result") for one in said["wrong"]],
                         [{"stage": "code", "left": 2}, {"stage": "code", "left": 1}, None])
        self.assertEqual((said["still"], said["new"]), (["14B"], "mia"))
        self.assertEqual(said["right"]["result"], {"stage": "here"})
        self.assertEqual(said["old"]["error"]["code"], "not-yours")
        self.assertIn("asked for often", said["used"]["error"]["what"])
        self.assertIsNone(process.poll())

    def test_the_program_is_given_to_laptops(self):
        given, whole = f"{self.ada.host.folder}/sea tagent.tar.gz", os.urandom(3_000_000)
        with open(given, "wb") as file:
            file.write(whole)
        error = self.ada.call("host", "on", "--open", "--get", self.ada.host.folder, expect=1)
        self.assertIn("cannot be given", error["what"])
        process, address = hosted(self.ada, "--get", given)

        def ask():
            page, said = Page(address), {"hello": Page(address).hello()["get"]}
            for word, method, path in (("get", "GET", "/get"), ("head", "HEAD", "/get"),
                                       ("other", "GET", "/get/../../etc/passwd")):
                wire = page.connection()
                wire.request(method, path, headers={"Host": page.host})
                answer = wire.getresponse()
                body = answer.read()
                said[word] = [answer.status, len(body), hashlib.sha256(body).hexdigest(),
                              dict(answer.getheaders())]
                wire.close()
            # Whoever stops reading holds up nobody.
            slow = page.connection()
            slow.request("GET", "/get", headers={"Host": page.host})
            said["beside"] = page.hello()["joins"]
            slow.close()
            with open(given, "ab") as file:
                file.write(b"x")
            wire = page.connection()
            wire.request("GET", "/get", headers={"Host": page.host})
            said["changed"] = wire.getresponse().status
            return said
        said = self.inside(ask)
        total = hashlib.sha256(whole).hexdigest()
        self.assertEqual(said["hello"], {
            "name": "sea_tagent.tar.gz", "size": len(whole), "sha256": total})
        self.assertEqual(said["get"][:3], [200, len(whole), total])
        self.assertIn('filename="sea_tagent.tar.gz"', said["get"][3]["Content-Disposition"])
        self.assertEqual(said["head"][:2], [200, 0])
        self.assertEqual(said["head"][3]["Content-Length"], str(len(whole)))
        self.assertEqual((said["other"][0], said["beside"], said["changed"]), (404, True, 503))
        page = self.ada.call("host", "guests")["page"]
        self.assertEqual(page["get"]["sha256"], total)
        self.assertIsNone(process.poll())

    @for_soak
    def test_forty_guests_and_no_41st(self):
        process, address = hosted(self.ada, "--joins", "60")
        go = f"{self.ada.host.folder}/go"
        meter = forty.Meter(self.ada.host)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            said = pool.submit(forty.guests, self.cabin_["phones"], address, 20, go)
            until("forty have come in", lambda: os.path.exists(go + ".ready") or said.done(), 400)
            if said.done():
                said.result()
            before, begin = meter.used(), time.monotonic()
            with open(go, "w"):
                pass
            until("all was said", lambda: os.path.exists(go + ".done") or said.done(), 120)
            cores = meter.cores(before, meter.used(), time.monotonic() - begin)
            found = said.result()
        meter.end()
        # Ada's agent, the page, and the guests'.
        self.assertEqual(len(before), 2 + forty.GUESTS)
        self.assertLess(meter.peak, 400e6)
        self.assertIsNotNone(found["plan"], found["error"])
        times = [end - begin for begin, end in found["lines"]]
        error = self.inside(lambda: Page(address, "10.77.0.100").join("guest 41", "1A"))
        self.assertIn("all places", error["error"]["what"])
        self.assertIsNone(process.poll())
        self.note = (f"{meter.peak / 1e6:.0f} MB written, {sum(cores.values()):.2f} cores, a line "
                     f"with all 40 in {forty.at_95(times) * 1000:.0f} ms at the 95th percentile, "
                     f"a family's plan after {found['plan']:.0f} s")


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
