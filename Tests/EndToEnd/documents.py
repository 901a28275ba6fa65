# SPDX-License-Identifier: Apache-2.0
"""What the documents tell people to type, and where they lead."""

import os
import re

from agent import ROOT

#: What a passenger reads.
GUIDE = ["README.md"] + sorted(
    f"docs/guide/{name}" for name in os.listdir(f"{ROOT}/docs/guide") if name.endswith(".md"))


def every():
    """All Markdown files, as paths from the root."""
    found = [name for name in os.listdir(ROOT) if name.endswith(".md")]
    for folder in ("docs", "examples"):
        for path, folders, names in os.walk(f"{ROOT}/{folder}"):
            folders[:] = [name for name in folders if name != ".build"]
            found += [os.path.relpath(f"{path}/{name}", ROOT) for name in names
                      if name.endswith(".md")]
    return sorted(found)


def text(path):
    with open(f"{ROOT}/{path}", encoding="utf-8") as file:
        return file.read()


def blocks(path, kind):
    """Heading -> lines of the fenced block of that kind below it; one for each heading."""
    found, heading, inside = {}, "", None
    for line in text(path).splitlines():
        if inside is not None:
            if line == "```":
                inside = None
            elif inside == kind:
                found[heading].append(line)
        elif line.startswith("```"):
            inside = line[3:]
            if inside == kind:
                if heading in found:
                    raise AssertionError(f"{path}: two blocks of {kind} below {heading}")
                found[heading] = []
        elif line.startswith("#"):
            heading = line.lstrip("#").strip()
    return found


def typed(path, heading):
    """The command lines of a block, without the words behind them."""
    lines = [re.split(r" +# ", line)[0].strip() for line in blocks(path, "sh")[heading]]
    return [line for line in lines if line]


def dialogues(path):
    """What the blocks of a console show, in the order of the text: for each block a list of what
    is typed behind `$`, each with the lines that are said then."""
    found, inside = [], False
    for line in text(path).splitlines():
        if line.startswith("```"):
            inside = line == "```console"
            if inside:
                found.append([])
        elif inside and line.startswith("$ "):
            found[-1].append((line[2:], []))
        elif inside:
            found[-1][-1][1].append(line)
    return found


def without_code(path):
    """The text without what stands in fences and between backticks."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"(?ms)^```.*?^```$", "", text(path)))


def anchors(path):
    """What a link can name behind the #, as GitHub makes it of the headings."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", text(path))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            for title in re.findall(r"(?m)^#+ (.*)$", prose)}


def commands(path):
    """Command lines of the program that stand between backticks, in the order of the text."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", text(path))
    return [line for line in re.findall(r"`([^`]+)`", " ".join(prose.split()))
            if line.startswith("seatagent ")]
