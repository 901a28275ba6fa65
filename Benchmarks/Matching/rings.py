# SPDX-License-Identifier: Apache-2.0
"""Rings of people with wishes: the best set that HiGHS finds, how many the assignment could help at
most, and two simpler ways to make rings.

Written from docs/matching.md, not from the matcher. Nobody is worse off in any of them.
"""

import highspy

LONGEST = 4
#: Of more cycles the best set is not looked for.
CYCLES = 60_000


def solver(seconds):
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("time_limit", float(seconds))
    model.setOptionValue("mip_rel_gap", 0.0)
    model.setOptionValue("mip_abs_gap", 0.5)
    return model


def helped(model, worth):
    """The most people helped, `None` where that is not proven."""
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    values = model.getSolution().col_value
    return round(sum(gain * values[variable.index] for variable, gain in worth))


class Wishes:
    """One line of `matching rings`."""

    def __init__(self, line):
        self.seed, self.found, self.is_best = line["seed"], line["found"], line["best"]
        self.wants = [dict(wants) for wants in line["wants"]]
        self.people = range(len(self.wants))

    def cycles(self):
        """All cycles that help somebody, each from its smallest member on; `None` for too many."""
        found = []

        def walk(path, gain):
            for to, more in self.wants[path[-1]].items():
                if to == path[0] and len(path) > 1:
                    if gain + (more > 0):
                        found.append((tuple(path), gain + (more > 0)))
                elif to > path[0] and len(path) < LONGEST and to not in path:
                    walk([*path, to], gain + (more > 0))
                if len(found) > CYCLES:
                    return

        for start in self.people:
            walk([start], 0)
            if len(found) > CYCLES:
                return None
        return found

    def best(self, seconds=20):
        """The most people that disjoint cycles of at most four help; `None` if not proven."""
        cycles = self.cycles()
        if cycles is None:
            return None
        if not cycles:
            return 0
        model, of = solver(seconds), {}
        worth = []
        for path, gain in cycles:
            variable = model.addBinary()
            worth.append((variable, gain))
            for person in path:
                of.setdefault(person, []).append(variable)
        for variables in of.values():
            model.addConstr(model.qsum(variables) <= 1)
        model.maximize(model.qsum(variable * gain for variable, gain in worth))
        return helped(model, worth)

    def bound(self):
        """How many an assignment of seats could help, in cycles of any length."""
        model, into, out, worth = solver(60), {}, {}, []
        for person in self.people:
            for to, gain in self.wants[person].items():
                variable = model.addVariable(0, 1)
                worth.append((variable, int(gain > 0)))
                out.setdefault(person, []).append(variable)
                into.setdefault(to, []).append(variable)
        if not worth:
            return 0
        for person in self.people:
            leaving, coming = out.get(person, []), into.get(person, [])
            model.addConstr(model.qsum(leaving) - model.qsum(coming) == 0)
            model.addConstr(model.qsum(leaving) <= 1)
        model.maximize(model.qsum(variable * gain for variable, gain in worth))
        return helped(model, worth)

    def greedy_pairs(self):
        """Each person in turn changes with the first for whom it is best and who is no worse."""
        done, count = set(), 0
        for person in self.people:
            if person in done:
                continue
            for to, gain in sorted(self.wants[person].items(), key=lambda want: -want[1]):
                back = self.wants[to].get(person)
                if to not in done and back is not None and gain + back > 0:
                    done |= {person, to}
                    count += (gain > 0) + (back > 0)
                    break
        return count

    def trading_cycles(self):
        """Everybody points at the seat that they like best, first of those who point back; whoever
        is in a cycle changes. A cycle of more than four is cut: its first member points elsewhere.
        """
        left, wants = set(self.people), [dict(wants) for wants in self.wants]
        count = 0
        while left:
            at = {}
            for person in sorted(left):
                open_ = [(-gain, person not in wants[to], to)
                         for to, gain in wants[person].items() if to in left]
                at[person] = min(open_)[2] if open_ else person
            cycle = self.cycle(at)
            if len(cycle) == 1:
                left -= set(cycle)
            elif len(cycle) > LONGEST:
                del wants[min(cycle)][at[min(cycle)]]
            else:
                count += sum(wants[person][at[person]] > 0 for person in cycle)
                left -= set(cycle)
        return count

    @staticmethod
    def cycle(at):
        path, here = [], min(at)
        while here not in path:
            path.append(here)
            here = at[here]
        return path[path.index(here):]
