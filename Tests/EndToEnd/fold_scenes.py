# SPDX-License-Identifier: Apache-2.0
"""The bundles of docs/vectors that are made here, and how such a file is written."""

import json
import os

import scenes_fold
import scenes_records
from second_fold import Fold
from second_reader import read_bundle

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "vectors")


def scenes():
    """Name and story of each, and its items."""
    for module in (scenes_records, scenes_fold):
        for name, make in vars(module).items():
            if getattr(make, "__module__", "") == module.__name__ and name not in (
                    "Liar", "Deal", "logs", "spoiled", "crowd"):
                yield name.replace("_", " "), make.__doc__, list(make())


def vector(name, story, items):
    logs, refused = read_bundle(b"".join(items))
    return {"name": name, "story": story, "items": [item.hex() for item in items],
            "expected": Fold(logs).report(refused)}


def pretty(value, indent=0):
    """Two spaces an indent, keys sorted, short arrays on one line."""
    line = json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    short = isinstance(value, list) and len(line) + 2 * indent <= 100
    if short or not value or not isinstance(value, (list, dict)):
        return line
    inner, outer = "  " * (indent + 1), "  " * indent
    if isinstance(value, list):
        lines = [inner + pretty(one, indent + 1) for one in value]
        return "[\n" + ",\n".join(lines) + "\n" + outer + "]"
    lines = [f"{inner}{json.dumps(key)}: {pretty(value[key], indent + 1)}" for key in sorted(value)]
    return "{\n" + ",\n".join(lines) + "\n" + outer + "}"


def files():
    """Path and text of each file."""
    for name, story, items in scenes():
        path = os.path.join(FOLDER, f"bundle-rule-{name.replace(' ', '-')}.json")
        yield path, pretty(vector(name, story, items)) + "\n"


def write():
    for path, text in files():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    write()
