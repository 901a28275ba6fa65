# SPDX-License-Identifier: Apache-2.0
"""Words of a screen that differ from run to run, replaced by others of the same width."""

import re

#: In this order; a mask has the width of what it covers, so that columns stay.
RULES = (
    (r"#[a-z2-7]{4}(?:-[a-z2-7]{4})*", lambda word: "#" + "t" * (len(word) - 1)),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", lambda word: "2000-01-01T00:00:00Z"),
    (r"\b\d\d:\d\d:\d\d\b", lambda word: "hh:mm:ss"),
    (r"\b\d\d:\d\d\b", lambda word: "hh:mm"),
    (r"\b\d{1,2}:\d\d left", lambda word: re.sub(r"\d", "m", word)),
    (r"(?<=:)\d{4,5}\b", lambda word: "p" * len(word)),
    (r"\b\d{4} - \d{4} - \d{4}\b", lambda word: re.sub(r"\d", "n", word)),
)


def masked(text):
    for pattern, mask in RULES:
        text = re.sub(pattern, lambda match, mask=mask: mask(match[0]), text)
    return text
