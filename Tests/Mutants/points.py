# SPDX-License-Identifier: Apache-2.0
"""Where a line of Swift can be made wrong, and how: one change each, all in one text.

Every change is written beside the original and chosen at run time by a number, so that one build
holds all mutants:

    if a < b, isOpen {    becomes    if a <⊖12 b, broken(13) != (isOpen) {

where `<⊖12` stands for an operator of its own, which is `<` unless mutant 12 is chosen.
"""

import re
from dataclasses import dataclass

#: Operator -> what it becomes, the group of its precedence, the kinds of its operands.
OPERATORS = {
    "<": ("<=", "ComparisonPrecedence", "Comparable"),
    "<=": ("<", "ComparisonPrecedence", "Comparable"),
    ">": (">=", "ComparisonPrecedence", "Comparable"),
    ">=": (">", "ComparisonPrecedence", "Comparable"),
    "==": ("!=", "ComparisonPrecedence", "Equatable"),
    "!=": ("==", "ComparisonPrecedence", "Equatable"),
    "+": ("-", "AdditionPrecedence", "Int"),
    "-": ("+", "AdditionPrecedence", "Int"),
    "&&": ("||", "LogicalConjunctionPrecedence", "Bool"),
    "||": ("&&", "LogicalDisjunctionPrecedence", "Bool"),
}
#: Letters of operators' names: number 5 is `<` and then the fifth word over these.
MARKS = "~^%*"
STRING = re.compile(r'"(?:\\.|[^"\\])*"')
#: How a line ends, and how one begins, in the middle of a statement.
CARRIES_ON = (",", "(", "=", "+", "&&", "||", "[", "?", ":", "in", "->")
CARRIED_ON = (".", "&&", "||", "+", "?")
SIGN = re.compile(
    r'(?<=[\w\)\]"] )(<=|>=|==|!=|<|>|\+|-|&&|\|\|)(?= [\w\(\["!.$-])')
GIVEN = re.compile(r"^(\s*)(guard|if|\} else if) (.*?)( else \{.*| \{)$")
ASSIGNED = re.compile(r"^(\s+)((?!let |var |return |case |for |if |guard |while )[\w.\[\]\(\)]+"
                      r" (?:=|\+=|-=) [^{]+|[a-z][\w.]*\((?:[^{}]|\$0)*\))$")


@dataclass
class Point:
    """One mutant."""
    number: int
    path: str
    line: int
    what: str
    before: str


def name(number, operator):
    """An operator of its own for this mutant."""
    word = ""
    while number:
        number, digit = divmod(number - 1, len(MARKS))
        word = MARKS[digit] + word
    return operator + word


def masked(line):
    """The line with strings and comments blanked, so that nothing is found in them."""
    line = STRING.sub(lambda found: '"' + " " * (len(found.group()) - 2) + '"', line)
    cut = line.find("//")
    return line if cut < 0 else line[:cut] + " " * (len(line) - cut)


def clauses(text):
    """Top-level parts of a condition, as spans."""
    spans, depth, start = [], 0, 0
    for place, letter in enumerate(masked(text)):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            spans.append((start, place))
            start = place + 1
    return spans + [(start, len(text))]


def is_plain(clause):
    """Whether a clause is a Bool that stands for itself."""
    words = re.findall(r"\w+", clause)
    return bool(words) and words[0] not in ("let", "var", "case") and "{" not in clause


def balanced(text):
    blank = masked(text)
    return all(blank.count(a) == blank.count(b) for a, b in ("()", "[]", "{}"))


