#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the fuzz targets for a time, two at a time, and tells what came of it. See scripts/fuzz."""

import ctypes
import functools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("FUZZ_BUILD", ".build/fuzz")
# What is learnt and found is the same for both builds.
LEARNT, FOUND = ROOT / ".build" / "fuzz" / "corpus", ROOT / ".build" / "fuzz" / "found"
# The small programs read bytes and do nothing else: their targets are fastest there.
PROGRAMS = [
    BUILD / folder / "release" / name
    for folder, name in (("", "fuzz-readers"), ("passes", "fuzz-passes"), ("", "fuzz"))]
# Only without the sanitizer is the one of passes built with other flags, in a folder of its own.
if not PROGRAMS[1].exists():
    PROGRAMS[1] = BUILD / "release" / "fuzz-passes"
KEPT = ROOT / "Tests" / "Fuzz"
AT_ONCE = 2
# One input may take so many seconds; the process so many MB, one allocation so many.
LIMITS = ["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=64"]
# Bytes and files of one target's minimised inputs.
KEPT_BYTES, KEPT_FILES = 64 * 1024, 160
# Rows of decisions have no syntax to learn, and each takes long: at full length, judged cheaply.
DECISIONS = ["-len_control=0", "-entropic=0", "-reduce_inputs=0"]
DECIDED = ("node", "records", "requests", "matcher")
ENVIRONMENT = {
    # Equal inputs give equal runs.
    "SWIFT_DETERMINISTIC_HASHING": "1",
    # Its crash handler reads memory that the sanitizer would report instead of the find.
    "SWIFT_BACKTRACE": "enable=no",
    "ASAN_OPTIONS": "quarantine_size_mb=16:malloc_context_size=4",
}


def environment(target):
    return {**os.environ, **ENVIRONMENT, "SEATAGENT_FUZZ_TARGET": target}


