# SPDX-License-Identifier: Apache-2.0
"""A peer of our own making, able to be as rude as a test wants: TLS, frames, HELLO, entries.

Written from docs/protocol.md and nothing else. It calls libssl and libsodium through ctypes:
Python's own ssl module has no way to the TLS exporter, which the membership proof is bound to.
"""

import ctypes
import functools
import hashlib
import hmac
import os
import socket
import struct

from cbor import decode, encode

ssl = ctypes.CDLL("libssl.so.3")
crypto = ctypes.CDLL("libcrypto.so.3")
sodium = ctypes.CDLL("libsodium.so.23")
for library, names in (
        (ssl, "TLS_method SSL_CTX_new SSL_new SSL_get1_peer_certificate"),
        (crypto, "d2i_AutoPrivateKey d2i_X509")):
    for name in names.split():
        getattr(library, name).restype = ctypes.c_void_p

PRACTICE = "seatswap-flight-v1|XX1|2000-01-01|XXX"
HELLO, HELLO_ACK, FRONTIER, WANT, ENTRIES = 0, 2, 4, 6, 8
PING, PONG, PREPARE, CERTIFICATE, CLOSE = 14, 15, 32, 36, 46
SPKI = bytes.fromhex("302a300506032b6570032100")


class Key:
    """An Ed25519 key, and the certificate that goes with it."""

    def __init__(self, seed=None):
        self.seed = seed or os.urandom(32)
        public = ctypes.create_string_buffer(32)
        self._secret = ctypes.create_string_buffer(64)
        sodium.crypto_sign_seed_keypair(public, self._secret, self.seed)
        self.public = public.raw

    def sign(self, message):
        signature = ctypes.create_string_buffer(64)
        sodium.crypto_sign_detached(
            signature, None, message, ctypes.c_ulonglong(len(message)), self._secret)
        return signature.raw

    def pkcs8(self):
        return bytes.fromhex("302e020100300506032b657004220420") + self.seed

    def certificate(self):
        """Self-signed X.509 v3, CN=seatswap, 2000 to 2049, no extensions."""
        algorithm = der(0x30, bytes.fromhex("06032b6570"))
        name = der(0x30, der(0x31, der(0x30, bytes.fromhex("0603550403") + der(0x0c, b"seatswap"))))
        dates = der(0x30, der(0x17, b"000101000000Z") + der(0x17, b"491231235959Z"))
        body = der(0x30, der(0xa0, b"\x02\x01\x02") + b"\x02\x01\x01" + algorithm + name + dates
                   + name + SPKI + self.public)
        return der(0x30, body + algorithm + der(0x03, b"\x00" + self.sign(body)))


def der(tag, content):
    length = len(content)
    if length < 128:
        return bytes([tag, length]) + content
    size = (length.bit_length() + 7) // 8
    return bytes([tag, 0x80 | size]) + length.to_bytes(size, "big") + content


@functools.cache
def flight_auth(canonical=PRACTICE):
    """F_auth of an open flight: Argon2id, 64 MiB, 3 passes."""
    salt = hashlib.sha256(b"seatswap/flight/v1").digest()[:16]
    out = ctypes.create_string_buffer(32)
    text = canonical.encode()
    if sodium.crypto_pwhash(
            out, ctypes.c_ulonglong(32), text, ctypes.c_ulonglong(len(text)), salt,
            ctypes.c_ulonglong(3), ctypes.c_size_t(64 << 20), 2):
        raise MemoryError("Argon2id")
    return out.raw


def flight_id(auth):
    return hashlib.sha256(b"seatswap/flight-id/v1" + auth + b"\x02").digest()


def entry(key, flight, seq, previous, kind, body, sign_with=None):
    """A log entry, whole; `sign_with` another key makes its signature wrong. Also its id."""
    payload = encode([1, flight, key.public, seq, previous, kind, body])
    header = bytes.fromhex("a10127")
    signed = encode(["Signature1", header, b"seatswap/1 entry", payload])
    whole = encode([header, {}, payload, (sign_with or key).sign(signed)])
    return whole, hashlib.sha256(b"seatswap/1 id" + payload).digest()


class Closed(Exception):
    """The other side ended the connection; `code` is that of its CLOSE, None if there was none."""

    def __init__(self, code=None, text=""):
        super().__init__(f"closed with {code} {text}")
        self.code = code


