# SPDX-License-Identifier: Apache-2.0
"""Texts kept in goldens/ that the program's own words and screens are compared with.

    goldens.check(case, "errors/no-agent", text)

`GOLDENS=write python3 -B Tests/EndToEnd/run.py -k errors` writes them anew; read the difference
before you keep it.
"""

import difflib
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "goldens")


def check(case, name, text):
    """Fails with a line by line difference; a golden that is not there fails too."""
    path = os.path.join(FOLDER, f"{name}.txt")
    text = text.rstrip("\n") + "\n"
    if os.environ.get("GOLDENS") == "write":
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return
    try:
        with open(path, encoding="utf-8") as file:
            wanted = file.read()
    except FileNotFoundError:
        wanted = ""
    if wanted != text:
        difference = difflib.unified_diff(
            wanted.splitlines(), text.splitlines(), f"goldens/{name}.txt", "seen", lineterm="")
        case.fail("\n".join(difference))
