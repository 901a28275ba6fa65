# SPDX-License-Identifier: Apache-2.0
"""Boarding passes for tests: pictures by a maker of bar codes, passes of wallets, broken files."""

import base64
import json
import os
import struct
import subprocess
import unittest
import zipfile
import zlib

from agent import BINARY

#: A person who is nowhere else in these tests: what of a pass must never be kept.
SECRETS = {
    "surname": b"QUOKKAWITZ", "given name": b"ZEBEDEE", "booking code": b"XKQ7ZV",
    "ticket": b"7391846205", "flyer number": b"5508172639441", "bag tag": b"8820417365",
}


def text(day="364", seat="017A", flight="0202 "):
    """A pass of FR202 from Dublin to Stansted, with all that is optional."""
    unique = ">5180WW    BFR 0" + "8820417365  "
    repeated = "2A" + "224" + "7391846205" + " 0FR FR " + "5508172639441   " + " 20KN"
    return (
        "M1QUOKKAWITZ/ZEBEDEE  EXKQ7ZV DUBSTNFR " + flight + day + "Y" + seat + "0042 1"
        + f"{len(unique + repeated):02X}" + unique + repeated)


def picture(path, words):
    """Draws the words as an Aztec code into a PNG file; with zint, as `make setup` installs it.
    Skips the test of whoever asks where the program was built without a reader of pictures."""
    said = subprocess.run([BINARY, "--version"], stdout=subprocess.PIPE, check=True, timeout=30)
    if b"ZXing" not in said.stdout:
        raise unittest.SkipTest("this build has no reader of pictures")
    subprocess.run(
        ["zint", "-b", "92", "--scale=2", "-w", "10", "-o", path, "-d", words], check=True,
        timeout=30, stdout=subprocess.DEVNULL)
    return path


def wallet(path, **members):
    """A .pkpass file whose pass.json has these members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", "{}")
        archive.writestr("pass.json", json.dumps({"formatVersion": 1, **members}))
        archive.writestr("icon.png", b"\x89PNG")
    return path


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width, height, body):
    """A PNG file in grey that says it is so large, whatever its body holds."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body)
            + chunk(b"IEND", b""))


def zeros(count):
    """So many zeros, packed as small as it goes."""
    packer = zlib.compressobj(9)
    block = bytes(1 << 20)
    parts = [packer.compress(block) for _ in range(count >> 20)]
    return b"".join(parts) + packer.flush()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)
    return path


def memory(pid):
    """All memory of a process that can be read, piece by piece. Needs to be root."""
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as content:
        for line in maps:
            span, rights = line.split()[:2]
            if "r" not in rights or line.rstrip().endswith(("[vvar]", "[vsyscall]")):
                continue
            start, end = (int(number, 16) for number in span.split("-"))
            try:
                content.seek(start)
                yield content.read(end - start)
            except (OSError, ValueError):
                continue


def files(folder):
    """Every file below a folder, with its bytes."""
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    yield path, file.read()


def leaks(content):
    """Which secrets stand in some bytes: as they are, in lower case, as UTF-16, as hexadecimal
    digits, as base64 at any place."""
    lower = content.lower()

    def stands(secret):
        # Of base64 the letters that do not depend on what is around.
        inner = [base64.b64encode(bytes(skip) + secret)[4 if skip else 0:-4] for skip in range(3)]
        return (secret.lower() in lower or secret.hex().encode() in lower
                or secret.decode().encode("utf-16-le") in content
                or any(part in content for part in inner))
    return {name for name, secret in SECRETS.items() if stands(secret)}