class Stranger:
    """One TLS connection to an agent, as the side that dials."""

    def __init__(self, address, port, key=None, source="", seconds=15):
        self.key = key or Key()
        self.socket = socket.create_connection((address, port), seconds, (source, 0))
        self.socket.settimeout(None)
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            self.socket.setsockopt(
                socket.SOL_SOCKET, option, struct.pack("ll", seconds, 0))
        context = ctypes.c_void_p(ssl.SSL_CTX_new(ctypes.c_void_p(ssl.TLS_method())))
        certificate = self.key.certificate()
        ssl.SSL_CTX_use_certificate_ASN1(context, len(certificate), certificate)
        secret = self.key.pkcs8()
        start = ctypes.c_char_p(secret)
        private = ctypes.c_void_p(crypto.d2i_AutoPrivateKey(
            None, ctypes.byref(start), ctypes.c_long(len(secret))))
        ssl.SSL_CTX_use_PrivateKey(context, private)
        ssl.SSL_CTX_set_alpn_protos(context, b"\x0aseatswap/1", 11)
        self._tls = ctypes.c_void_p(ssl.SSL_new(context))
        ssl.SSL_CTX_free(context)
        crypto.EVP_PKEY_free(private)
        ssl.SSL_set_fd(self._tls, self.socket.fileno())
        if ssl.SSL_connect(self._tls) != 1:
            raise Closed(None, "in the TLS handshake")
        self.peer = self._peer_key()
        self._received = b""

    def _peer_key(self):
        certificate = ctypes.c_void_p(ssl.SSL_get1_peer_certificate(self._tls))
        length = crypto.i2d_X509(certificate, None)
        room = ctypes.create_string_buffer(length)
        start = ctypes.c_void_p(ctypes.addressof(room))
        crypto.i2d_X509(certificate, ctypes.byref(start))
        crypto.X509_free(certificate)
        place = room.raw.index(SPKI) + len(SPKI)
        return room.raw[place:place + 32]

    def exporter(self):
        out = ctypes.create_string_buffer(32)
        label = b"EXPORTER-seatswap-v1"
        if ssl.SSL_export_keying_material(
                self._tls, out, ctypes.c_size_t(32), label, ctypes.c_size_t(len(label)),
                None, ctypes.c_size_t(0), 0) != 1:
            raise OSError("no exporter")
        return out.raw

    # Bytes and frames

    def write(self, data):
        """Raw bytes inside TLS; silently nothing where the other side has closed already."""
        while data:
            count = ssl.SSL_write(self._tls, data[:16384], min(len(data), 16384))
            if count <= 0:
                return
            data = data[count:]

    def frame(self, kind, payload, length=None):
        """A frame; `payload` is bytes as they are, or a value to encode."""
        if not isinstance(payload, bytes):
            payload = encode(payload)
        length = 1 + len(payload) if length is None else length
        self.write(struct.pack(">IB", length, kind) + payload)

    def read_frame(self):
        """The next frame's type and value. Throws `Closed`."""
        length = struct.unpack(">I", self._take(4))[0]
        data = self._take(length)
        kind, value = data[0], decode(data[1:])
        if kind == CLOSE:
            raise Closed(*value[:2])
        return kind, value

    def _take(self, count):
        while len(self._received) < count:
            room = ctypes.create_string_buffer(16384)
            got = ssl.SSL_read(self._tls, room, len(room))
            if got <= 0:
                raise Closed(None, "without a CLOSE")
            self._received += room.raw[:got]
        data, self._received = self._received[:count], self._received[count:]
        return data

    def until_closed(self):
        """Reads on until the other side ends it; the code of its CLOSE."""
        while True:
            try:
                self.read_frame()
            except Closed as closed:
                return closed.code

    # HELLO

    #: The rules of the fold: those of flights. Of venues they are 3.
    fold = 2

    def hello_fields(self, auth):
        proof = hmac.new(
            auth, b"seatswap/hello/v1" + b"\x49" + self.exporter() + self.key.public + self.peer,
            hashlib.sha256).digest()[:16]
        return {0: [0, 0], 1: self.fold, 2: os.urandom(8), 3: 1, 4: 65536, 5: 9, 6: [proof], 7: 0}

    def hello(self, auth):
        """The whole handshake (docs/protocol.md section 6), as an honest peer would; returns the
        agent's HELLO."""
        self.frame(HELLO, self.hello_fields(auth))
        theirs = None
        acknowledged = False
        while theirs is None or not acknowledged:
            kind, value = self.read_frame()
            if kind == HELLO:
                theirs = value
                self.frame(HELLO_ACK, [0, 0])
            elif kind == HELLO_ACK:
                acknowledged = True
        return theirs

    def close(self):
        self.socket.close()
        ssl.SSL_free(self._tls)
        self._tls = None
