# SPDX-License-Identifier: Apache-2.0
"""The best plan for one family as a mixed-integer program, which HiGHS solves.

Written from docs/matching.md, not from the matcher. Who takes a seat of whom is laid out in
layers: the first layer are those whose seat the family enters, the second those whose seat these
take, and so on; the last one takes a seat that the family leaves. So no chain is longer than three,
and nobody moves without need.
"""

import itertools

import highspy

PARTIES, LEGS, LONGEST = 8, 16, 3
#: One more person together, or a better shape, is worth more than everybody helped.
SHAPE = 100


class Cabin:
    """One line of `matching plans`."""

    def __init__(self, line):
        self.seed, self.found, self.is_whole = line["seed"], line["found"], line["whole"]
        self.row, self.index, self.across, self.block = (
            [seat[part] for seat in line["seats"]] for part in range(4))
        self.own = [i for i, seat in enumerate(line["seats"]) if seat[4]]
        self.free = [seat[5] for seat in line["seats"]]
        self.exit = [seat[6] for seat in line["seats"]]
        self.wants = [{to: gain for to, gain in seat[7]} for seat in line["seats"]]
        self.size = len(self.own)

    def touches(self, one, other):
        return (self.row[one] == self.row[other] and self.block[one] == self.block[other]
                and abs(self.index[one] - self.index[other]) == 1)

    def near(self, one, other):
        if self.row[one] == self.row[other]:
            return abs(self.index[one] - self.index[other]) == 1
        return (abs(self.row[one] - self.row[other]) == 1
                and abs(self.across[one] - self.across[other]) <= 1)

    def shape(self, seats):
        """How many sit together in `seats`, and how: 4 for a block, 0 for apart."""
        paired = sum(any(self.touches(one, other) for other in seats) for one in seats)
        reached, left = {seats[0]}, set(seats[1:])
        while True:
            more = {seat for seat in left if any(self.near(seat, other) for other in reached)}
            if not more:
                break
            reached |= more
            left -= more
        rows = {self.row[seat] for seat in seats}
        if left or max(rows) - min(rows) > 1:
            return paired, 0
        if len(rows) == 1:
            return len(seats), 4 if len({self.block[seat] for seat in seats}) == 1 else 3
        return len(seats), 2 if paired == len(seats) else 1

    def targets(self):
        """All sets of seats that the family may try, with their shapes."""
        can = [seat for seat in range(len(self.row))
               if seat in self.own or self.free[seat] and not self.exit[seat]]
        sets = set()
        by_row = {}
        for seat in can:
            by_row.setdefault(self.row[seat], []).append(seat)
        for row in by_row:
            both = sorted(by_row[row] + by_row.get(row + 1, []))
            for seats in itertools.combinations(both, self.size):
                if self.shape(list(seats))[1]:
                    sets.add(seats)
        pairs = [(a, b) for a, b in itertools.combinations(can, 2) if self.touches(a, b)]
        groups = [(pair,) for pair in pairs]
        if self.size >= 4:
            groups += itertools.combinations(pairs, 2)
        for group in groups:
            base = set().union(*group)
            rest = [seat for seat in self.own if seat not in base]
            if len(base) > self.size:
                continue
            for more in itertools.combinations(rest, self.size - len(base)):
                sets.add(tuple(sorted(base | set(more))))
        # Three in a block and one of the others in a seat of the family.
        for one, two in itertools.combinations(pairs, 2):
            base = set(one) | set(two)
            if len(base) == 3 and self.size == 4:
                for seat in self.own:
                    if seat not in base:
                        sets.add(tuple(sorted(base | {seat})))
        now = self.shape(self.own)
        return {seats: shape for seats in sets if (shape := self.shape(list(seats))) > now}


def solve(cabin, seconds=20):
    """The best shape, and of plans with it the most people helped; whether that is proven."""
    targets = cabin.targets()
    if not targets:
        return (0, 0, 0), True
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("time_limit", float(seconds))
    model.setOptionValue("mip_rel_gap", 0.0)
    model.setOptionValue("mip_abs_gap", 0.5)
    chosen = {seats: model.addBinary() for seats in targets}
    total = model.qsum
    model.addConstr(total(chosen.values()) <= 1)
    own, people = set(cabin.own), range(len(cabin.row))
    taken = {seat: [] for seat in people}
    for seats, variable in chosen.items():
        for seat in seats:
            taken[seat].append(variable)
    moves = {}
    for person in people:
        for to, gain in cabin.wants[person].items():
            for layer in range(LONGEST if to in own else LONGEST - 1):
                moves[layer, person, to] = (model.addBinary(), gain)
    leaving, coming = {}, {}
    for (layer, person, to), (variable, _) in moves.items():
        leaving.setdefault((layer, person), []).append(variable)
        coming.setdefault((layer, to), []).append(variable)
    for person in people:
        if person in own:
            # A seat that the family leaves is taken by one, others by none.
            into = [v for k in range(LONGEST) for v in coming.get((k, person), [])]
            model.addConstr(total(into) + total(taken[person]) - total(chosen.values()) == 0)
            continue
        model.addConstr(total(leaving.get((0, person), [])) - total(taken[person]) == 0)
        for layer in range(1, LONGEST):
            model.addConstr(total(leaving.get((layer, person), []))
                            - total(coming.get((layer - 1, person), [])) == 0)
        everything = [v for layer in range(LONGEST) for v in leaving.get((layer, person), [])]
        model.addConstr(total(everything) <= 1)
    movers = total(variable for variable, _ in moves.values())
    model.addConstr(movers <= PARTIES - 1)
    entering = total(variable * sum(seat not in own for seat in seats)
                     for seats, variable in chosen.items())
    model.addConstr(movers + entering <= LEGS)
    worth = total(variable * (SHAPE * (8 * targets[seats][0] + targets[seats][1]))
                  for seats, variable in chosen.items())
    helped = total(variable for variable, gain in moves.values() if gain > 0)
    model.maximize(worth + helped)
    proven = model.getModelStatus() == highspy.HighsModelStatus.kOptimal
    values = model.getSolution().col_value
    best = next((seats for seats, variable in chosen.items() if values[variable.index] > 0.5), None)
    if best is None:
        return (0, 0, 0), proven
    count = sum(values[variable.index] > 0.5 for variable, gain in moves.values() if gain > 0)
    return (*targets[best], count), proven
