# SPDX-License-Identifier: Apache-2.0
"""Frames and messages (docs/protocol.md section 5, docs/protocol.cddl), for the second reader."""

from functools import partial

import second_asks
import second_statements
from second_reader import Bad, array, ascending, blob, decode, need, number, text


def entries(value, low, high):
    return [blob(item, 1, 16384) for item in array(value, low, high)]


def log_head(longest, value):
    author, seq, identifier = array(value, 3)
    blob(author, 32), number(seq, 0, longest), blob(identifier, 32)
    return author


def hello(value):
    need(type(value) is dict and list(value) == list(range(8)))
    low, high = array(value[0], 2)
    number(low, 0, 255), number(high, low, 255), number(value[1], 0, 255), blob(value[2], 8)
    number(value[3], 0, 2**63 - 1), number(value[4], 4096, 2**30), number(value[5], 0, 65535)
    [blob(proof, 16) for proof in array(value[6], 1, 4)]
    number(value[7], 0, 2**63 - 1)


def frontier(longest, value):
    logs, digest, rows, partial = array(value, 4)
    number(partial, 0, 0 if rows is None else 1)
    blob(logs, 32), blob(digest, 32)
    if rows is not None:
        ascending([blob(row, 44)[:32] for row in array(rows, 0, 1024)])
        for row in rows:
            number(int.from_bytes(row[32:34], "big"), 0, longest)
            number(int.from_bytes(row[42:], "big"), 0, longest)


def want(longest, value):
    budget, stretches = array(value, 2)
    number(budget, 1, 262144)
    for author, first, last in (array(one, 3) for one in array(stretches, 1, 64)):
        blob(author, 32), number(first, 1, longest), number(last, first, longest)


def have(longest, value):
    for author, seq in (array(one, 2) for one in array(value, 1, 64)):
        blob(author, 32), number(seq, 1, longest)


def hints(least, value):
    for key, host, port, linked in (array(one, 4) for one in array(value, least, 64)):
        blob(key, 32), text(host, 0, 45), number(port, 0, 65535), number(linked, 0, 1)


def prepare(longest, value):
    thread, contract, heads = array(value, 3)
    blob(thread, 16), blob(contract, 1, 4096)
    ascending([log_head(longest, one) for one in array(heads, 2, 8)])


def layouts(value):
    digest, marks = array(value, 2)
    blob(digest, 32)
    if marks is not None:
        ascending([blob(mark, 68)[:32] for mark in array(marks, 0, 64)])
        for mark in marks:
            number(int.from_bytes(mark[32:36], "big"), 1, 2**32 - 1)


def fields(*checks):
    def check(value):
        for one, rule in zip(array(value, len(checks)), checks):
            rule(one)
    return check


def sized(low, high=None):
    return lambda value: blob(value, low, high)


def upto(low, high):
    return lambda value: number(value, low, high)


def listed(low, high):
    return lambda value: entries(value, low, high)


def words(high):
    return lambda value: text(value, 0, high)


THREAD, CONTRACT, U63 = sized(16), sized(1, 4096), upto(0, 2**63 - 1)
CIRCUIT = upto(0, 2**31)


def payloads(longest):
    """What each message says, where a log has at most so many entries."""
    head = partial(log_head, longest)
    return {
        0: hello, 2: fields(upto(0, 255), upto(0, 3)), 4: partial(frontier, longest),
        6: partial(want, longest), 8: fields(upto(0, 2), listed(0, 64)), 9: fields(),
        10: fields(sized(1, 16384), sized(1, 16384)),
        11: partial(have, longest), 13: partial(hints, 1),
        14: fields(U63), 15: fields(U63),
        16: fields(THREAD, upto(0, 255), sized(32)),
        17: fields(THREAD, upto(0, 4)), 18: fields(THREAD, sized(32)),
        20: fields(THREAD, sized(32)), 22: fields(THREAD, sized(32)),
        24: fields(THREAD, upto(1, 64), CONTRACT, words(200), upto(1, 86400)),
        26: fields(THREAD, sized(32), head), 28: fields(THREAD, upto(1, 64), words(200)),
        30: fields(THREAD, upto(0, 3)), 32: partial(prepare, longest), 34: fields(listed(1, 32)),
        36: fields(CONTRACT, listed(2, 8), listed(0, 16)), 38: fields(sized(32)),
        40: fields(sized(32), listed(0, 16)), 42: fields(THREAD, words(2048)), 44: fields(THREAD),
        46: fields(upto(0, 65535), words(128)),
        48: fields(THREAD, CONTRACT, words(200), upto(1, 86400), head),
        49: fields(CIRCUIT, sized(32), upto(0, 1)), 51: fields(CIRCUIT),
        53: fields(CIRCUIT, sized(1, 16384)), 55: fields(CIRCUIT, upto(1, 65536)),
        57: fields(CIRCUIT, upto(0, 4)),
        61: fields(sized(32), upto(1, 2**32 - 1), sized(64), sized(0, 4096)), 63: layouts,
        79: fields(sized(32), sized(32), sized(512)), 81: partial(hints, 0),
    }


FLIGHT = payloads(4096)
VENUE = payloads(32768) | second_statements.PAYLOADS | second_asks.PAYLOADS


def payload(wire, known=FLIGHT):
    """The value in a whole frame. Throws Bad."""
    length = int.from_bytes(wire[:4], "big")
    need(length == len(wire) - 4)
    value = decode(wire[5:])
    known[wire[4]](value)
    return value


def fault(wire, known=FLIGHT):
    """The code with which an open session ends on this frame; None when it stays."""
    if not 1 <= int.from_bytes(wire[:4], "big") <= 65536:
        return 4
    kind = wire[4]
    if kind not in known:
        return None if kind % 2 else 6
    try:
        payload(wire, known)
    except Bad:
        return 5
    return 7 if kind in (0, 2) else None


def diagnostic(value):
    """Diagnostic notation (RFC 8949 section 8)."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, bytes):
        return f"h'{value.hex()}'"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {diagnostic(v)}" for k, v in value.items()) + "}"
    return "[" + ", ".join(map(diagnostic, value)) + "]"
