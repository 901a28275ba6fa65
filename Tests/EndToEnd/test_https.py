# SPDX-License-Identifier: Apache-2.0
"""The page for phones over HTTPS, with a certificate that nobody has signed (docs/page.md)."""

import base64
import concurrent.futures
import contextlib
import hashlib
import json
import os
import re
import socket
import ssl
import subprocess
import time
import unittest

from agent import BINARY
from browser import PROGRAM, Browser
from case import for_soak
from hosted_case import HostedCase
from page_client import Page, warned
from test_phones import come_in

HERE = os.path.dirname(os.path.abspath(__file__))


def words_of(digest):
    """Seven words for the first 70 bits, written from docs/page.md section 7."""
    with open(f"{HERE}/../../Sources/CPage/page/codewords.txt", encoding="ascii") as file:
        listed = file.read().split()
    bits = f"{int(digest, 16):0256b}"
    return " ".join(listed[int(bits[10 * n:10 * n + 10], 2)] for n in range(7))


def openssl(*words, text=b""):
    return subprocess.run(["openssl", *words], input=text, capture_output=True, check=False,
                          timeout=20)


def ended(line):
    """Whether the other side has closed a connection; what it said before is skipped."""
    try:
        while line.recv(4096):
            pass
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def flood(place, source, end):
    """How many handshakes of an address were made until then, and how many were refused."""
    made = refused = 0
    context = warned()
    while time.monotonic() < end:
        try:
            with socket.create_connection(place, 5, (source, 0)) as line:
                with context.wrap_socket(line):
                    made += 1
        except OSError:
            refused += 1
    return made, refused


