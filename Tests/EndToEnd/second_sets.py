# SPDX-License-Identifier: Apache-2.0
"""The second reader judges random sets of ledgers, and what the simulator's program made of them.

    seatsim --seeds 1..3000 --books FOLDER
    python3 Tests/EndToEnd/second_sets.py FOLDER

Hashes and signatures are those of second_simulator.py.
"""

import os
import sys
import types

import second_ledgers
import second_reader
import second_statements
from second_book import BookFold
from second_simulator import fast_sha256, fast_verify

#: The operator of Tests/ProtocolTestKit/MadeUpPeople.swift.
OPERATOR = bytes([200] + [0x21] * 31)


def main(folder):
    second_reader.hashlib = types.SimpleNamespace(sha256=fast_sha256)
    for module in (second_reader, second_ledgers, second_statements):
        module.ed25519 = types.SimpleNamespace(verify=fast_verify)
    names = sorted(name for name in os.listdir(folder) if name.endswith(".bundle"))
    counts, failed = {}, 0
    for name in names:
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            logs, _ = second_ledgers.read_venue(file.read(), OPERATOR)
        found = BookFold(logs).lines()
        with open(path[:-7] + ".words", encoding="utf-8") as file:
            expected = file.read().split("\n")
        for line in expected:
            words = line.split(" ")
            word = f"{words[0]} {words[-1]}" if words[0] in ("void", "swap", "ledger") else words[0]
            counts[word] = counts.get(word, 0) + 1
        if found != expected:
            failed += 1
            print(f"FAILED {path}")
            for one, other in zip(expected, found):
                if one != other:
                    print(f"  seatsim:       {one}\n  second reader: {other}")
                    break
    words = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
    print(f"{len(names)} sets of ledgers read by a second reader, {failed} otherwise; {words}")
    return 0 if names and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
