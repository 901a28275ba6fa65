# SPDX-License-Identifier: Apache-2.0
"""Reads captures with tshark and the dissector of packaging/wireshark."""

import os
import re
import shutil
import subprocess

from agent import ROOT
from capture import ETHERNET, IP, frames, tcp_packet, write_pcap

PROGRAM = shutil.which("tshark")
PLUGIN = f"{ROOT}/packaging/wireshark/seatagent.lua"
PORT = 7711
#: What no capture may come to, whatever its bytes: a fault of the dissector itself.
FAULT = re.compile(r"Lua Error|Dissector bug|\.lua:\d+:")


class Dissected:
    """A capture, and how tshark reads it."""

    def __init__(self, folder, name):
        self.path = f"{folder}/{name}.pcap"
        self.env = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "LC_ALL": "C.UTF-8"}

    def of_host(self, kept):
        """What `capture.record` kept."""
        write_pcap(self.path, frames(kept), ETHERNET)
        return self

    def of_frames(self, chunks):
        """Bytes without TLS, each the beginning of a connection of its own."""
        packets = [tcp_packet(data, stream=number) for number, data in enumerate(chunks)]
        write_pcap(self.path, packets, IP)
        return self

    def of_session(self, chunks):
        """`(bytes, back)` of one connection, one after the other."""
        seqs, packets = {False: 1, True: 1}, []
        for data, back in chunks:
            packets.append(tcp_packet(data, seq=seqs[back], back=back))
            seqs[back] += len(data)
        write_pcap(self.path, packets, IP)
        return self

    def read(self, *options, keys=None):
        """What tshark prints. A fault of the dissector is a failure, wherever it shows."""
        line = [PROGRAM, "-n", "-r", self.path, "-X", f"lua_script:{PLUGIN}", *options]
        if keys:
            line += ["-o", f"tls.keylog_file:{keys}"]
        done = subprocess.run(line, env=self.env, capture_output=True, timeout=60, check=False)
        text, errors = (part.decode(errors="replace") for part in (done.stdout, done.stderr))
        if done.returncode != 0 or FAULT.search(text + errors):
            found = FAULT.search(text + errors)
            at = found.start() if found else 0
            raise AssertionError(f"{line}: {errors}{(text + errors)[max(at - 200, 0):at + 400]}")
        return text

    def plain(self, *options):
        """The same of frames without TLS."""
        return self.read("-d", f"tcp.port=={PORT},seatagent", *options)

    def trees(self):
        """What it says of each packet of frames without TLS, as text."""
        pages = self.plain("-V", "-O", "seatagent").split("\nFrame ")
        return [page[page.find("Seatagent, "):].strip() if "Seatagent, " in page else ""
                for page in pages]
