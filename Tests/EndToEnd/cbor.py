# SPDX-License-Identifier: Apache-2.0
"""Just enough CBOR to write what the protocol says, and to read what an agent answers."""


def encode(value):
    """Deterministic: shortest heads; keys of a map in the order given."""
    if value is None:
        return b"\xf6"
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(encode, value))
    if isinstance(value, dict):
        return head(5, len(value)) + b"".join(encode(k) + encode(v) for k, v in value.items())
    raise TypeError(type(value))


def head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    for extra, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 1 << 8 * size:
            return bytes([major << 5 | extra]) + number.to_bytes(size, "big")
    raise OverflowError(number)


def decode(data):
    value, rest = _decode(data)
    if rest:
        raise ValueError("bytes after the end")
    return value


def decode_sequence(data):
    """The items of an RFC 8742 sequence, one after the other."""
    while data:
        value, data = _decode(data)
        yield value


def _decode(data):
    major, info = data[0] >> 5, data[0] & 31
    data = data[1:]
    if major == 7:
        return {20: False, 21: True, 22: None}[info], data
    number = info
    if info >= 24:
        size = 1 << (info - 24)
        number, data = int.from_bytes(data[:size], "big"), data[size:]
    if major == 0:
        return number, data
    if major == 1:
        return -1 - number, data
    if major in (2, 3):
        text, data = data[:number], data[number:]
        return (text if major == 2 else text.decode()), data
    items = []
    for _ in range(number * (1 if major == 4 else 2)):
        item, data = _decode(data)
        items.append(item)
    return (items if major == 4 else dict(zip(items[::2], items[1::2]))), data
