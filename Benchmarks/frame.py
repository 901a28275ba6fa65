# SPDX-License-Identifier: Apache-2.0
"""What the rows of `make bench` are given: programs, runs of them, and what they print.

Whatever is started here has ended when the bench ends, however it ends.
"""

import ctypes
import glob
import os
import re
import signal
import socket
import statistics
import subprocess
import time

from figures import Samples

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, ".build", "bench")
PLACES = ("Limits", "Peers")
COMPILER = ["cc", "-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/Benchmarks"]
LIBC = ctypes.CDLL(None)


class Missing(Exception):
    """Something that a row needs is not on this machine."""


class Broken(Exception):
    """A program did not do what it is there for."""


class Bench:
    """One run of the bench."""

    def __init__(self, quick=False):
        self.quick = quick
        self.folder = FOLDER
        self.cores = sorted(os.sched_getaffinity(0))
        # Shown under the row.
        self.commands = []
        self.build_time = 0.0
        self._running = []
        self._built = {}
        os.makedirs(FOLDER, exist_ok=True)

    median = staticmethod(statistics.median)

    def rounds(self, full, quick):
        return quick if self.quick else full

    def missing(self, what):
        """Ends the row (or one ratio of it, where the row catches it)."""
        raise Missing(f"no {what}")

    def needs(self, path, package):
        """Gives the path; `Missing` names the package where nothing is there."""
        if not os.path.exists(path):
            self.missing(package)
        return path

    # Programs

    def tool(self, name):
        """Path of a C program, compiled when it is older than its source or a header beside it.

        Its source may say `// link: -lssl` and `// needs: /usr/include/zmq.h libzmq3-dev`.
        """
        source = next((path for place in PLACES
                       if os.path.exists(path := f"{ROOT}/Benchmarks/{place}/{name}.c")), None)
        if source is None:
            raise Broken(f"there is no Benchmarks/*/{name}.c")
        with open(source) as file:
            text = file.read()
        for path, package in re.findall(r"^// needs: (\S+) (\S+)$", text, re.MULTILINE):
            self.needs(path, package)
        libraries = " ".join(re.findall(r"^// link: (.*)$", text, re.MULTILINE)).split()
        program = f"{FOLDER}/{name}"
        headers = glob.glob(f"{os.path.dirname(source)}/*.h") + glob.glob(f"{ROOT}/Benchmarks/*.h")
        if not os.path.exists(program) or os.path.getmtime(program) < max(
                os.path.getmtime(path) for path in (source, *headers)):
            self._build([*COMPILER, "-o", program, source, *libraries], name)
        return program

    def swift(self, name):
        """Path of a product of Package.swift, built for release as it is given to others."""
        if name not in self._built:
            # The agent and the reader of passes are programs of their own, beside `seatagent`.
            build = (["sh", "scripts/programs"] if name == "seatagent"
                     else ["swift", "build", "--product", name])
            self._build([*build, "-c", "release", "--static-swift-stdlib"], name)
            self._built[name] = f"{ROOT}/.build/release/{name}"
        return self._built[name]

    def _build(self, argv, name):
        began = time.monotonic()
        done = subprocess.run(argv, cwd=ROOT, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.build_time += time.monotonic() - began
        if done.returncode != 0:
            raise Broken(f"{name} does not build:\n{done.stdout[-4000:]}")

    # Runs

    def start(self, argv, pin=None, port=None, **options):
        """A program beside the others, ended by `end` or with the bench.

        `port` is a word of `argv` that differs each time: the command is shown without it.
        """
        if pin is not None:
            argv = ["taskset", "-c", str(self.cores[pin % len(self.cores)]), *argv]
        words = ["PORT" if word == str(port) else word for word in argv]
        if _words(words) not in self.commands:
            self.commands.append(_words(words))
        options = {"stdin": subprocess.DEVNULL, "text": True, **options}
        process = subprocess.Popen(argv, cwd=ROOT, preexec_fn=_end_with_parent, **options)
        self._running.append(process)
        return process

    def end(self, process, patience=3):
        """Ends one that was started, and waits for it."""
        if process in self._running:
            self._running.remove(process)
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(patience)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    def close(self):
        """Ends everything that still runs."""
        for process in list(self._running):
            self.end(process)

    def run(self, argv, pin=None, timeout=120, **options):
        """Runs a program to its end; gives the Samples that it printed, by name.

        A line is a name, one or more numbers, a unit. Lines of one name are samples of one thing.
        """
        process = self.start(argv, pin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            raise Broken(f"{_words(argv)} did not end in {timeout} s") from None
        finally:
            self.end(process)
        if process.returncode != 0:
            raise Broken(f"{_words(argv)}: exit {process.returncode}: {errors.strip()[-500:]}")
        return parse(output)

    def interleave(self, count, works):
        """A B C, B C A, C A B: what disturbs the machine for a while disturbs all of them, and so
        does the state in which each leaves it to the next.

        `works` gives for each name a function that runs it once and gives one Samples; of each
        round the median counts. A name whose function raises `Missing` is left out, and its reason
        stands in the second result.
        """
        found, reasons = {}, {}
        names = list(works)
        for number in range(count):
            first = number % len(names)
            for name in names[first:] + names[:first]:
                if name in reasons:
                    continue
                try:
                    once = works[name]()
                except Missing as reason:
                    reasons[name] = str(reason)
                    continue
                found.setdefault(name, Samples([], once.unit)).values.append(once.median)
        return found, reasons


def parse(output):
    """`name number... unit` a line, to Samples by name."""
    found = {}
    for line in output.splitlines():
        words = line.split()
        if len(words) < 3:
            raise Broken(f"not a figure: {line!r}")
        try:
            values = [float(word) for word in words[1:-1]]
        except ValueError:
            raise Broken(f"not a figure: {line!r}") from None
        found.setdefault(words[0], Samples([], words[-1])).values.extend(values)
    return found


def free_port():
    """A port of 127.0.0.1 that the kernel has just given and taken back."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for_port(port, process, seconds=10):
    """Until somebody listens; `Broken` when the process ends before, or the time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise Broken(f"nobody listens on port {port}")


def _words(argv):
    return " ".join(argv).replace(ROOT + "/", "")


def _end_with_parent():
    """The child's last act before it becomes the program: PR_SET_PDEATHSIG."""
    LIBC.prctl(1, signal.SIGKILL)
