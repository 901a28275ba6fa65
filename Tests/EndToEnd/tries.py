# SPDX-License-Identifier: Apache-2.0
"""The lines that the program can tell people to type, as they stand in its sources, and which of
them a set of typed lines has."""

import os
import re

from agent import ROOT

SOURCES = os.path.join(ROOT, "Sources")
#: What is another each day, and what stands in its place.
ALIKE = [
    (r"\b[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{5}\b", "tag"),
    (r"#[a-z2-7]{4}\b", "#tag"),
    (r"\b\d{4}-\d\d-\d\d\b", "yyyy-mm-dd"),
    (r"\b\d{1,2} (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)( \d\d:\d\d)?\b", "day"),
    (r"/run/[\w/.-]+/", "FOLDER/"),
]
WORD = r"""(?:'[^']*'|"[^"]*"|\S+)"""
#: Sentences that begin with the program's name.
SENTENCES = re.compile(r"seatagent (and|finds|words)\b|.*\b(deletes those|shows who sits|"
                       r"another window|ends that|says which one)|.*[.,:]( |$)|.*, there\.|"
                       r"seatagent \\\(command\.name\): |.* (does not run|up --)$")


def alike(text):
    """`text` with one word for all days, tags and folders."""
    for pattern, word in ALIKE:
        text = re.sub(pattern, word, text)
    return text


def literals(text):
    """All string literals of a Swift file, without comments; holes stand as `\\(...)`."""
    at = 0
    while at < len(text):
        if text.startswith("//", at):
            at = text.find("\n", at)
            if at < 0:
                return
        elif text.startswith('"""', at):
            at = text.index('"""', at + 3) + 3
        elif text[at] == '"':
            end = _end(text, at + 1)
            yield text[at + 1:end]
            at = end + 1
        else:
            at += 1


def _end(text, at):
    """Where the literal ends that goes on at `at`."""
    while text[at] != '"':
        if text.startswith("\\(", at):
            at = _closed(text, at + 2)
        else:
            at += 2 if text[at] == "\\" else 1
    return at


def _closed(text, at):
    """Behind the parenthesis that closes a hole."""
    depth = 1
    while depth:
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
    return at


def pattern(literal):
    """What fits the literal: a hole is one word, and at its end any number of them."""
    out, at = "", 0
    while at < len(literal):
        if literal.startswith("\\(", at):
            at = _closed(literal, at + 2)
            out += WORD if at < len(literal) else ".+"
        else:
            at += literal[at] == "\\"
            out += re.escape(literal[at])
            at += 1
    # Another literal goes on where this one ends with a blank.
    return re.compile(out + (".*" if literal.endswith(" ") else ""))


def told():
    """Every line of the sources: its literal, and the first file that has it. Examples of the help
    are not among them: they are no answer to a mistake."""
    found = {}
    for folder, _, names in sorted(os.walk(SOURCES)):
        for name in sorted(names):
            if not name.endswith(".swift") or name.startswith("CommandTable"):
                continue
            with open(f"{folder}/{name}", encoding="utf-8") as file:
                for literal in literals(file.read()):
                    literal = alike(literal)
                    if literal.startswith("seatagent ") and not SENTENCES.match(literal):
                        found.setdefault(literal, os.path.relpath(f"{folder}/{name}", SOURCES))
    return found


def untyped(typed):
    """Those of `told` that no typed line has."""
    return {literal: path for literal, path in told().items()
            if not any(map(pattern(literal).fullmatch, typed))}
