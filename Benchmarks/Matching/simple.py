# SPDX-License-Identifier: Apache-2.0
"""Simpler ways to seat a family, in which nobody is worse off, to compare the matcher with.

Each takes a `best.Cabin` and says how many sit together and how, and how many others are helped.
"""

import itertools

import best


def helpers(cabin):
    """Whoever sits where the family would like to be takes what the family leaves, if that is as
    good for them; the best shape for which it is."""
    shapes = {}
    for seats, shape in cabin.targets().items():
        shapes.setdefault(shape, []).append(seats)
    for shape in sorted(shapes, reverse=True):
        found = [count for seats in shapes[shape]
                 if (count := takes(cabin, seats)) is not None]
        if found:
            return (*shape, max(found))
    return (0, 0, 0)


def takes(cabin, seats):
    """The most people helped when each who sits in `seats` takes one that the family leaves; `None`
    if somebody would be worse off."""
    entered = [seat for seat in seats if seat not in cabin.own]
    left = [seat for seat in cabin.own if seat not in seats]
    if len(entered) >= best.PARTIES:
        return None
    counts = [sum(cabin.wants[one][to] > 0 for one, to in zip(entered, order))
              for order in itertools.permutations(left)
              if all(to in cabin.wants[one] for one, to in zip(entered, order))]
    return max(counts, default=None)


def greedy_pairs(cabin):
    """One of the family and one other change seats, again and again, each time what seats the
    family best, until nothing does."""
    seats, moved, helped = list(cabin.own), set(), 0
    shape = start = cabin.shape(seats)
    while len(moved) < best.PARTIES - 1:
        choices = []
        for index, seat in enumerate(seats):
            for other in range(len(cabin.row)):
                gain = cabin.wants[other].get(seat)
                if (gain is None or other in moved or other in cabin.own or other in seats
                        or not cabin.free[other] or cabin.exit[other]):
                    continue
                after = cabin.shape([*seats[:index], other, *seats[index + 1:]])
                if after > shape:
                    choices.append((after, gain > 0, -other, -index))
        if not choices:
            break
        shape, gain, other, index = max(choices)
        seats[-index] = -other
        moved.add(-other)
        helped += gain
    return (*shape, helped) if shape > start else (0, 0, 0)
