# SPDX-License-Identifier: Apache-2.0
"""Who sends something else than the page to the program that serves it (docs/page.md)."""

import json
import os
import signal
import socket
import time
import unittest
import urllib.parse

from agent import BINARY, Agent
from case import Case
from page_case import served
from page_client import Page, inside


def closed(line):
    """Whether the other side has closed a connection."""
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


class HostileWeb(Case):
    slow = 12

    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        self.ada = Agent(self.here, "ada", "14C").board()
        self.process, self.address = served(self.ada)
        parts = urllib.parse.urlsplit(self.address)
        self.port = parts.port
        self.host = parts.netloc

    def inside(self, work):
        return inside(self.here, work)

    def raw(self, text, timeout=5):
        """The first line of what comes back to bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout) as line:
            line.sendall(text)
            return line.makefile("rb").readline().decode().strip()

    def test_another_host_another_origin_and_another_path(self):
        def ask():
            good = f"Host: {self.host}\r\n"
            lines = {
                "own": f"GET / HTTP/1.1\r\n{good}\r\n",
                "no host": "GET / HTTP/1.0\r\n\r\n",
                "other host": "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
                "other port": "GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n",
                "origin": f"POST /call HTTP/1.1\r\n{good}Origin: http://evil.example\r\n"
                          "Content-Length: 1\r\n\r\nx",
                "null": f"POST /call HTTP/1.1\r\n{good}Origin: null\r\nContent-Length: 1\r\n\r\nx",
                "up": f"GET /../../../etc/passwd HTTP/1.1\r\n{good}\r\n",
                "encoded": f"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n{good}\r\n",
                "other": f"GET /words/../page.css HTTP/1.1\r\n{good}\r\n",
                "method": f"DELETE / HTTP/1.1\r\n{good}\r\n",
                "not sealed": f"POST /call HTTP/1.1\r\n{good}Content-Length: 200\r\n\r\n"
                              + "x" * 200,
                "long": f"POST /call HTTP/1.1\r\n{good}Content-Length: 65537\r\n\r\n",
                "huge": f"POST /call HTTP/1.1\r\n{good}Content-Length: {10 ** 19}\r\n\r\n",
            }
            return {name: self.raw(text.encode()) for name, text in lines.items()}
        said = self.inside(ask)
        codes = {name: line.split(" ")[1] if " " in line else line for name, line in said.items()}
        self.assertEqual(codes["own"], "200")
        for name in ("no host", "other host", "other port", "origin", "null"):
            self.assertIn(codes[name], ("403", "400"), name)
        for name in ("up", "encoded", "other"):
            self.assertEqual(codes[name], "404", name)
        self.assertEqual(codes["method"], "405")
        self.assertEqual(codes["not sealed"], "400")
        self.assertEqual(codes["long"], "413")
        self.assertIn(codes["huge"], ("413", "400", ""))

    def test_no_frame_no_script_of_others_and_nothing_kept(self):
        def heads():
            page = Page(self.address)
            line = page.connection()
            line.request("GET", "/", headers={"Host": page.host})
            said = line.getresponse()
            said.read()
            return dict(said.getheaders())
        said = {key.lower(): value for key, value in self.inside(heads).items()}
        self.assertIn("frame-ancestors 'none'", said["content-security-policy"])
        self.assertIn("default-src 'none'", said["content-security-policy"])
        self.assertNotIn("unsafe", said["content-security-policy"])
        self.assertEqual(said["x-frame-options"], "DENY")
        self.assertEqual(said["x-content-type-options"], "nosniff")
        self.assertEqual(said["referrer-policy"], "no-referrer")
        self.assertNotIn("set-cookie", said)
        self.assertNotIn("access-control-allow-origin", said)

    def test_a_page_that_nobody_let_in_gets_nothing(self):
        def ask():
            stranger = Page(self.address)
            said = {"hello": stranger.hello()}
            said["status"] = stranger.ask({"op": "status"})
            said["guess"] = stranger.ask({"op": "enter", "key": "00" * 16})
            said["short"] = stranger.ask({"op": "enter", "key": ""})
            try:
                said["events"] = next(stranger.events(seconds=5))
            except ValueError as error:
                said["events"] = str(error)[:3]
            own = Page(self.address)
            said["own"] = own.enter()
            other = Page(self.address)
            said["used"] = other.enter()
            said["other"] = other.ask({"op": "status"})
            return said
        said = self.inside(ask)
        self.assertNotIn("right", said["hello"])
        for name in ("status", "guess", "short", "used", "other"):
            self.assertFalse(said[name]["ok"], name)
        self.assertEqual(said["events"], "403")
        self.assertTrue(said["own"]["ok"])

    def test_what_was_heard_on_the_wire_does_nothing_again(self):
        def ask():
            own = Page(self.address)
            own.enter()
            words = own.call({"op": "say", "text": "said once"})
            first = own.send("/call", words)
            said = {"first": own.opened(first[1])}
            said["again"] = [own.opened(own.send("/call", words)[1]) for _ in range(3)]
            # The same question under another number: what was answered, and nothing is done.
            id = own.id
            said["same"] = own.ask({"op": "say", "text": "said once"}, id=id)
            # A body of somebody else's under the own key, and a bit that is another one.
            other = Page(self.address)
            other.hello()
            own.hello()
            stolen = other.box.key.raw + words[32:]
            said["stolen"] = other.send("/call", stolen)[0]
            fresh = bytearray(own.call({"op": "say", "text": "said twice"}))
            fresh[-1] ^= 1
            said["changed"] = own.send("/call", bytes(fresh))[0]
            # What the server said is no question.
            said["mirror"] = own.send("/call", own.box.key.raw + first[1])[0]
            said["old session"] = own.ask({"op": "say", "text": "twice"}, session=bytes(15) + b"1")
            return said
        said = self.inside(ask)
        self.assertTrue(said["first"]["ok"])
        self.assertEqual(said["again"], [{"again": "number"}] * 3)
        self.assertEqual(said["same"], said["first"])
        self.assertEqual([said["stolen"], said["changed"], said["mirror"]], [400, 400, 400])
        self.assertEqual(said["old session"], {"again": "session"})
        self.assertEqual(self.ada.said(), ["said once"])

    def test_a_page_cannot_end_the_agent_or_write_files(self):
        def ask():
            own = Page(self.address)
            own.enter()
            return {op: own.ask({"op": op, "to": "/tmp/x", "force": True, "events": []})
                    for op in ("down", "forget", "export", "desk-backup", "stay", "watch", "hello",
                               "config", "", "status\n", "x" * 9000)}
        for op, said in self.inside(ask).items():
            if op == "hello":
                continue
            self.assertFalse(said["ok"], op)
            self.assertEqual(said["error"]["code"], "bad-request", op)
        self.assertEqual(self.ada.call("status")["me"]["seats"], ["14C"])

    def test_a_thousand_connections_that_send_nothing_and_a_body_that_never_ends(self):
        def ask():
            lines = []
            for _ in range(1000):
                line = socket.socket()
                line.bind(("127.0.0.2", 0))
                line.setblocking(False)
                try:
                    line.connect(("127.0.0.1", self.port))
                except BlockingIOError:
                    pass
                lines.append(line)
            time.sleep(0.5)
            own = Page(self.address)
            said = [own.enter()["ok"]]
            # Those that drip, a head or a body without an end, are cut off like the rest.
            said += self.drips([b"", f"POST /call HTTP/1.1\r\nHost: {self.host}\r\n"
                                     "Content-Length: 60000\r\n\r\n".encode()])
            # None of the others is open.
            said.append(sum(1 for line in lines if not closed(line)))
            said.append(own.ask({"op": "status"})["ok"])
            return said
        self.assertEqual(self.inside(ask), [True, True, True, 0, True])
        self.assertIsNone(self.process.poll())

    def drips(self, beginnings):
        """Whether each connection that sends a byte now and then is cut off after ten seconds."""
        start = time.monotonic()
        lines, ends = [], {}
        for text in beginnings:
            line = socket.create_connection(("127.0.0.1", self.port), 30, ("127.0.0.3", 0))
            line.sendall(text)
            lines.append(line)
        while len(ends) < len(lines) and time.monotonic() - start < 25:
            for number, line in enumerate(lines):
                try:
                    line.sendall(b"x")
                except OSError:
                    ends.setdefault(number, time.monotonic() - start)
            time.sleep(0.2)
        return [9 < ends.get(number, 99) < 20 for number in range(len(lines))]

    def test_more_than_thirty_in_a_second_are_too_many(self):
        def ask():
            own = Page(self.address)
            own.enter()
            codes = [own.send("/call", own.call({"op": "status"}))[0] for _ in range(80)]
            time.sleep(1.2)
            return [codes.count(200), codes.count(429), own.ask({"op": "status"})["ok"]]
        good, late, after = self.inside(ask)
        self.assertGreaterEqual(good, 25)
        self.assertGreater(late, 10)
        self.assertTrue(after)

    def test_one_server_for_a_profile_and_its_words(self):
        done = self.here.run([BINARY, "web", "--profile", "ada", "--port", "0"], check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the page of this profile is served already", done.stderr)
        done = self.here.run([BINARY, "web", "--profile", "bo", "--port", "99999"], check=False)
        self.assertIn('"99999" is not a port', done.stderr)
        done = self.here.run([BINARY, "web", "--profile", "bo", "--port", str(self.port), "--json"],
                             check=False)
        self.assertEqual(json.loads(done.stdout)["error"]["code"], "no-start")
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(10), 0)
        # What it keeps is the user's alone.
        folder = f"{self.here.env['XDG_DATA_HOME']}/seatagent/ada/web"
        for name in ("page.key", "lock"):
            self.assertEqual(os.stat(f"{folder}/{name}").st_mode & 0o777, 0o600, name)
        self.assertEqual(os.stat(folder).st_mode & 0o777, 0o700)

    def test_whoever_stops_reading_holds_up_nobody(self):
        def ask():
            own = Page(self.address)
            own.enter()
            line = socket.create_connection(("127.0.0.1", self.port), 20)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            body = own.call({"after": ""})
            line.sendall(f"POST /events HTTP/1.1\r\nHost: {own.host}\r\nContent-Length: {len(body)}"
                         "\r\n\r\n".encode() + body)
            for number in range(120):
                said = own.ask({"op": "say", "text": f"{number} " + "x" * 1900})
                if not said.get("ok"):
                    return ["full", said, True]
                time.sleep(0.035)
            return ["said", number, own.ask({"op": "status"})["ok"]]
        said = self.inside(ask)
        self.assertTrue(said[2], said)
        with open(f"/proc/{self.web_pid()}/status") as file:
            rss = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        self.assertLess(rss, 60_000)

    def web_pid(self):
        with open(f"{self.here.env['XDG_DATA_HOME']}/seatagent/ada/web/lock") as file:
            return int(file.read())


if __name__ == "__main__":
    unittest.main()
