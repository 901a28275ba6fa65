# SPDX-License-Identifier: Apache-2.0
"""Pictures of the real program for the documents: two views that swap seats, one at two sizes, the
page of a library, and a terminal in which somebody looks for their car.

    scripts/demo-gif              makes docs/pictures/*; needs Pillow, which the script fetches

Agents and their terminals run as in the tests. A picture is drawn from what tmux has on the screen.
"""

import os
import sys

import library
import world
from agent import BINARY, ROOT, Agent
from hosts import Cabin, Loopback
from library import Reader
from sgr import Pen
from terminal import Terminal
from waiting import until

FOLDER = os.path.join(ROOT, "docs", "pictures")
FONTS = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono{}.ttf"
CELL, SIZE = (9, 18), 15
TEXT, GROUND, FRAME = (0xd4, 0xd8, 0xdd), (0x12, 0x16, 0x1c), (0x2a, 0x31, 0x3c)
#: The first and the last line of the pixels of these letters.
BLOCKS = {"█": (0, 17), "▀": (0, 8), "▄": (9, 17)}
#: Bytes that the animation may have.
LIMIT = 400_000


class Artist:
    """Draws screens."""

    def __init__(self):
        from PIL import Image, ImageDraw, ImageFont
        self.image, self.draw = Image, ImageDraw
        self.fonts = [ImageFont.truetype(FONTS.format(kind), SIZE) for kind in ("", "-Bold")]

    def screens(self, titled):
        """One picture of screens below each other, each with a line of title."""
        width = max(shot.size[0] for _, shot in titled) * CELL[0]
        height = sum((shot.size[1] + 1) * CELL[1] for _, shot in titled)
        picture = self.image.new("RGB", (width + 16, height + 8 * len(titled)), FRAME)
        pen = self.draw.Draw(picture)
        top = 0
        for title, shot in titled:
            pen.text((8, top + 2), title, TEXT, font=self.fonts[1])
            top += CELL[1] + 4
            self.screen(pen, 8, top, shot)
            top += shot.size[1] * CELL[1] + 4
        return picture

    def screen(self, pen, left, top, shot):
        width, height = shot.size
        pen.rectangle((left, top, left + width * CELL[0] - 1, top + height * CELL[1] - 1), GROUND)
        style = Pen()
        for y, line in enumerate(shot.lines):
            for x, letter in enumerate(style.letters(line)):
                self.letter(pen, left + x * CELL[0], top + y * CELL[1], letter, style)
        if shot.caret:
            x, y = left + shot.caret[0] * CELL[0], top + shot.caret[1] * CELL[1]
            pen.rectangle((x, y + 15, x + CELL[0] - 1, y + 17), TEXT)

    def letter(self, pen, x, y, letter, style):
        text, ground = style.colours(TEXT, GROUND)
        if ground != GROUND:
            pen.rectangle((x, y, x + CELL[0] - 1, y + CELL[1] - 1), ground)
        if letter in BLOCKS:
            # A font leaves thin gaps between the lines of a code.
            above, below = BLOCKS[letter]
            pen.rectangle((x, y + above, x + CELL[0] - 1, y + below), text)
        elif letter != " ":
            pen.text((x, y), letter, text, font=self.fonts[style.bold])
        if style.underlined:
            pen.line((x, y + 16, x + CELL[0] - 1, y + 16), text)


class Shot:
    """A screen as it is now."""

    def __init__(self, terminal):
        self.size = terminal.size
        self.lines = terminal.colours().split("\n")[:self.size[1]]
        self.caret = terminal.cursor if terminal.has_cursor else None