def die_with_parent():
    """No fuzzer outlives this script, however it ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def start(target, arguments, output):
    return subprocess.Popen(
        [str(program(target)), f"-artifact_prefix={BUILD}/", *arguments], cwd=ROOT,
        env=environment(target), stdin=subprocess.DEVNULL,
        stdout=output, stderr=subprocess.STDOUT, preexec_fn=die_with_parent)


@functools.cache
def listed(program):
    """Names with the longest input of each, as one program lists them."""
    told = subprocess.run(
        [str(program), f"-artifact_prefix={BUILD}/", "-runs=0"],
        env=environment("?"), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60).stdout
    return {name: int(size) for name, size in re.findall(r"^target (\S+) (\d+)$", told, re.M)}


def targets():
    """All of them, with the longest input of each."""
    return {name: size for program in PROGRAMS for name, size in listed(program).items()}


def program(target):
    """The smallest that has the target."""
    return next((each for each in PROGRAMS if target in listed(each)), PROGRAMS[-1])


def count(folder):
    return sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0


class Run:
    """One target at work."""

    def __init__(self, target, longest, seconds):
        self.target, self.seconds = target, seconds
        self.learnt = LEARNT / target
        self.found = FOUND / target
        for folder in (self.learnt, self.found):
            folder.mkdir(parents=True, exist_ok=True)
        self.before = count(self.learnt)
        self.known = set(self.found.iterdir())
        self.log = BUILD / f"{target}.log"
        folders = [self.learnt] + [
            folder for folder in (KEPT / "Corpus" / target, KEPT / "Regressions" / target)
            if folder.is_dir()]
        words = KEPT / "words.dict"
        with self.log.open("w") as output:
            self.process = start(target, [
                *map(str, folders), *LIMITS, f"-max_total_time={seconds}",
                f"-max_len={longest}", f"-artifact_prefix={self.found}/", "-print_final_stats=1",
                *([f"-dict={words}"] if target in ("json", "requests") else []),
                *(DECISIONS if target in DECIDED else []),
            ], output)
        self.started, self.worked = time.monotonic(), 0.0

    def is_over(self):
        self.look()
        if self.process.poll() is not None:
            return True
        if time.monotonic() > self.started + self.seconds + 60:
            self.process.kill()
            self.process.wait()
            return True
        return False

    def look(self):
        """How long a processor worked on it: on a busy machine the clock says little."""
        try:
            stat = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text()
        except OSError:
            return
        user, system = stat.rpartition(")")[2].split()[11:13]
        self.worked = max(self.worked, (int(user) + int(system)) / os.sysconf("SC_CLK_TCK"))

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def result(self):
        text = self.log.read_text(errors="replace")
        units = re.findall(r"^stat::number_of_executed_units:\s+(\d+)", text, re.M)
        passed = re.findall(r"^#(\d+)", text, re.M)
        executions = int((units or passed or ["0"])[-1])
        inputs = sorted(set(self.found.iterdir()) - self.known)
        return {
            "target": self.target, "executions": executions,
            "rate": int(executions / max(self.worked, 0.1)),
            "new": count(self.learnt) - self.before, "inputs": inputs,
            "failed": self.process.returncode != 0 or bool(inputs), "text": text,
        }


def tell(results):
    print(f"\n{'target':<12}{'executions':>14}{'a cpu second':>14}{'new inputs':>12}{'found':>7}")
    for result in results:
        print(
            f"{result['target']:<12}{result['executions']:>14,}{result['rate']:>14,}"
            f"{result['new']:>12}{len(result['inputs']) or int(result['failed']):>7}")
    total = sum(result["executions"] for result in results)
    failed = [result for result in results if result["failed"]]
    print(f"{'in all':<12}{total:>14,}")
    for result in failed:
        reasons = re.findall(r"Broken property: .*|Fatal error: .*|ERROR: .*", result["text"])
        print(f"\nfound by {result['target']}: {reasons[0] if reasons else 'it ended early'}")
        for path in result["inputs"]:
            print(f"  scripts/fuzz replay {result['target']} {path.relative_to(ROOT)}")
        if not result["inputs"]:
            print(f"  see {(BUILD / (result['target'] + '.log')).relative_to(ROOT)}")
    return 1 if failed else 0


def fuzz(minutes, names):
    all_targets = targets()
    wanted = names or list(all_targets)
    for name in wanted:
        if name not in all_targets:
            sys.exit(f"fuzz: there is no target {name}; there are {', '.join(all_targets)}")
    rounds = -(-len(wanted) // AT_ONCE)
    seconds = max(int(minutes * 60 / rounds), 1)
    print(f"fuzz: {len(wanted)} targets, {seconds} s each, {AT_ONCE} at a time", flush=True)
    waiting, running, results = list(wanted), [], []
    try:
        while waiting or running:
            while waiting and len(running) < AT_ONCE:
                name = waiting.pop(0)
                running.append(Run(name, all_targets[name], seconds))
            for run in [run for run in running if run.is_over()]:
                running.remove(run)
                results.append(run.result())
                last = results[-1]
                print(
                    f"fuzz: {last['target']}: {last['executions']:,} executions"
                    + (", something was found" if last["failed"] else ""), flush=True)
            time.sleep(0.2)
    finally:
        for run in running:
            run.stop()
    results.sort(key=lambda result: wanted.index(result["target"]))
    return tell(results)


def replay(target, path):
    """One input, outside of libFuzzer's loop, with its trace."""
    return start(target, [*LIMITS, str(pathlib.Path(path).resolve())], None).wait()


def corpus(names):
    """The fewest inputs that do all that is known to be possible, within the limits."""
    for target in names or targets():
        kept = KEPT / "Corpus" / target
        with tempfile.TemporaryDirectory() as scratch:
            seeds, fewest = pathlib.Path(scratch, "seeds"), pathlib.Path(scratch, "fewest")
            fewest.mkdir()
            subprocess.run([sys.executable, str(KEPT / "seeds.py"), str(seeds)], check=True)
            folders = [seeds / target, kept, LEARNT / target]
            result = start(
                target, ["-set_cover_merge=1", *LIMITS, str(fewest),
                         *(str(folder) for folder in folders if folder.is_dir())],
                subprocess.DEVNULL).wait()
            if result != 0:
                return result
            shutil.rmtree(kept, ignore_errors=True)
            kept.mkdir(parents=True)
            size = 0
            # Names are hashes: a cut in their order is a fair choice. Seeds come first.
            first = {path.name for path in (seeds / target).iterdir()}
            for path in sorted(fewest.iterdir(), key=lambda path: (path.name not in first, path)):
                size += path.stat().st_size
                if size > KEPT_BYTES or count(kept) >= KEPT_FILES:
                    break
                shutil.copy(path, kept / path.name)
        print(f"fuzz: {target}: {count(kept)} inputs kept", flush=True)
    return 0


def main(words):
    # An end by `kill` is one by Ctrl-C.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        if words[:1] == ["replay"] and len(words) == 3:
            return replay(words[1], words[2])
        if words[:1] == ["corpus"]:
            return corpus(words[1:])
        try:
            minutes = float(words[0]) if words else 4.0
        except ValueError:
            sys.exit(f"fuzz: {words[0]} is no number of minutes")
        return fuzz(minutes, words[1:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
