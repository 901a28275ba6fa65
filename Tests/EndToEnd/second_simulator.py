# SPDX-License-Identifier: Apache-2.0
"""The second reader judges what hosts of the simulator knew at the end of their seeds.

    seatsim --seeds 1..300 --bundles FOLDER
    python3 Tests/EndToEnd/second_simulator.py FOLDER

The simulator hashes and signs with a fast stand-in (Tests/Simulation/FastPrimitives.swift); so
does the second reader here.
"""

import os
import sys
import types

import second_reader
from second_fold import Fold
from second_reader import read_bundle, sha256

WORD = (1 << 64) - 1


class Mixer:
    """FastPrimitives.swift, word by word."""

    def __init__(self, seed):
        self.a = seed ^ 0x9E3779B97F4A7C15
        self.b = (seed * 0xBF58476D1CE4E5B9 + 0x94D049BB133111EB) & WORD

    def add(self, *words):
        a, b = self.a, self.b
        for word in words:
            a = (a ^ word) * 0x9FB21C651E98DF25 & WORD
            a ^= a >> 32
            b = (b + a & WORD) * 0xD6E8FEB86659FD93 & WORD
            b ^= b >> 29
        self.a, self.b = a, b

    def take(self, data):
        whole = len(data) & ~7
        self.add(len(data), *memoryview(data[:whole]).cast("Q"))
        self.add(int.from_bytes(data[whole:], "big"))

    def word(self):
        mixed = self.a ^ (self.b << 23 & WORD | self.b >> 41)
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & WORD
        return mixed ^ mixed >> 31

    def digest(self):
        kept, found = (self.a, self.b), b""
        for index in range(4):
            self.add(index + 0x51)
            found += self.word().to_bytes(8, sys.byteorder)
        self.a, self.b = kept
        return found


def fast_sha256(message):
    mixer = Mixer(1)
    mixer.take(message)
    return mixer


def fast_verify(key, message, signature):
    mixer = Mixer(3)
    mixer.add(int.from_bytes(key[:8], "big"))
    mixer.take(message)
    found = bytearray(mixer.digest())
    mixer.add(4)
    found += mixer.digest()
    found[31] &= 0x0F
    found[63] &= 0x0F
    return found == signature


def judged(data):
    """What the second reader makes of a bundle, in the words of the simulator."""
    logs, refused = read_bundle(data)
    fold = Fold(logs)
    if refused:
        return f"not accepted: {refused}"
    states = [f"{cid.hex()[:16]}:{fold.status(cid)}" for cid in fold.named]
    digest = sha256(b"seatswap/1 map", fold.map())
    return " ".join([digest.hex(), logs.frontier().hex()] + states)


def main(folder):
    second_reader.hashlib = types.SimpleNamespace(sha256=fast_sha256)
    second_reader.ed25519 = types.SimpleNamespace(verify=fast_verify)
    names = sorted(name for name in os.listdir(folder) if name.endswith(".bundle"))
    counts, failed = {}, 0
    for name in names:
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            found = judged(file.read())
        with open(path[:-7] + ".words", encoding="utf-8") as file:
            expected = file.read()
        for state in expected.split()[2:]:
            word = state.split(":")[1]
            counts[word] = counts.get(word, 0) + 1
        if found != expected:
            failed += 1
            print(f"FAILED {path}\n  simulator:     {expected}\n  second reader: {found}")
    words = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
    print(f"{len(names)} sets of logs read by a second reader, {failed} otherwise; {words}")
    return 0 if names and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