class Writer:
    """Writes one file with all its mutants."""

    def __init__(self, path, dropped, first):
        self.path, self.dropped, self.next = path, dropped, first
        self.points, self.operators = [], []

    def point(self, line, what, before):
        """The number of a new mutant; `None` for one that does not compile."""
        number = self.next
        self.next += 1
        if number in self.dropped:
            return None
        # Of several alike in a line each has a name of its own.
        again = sum(point.line == line and point.what.partition(" (")[0] == what
                    for point in self.points)
        what += f" ({again + 1})" if again else ""
        self.points.append(Point(number, self.path, line, what, before.strip()))
        return number

    def text(self, source):
        lines = source.split("\n")
        #: Constants that get their value later: it cannot be left out.
        self.owed = set(re.findall(r"^\s+let (\w+)(?:: [^=\n]+)?$", source, re.M))
        out = []
        self.end_of_init = None
        for index, line in enumerate(lines):
            if found := re.match(r"(\s*)(?:package |public |private )?init[?(<]", line):
                self.end_of_init = found.group(1) + "}"
            elif line == self.end_of_init:
                self.end_of_init = None
            before = lines[index - 1] if index else ""
            after = lines[index + 1].strip() if index + 1 < len(lines) else ""
            out.append(self.line(index + 1, line, before, after))
        return "\n".join(out)

    def line(self, number, line, before, after):
        stripped = line.strip()
        if not stripped or stripped.startswith(("//", "@", "import ", "case ", "func ", "init",
                                                "package ", "public ", "static func",
                                                "private func")):
            return line
        original = line
        line = self.conditions(number, line)
        line = self.replaced(number, line, original)
        return self.left_out(number, line, before, after, original)

    def conditions(self, number, line):
        """Each clause of a condition held to be true (guard) or to be the opposite (if)."""
        found = GIVEN.match(line)
        if not found or not balanced(found.group(3)):
            return line
        indent, word, given, rest = found.groups()
        parts = []
        for start, end in clauses(given):
            clause = given[start:end]
            if is_plain(clause):
                what = "guard left out" if word == "guard" else "condition turned round"
                point = self.point(number, f"{what}: {clause.strip()}", line)
                if point:
                    sign = "||" if word == "guard" else "!="
                    clause = f" (broken({point}) {sign} ({clause.strip()}))"
            parts.append(clause)
        return f"{indent}{word} {','.join(parts).strip()}{rest}"

    def replaced(self, number, line, original):
        """Each operator replaced by its neighbour."""
        out, place = "", 0
        for found in SIGN.finditer(masked(line)):
            sign = found.group()
            if re.search(r"broken\(\d+\) $", line[:found.start()]):
                continue
            if sign in "<>" and "where" in line and "func" in line:
                continue
            point = self.point(number, f"{sign} becomes {OPERATORS[sign][0]}", original)
            if point:
                out += line[place:found.start()] + name(point, sign)
                place = found.end()
                self.operators.append((point, sign))
        return out + line[place:]

    def left_out(self, number, line, before, after, original):
        """A statement that does something, left out."""
        found = ASSIGNED.match(line)
        # A property with a value is no statement.
        if line.strip().startswith(("private", "fileprivate")):
            return line
        goes_on = before.rstrip().endswith(CARRIES_ON) or after.startswith(CARRIED_ON)
        if not found or goes_on or self.end_of_init or not balanced(line):
            return line
        target, _, value = found.group(2).partition(" = ")
        if target == "next" and value and value != "state":
            point = self.point(number, "stays in its state", original)
            return f"{found.group(1)}next = broken({point}) ? state : ({value})" if point else line
        if target in self.owed or target.startswith("self.") and "." not in target[5:]:
            return line
        point = self.point(number, "left out", original)
        return f"{found.group(1)}if !broken({point}) {{ {found.group(2)} }}" if point else line


def declarations(operators):
    """Swift text of the operators and of the choice."""
    lines = [
        "import Glibc", "",
        "nonisolated(unsafe) private let chosen: Int = {",
        '    guard let text = getenv("MUTANT") else { return 0 }',
        "    return Int(String(cString: text)) ?? 0", "}()", "",
        "@inline(__always) func broken(_ number: Int) -> Bool { chosen == number }", ""]
    for number, sign in operators:
        new, group, kind = OPERATORS[sign]
        own = name(number, sign)
        lines.append(f"infix operator {own}: {group}")
        if kind == "Bool":
            lines.append(
                f"func {own} (a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {{"
                f" try broken({number}) ? (a {new} b()) : (a {sign} b()) }}")
        elif kind == "Int":
            lines.append(f"func {own} <T: FixedWidthInteger>(a: T, b: T) -> T {{"
                         f" broken({number}) ? a {new} b : a {sign} b }}")
        else:
            lines.append(f"func {own} <A: {kind}, B: {kind}>(a: (A, B), b: (A, B)) -> Bool {{"
                         f" broken({number}) ? a {new} b : a {sign} b }}")
            lines.append(f"func {own} <T: {kind}>(a: T, b: T) -> Bool {{"
                         f" broken({number}) ? a {new} b : a {sign} b }}")
    return "\n".join(lines) + "\n"
