# SPDX-License-Identifier: Apache-2.0
"""Wrong ways to read docs/protocol.md section 31 where it speaks of files.

A reading is a name, and pairs of a text of second_venues.py and what stands in its place.
"""

WRONG = [
    ("key: bits left over", "== text, \"bits of the key\"", "is not None"),
    ("key: shorter ones", "{52}", "{50,52}"),
    ("file: a member twice", "len({name for name, _ in pairs}) == len(pairs)", "True"),
    ("file: other members too", "set(found) == {", "set(found) >= {"),
    ("line: in the order of the file", "sort_keys=True", "sort_keys=False"),
    ("line: ASCII only", "ensure_ascii=False", "ensure_ascii=True"),
    ("line: with blanks", '(",", ":")', '(", ", ": ")'),
    ("signature: of something else", "seatswap/1 venue", "seatswap/1 charter"),
    ("signature: without the key", "runs_it, revision, words])", "revision, words])"),
    ("signature: without the revision", "runs_it, revision, words])", "runs_it, words])"),
    ("signature: of the line alone",
     'return encode(["seatswap/1 venue", runs_it, revision, words])', "return words"),
    ("signature: without padding", '/]{86}==", found["signature"])',
     '/]{86}(==)?", found["signature"])'),
    ("revision: 0", '"revision"], 1, 65535)', '"revision"], 0, 65535)'),
    ("revision: 65536", '"revision"], 1, 65535)', '"revision"], 1, 65536)'),
    ("revision: of one byte", '"revision"], 1, 65535)', '"revision"], 1, 255)'),
    ("revision: any number", 'number(found["revision"], 1, 65535)', 'int(found["revision"])'),
    ("link: with a version", r"venue\?n=", r"venue\?(?:v=[0-9]+&)?n="),
    ("link: any kind", "(day|week|month|quarter|year)", "([a-z]+)"),
    ("link: no quarters", "|quarter|", "|"),
    ("link: a hyphen first", 'SLUG = r"[a-z0-9][a-z0-9-]*', 'SLUG = r"[a-z0-9-]+'),
    ("link: a hyphen first in the branch", "(?:/[a-z0-9][a-z0-9-]*)?", "(?:/[a-z0-9-]+)?"),
    ("link: branches of branches", "[a-z0-9-]*)?\"", "[a-z0-9-]*)*\""),
    ("link: no branches", "(?:/[a-z0-9][a-z0-9-]*)?", ""),
    ("link: of any length", " and len(found[1]) <= 24", ""),
]