class Film:
    """Frames of two views, and how long each is shown."""

    def __init__(self, views, artist):
        self.views, self.artist = views, artist
        self.frames, self.times = [], []

    def show(self, seconds):
        frame = self.artist.screens([(title, Shot(view)) for title, view in self.views])
        if self.frames and self.frames[-1].tobytes() == frame.tobytes():
            self.times[-1] += int(seconds * 1000)
        else:
            self.frames.append(frame)
            self.times.append(int(seconds * 1000))

    def types(self, view, text, last="Enter"):
        """Letter by letter, two at a time; `last` is pressed at the end."""
        for start in range(0, len(text), 2):
            view.type(text[start:start + 2])
            view.wait_for(text[:start + 2].rstrip())
            self.show(0.12)
        self.show(0.5)
        if last:
            view.press(last)

    def save(self, path):
        palette = self.frames[0].quantize(128)
        frames = [frame.quantize(128, palette=palette, dither=0) for frame in self.frames]
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=self.times, loop=0,
                       optimize=True, disposal=1)


def board(here, passengers):
    """Agents that all know the first one; returned by name when all are linked with it."""
    agents = {}
    for name, seat in passengers:
        agents[name] = Agent(
            here, f"p{len(agents)}", seat, peers=list(agents.values())[:1],
            options=["--name", name]).board()
    first = next(iter(agents.values()))
    until("all are aboard",
          lambda: len(first.call("peers")["peers"]) == len(agents) - 1, 60)
    return agents


def open_view(here, agent, size):
    view = Terminal(here, [BINARY, "--profile", agent.name], size=size)
    view.wait_for(" seatagent   ")
    return view


def film(artist):
    here = Loopback()
    agents = board(here, [("ada", "14C"), ("bo", "12A"), ("Chloë", "3C"), ("dev", "22D"),
                          ("eva", "27F")])
    ada, bo = (open_view(here, agents[name], (80, 24)) for name in ("ada", "bo"))
    for view in (ada, bo):
        view.wait_for("4 aboard")
        view.wait_until_still()
    film = Film([("ada's terminal", ada), ("bo's terminal", bo)], artist)
    film.show(1.5)
    film.types(ada, "hello bo, is 12A a window?")
    bo.wait_for("is 12A a window?")
    film.show(1.5)
    film.types(bo, "it is. swap?")
    ada.wait_for("it is. swap?")
    film.show(1.2)
    ada.press("Tab")
    ada.wait_for("arrows move")
    film.show(0.8)
    for _ in range(2):
        ada.press("Left")
        film.show(0.3)
    for _ in range(2):
        ada.press("Down")
        film.show(0.3)
    ada.wait_for("12A  bo")
    film.show(1.5)
    ada.press("Enter")
    ada.wait_for("y/n")
    film.show(2)
    ada.answer("y", "Ask bo")
    ada.wait_for("Go on? y/n")
    film.show(2)
    ada.answer("y")
    bo.wait_for("F5 answer")
    ada.press("Escape")
    ada.wait_for("Enter send")
    film.show(2)
    bo.press("F5")
    bo.wait_for("a accept")
    film.show(2)
    bo.press("a")
    bo.wait_for("y/n")
    film.show(2)
    bo.answer("y")
    for view in (ada, bo):
        view.wait_for("Receipt 1")
        view.wait_until_still()
    film.show(5)
    path = os.path.join(FOLDER, "demo.gif")
    film.save(path)
    for view in (ada, bo):
        view.close()
    here.close()
    size = os.path.getsize(path)
    print(f"{path}: {len(film.frames)} frames, {size} bytes")
    if size > LIMIT:
        raise SystemExit(f"{path} has more than {LIMIT} bytes")


def stills(artist):
    here = Loopback()
    agents = board(here, [("ada", "14C"), ("bo", "12A"), ("dev", "22D"), ("Chloë", "3C"),
                          ("eva", "30E"), ("fay", "28F"), ("gil", "28F"), ("hugo", "20B")])
    agents["bo"].call("offer", "--for", "aisle")
    agents["eva"].call("offer", "--for", "14C")
    agents["hugo"].call("offer", "--for", "front")
    view = open_view(here, agents["ada"], (80, 24))
    view.wait_for("7 aboard")
    agents["bo"].call("say", "anyone want a window? 12A, I'd like an aisle")
    view.wait_for("anyone want a window?")
    agents["Chloë"].call("say", "naïve question: does the crew mind?")
    view.wait_for("does the crew mind?")
    view.enter("hello bo, 14C is an aisle")
    until("bo reads it", lambda: "hello bo, 14C is an aisle" in agents["bo"].said())
    agents["bo"].call("msg", "14C", "psst, ask me soon")
    agents["dev"].call("swap", "14C", "--note", "snacks included")
    view.wait_for("dev", "F5 answer", "1 unread")
    for size in ((80, 24), (120, 40)):
        view.resize(*size)
        view.wait_for(" seatagent   ada 14C", "F5 answer")
        view.wait_until_still()
        path = os.path.join(FOLDER, "cabin-{}x{}.png".format(*size))
        picture = artist.screens([("seatagent", Shot(view))])
        picture.quantize(128, dither=0).save(path, optimize=True)
        print(f"{path}: {os.path.getsize(path)} bytes")
    view.close()
    here.close()


