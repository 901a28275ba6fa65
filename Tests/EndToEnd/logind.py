# SPDX-License-Identifier: Apache-2.0
"""A logind of a test's own, on a private bus: grants inhibitors, says which, and when one ends.

    python3 logind.py unix:path=/run/x/bus FILE

writes a line of JSON for each into FILE. It speaks D-Bus through libsystemd, as systemd's own does.
"""

import ctypes
import json
import os
import select
import sys

NAME = b"org.freedesktop.login1"
MANAGER = b"org.freedesktop.login1.Manager"
HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def library():
    """libsystemd; `None` where there is none."""
    try:
        found = ctypes.CDLL("libsystemd.so.0")
    except OSError:
        return None
    for name in ("sd_bus_message_is_method_call", "sd_bus_message_read"):
        getattr(found, name).restype = ctypes.c_int
    return found


class Logind:
    def __init__(self, address, path):
        self.bus = ctypes.c_void_p()
        self.path = path
        self.held = []
        self.systemd = library()
        # The bus calls it; Python must not throw it away.
        self.handler = HANDLER(self.handle)
        self.call("sd_bus_new", ctypes.byref(self.bus))
        self.call("sd_bus_set_address", self.bus, address.encode())
        self.call("sd_bus_set_bus_client", self.bus, 1)
        self.call("sd_bus_negotiate_fds", self.bus, 1)
        self.call("sd_bus_start", self.bus)
        self.call("sd_bus_add_filter", self.bus, None, self.handler, None)
        self.call("sd_bus_request_name", self.bus, NAME, ctypes.c_uint64(0))
        self.note({"ready": True})

    def call(self, name, *arguments):
        code = getattr(self.systemd, name)(*arguments)
        if code < 0:
            raise OSError(-code, f"{name}: {os.strerror(-code)}")
        return code

    def note(self, line):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def handle(self, message, _data, _error):
        message = ctypes.c_void_p(message)
        if not self.call("sd_bus_message_is_method_call", message, MANAGER, b"Inhibit"):
            return 0
        words = [ctypes.c_char_p() for _ in range(4)]
        self.call("sd_bus_message_read", message, b"ssss", *map(ctypes.byref, words))
        mine, theirs = os.pipe()
        self.note({"inhibit": [word.value.decode() for word in words]})
        self.call("sd_bus_reply_method_return", message, b"h", ctypes.c_int(theirs))
        os.close(theirs)
        self.held.append(mine)
        return 1

    def run(self):
        while True:
            while self.call("sd_bus_process", self.bus, None):
                pass
            ready, _, _ = select.select([self.call("sd_bus_get_fd", self.bus), *self.held], [], [])
            for end in ready:
                if end in self.held:
                    self.held.remove(end)
                    os.close(end)
                    self.note({"released": True})


if __name__ == "__main__":
    Logind(*sys.argv[1:3]).run()