class Encrypted(HostedCase):
    """Ada hosts over HTTPS."""

    def encrypted(self, *options):
        process = self.ada.host.popen(
            [BINARY, "host", "on", "--https", "--open", "--profile", "ada", "--json",
             "--address", self.ada.host.address, *options],
            log="https.log", stdout=subprocess.PIPE)
        self.said = json.loads(process.stdout.readline())
        address = self.said["address"]
        host, port = re.match(r"https://([0-9.]+):(\d+)/", address).groups()
        return process, address, (host, int(port))

    def certificate(self, place):
        """The DER form that the server shows to whoever connects."""
        def ask():
            text = ssl.get_server_certificate(place)
            return base64.b64encode(ssl.PEM_cert_to_DER_cert(text)).decode()
        return base64.b64decode(self.inside(ask))

    def test_a_phone_comes_in_by_the_certificate_that_the_host_shows(self):
        if PROGRAM is None:
            self.skipTest("needs Chromium: make setup")
        _, address, place = self.encrypted()
        der = self.certificate(place)
        mark = self.ada.call("host", "guests")["page"]["certificate"]
        self.assertEqual(mark, self.said["certificate"])
        self.assertEqual(mark["sha256"], hashlib.sha256(der).hexdigest())
        self.assertEqual(mark["words"], words_of(mark["sha256"]))
        start = " ".join(f"{byte:02X}" for byte in bytes.fromhex(mark["sha256"])[:8])
        self.assertIn(f"begins with {start}\n", self.ada.command("host", "guests").stdout)
        poster = f"{self.ada.host.folder}/poster.svg"
        self.ada.command("host", "poster", poster)
        with open(poster, encoding="utf-8") as file:
            drawn = file.read()
        for words in (f">{start}<", *mark["words"].split(), "SHA-256 vergleichen",
                      f"https://{place[0]}:{place[1]}"):
            self.assertIn(words, drawn)
        # The browser takes a certificate with this key alone, and only for a fitting address.
        key = openssl("x509", "-inform", "der", "-noout", "-pubkey", text=der).stdout
        spki = openssl("pkey", "-pubin", "-outform", "der", text=key).stdout
        trusted = base64.b64encode(hashlib.sha256(spki).digest()).decode()
        browser = Browser(self.cabin_["phones"].argv([]),
                          [f"--ignore-certificate-errors-spki-list={trusted}"])
        self.addCleanup(browser.close)
        mia = browser.page(address)
        come_in(mia, "mia", "14B")
        mia.click("#tab-self")
        mia.wait_text("#self footer", "compared the certificate")
        self.assertEqual(mia.complaints(), [])

    @for_soak
    def test_the_certificate_is_made_for_the_address(self):
        process, address, place = self.encrypted()
        first = self.certificate(place)
        process.kill()
        process.wait()
        process, again, _ = self.encrypted()
        self.assertEqual((again, self.certificate(place)), (address, first))
        line = self.cabin_["phones"].run(
            ["sh", "-c", f"openssl s_client -connect {place[0]}:{place[1]} </dev/null 2>/dev/null"
             " | openssl x509 -noout -fingerprint -sha256"]).stdout
        self.assertEqual(line.strip().split("=")[1].replace(":", "").lower(),
                         self.said["certificate"]["sha256"])
        path = f"{self.ada.host.env['XDG_DATA_HOME']}/seatagent/ada/host/https.pem"
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        said = openssl("x509", "-inform", "der", "-noout", "-text", text=first).stdout.decode()
        for words in (f"IP Address:{place[0]}", "prime256v1", "ecdsa-with-SHA256", "CA:FALSE",
                      "TLS Web Server Authentication", "Digital Signature"):
            self.assertIn(words, said)
        self.assertNotIn("ada", said)
        self.assertEqual(openssl("x509", "-inform", "der", "-noout", "-checkend",
                                 str(394 * 86400), text=first).returncode, 0)
        self.assertEqual(openssl("x509", "-inform", "der", "-noout", "-checkend",
                                 str(397 * 86400), text=first).returncode, 1)
        # At another address it is another one, and what lies there broken is made anew.
        process.terminate()
        process.wait()
        self.ada.host.run(["ip", "addr", "add", "10.77.0.99/24", "dev", "cabin0"])
        process, other, place = self.encrypted("--address", "10.77.0.99")
        second = self.certificate(place)
        self.assertIn("https://10.77.0.99:", other)
        self.assertNotEqual(second, first)
        process.terminate()
        process.wait()
        with open(path, "r+", encoding="ascii") as file:
            file.truncate(200)
        process, _, place = self.encrypted("--address", "10.77.0.99")
        self.assertNotEqual(self.certificate(place), second)
        said = self.ada.command("host", "off").stdout
        self.assertIn("The page is not served any more.", said)
        self.assertEqual(process.wait(10), 0)

    @for_soak
    def test_only_https_is_spoken_and_only_its_own_page_may_ask(self):
        _, address, place = self.encrypted()

        def raw(text, version=None):
            context = warned()
            if version:
                context.minimum_version = context.maximum_version = version
            with socket.create_connection(place, 5) as line:
                with context.wrap_socket(line) as line:
                    line.sendall(text)
                    return [line.makefile("rb").readline().decode().strip(), line.version()]

        def ask():
            host = f"{place[0]}:{place[1]}"
            said = {}
            for word in ("https", "http"):
                said[word] = raw(f"POST /call HTTP/1.1\r\nHost: {host}\r\nOrigin: {word}://{host}"
                                 "\r\nContent-Length: 1\r\n\r\nx".encode())[0]
            get = f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
            said["1.2"] = raw(get, ssl.TLSVersion.TLSv1_2)
            said["1.3"] = raw(get, ssl.TLSVersion.TLSv1_3)
            # Whoever speaks plainly is cut off.
            with socket.create_connection(place, 5) as line:
                line.sendall(get)
                said["plain"] = line.recv(100).hex()
            old = subprocess.run(
                ["openssl", "s_client", "-connect", host, "-tls1_1", "-cipher",
                 "DEFAULT:@SECLEVEL=0"], stdin=subprocess.DEVNULL, capture_output=True,
                timeout=10, check=False)
            said["1.1"] = old.returncode
            said["hello"] = Page(address).hello()["joins"]
            return said
        said = self.inside(ask)
        self.assertIn(" 400 ", said["https"])
        self.assertIn(" 403 ", said["http"])
        self.assertEqual(said["1.2"], ["HTTP/1.1 200 OK", "TLSv1.2"])
        self.assertEqual(said["1.3"], ["HTTP/1.1 200 OK", "TLSv1.3"])
        self.assertNotIn(b"HTTP".hex(), said["plain"])
        self.assertNotEqual(said["1.1"], 0)
        self.assertTrue(said["hello"])

    @for_soak
    def test_whoever_is_silent_or_slow_is_cut_off(self):
        given = f"{self.ada.host.folder}/given.tar.gz"
        with open(given, "wb") as file:
            file.write(os.urandom(40_000_000))
        _, address, place = self.encrypted("--get", given)

        def begun(words=None, room=None):
            """A connection behind its handshake, as what is below TLS."""
            line = socket.socket()
            if room:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
            line.connect(place)
            inner = warned().wrap_socket(line)
            if words:
                inner.sendall(f"{words} HTTP/1.1\r\nHost: {place[0]}:{place[1]}\r\n"
                              "Content-Length: 200\r\n\r\n".encode())
            return socket.socket(fileno=inner.detach())

        def ask():
            begin = time.monotonic()
            slow = socket.create_connection(place, 5)
            lines = {"silent": socket.create_connection(place, 5), "slow": slow,
                     "greeted": begun(), "bodiless": begun("POST /call")}
            reader = begun("GET /get", 4096)
            for line in lines.values():
                line.setblocking(False)
            # The head of a record that never gets whole, a byte at a time.
            rest, said = list(b"\x16\x03\x01\x10\x00" + bytes(4096)), {}
            while len(said) < len(lines) and time.monotonic() < begin + 20:
                with contextlib.suppress(OSError):
                    slow.send(bytes([rest.pop(0)]))
                for name, line in lines.items():
                    if name not in said and ended(line):
                        said[name] = time.monotonic() - begin
                time.sleep(0.1)
            time.sleep(max(0, begin + 15 - time.monotonic()))
            said["read"] = 0
            with contextlib.suppress(OSError):
                while piece := reader.recv(1 << 16):
                    said["read"] += len(piece)
            # Whoever takes all connections of an address disturbs no other.
            lines = [socket.create_connection(place, 5) for _ in range(24)]
            for line in lines:
                line.setblocking(False)
            end = time.monotonic() + 5
            while sum(map(ended, lines)) < 8 and time.monotonic() < end:
                time.sleep(0.05)
            said["open"] = sum(not ended(line) for line in lines)
            said["hello"] = Page(address, "10.77.0.9").hello()["joins"]
            return said
        self.cabin_["phones"].run(["ip", "addr", "add", "10.77.0.9/24", "dev", "cabin0"])
        said = self.inside(ask)
        for name in ("silent", "slow", "greeted", "bodiless"):
            self.assertTrue(9 < said.get(name, 0) < 14, said)
        self.assertLess(said["read"], 40_000_000)
        self.assertEqual(said["open"], 16)
        self.assertTrue(said["hello"])

    @for_soak
    def test_a_flood_of_handshakes_holds_up_nobody_for_long(self):
        """Eight addresses begin as many connections as they can, and a page asks between them."""
        others = [f"10.77.0.{number}" for number in range(120, 128)]
        for other in others:
            self.cabin_["phones"].run(["ip", "addr", "add", f"{other}/24", "dev", "cabin0"])
        process, address, place = self.encrypted()

        def ask():
            page, times = Page(address), []
            page.hello()
            end = time.monotonic() + 8
            with concurrent.futures.ProcessPoolExecutor(len(others)) as pool:
                floods = [pool.submit(flood, place, other, end) for other in others]
                while time.monotonic() < end:
                    begin = time.monotonic()
                    page.hello()
                    times.append(time.monotonic() - begin)
                    time.sleep(0.05)
                made = [one.result() for one in floods]
            return [max(times), sorted(times)[len(times) // 2], made]
        before = self.seconds(process)
        worst, usual, made = self.inside(ask)
        spent = self.seconds(process) - before
        self.note = (f"{sum(count for count, _ in made)} handshakes in 8 s took {spent:.2f} s, an "
                     f"answer {usual * 1000:.1f} ms, the latest {worst * 1000:.0f} ms")
        self.assertLess(worst, 1)
        # Sixteen at once, and as many in each second.
        for count, refused in made:
            self.assertLessEqual(count, 16 * 10)
            self.assertGreater(refused, 0)

    def seconds(self, process):
        with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
            part = file.read().split(")")[1].split()
        return (int(part[11]) + int(part[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    unittest.main()