def save(artist, name, title, terminal):
    path = os.path.join(FOLDER, name)
    artist.screens([(title, Shot(terminal))]).quantize(128, dither=0).save(path, optimize=True)
    print(f"{path}: {os.path.getsize(path)} bytes")


def study(artist):
    """The page of a library: a friend who was found, and somebody in each room."""
    names = ("ada", "bo", "cy", "di")
    place = Cabin(*names)
    value = library.words()
    value["about"] = "Quiet rooms of the university. Talk in the hall."
    for one, at in zip(value["places"],
                       ([52.3681, 4.8889], [52.3633, 4.9116], [52.3553, 4.9576])):
        one["at"] = at
    value["places"].append({
        "id": 4, "name": "Reading hall Roeterseiland", "mode": "counted", "count": 240,
        "address": "Roetersstraat 11", "at": [52.3638, 4.9125]})
    value["places"][0]["address"] = "Singel 425"
    path = library.sign(place["ada"], value)
    ada, bo, cy, di = readers = [Reader(place[name]).take(path) for name in names]
    for name, reader in zip(names, readers):
        reader.options = ("--name", name)
        reader.open()
    until("they see each other",
          lambda: all(one.open()["linked"] == len(names) - 1 for one in readers), 30)
    bo.told("profile", "set", "mail", "bo@example.org")
    bo.told("friend", "allow")
    bo.told("checkin", "roeters")
    cy.told("checkin", "law")
    di.told("checkin", "law")
    view = Terminal(ada.host, [BINARY, "venue", "open", "uva"], size=(120, 36))
    view.wait_for("3 within reach", "full, 2 of 2")
    view.press("Tab", "Enter")
    view.answer("y")
    view.wait_for("you: UB Singel", "You are at UB Singel")
    view.press("Escape")
    view.enter("/friend bo@example.org")
    view.wait_for("bo@example.org is at Reading hall")
    bo.told("say", "there is a free desk beside me", "--profile", "default_uva")
    view.wait_for("there is a free desk")
    view.press("Tab", "4")
    view.wait_for("* bo@example.org", "[4*]")
    view.wait_until_still()
    save(artist, "venue-study.png", "seatagent venue open uva", view)
    view.close()
    for reader in readers:
        reader.told("venue", "leave", "uva")
    place.close()


def parking(artist):
    """A car that is saved, listed and found again."""
    here = Loopback()
    env = {"PATH": f"{os.path.dirname(BINARY)}:{here.env['PATH']}", "PS1": "$ ", "ENV": ""}
    shell = Terminal(here, ["sh", "-i"], size=(96, 40), env=env, shell=True)
    shell.wait_for("$")
    for line, seen in (
            ("seatagent park add B7K2Q --plate AB-12-CDE --suite 12B --hours 4h "
             "--at 45.5017,-73.5673", "left"),
            ("seatagent park", "AB12CDE"),
            ("seatagent park route 1 --from 45.5088,-73.5542", "geo:")):
        shell.enter(line)
        shell.wait_for(seen)
        shell.wait_until_still()
    save(artist, "parking.png", "a terminal", shell)
    shell.close()
    here.close()


def main():
    world.enter()
    os.makedirs(FOLDER, exist_ok=True)
    artist = Artist()
    study(artist)
    parking(artist)
    stills(artist)
    film(artist)
    return 0


if __name__ == "__main__":
    sys.exit(main())
