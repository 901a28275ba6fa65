# SPDX-License-Identifier: Apache-2.0
"""What the rows of `make bench` are made of: samples, and ratios with a goal."""

import statistics
from dataclasses import dataclass, field


@dataclass
class Samples:
    """Figures of one thing, in one unit, in the order in which they were taken."""

    values: list
    unit: str

    @property
    def median(self):
        return statistics.median(self.values)

    def text(self, what):
        low, high = min(self.values), max(self.values)
        return (f"{what} {short(self.median)} {self.unit}"
                f" ({short(low)} to {short(high)}, {len(self.values)})")


@dataclass
class Ratio:
    """One figure that is held against a goal. Only these are judged.

    `value` is None where something needed is missing, and then `why` says what. `low` and `high`
    are the smallest and the largest of the rounds. `unit` is x for a ratio.
    """

    what: str
    value: float
    goal: float
    at_most: bool = True
    details: list = field(default_factory=list)
    low: float = None
    high: float = None
    unit: str = "x"
    why: str = ""

    @classmethod
    def of(cls, what, ours, theirs, goal, at_most=True, names=("agent", "limit"), details=()):
        """The median of the ratios of all rounds, and their spread: what a round compares was taken
        right one after the other, while a machine may be slower for half of the rounds."""
        rounds = [one / other for one, other in zip(ours.values, theirs.values, strict=True)]
        return cls(what, statistics.median(rounds), goal, at_most,
                   [ours.text(names[0]), theirs.text(names[1]), *details],
                   min(rounds), max(rounds))

    @classmethod
    def missing(cls, what, goal, why, at_most=True):
        """What could not be measured here."""
        return cls(what, None, goal, at_most, why=why)

    @property
    def verdict(self):
        if self.value is None:
            return f"not measured: {self.why}"
        good = self.value <= self.goal if self.at_most else self.value >= self.goal
        return "met" if good else "MISSED"

    @property
    def figure(self):
        if self.value is None:
            return "-"
        spread = "" if self.low is None else f" ({short(self.low)} to {short(self.high)})"
        return f"{short(self.value)} {self.unit}{spread}"

    @property
    def aim(self):
        return f"{'at most' if self.at_most else 'at least'} {short(self.goal)} {self.unit}"


def verdict(ratios):
    """Of a row: what is missed counts most, then what could not be measured."""
    verdicts = [ratio.verdict for ratio in ratios]
    for kind in ("MISSED", "not measured"):
        for one in verdicts:
            if one.startswith(kind):
                return one
    return "met" if verdicts else "not measured: no figure"


def short(number):
    """Three digits that count, without an exponent."""
    number = float(number)
    if abs(number) >= 1e6:
        return f"{number / 1e6:.3g} M"
    if abs(number) >= 100:
        return f"{number:.0f}"
    return f"{number:.3g}"
