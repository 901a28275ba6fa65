# SPDX-License-Identifier: Apache-2.0
"""Who comes in at a laptop that takes guests, and who does not: docs/page.md sections 5 and 6."""

import base64
import concurrent.futures
import json
import os
import pty
import re
import select
import time
import unittest

import passes
from agent import BINARY
from hosted_case import HostedCase
from page_case import hosted
from page_client import Page


class Door(HostedCase):
    """People at the door, honest and not."""

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
