# SPDX-License-Identifier: Apache-2.0
"""Wrong ways to read docs/meet.md section 8.

A reading is a name, and pairs of a text of second_tunnel.py and what stands in its place.
"""

BODY = "seal(keys[0], NONE, before, body)"
READ_BODY = "unseal(keys[0], NONE, before, data[97:])"
NAME = "seal(k1, NONE, head, opener)\n    keys"

WRONG = [
    # The opening
    ("open: another salt", ('SALT = b"seatswap/meet/tunnel"', 'SALT = b"seatswap/meet/v1"')),
    ("open: k1 of the ephemeral key alone", ('b"from" + head, 32', 'b"from" + head[17:], 32')),
    ("open: k1 without a word", ('b"from" + head, 32', "head, 32")),
    ("open: keys without the head", ('b"keys" + head + opener', 'b"keys" + opener')),
    ("open: keys without the opener", ('+ head + opener + recipient, 96',
                                       '+ head + recipient, 96')),
    ("open: keys without the recipient", ('+ head + opener + recipient, 96',
                                          '+ head + opener, 96')),
    ("open: opener and recipient turned", ('+ head + opener + recipient, 96',
                                           '+ head + recipient + opener, 96')),
    ("open: keys of the fresh secret alone", ("hkdf(SALT, fresh + lasting,",
                                              "hkdf(SALT, fresh,")),
    ("open: the secrets turned", ("fresh + lasting,", "lasting + fresh,")),
    ("open: the directions turned", ("made[:32], made[32:64], made[64:]",
                                     "made[:32], made[64:], made[32:64]")),
    ("open: k2 is the last key", ("made[:32], made[32:64], made[64:]",
                                  "made[64:], made[:32], made[32:64]")),
    ("open: zeros are a secret", ('    need(any(shared), "a key that no pair has")\n', "")),
    ("open: of any version", ('    need(data[:1] == b"\\x02", "version")\n', "")),
    ("open: to oneself", ('    need(opener != me, "to oneself")\n', "")),
    ("open: to anybody", ('    need(recipient == me, "to somebody else")\n', "")),
    ("open: of any kind", ("    number(kind, 1, 1)\n", "")),
    ("open: of any time", ("    number(made, 0, U63)\n", "")),
    ("open: not in the first second", ("number(made, 0, U63)", "number(made, 1, U63)")),
    ("open: times of 4 bytes", ("number(made, 0, U63)", "number(made, 0, 2**32 - 1)")),
    ("open: more members", ("data[97:])), 3)", "data[97:])), 3, 4)[:3]")),
    ("open: the opener bound to nothing", ("head + seal(k1, NONE, head, opener)",
                                           'head + seal(k1, NONE, b"", opener)')),
    ("open: the opener bound to nothing, read", ("unseal(k1, NONE, head,",
                                                 'unseal(k1, NONE, b"",')),
    ("open: the body bound to the head", (BODY, "seal(keys[0], NONE, head, body)")),
    ("open: the body bound to the head, read",
     (READ_BODY, "unseal(keys[0], NONE, head, data[97:])")),
    ("open: one key for both halves", (BODY, "seal(k1, NONE, before, body)")),

    # Frames
    ("frame: the number in front of the nonce", ('bytes(20) + seq.to_bytes(4, "big")',
                                                 'seq.to_bytes(4, "big") + bytes(20)')),
    ("frame: the lowest byte first in the nonce", ('bytes(20) + seq.to_bytes(4, "big")',
                                                   'bytes(20) + seq.to_bytes(4, "little")')),
    ("frame: a nonce of zeros", ('bytes(20) + seq.to_bytes(4, "big")', "NONE")),
    ("frame: the lowest byte first", ('id_ + seq.to_bytes(4, "big")',
                                      'id_ + seq.to_bytes(4, "little")')),
    ("frame: bound to nothing", ("place_of(seq), head, body", 'place_of(seq), b"", body')),
    ("frame: bound to its tunnel alone", ("place_of(seq), data[:21],",
                                          "place_of(seq), data[:17],")),
    ("frame: of any version", ('    need(data[:1] == b"\\x03", "version")\n', "")),
    ("frame: of any tunnel", ('    need(data[1:17] == id_, "another tunnel")\n', "")),
    ("frame: number 0", ('    need(seq > 0, "number")\n', "")),
    ("frame: any body", ("    body(plain)\n", "")),
    ("body: kind 5", ("number(kind, 1, 4)", "number(kind, 1, 5)")),
    ("body: kind 0", ("number(kind, 1, 4)", "number(kind, 0, 4)")),
    ("body: more of READY", ('    need(len(rest) == (kind != 1), "members")\n', "")),
    ("body: no data", ("blob(rest[0], 1, PIECE)", "blob(rest[0], 0, PIECE)")),
    ("body: more data", ("blob(rest[0], 1, PIECE)", "blob(rest[0], 1, PIECE + 1)")),
    ("body: less data", ("blob(rest[0], 1, PIECE)", "blob(rest[0], 1, PIECE - 1)")),
    ("body: TOOK of nothing", ("number(rest[0], 1, WINDOW)", "number(rest[0], 0, WINDOW)")),
    ("body: TOOK of more", ("number(rest[0], 1, WINDOW)", "number(rest[0], 1, WINDOW + 1)")),
    ("body: TOOK of less", ("number(rest[0], 1, WINDOW)", "number(rest[0], 1, WINDOW - 1)")),
    ("body: reason 7", ("number(rest[0], 0, 6)", "number(rest[0], 0, 7)")),
    ("body: reason 6", ("number(rest[0], 0, 6)", "number(rest[0], 0, 5)")),
    ("body: reason 0", ("number(rest[0], 0, 6)", "number(rest[0], 1, 6)")),

    # One end
    ("order: as it comes", ("        if seq != self.last + 1:\n"
                            "            self.keep(seq, says, at)\n            return\n", "")),
    ("order: twice", ("seq <= self.last or seq in self.early", "False")),
    ("order: a gap is passed over", ("if seq != self.last + 1:", "if False:")),
    ("early: nothing waits", ("len(self.early) == 256", "True")),
    ("early: 255", ("len(self.early) == 256", "len(self.early) == 255")),
    ("early: 257", ("len(self.early) == 256", "len(self.early) == 257")),
    ("early: any number", ("len(self.early) == 256 or ", "")),
    ("early: a byte less", ("size(says) > 65536", "size(says) >= 65536")),
    ("early: any bytes", (" or held + size(says) > 65536", "")),
    ("early: full is no end", ("> 65536:\n            self.end(5)\n", "> 65536:\n")),
    ("gap: 4 s", ("self.waits + 5000", "self.waits + 4000")),
    ("gap: for ever", ("self.waits is not None and at", "False and at")),
    ("gap: a moment longer", ("at >= self.waits + 5000", "at > self.waits + 5000")),
    ("gap: from the first one on", ("            self.waits = at\n        if not",
                                    "        if not")),
    ("gap: from the last one on", ("at if self.waits is None else self.waits", "at")),
    ("READY: twice", ("            if self.is_ready:\n                self.end(5)\n"
                      "                return\n", "")),
    ("READY: TLS has begun before", ('            self.words.append("TLS begins")\n', "")),
    ("READY: is not said", ('["says ready", "TLS begins"]', '["TLS begins"]')),
    ("data: before READY", ("        if not self.is_ready:\n            self.end(5)\n"
                            "            return\n", "")),
    ("TOOK: of more than was sent", (" or self.credit + value[0] > WINDOW", "")),
    ("TOOK: gives nothing back", ("            self.credit += value[0]\n", "            pass\n")),
    ("TOOK: for each frame", ("self.owed >= 32768", "self.owed >= 1")),
    ("TOOK: a byte later", ("self.owed >= 32768", "self.owed > 32768")),
    ("TOOK: at 16384", ("self.owed >= 32768", "self.owed >= 16384")),
    ("TOOK: of all that ever came", ("            self.owed = 0\n", "")),
    ("TOOK: before the bytes", ('        self.words.append(f"{count} for TLS")\n'
                                "        self.owed += count\n        if self.owed >= 32768:\n"
                                '            self.words.append(f"says took {self.owed}")\n'
                                "            self.owed = 0\n",
                                "        self.owed += count\n        if self.owed >= 32768:\n"
                                '            self.words.append(f"says took {self.owed}")\n'
                                "            self.owed = 0\n"
                                '        self.words.append(f"{count} for TLS")\n')),
    ("flow: no window", ("            self.credit -= count\n", "")),
    ("flow: before READY", ("self.is_ready and self.backlog", "self.backlog")),
    ("flow: in longer pieces", ("self.credit, PIECE)", "self.credit, 16384)")),
    ("flow: whole pieces alone", ("self.backlog and self.credit:",
                                  "self.backlog and self.credit >= PIECE:")),
    ("spent: only what came", ("            if not self.carries(count):\n                "
                               "self.end(4)\n                return\n            self.backlog",
                               "            self.backlog")),
    ("spent: only what is sent", ("        if not self.carries(count):\n            self.end(4)\n"
                                  "            return\n        self.words", "        self.words")),
    ("spent: a byte earlier", ("self.carried <= MOST", "self.carried < MOST")),
    ("spent: a byte later", ("self.carried <= MOST", "self.carried <= MOST + 1")),
    ("spent: is lost", ("        if not self.carries(count):\n            self.end(4)",
                        "        if not self.carries(count):\n            self.end(5)")),
    ("idle: what comes alone",
     ("            self.since = at\n            self.words.append(f\"says",
      "            self.words.append(f\"says")),
    ("idle: what is sent alone", ("        self.since = at\n        if not self.carries",
                                  "        if not self.carries")),
    ("idle: TOOK counts", ("            self.credit += value[0]\n",
                           "            self.credit += value[0]\n            self.since = at\n")),
    ("idle: from OPEN on", ("self.is_ready, self.since = True, at", "self.is_ready = True")),
    ("idle: 60 s", ("self.since + 120000", "self.since + 60000")),
    ("idle: a moment longer", ("at >= self.since + 120000", "at > self.since + 120000")),
    ("idle: is closed", ("+ 120000:\n            self.end(4)",
                         "+ 120000:\n            self.end(0)")),
    ("answer: 5 s", ("self.since + 10000", "self.since + 5000")),
    ("answer: a moment longer", ("at >= self.since + 10000", "at > self.since + 10000")),
    ("answer: is lost", ("+ 10000:\n            self.end(1)", "+ 10000:\n            self.end(5)")),
    ("end: is answered", ("            self.over(value[0])\n", "            self.end(value[0])\n")),
    ("end: things go on", ("        self.is_over = True\n", "        pass\n")),
    ("end: before its turn", ("        self.early[seq] = says\n",
                              "        self.early[seq] = says\n        if says[0] == \"end\":\n"
                              "            self.over(says[1])\n            return\n")),

    # Who is let in
    ("gate: of any time", ("        if abs(made - clock) > 60:\n            return False\n", "")),
    ("gate: 59 s", ("abs(made - clock) > 60", "abs(made - clock) >= 60")),
    ("gate: 61 s", ("abs(made - clock) > 60", "abs(made - clock) > 61")),
    ("gate: not ahead", ("abs(made - clock) > 60", "not 0 <= clock - made <= 60")),
    ("gate: ten minutes, as cards", ("abs(made - clock) > 60", "abs(made - clock) > 600")),
    ("gate: again", ("id_ in self.seen or ", "")),
    ("gate: again of another opener", ("if id_ in self.seen or",
                                       "if self.seen.get(id_, [0])[0] == opener or")),
    ("gate: 511", (">= 512", ">= 511")), ("gate: 513", (">= 512", ">= 513")),
    ("gate: any number", (" or len(self.seen) >= 512", "")),
    ("gate: remembered for a minute", ("made + 60\n", "clock + 60\n")),
    ("gate: forgotten a second earlier", ("seen[2] >= clock", "seen[2] > clock")),
    ("gate: never forgotten", ("if seen[2] >= clock}", "if True}")),
    ("gate: any number in a second",
     ("        if any(one == opener and at < came + 1000 for one, came, _ in self.seen.values()):\n"
      "            return False\n", "")),
    ("gate: one in a second of all", ("one == opener and at", "at")),
    ("gate: two seconds", ("came + 1000", "came + 2000")),
    ("gate: a moment longer", ("at < came + 1000", "at <= came + 1000")),
    ("looks: 39", ("self.left, self.before = 40, 0", "self.left, self.before = 39, 0")),
    ("looks: saved without end", ("min(40, self.left + (at - self.before) * 20 / 1000)",
                                  "self.left + (at - self.before) * 20 / 1000")),
    ("looks: 10 a second", ("* 20 / 1000", "* 10 / 1000")),
    ("looks: any number", ("        self.left -= 1\n", "")),
]

#: Readings that can make no difference, in no vector and nowhere: a name, the reason, the changes.
EQUAL = [
    ("open: as short as can be", "What is shorter was not sealed.",
     ('    need(len(data) > 97, "size")\n', "")),
    ("TOOK: before READY", "Nothing was sent by then: it is of more than that.",
     ("if not self.is_ready or self.credit", "if self.credit")),
]
