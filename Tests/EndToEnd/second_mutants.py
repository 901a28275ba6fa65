"""The second reader with its text changed: what a wrong reading of docs/protocol.md comes to."""

import os
import sys
import types
from functools import lru_cache

import second_reader

HERE = os.path.dirname(os.path.abspath(__file__))
READER, FOLD = "second_reader", "second_fold"


def texts():
    found = {}
    for name in (READER, FOLD):
        with open(os.path.join(HERE, f"{name}.py"), encoding="utf-8") as file:
            found[name] = file.read()
    return found


def broken(sources, changes):
    """The texts with each change made: pairs of what stands once in them all, and what instead."""
    sources = dict(sources)
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        places = [name for name, text in sources.items() for _ in range(text.count(old))]
        if len(places) != 1 or old == new:
            raise ValueError(f"stands {len(places)} times in {places}: {old!r}")
        sources[places[0]] = sources[places[0]].replace(old, new)
    return sources


def load(sources, before):
    """Modules of these texts; one whose text is as `before` is the one that is there already."""
    modules = {READER: second_reader}
    if sources[READER] != before[READER]:
        modules[READER] = made(READER, sources[READER])
    sys.modules[READER] = modules[READER]
    try:
        modules[FOLD] = made(FOLD, sources[FOLD])
    finally:
        sys.modules[READER] = second_reader
    return modules[READER], modules[FOLD]


def made(name, text):
    module = types.ModuleType(name)
    exec(compiled(name, text), module.__dict__)
    return module


@lru_cache(maxsize=8)
def compiled(name, text):
    return compile(text, f"{name}.py, changed", "exec")
