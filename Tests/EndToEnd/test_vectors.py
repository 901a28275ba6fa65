# SPDX-License-Identifier: Apache-2.0
"""The second reader, written from the documents alone, agrees with vectors and program."""

import base64
import glob
import hashlib
import hmac
import json
import os
import subprocess
import time
import unittest

import ed25519
import second_frames
import second_party
from agent import BINARY, ROOT, Agent, finish
from case import Case
from cheats import Crowd
from second_fold import Fold
from second_reader import Bad, Contract, Entry, Logs, decode, encode, read_bundle, sha256
from second_receipt import check
from waiting import until

FOLDER = os.path.join(ROOT, "docs", "vectors")


def load(name):
    with open(os.path.join(FOLDER, f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)


def raw(value, *names):
    return [bytes.fromhex(value[name]) for name in names]


def der(data):
    """The first element of DER, whole and its content; and what follows."""
    size, start = data[1], 2
    if size >= 128:
        start += size - 128
        size = int.from_bytes(data[2:start], "big")
    return (data[:start + size], data[start:start + size]), data[start + size:]


def audited(path, expect=0):
    """What `seatagent audit` makes of a file, in the form of the vectors."""
    done = subprocess.run([BINARY, "audit", path, "--json"], stdout=subprocess.PIPE, text=True,
                          timeout=60, check=False)
    answer = json.loads(done.stdout)
    assert done.returncode == expect, done.stdout
    report = answer["result"]
    hosted = [{"key": one["key"], "host": one["host"]["key"]} for one in report["authors"]
              if one["host"]]
    return {
        "flight_id": report["flight_id"], "map_digest": report["digest"],
        "refused": [item["item"] for item in report["refused"]],
        "tokens": [{
            "token": t["token"], "seat": t["seat"], "holder": t["holder"]["key"],
            "producer": t["producer"], "ended": t["ended"], "reminted": t["reminted"],
        } for t in report["tokens"]],
        **({"hosted": hosted} if hosted else {}),
        "contracts": [{"cid": c["contract"], "status": c["status"], **(
            {"seated": [who["key"] for who in c["seated"]]} if c["seated"] else {})}
            for c in report["contracts"]],
        "forks": [{"author": f["key"], "seq": f["seq"]} for f in report["forks"]],
    }


def spelled(key):
    """A whole key with its check digits."""
    digits = "abcdefghijklmnopqrstuvwxyz234567"
    plain = base64.b32encode(key).decode().lower().rstrip("=")
    text = ""
    for start in range(0, 52, 13):
        part = plain[start:start + 13]
        total = sum(map(digits.index, part[::2]))
        total += sum(2 * d - (31 if d > 15 else 0) for d in map(digits.index, part[1::2]))
        text += part + digits[-total % 32]
    return "-".join(text[start:start + 7] for start in range(0, 56, 7))


class Documents(unittest.TestCase):
    def test_keys_flights_and_proofs(self):
        keys = load("keys")["keys"]
        for one in keys:
            seed, key, certificate = raw(one, "seed", "key", "certificate")
            self.assertEqual(ed25519.public(seed), key)
            plain = base64.b32encode(key[:8]).decode().lower().rstrip("=")
            self.assertEqual(f"{plain[:4]}-{plain[4:8]}-{plain[8:]}", one["tag"])
            self.assertEqual(f"#{plain[:4]}", one["short_tag"])
            self.assertEqual(spelled(key), one["spelled"])
            info = bytes.fromhex("302a300506032b6570032100") + key
            self.assertEqual(certificate.count(info), 1)
            self.assertLessEqual(len(certificate), 1024)
            body, rest = der(der(certificate)[0][1])
            self.assertTrue(ed25519.verify(key, body[0], rest[-64:]))
        for one in load("flights")["flights"]:
            auth, flight = raw(one, "f_auth", "flight_id")
            self.assertEqual(sha256(b"seatswap/flight-id/v1", auth, b"\x02"), flight)
            self.assertTrue(one["canonical"].startswith("seatswap-flight-v1|X"))
        hello = load("hello")
        auth, exporter, one, two = raw(hello, "f_auth", "exporter", "initiator", "responder")
        for role, name in ((b"I", "proof_initiator"), (b"R", "proof_responder")):
            message = b"seatswap/hello/v1" + role + exporter + one + two
            proof = hmac.new(auth, message, hashlib.sha256).digest()[:16]
            self.assertEqual(proof.hex(), hello[name])
        self.assertEqual(exporter, self.exporter(*raw(hello, "exporter_master_secret")))

    def test_frontiers(self):
        for one in load("frontiers")["frontiers"]:
            items = []
            for head in one["heads"]:
                author, last = raw(head, "author", "id")
                items.append(author + head["entries"].to_bytes(2, "big") + last[:8]
                             + head["fork"].to_bytes(2, "big"))
            items.sort()
            self.assertEqual([item.hex() for item in items], one["items"])
            self.assertEqual(sha256(b"seatswap/1 frontier", encode(items)).hex(), one["logs"])
            parts = [[item for item in items if item[0] >> 2 == part] for part in range(64)]
            digests = [sha256(b"seatswap/1 bucket", *part)[:8] if part else bytes(8)
                       for part in parts]
            self.assertEqual(b"".join(digests).hex() if len(items) > 24 else "", one["parts"])
        # Of the last one some parts are empty, and some have several authors.
        self.assertEqual((min(map(len, parts)), max(map(len, parts)) > 1), (0, True))

    def test_receipts(self):
        vectors = load("receipts")
        for one in vectors["receipts"]:
            check(one["text"], *raw(one, "flight_id"))
            check(one["text"].replace("\n", "\r\n")[:-2], *raw(one, "flight_id"))
            with self.assertRaises(Bad):
                check(one["text"].replace("agreed", "approved"), *raw(one, "flight_id"))
        self.assertEqual(len(vectors["refused"]), 10)
        for one in vectors["refused"]:
            with self.assertRaises(Bad, msg=one["why"]):
                check(one["text"], *raw(one, "flight_id"))

    def test_verification(self):
        for one in load("verification")["attempts"]:
            flight, number, first, second, exporter, mine, theirs = raw(
                one, "flight_id", "attempt", "initiator", "responder", "exporter",
                "nonce_initiator", "nonce_responder")
            told = encode(["seatswap-sas-v1", flight, number, first, second, 1])
            commitment = sha256(b"seatswap/sas/commit/v1", sha256(told), mine)
            said = [encode([number, 1, commitment]), encode([number, theirs]),
                    encode([number, mine])]
            self.assertEqual(commitment.hex(), one["commitment"])
            self.assertEqual([part.hex() for part in said],
                             [one["start"], one["nonce"], one["open"]])
            key = hmac.new(sha256(told, *said), exporter + mine + theirs, hashlib.sha256).digest()
            secret, block = b"", b""
            for number in (1, 2):
                block = hmac.new(key, block + b"seatswap/sas/v1" + bytes([number]),
                                 hashlib.sha256).digest()
                secret += block
            bits = int.from_bytes(secret[:5], "big") >> 1
            code = [1000 + (bits >> shift & 0x1fff) for shift in (26, 13, 0)]
            self.assertEqual(" - ".join(map(str, code)), one["code"])
            for role, own, other, name in ((b"I", first, second, "mac_initiator"),
                                           (b"R", second, first, "mac_responder")):
                proof = hmac.new(secret[5:37], role + own + other + b"match", hashlib.sha256)
                self.assertEqual(proof.hexdigest(), one[name])

    def test_parties(self):
        vectors = load("parties")
        self.assertGreater(len(vectors["codes"]), 4)
        for one in vectors["codes"]:
            self.assertEqual(second_party.code(one["code"]).hex(), one["secret"])
        for one in vectors["links"]:
            self.assertEqual(second_party.link(one["link"]).hex(), one["secret"])
        self.assertGreater(len(vectors["refused_texts"]), 10)
        for one in vectors["refused_texts"]:
            for reader in (second_party.code, second_party.link):
                with self.assertRaises(Bad, msg=one["why"]):
                    reader(one["text"])
        for one in vectors["tags"]:
            secret, flight, key = raw(one, "secret", "flight_id", "key")
            self.assertEqual(second_party.Keys(secret, flight).tag(key).hex(), one["tag"])
        for one in vectors["proofs"]:
            secret, flight, fresh, removed = raw(one, "secret", "flight_id", "next", "removed")
            proof = second_party.Keys(secret, flight).proof(fresh, removed)
            self.assertEqual(proof.hex(), one["proof"])
            self.assertEqual(second_party.next_link(one["link"]), (fresh, removed, proof))
        for one in vectors["joined"]:
            secret, flight, *both = raw(one, "secret", "flight_id", "one", "other")
            joined = second_party.Keys(secret, flight).joined(*both)
            self.assertEqual(joined.hex(), one["joined"])
        for one in vectors["lines"]:
            secret, flight, author, nonce, sealed = raw(
                one, "secret", "flight_id", "author", "nonce", "sealed")
            keys = second_party.Keys(secret, flight)
            said = [0, one["text"], one["time"]]
            self.assertEqual(decode(keys.open(author, one["seq"], nonce, sealed)), said)
            self.assertEqual(keys.seal(author, one["seq"], encode(said)), (nonce, sealed))
        for one in vectors["refused"]:
            secret, flight, author, nonce, sealed = raw(
                one, "secret", "flight_id", "author", "nonce", "sealed")
            with self.assertRaises(Bad, msg=one["why"]):
                second_party.line(second_party.Keys(secret, flight).open(
                    author, one["seq"], nonce, sealed))

    def exporter(self, master):
        """RFC 8446 sections 7.1 and 7.5."""
        def expand(secret, label, context):
            label = b"tls13 " + label
            info = b"\x00\x20" + bytes([len(label)]) + label + bytes([len(context)]) + context
            return hmac.new(secret, info + b"\x01", hashlib.sha256).digest()
        empty = sha256()
        return expand(expand(master, b"EXPORTER-seatswap-v1", empty), b"exporter", empty)

    def test_frames(self):
        vectors = load("frames")
        for one in vectors["frames"]:
            wire, = raw(one, "frame")
            value = second_frames.payload(wire)
            self.assertEqual(second_frames.diagnostic(value), one["value"])
            self.assertEqual(encode(value), wire[5:])
            self.assertEqual(wire[4], one["type"])
        # Those of venues stand with the other vectors of venues.
        self.assertEqual({one["type"] for one in vectors["frames"]}, set(second_frames.FLIGHT))
        for one in vectors["refused"]:
            self.assertEqual(second_frames.fault(*raw(one, "frame")), one["close"], one["why"])
        for one in vectors["ignored"]:
            self.assertIsNone(second_frames.fault(*raw(one, "frame")), one["why"])

    def test_entries(self):
        vectors = load("entries")
        kinds = set()
        for one in vectors["entries"]:
            entry = Entry(*raw(one, "entry"))
            self.assertEqual(entry.id.hex(), one["id"])
            self.assertEqual(entry.payload.hex(), one["payload"])
            self.assertEqual(second_frames.diagnostic(decode(entry.payload)), one["diagnostic"])
            self.assertEqual(sha256(entry.signed_bytes()).hex(), one["signed_sha256"])
            self.assertTrue(entry.is_signed())
            kinds.add(entry.type)
        self.assertEqual(kinds, set(range(10)) - {8} | {15, 16, 17, 18, 19, 31})
        for one in vectors["refused"]:
            with self.assertRaises(Bad, msg=one["why"]):
                Logs(*raw(vectors, "flight_id")).insert(Entry(*raw(one, "entry")))

    def test_contracts(self):
        vectors = load("contracts")
        for one in vectors["contracts"]:
            data, cid = raw(one, "contract", "cid")
            self.assertEqual(Contract(data).cid, cid)
            self.assertEqual(second_frames.diagnostic(decode(data)), one["diagnostic"])
        for one in vectors["refused"]:
            with self.assertRaises(Bad, msg=one["why"]):
                Contract(*raw(one, "contract"))
        for one in vectors["fork_proofs"]:
            first, second, item = raw(one, "first", "second", "item")
            logs = Logs(Entry(first).flight)
            logs.insert_proof(Entry(first), Entry(second))
            self.assertEqual(logs.k(bytes.fromhex(one["author"])), one["seq"])
            self.assertEqual(encode([first, second]), item)

    def test_bundles(self):
        paths = sorted(glob.glob(os.path.join(FOLDER, "bundle-*.json")))
        self.assertGreater(len(paths), 10)
        for path in paths:
            with open(path, encoding="utf-8") as file:
                vector = json.load(file)
            items = [bytes.fromhex(item) for item in vector["items"]]
            with self.subTest(vector["name"]):
                logs, refused = read_bundle(b"".join(items))
                self.assertEqual(Fold(logs).report(refused), vector["expected"])
                logs, _ = read_bundle(b"".join(reversed(items)))
                self.assertEqual(Fold(logs).map().hex(), vector["expected"]["map"])


class Program(Case):
    def test_audit_agrees_on_every_bundle(self):
        here = self.loopback()
        for path in sorted(glob.glob(os.path.join(FOLDER, "bundle-*.json"))):
            with open(path, encoding="utf-8") as file:
                vector = json.load(file)
            bundle = os.path.join(here.folder, "bundle.log")
            with open(bundle, "wb") as file:
                file.write(b"".join(bytes.fromhex(item) for item in vector["items"]))
            expected = vector["expected"]
            found = audited(bundle, expect=1 if expected["refused"] else 0)
            self.assertEqual(found, {key: expected[key] for key in found}, vector["name"])

    def test_audit_agrees_on_logs_of_random_cheats(self):
        here = self.loopback()
        bundle = os.path.join(here.folder, "bundle.log")
        seen = set()
        # `make soak` reads others every day.
        first, count = 0, 40
        if os.environ.get("SEATAGENT_SOAK"):
            first, count = int(time.time()) // 86400 * 1000, 300
        for seed in range(first, first + count):
            data = Crowd(seed).bundle()
            with open(bundle, "wb") as file:
                file.write(data)
            logs, refused = read_bundle(data)
            report = Fold(logs).report(refused)
            seen |= {contract["status"] for contract in report["contracts"]}
            found = audited(bundle, expect=1 if refused else 0)
            self.assertEqual(found, {key: report[key] for key in found}, f"seed {seed}")
        self.assertEqual(seen, {"applied", "dead", "beaten", "waiting", "open"})

    def test_an_exported_log_is_read_alike_by_both(self):
        here = self.loopback()
        bo = Agent(here, "bo", "12A").board()
        ada = Agent(here, "ada", "14C", peers=[bo]).board()
        ada.wait_for(bo)
        ada.call("say", "window?")
        asked = ada.begin("swap", "12A", "--wait", "--timeout", "30")
        bo.call("accept", bo.incoming(), "--yes", "--wait")
        status, text = finish(asked)
        self.assertEqual(status, 0, text)
        until("both hold the swap",
              lambda: bo.held() == ada.held() == {"12A": "ada", "14C": "bo"}, 15)
        for agent in (ada, bo):
            path = os.path.join(here.folder, f"{agent.name}.bundle")
            agent.call("log", "--export", path)
            with open(path, "rb") as file:
                logs, refused = read_bundle(file.read())
            report = Fold(logs).report(refused)
            found = audited(path)
            self.assertEqual(found, {key: report[key] for key in found})
            self.assertEqual([c["status"] for c in report["contracts"]], ["applied"])
