# SPDX-License-Identifier: Apache-2.0
"""Colours and weights of letters, as SGR sequences in a captured screen say them."""

import re

EIGHT = ((0, 0, 0), (205, 49, 49), (13, 188, 121), (229, 229, 16), (36, 114, 200),
         (188, 63, 188), (17, 168, 205), (229, 229, 229))
LEVELS = (0, 95, 135, 175, 215, 255)


def colour(number):
    """One of the 256 colours of xterm."""
    if number < 16:
        return EIGHT[number % 8]
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    number -= 16
    return LEVELS[number // 36], LEVELS[number // 6 % 6], LEVELS[number % 6]


class Pen:
    """What SGR sequences say about the letters after them."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.text = self.ground = None
        self.bold = self.dim = self.underlined = self.reversed = False

    def obey(self, numbers):
        numbers = [int(number or 0) for number in numbers.split(";")]
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                self.reset()
            elif number in (1, 2, 4, 7):
                setattr(self, {1: "bold", 2: "dim", 4: "underlined", 7: "reversed"}[number], True)
            elif number == 22:
                self.bold = self.dim = False
            elif number in (24, 27):
                setattr(self, {24: "underlined", 27: "reversed"}[number], False)
            elif 30 <= number < 38:
                self.text = colour(number - 30)
            elif 40 <= number < 48:
                self.ground = colour(number - 40)
            elif number in (38, 48) and numbers[:1] == [5]:
                setattr(self, "text" if number == 38 else "ground", colour(numbers[1]))
                del numbers[:2]
            elif number == 39:
                self.text = None
            elif number == 49:
                self.ground = None

    def colours(self, text, ground):
        """Those of the letter and of its ground; given are the terminal's own."""
        text, ground = self.text or text, self.ground or ground
        if self.reversed:
            text, ground = ground, text
        if self.dim:
            text = tuple((3 * one + 2 * other) // 5 for one, other in zip(text, ground))
        return text, ground

    def letters(self, line):
        """The letters of a line; while one is in hand, the pen is as it was written with."""
        for numbers, letter in re.findall(r"\033\[([0-9;]*)m|([^\033])", line):
            if letter:
                yield letter
            else:
                self.obey(numbers)


def cell(lines, column, row):
    """The letter in a cell and a pen as it was written with. Wide letters before it are not
    counted as two."""
    pen = Pen()
    for y, line in enumerate(lines[:row + 1]):
        for x, letter in enumerate(pen.letters(line)):
            if (x, y) == (column, row):
                return letter, pen
    raise IndexError((column, row))
