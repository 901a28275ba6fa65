# SPDX-License-Identifier: Apache-2.0
"""Row 12: what a passenger-hour costs as the cabin grows, against an estimate."""

from figures import Ratio

WHAT = "growth, bytes of a passenger-hour"
GOAL = 2

#: Of the estimate: entries of each passenger in an hour, bytes of one delivered, of a HAVE, of a
#: packet that keeps a link alive, of a handshake, and the mean number of links in a large cabin.
ENTRIES, DELIVERED, HAVE, PING, HANDSHAKE, DEGREE = 12, 460, 24, 147, 3000, 8
#: Up to so many everyone is linked with everyone.
FULL = 25
#: Passengers, and simulated seconds.
CABINS = ((2, 14400), (24, 3600), (192, 900), (850, 300))


def measure(bench):
    crowd = bench.swift("crowd")
    ratios = []
    for count, span in CABINS:
        found = bench.run([crowd, "growth", str(count), str(span // (3 if bench.quick else 1))],
                          timeout=400)
        value = {name: samples.median for name, samples in found.items()}
        # Each byte that comes in went out at somebody else: what comes in, averaged over the cabin,
        # is a passenger's share of the traffic. Of a handshake each side has half.
        share = value["in"] + value["handshakes"] / 2
        kinds = sorted(((size, name[5:]) for name, size in value.items()
                        if name.startswith("kind-")), reverse=True)
        ratios.append(Ratio(
            f"{count} passengers", share / table(count), GOAL,
            details=[f"{share / 1e6:.3f} MB in an hour, by the table {table(count) / 1e6:.3f}; "
                     "of it " + ", ".join(f"{name} {size / 1e6:.3f}" for size, name in kinds[:4]),
                     f"{value['processor']:.0f} ms of processor in an hour, "
                     f"{value['processor'] / (count * ENTRIES):.3f} for each record; "
                     f"{value['links']:.0f} links"]))
    return ratios


def table(count):
    """Bytes of a passenger-hour as the estimate reckons them, where its columns end too."""
    degree = count - 1 if count <= FULL else DEGREE
    copies = 0 if count <= FULL else count * degree - 2 * (count - 1)
    return (ENTRIES * (count - 1) * DELIVERED + ENTRIES * copies * HAVE
            + degree / 30 * PING * 3600 + degree / 2 * HANDSHAKE)
