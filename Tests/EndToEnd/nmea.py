# SPDX-License-Identifier: Apache-2.0
"""A receiver of satellites on the network: says GPGGA sentences of one place to whoever connects.

    python3 nmea.py PORT DDMM.MMMM,N DDDMM.MMMM,W HDOP
"""

import socketserver
import sys
import time


def sentence(north, east, precision):
    clock = time.strftime("%H%M%S.00", time.gmtime())
    body = f"GPGGA,{clock},{north},{east},1,08,{precision},100.0,M,0.0,M,,"
    check = 0
    for byte in body.encode():
        check ^= byte
    return f"${body}*{check:02X}\r\n".encode()


class Receiver(socketserver.BaseRequestHandler):
    def handle(self):
        try:
            while True:
                self.request.sendall(sentence(*sys.argv[2:5]))
                time.sleep(0.2)
        except OSError:
            pass


if __name__ == "__main__":
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    with socketserver.ThreadingTCPServer(("", int(sys.argv[1])), Receiver) as server:
        server.daemon_threads = True
        print("ready", flush=True)
        server.serve_forever()
