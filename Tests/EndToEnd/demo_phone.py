# SPDX-License-Identifier: Apache-2.0
"""`make demo PHONE=1`: a laptop in the terminal and two phones in Chromium meet and swap.

PICTURE=FILE keeps a picture of both phones after the swap.
"""

import os
import shlex
import subprocess
import sys

from agent import BINARY
from browser import PROGRAM, Browser, seat_is
from waiting import until

#: Draws pictures beside each other; Pillow is not part of Python.
JOIN = """
import sys
from PIL import Image
pictures = [Image.open(path) for path in sys.argv[2:]]
space = 24
whole = Image.new("RGB", (sum(one.width for one in pictures) + space * (len(pictures) - 1),
                          max(one.height for one in pictures)), "white")
left = 0
for one in pictures:
    whole.paste(one, (left, 0))
    left += one.width + space
whole.resize((whole.width // 2, whole.height // 2)).save(sys.argv[1], optimize=True)
"""


class Phone:
    """Somebody with a phone: what they touch is printed, and done."""

    def __init__(self, host, name):
        self.name = name
        self.browser = Browser(host.argv([]))
        self.page = None

    def opens(self, address, **options):
        self.page = self.browser.page(address, width=390, height=760, **options)

    def does(self, words):
        print(f"{self.name}'s phone: {words}", flush=True)

    def comes_in(self, seat):
        self.does(f"opens the address, types \"{self.name}\" and \"{seat}\"")
        self.page.wait("Boolean(document.querySelector('#join-seat'))")
        self.page.type("#join-name", self.name)
        self.page.type("#join-seat", seat)
        self.page.click("form button")
        self.page.wait(seat_is(seat, "me"))

    def says(self, words):
        self.does(f"says \"{words}\"")
        self.page.click("#tab-talk")
        self.page.wait("Boolean(document.querySelector('#words'))")
        self.page.type("#words", words)
        self.page.click("#talk form button")


def play(cabin):
    """Ada hosts, Mia asks, Leo slides."""
    # Both browsers start while the laptop gets ready.
    mia, leo = Phone(cabin["mia"], "mia"), Phone(cabin["leo"], "leo")
    cabin.start_avahi("ada")
    print("a laptop and two phones on one network; no default route, no DNS, no server")
    laptop, env = cabin["ada"], {"SEATAGENT_PROFILE": "ada"}

    def type_in(*words):
        print(f"\nada$ seatagent {shlex.join(words)}", flush=True)
        print(laptop.run([BINARY, *words], env=env, timeout=60).stdout.rstrip(), flush=True)
    type_in("up", "--seat", "14C", "--name", "ada")
    line = ("host", "on", "--open", "--address", laptop.address)
    print(f"\nada$ seatagent {shlex.join(line)}", flush=True)
    served = laptop.popen([BINARY, *line], env=env, log="host.log", stdout=subprocess.PIPE,
                          text=True)
    address = None
    for said in served.stdout:
        print(said, end="", flush=True)
        # The short address is for typing, and asks about six words.
        address = said.split()[-1] if "http://" in said and "#k=" in said else address
        if said.startswith("ctrl-C"):
            break
    print()
    try:
        mia.opens(address)
        leo.opens(address, dark=True)
        mia.comes_in("14B")
        leo.comes_in("20F")
        mia.says("who has a window?")
        leo.page.click("#tab-talk")
        leo.page.wait_text("#lines", "who has a window?")
        leo.says("I do: 20F")
        mia.page.wait_text("#lines", "I do: 20F")
        mia.does("touches 20F in the cabin, and \"Ask for 20F\"")
        mia.page.click("#tab-cabin")
        mia.page.click('[data-seat="20F"]')
        mia.page.click_text("Ask for 20F", "#sheet")
        mia.page.wait_text("#sheet", "You give 14B to leo")
        mia.page.click("#sheet button.main")
        leo.page.wait_text("#tab-requests", "(1)")
        leo.page.click("#tab-requests")
        leo.does("slides: yes")
        leo.page.wait("Boolean(document.querySelector('.slide'))")
        leo.page.run("document.querySelector('.slide').focus()")
        leo.page.key("End", 35)
        mia.page.wait(seat_is("20F", "me"))
        leo.page.wait_text("#requests", "done: you may move")
        type_in("host", "guests")
        type_in("seats")
        if os.environ.get("PICTURE"):
            keep_picture(os.environ["PICTURE"], mia, leo)
    finally:
        mia.browser.close()
        leo.browser.close()
        type_in("host", "off")
        served.wait(10)
    type_in("down")
    print("\ndemo: 14B and 20F were swapped by two people with no more than a browser")


def keep_picture(path, *phones):
    """Both phones beside each other."""
    for phone in phones:
        phone.page.run("document.querySelector('#news').textContent = ''")
    files = [f"{phone.browser.folder}/screen.png" for phone in phones]
    for phone, file in zip(phones, files):
        phone.page.picture(file)
    python = ".build/venv/bin/python"
    subprocess.run([python if os.path.exists(python) else sys.executable, "-c", JOIN, path, *files],
                   check=True)
    until("the picture is there", lambda: os.path.exists(path))


def why_not():
    """Why this demo cannot be played here; empty where it can."""
    return "" if PROGRAM else "there is no chromium"
