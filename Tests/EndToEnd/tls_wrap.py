# SPDX-License-Identifier: Apache-2.0
"""Bytes inside TLS as agents have it (docs/protocol.md section 4), cut into records at will."""

import ssl
import subprocess


def _certificate(folder):
    path = f"{folder}/both.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", "-subj", "/CN=seatswap",
         "-keyout", path, "-out", f"{folder}/cert.pem"], check=True, capture_output=True)
    with open(f"{folder}/cert.pem", "rb") as cert, open(path, "ab") as both:
        both.write(cert.read())
    return path


def _context(side, certificate):
    context = ssl.SSLContext(side)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols(["seatswap/1"])
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.load_cert_chain(certificate)
    return context


def wrapped(folder, records):
    """`(bytes, back)` of a connection whose one who dialled sends each of `records` as one record,
    and the path of the log of its keys."""
    certificate, keys = _certificate(folder), f"{folder}/keys"
    dialling = _context(ssl.PROTOCOL_TLS_CLIENT, certificate)
    dialling.keylog_filename = keys
    answering = _context(ssl.PROTOCOL_TLS_SERVER, certificate)
    answering.num_tickets = 0
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = dialling.wrap_bio(back, there)
    server = answering.wrap_bio(there, back, server_side=True)
    chunks = []

    def step(end, out, is_back):
        try:
            end.do_handshake()
        except ssl.SSLWantReadError:
            pass
        if out.pending:
            chunks.append((out.read(), is_back))
            (back if is_back else there).write(chunks[-1][0])

    for _ in range(2):
        step(client, there, False)
        step(server, back, True)
    for record in records:
        client.write(record)
        chunks.append((there.read(), False))
    return chunks, keys
