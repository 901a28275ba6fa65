# SPDX-License-Identifier: Apache-2.0
"""The second reader with its text changed: what a wrong reading of docs/protocol.md comes to."""

import os
import sys
import types
from functools import lru_cache

import second_reader

HERE = os.path.dirname(os.path.abspath(__file__))
READER, FOLD = "second_reader", "second_fold"
#: What is between two classes or functions.
BETWEEN = "\n\n\n"
#: What gives the same for the same bytes, whatever comes later in the reader.
READ_ONCE = ("decode", "Contract", "Entry")


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
        modules[READER] = made(READER, sources[READER], before[READER])
    sys.modules[READER] = modules[READER]
    try:
        modules[FOLD] = made(FOLD, sources[FOLD])
    finally:
        sys.modules[READER] = second_reader
    return modules[READER], modules[FOLD]


def made(name, text, before=""):
    """The module of a text; what stands before the first change is that of the text `before`."""
    module = types.ModuleType(name)
    parts, old = text.split(BETWEEN), before.split(BETWEEN)
    same = len(os.path.commonprefix([parts, old]))
    if same:
        module.__dict__.update(stages(name, before)[same])
    for part in parts[same:]:
        exec(compiled(name, part), module.__dict__)
    return module


@lru_cache(maxsize=1)
def stages(name, text):
    """The names that there are after so many parts of a text. One thing is read only once."""
    names, found = {"__name__": name}, [{}]
    for part in text.split(BETWEEN):
        exec(compiled(name, part), names)
        for one in READ_ONCE:
            if isinstance(names.get(one), (types.FunctionType, type)):
                names[one] = lru_cache(maxsize=None)(names[one])
        found.append(dict(names))
    return found


@lru_cache(maxsize=512)
def compiled(name, part):
    return compile(part, f"{name}.py, changed", "exec")
