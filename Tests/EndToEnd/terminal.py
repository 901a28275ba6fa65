# SPDX-License-Identifier: Apache-2.0
"""A terminal of our own for full-screen programs: a private tmux server with one window.

    with Terminal(host, ["seatagent", "chat"], size=(80, 24), folder=...) as screen:
        screen.wait_for("You are ada")
        screen.type("hello")          # as typed, letter by letter
        screen.press("Enter", "C-c")  # keys by tmux's names
        screen.paste("one\ntwo")      # bracketed, where the program asked for it
        screen.resize(120, 40)
        screen.text()                 # lines without the blanks at their ends

Nothing here knows of the user's own tmux: the server has a socket of its own in the host's folder,
reads no configuration, and is ended by its own name.
"""

import itertools
import os
import re
import shutil
import subprocess
import time

import program
from waiting import Patience, TimeRanOut, until

_numbers = itertools.count(1)
#: A screen that has not changed for so long is at rest, in seconds.
STILL = 0.4
#: What the view says under a question that could be read by now.
ANSWERABLE = "y or n answers, any other key puts it away"


class Terminal:
    """One pane of `size` columns and rows in which `argv` runs."""

    def __init__(self, host, argv, size=(80, 24), env=None, term="tmux-256color", shell=False):
        self.host = host
        self.socket = os.path.join(host.folder, f"tmux{next(_numbers)}")
        self.status = f"{self.socket}.status"
        self._tty = f"{self.socket}.stty"
        self.closed = False
        variables = {**host.env, **(env or {}), "SHELL": "/bin/sh"}
        argv = program.command(argv, variables)
        # tmux sets TERM itself; what the test wants is set by env(1) behind it.
        command = ["env", "-u", "TMUX", "-u", "TMUX_PANE", "-u", "TERM_PROGRAM"]
        command += [f"TERM={term}"] if term else ["-u", "TERM"]
        if shell:
            command += argv
        else:
            # What is left of the terminal is looked at before the pane closes.
            command += [
                "sh", "-c", f'trap : INT; "$@"; echo $? >{self.status}.part; stty -a >{self._tty}; '
                f"mv {self.status}.part {self.status}; exec sleep 600", "sh", *argv]
        self._tmux(
            "-f", "/dev/null", "new-session", "-d", "-s", "t", "-x", str(size[0]),
            "-y", str(size[1]), "--", *command, env=variables, begins=True)
        # Not for a whole second after Escape, no status line of tmux's own, and no word about the
        # focus, which nobody has here: a test types what a terminal would say of it.
        for name, value in (("status", "off"), ("escape-time", "0"), ("remain-on-exit", "on"),
                            ("monitor-bell", "on"), ("bell-action", "none"), ("mouse", "on"),
                            ("focus-events", "off"), ("window-size", "manual")):
            self._tmux("set-option", "-g", name, value)
        self.resize(*size)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _tmux(self, *words, check=True, env=None, data=None, begins=False):
        # The server lives on the host. Its socket is a file, which needs no way into the host.
        argv = ["tmux", "-u", "-S", self.socket, *words]
        done = subprocess.run(
            self.host.argv(argv) if begins else argv, text=True, input=data,
            stdin=subprocess.DEVNULL if data is None else None, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=20, env=env or self.host.env, encoding="utf-8")
        if check and done.returncode != 0:
            raise AssertionError(f"tmux {words[0]}: {done.stderr}")
        return done.stdout

    # What the person does

    def press(self, *keys):
        """Keys by tmux's names: Enter, Escape, Tab, C-c, M-a, F5, PPage, Up."""
        for key in keys:
            self._tmux("send-keys", "-t", "t", key)

    def press_at_once(self, *keys):
        """Keys that the program gets in one piece."""
        self._tmux("send-keys", "-t", "t", *keys)

    def type(self, text):
        """The letters of `text`, whatever they mean to tmux."""
        # A word that ends in a semicolon would end tmux's own command.
        if text.endswith(";"):
            text = text[:-1] + "\\;"
        self._tmux("send-keys", "-t", "t", "-l", "--", text)

    def enter(self, text):
        self.type(text)
        self.press("Enter")

    def paste(self, text):
        """As one paste; in brackets where the program has asked for them."""
        self._tmux("load-buffer", "-", data=text)
        self._tmux("paste-buffer", "-p", "-d", "-t", "t")

    def click(self, column, row, button=0, ends=("press", "release")):
        """Presses and releases a mouse button over a cell, both counted from 0, as the terminal
        would report it; nothing where the program has not asked for the mouse."""
        sgr = self._show("#{mouse_sgr_flag}") == "1"
        if self._show("#{mouse_any_flag}") != "1":
            return False
        if sgr:
            self.type("".join(
                f"\033[<{button};{column + 1};{row + 1}{'M' if end == 'press' else 'm'}"
                for end in ends))
        else:
            for end in ends:
                sign = chr(32 + button) if end == "press" else "#"
                self.type(f"\033[M{sign}{chr(column + 33)}{chr(row + 33)}")
        return True

    def resize(self, columns, rows):
        """Returns when the program can see it: tmux takes its time to tell the terminal."""
        self._tmux("resize-window", "-t", "t", "-x", str(columns), "-y", str(rows))
        terminal = os.open(self._show("#{pane_tty}"), os.O_RDWR | os.O_NOCTTY)
        try:
            until(f"the terminal has {columns}x{rows}",
                  lambda: os.get_terminal_size(terminal) == (columns, rows))
        finally:
            os.close(terminal)

    def signal(self, number, program="seatagent"):
        """Sends a signal to the program in the pane, found below the pane's own process."""
        for pid in self.children():
            with open(f"/proc/{pid}/comm") as file:
                if file.read().strip() == program:
                    os.kill(pid, number)
                    return pid
        raise AssertionError(f"no {program} runs in the pane")

    def children(self):
        """All processes below that of the pane."""
        found, queue = [], [int(self._show("#{pane_pid}"))]
        while queue:
            pid = queue.pop()
            found.append(pid)
            try:
                with open(f"/proc/{pid}/task/{pid}/children") as file:
                    queue += [int(word) for word in file.read().split()]
            except OSError:
                pass
        return found

    # What the person sees

    def lines(self):
        """The screen, without blanks at the ends of lines; as many lines as it has rows."""
        return [line.rstrip() for line in self._tmux(
            "capture-pane", "-p", "-N", "-t", "t").split("\n")[:-1]]

    def text(self):
        return "\n".join(self.lines()).rstrip("\n")

    def colours(self):
        """The screen with its SGR sequences and all blanks."""
        return self._tmux("capture-pane", "-e", "-p", "-N", "-t", "t")

    def history(self):
        """What has scrolled off too, of a program that does not take the screen over."""
        return self._tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "t").rstrip("\n")

    def _show(self, what):
        return self._tmux("display-message", "-p", "-t", "t", what).rstrip("\n")

    @property
    def title(self):
        return self._show("#{pane_title}")

    @property
    def is_alternate(self):
        """Whether the program has taken the screen over."""
        return self._show("#{alternate_on}") == "1"

    @property
    def has_cursor(self):
        return self._show("#{cursor_flag}") == "1"

    @property
    def cursor(self):
        """Column and row, from 0."""
        return tuple(int(word) for word in self._show("#{cursor_x} #{cursor_y}").split())

    @property
    def wants_mouse(self):
        return self._show("#{mouse_any_flag}") == "1"

    @property
    def bell(self):
        """Whether it has rung since the window was last looked at."""
        return self._show("#{window_bell_flag}") == "1"

    @property
    def size(self):
        return tuple(int(word) for word in self._show("#{pane_width} #{pane_height}").split())

    # Waiting

    def wait_for(self, *parts, seconds=15, gone=()):
        """Until the screen has all of `parts` and none of `gone`; the screen."""
        def probe():
            text = self.text()
            if all(found(part, text) for part in parts) and not any(
                    found(part, text) for part in gone):
                return text
            return None
        try:
            return until(f"the screen shows {parts}", probe, seconds)
        except TimeRanOut:
            raise TimeRanOut(
                f"the screen does not show {parts}" + (f" without {gone}" if gone else "")
                + f" within {seconds} s:\n{self.framed()}") from None

    def wait_until_still(self, seconds=15):
        """Until the screen has not changed for a moment; the screen."""
        patience = Patience(seconds)
        last, since = self.text(), time.monotonic()
        while time.monotonic() - since < STILL:
            if patience.is_over():
                raise TimeRanOut(f"the screen changes still after {seconds} s:\n{self.framed()}")
            time.sleep(0.05)
            text = self.text()
            if text != last:
                last, since = text, time.monotonic()
        return last

    def answer(self, key, question="y/n"):
        """Answers a question of the view, once the screen says that it may be answered."""
        self.wait_for(question, ANSWERABLE)
        self.press(key)
        self.wait_for(gone=[question])

    def wait_until_ended(self, seconds=20):
        """The exit status of the program."""
        try:
            until("the program ends", lambda: os.path.exists(self.status), seconds)
        except TimeRanOut:
            raise TimeRanOut(f"the program runs still:\n{self.framed()}") from None
        with open(self.status) as file:
            return int(file.read())

    def is_restored(self):
        """What is wrong with the terminal after the program has ended; empty if nothing is."""
        with open(self._tty) as file:
            words = re.split(r"[;\s]+", file.read())
        wrong = [word for word in ("echo", "icanon", "isig", "icrnl", "opost")
                 if word not in words]
        flags = self._show(
            "#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_flag}").split()
        names = ("alternate screen on", "no cursor", "mouse on", "keypad on")
        wrong += [name for name, flag, right in zip(names, flags, "0100") if flag != right]
        return ", ".join(wrong)

    def framed(self):
        """The screen with a line around it, for a failure."""
        lines = self.lines()
        width = self.size[0]
        bar = "+" + "-" * width + "+"
        return "\n".join([bar, *(f"|{line}" for line in lines), bar])

    def close(self):
        """Ends the server, and with it all that runs in the pane."""
        if self.closed:
            return
        self.closed = True
        self._tmux("kill-server", check=False)
        if os.path.exists(self.socket):
            os.unlink(self.socket)


def found(part, text):
    """`part` is a text, or a compiled pattern."""
    return part.search(text) if isinstance(part, re.Pattern) else part in text


def is_there():
    """Whether there is a tmux to drive."""
    return shutil.which("tmux") is not None
