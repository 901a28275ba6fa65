# SPDX-License-Identifier: Apache-2.0
"""What takes GeoClue's name on a private bus, and says what the real one never would.

    python3 false_geoclue.py unix:path=/run/x/bus WORD [LATITUDE LONGITUDE ACCURACY]

WORD is what becomes of a client that starts: `said` says that position, `text` a text in place of
the path to it, `less` a location without a longitude, `refused` says no, `gone` ends the service.
"""

import ctypes
import os
import sys

import logind

NAME = b"org.freedesktop.GeoClue2"
CLIENT = b"/org/freedesktop/GeoClue2/Client/1"
PLACE = CLIENT + b"/Location/0"
PROPERTIES = b"org.freedesktop.DBus.Properties"
DENIED = b"org.freedesktop.DBus.Error.AccessDenied"


class FalseGeoClue:
    def __init__(self, address, word, numbers):
        self.word = word
        self.numbers = dict(zip((b"Latitude", b"Longitude", b"Accuracy"), numbers))
        if word == "less":
            del self.numbers[b"Longitude"]
        self.bus = ctypes.c_void_p()
        self.systemd = logind.library()
        self.handler = logind.HANDLER(self.handle)
        self.call("sd_bus_new", ctypes.byref(self.bus))
        self.call("sd_bus_set_address", self.bus, address.encode())
        self.call("sd_bus_set_bus_client", self.bus, 1)
        self.call("sd_bus_start", self.bus)
        self.call("sd_bus_add_filter", self.bus, None, self.handler, None)
        self.call("sd_bus_request_name", self.bus, NAME, ctypes.c_uint64(0))
        print("ready", flush=True)

    def call(self, name, *arguments):
        code = getattr(self.systemd, name)(*arguments)
        if code < 0:
            raise OSError(-code, f"{name}: {os.strerror(-code)}")
        return code

    def handle(self, message, _data, _error):
        message = ctypes.c_void_p(message)

        def asks(interface, method):
            return self.call("sd_bus_message_is_method_call", message, interface, method)

        def answer(*words):
            self.call("sd_bus_reply_method_return", message, *words)
        if asks(NAME + b".Manager", b"GetClient"):
            answer(b"o", CLIENT)
        elif asks(NAME + b".Client", b"Start"):
            if self.word == "gone":
                os._exit(0)
            if self.word == "refused":
                self.call("sd_bus_reply_method_errorf", message, DENIED, b"not \x1b[2Jyou")
            else:
                answer(None)
        elif asks(PROPERTIES, b"Get"):
            answer(b"v", *((b"s", b"/x") if self.word == "text" else (b"o", PLACE)))
        elif asks(PROPERTIES, b"GetAll"):
            self.tell(message)
        elif asks(None, None):
            answer(None)
        else:
            return 0
        return 1

    def tell(self, message):
        """The location's properties."""
        reply = ctypes.c_void_p()
        self.call("sd_bus_message_new_method_return", message, ctypes.byref(reply))

        def begin(kind, form):
            self.call("sd_bus_message_open_container", reply, ctypes.c_char(kind), form)

        def end(count):
            for _ in range(count):
                self.call("sd_bus_message_close_container", reply)
        begin(b"a", b"{sv}")
        for name, number in self.numbers.items():
            begin(b"e", b"sv")
            self.call("sd_bus_message_append_basic", reply, ctypes.c_char(b"s"), name)
            begin(b"v", b"d")
            self.call("sd_bus_message_append_basic", reply, ctypes.c_char(b"d"),
                      ctypes.byref(ctypes.c_double(number)))
            end(2)
        end(1)
        self.call("sd_bus_send", self.bus, reply, None)

    def run(self):
        while True:
            while self.call("sd_bus_process", self.bus, None):
                pass
            self.call("sd_bus_wait", self.bus, ctypes.c_uint64(1 << 32))


if __name__ == "__main__":
    FalseGeoClue(*sys.argv[1:3], [float(word) for word in sys.argv[3:]]).run()
