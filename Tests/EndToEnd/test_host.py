# SPDX-License-Identifier: Apache-2.0
"""Guests of a laptop, whose page is no browser: it speaks what docs/page.md says."""

import concurrent.futures
import hashlib
import os
import shutil
import subprocess
import time
import unittest

import forty
from agent import BINARY, Agent
from case import for_soak
from hosted_case import HostedCase
from page_case import hosted
from page_client import Page, inside
from waiting import until


class Guests(HostedCase):
    """Guests without a browser: they speak the page's protocol."""

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


if __name__ == "__main__":
    unittest.main()
