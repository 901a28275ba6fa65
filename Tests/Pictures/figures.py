#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many pictures of boarding passes the program reads: clean ones, and damaged ones by kind.

usage: figures.py PROGRAM [--damaged N] [--keep FOLDER]
Ends with 1 where a clean one is not read, or fewer than 95 of 100 damaged ones. Always the same
pictures: the seed is fixed.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import codes
import damage

SEED = 6
GOAL = 0.95


def read(program, path):
    """What the program says is in the picture: flights, dates and seats; and the time it took."""
    start = time.monotonic()
    run = subprocess.run(
        [program, 'board', '--parse', '--json', '--on', '2026-03-01', path],
        stdout=subprocess.PIPE, timeout=60, check=False)
    spent = time.monotonic() - start
    answer = json.loads(run.stdout)
    legs = answer.get('result', {}).get('legs', [])
    return [(leg.get('flight'), leg.get('flightDate'), leg.get('seat')) for leg in legs], spent


def clean():
    """One picture of each text by each maker in each kind of code."""
    for kind in codes.KINDS:
        for maker in codes.MAKERS:
            for name, (text, legs) in codes.TEXTS.items():
                yield f'{kind} by {maker}, {name}', codes.draw(kind, maker, text), legs


def damaged(count):
    """`count` pictures, each kind of damage in turn on a code that is chosen by chance."""
    kinds = list(damage.KINDS)
    for number in range(count):
        chance = random.Random(f'{SEED}-{number}')
        kind, maker = chance.choice(codes.KINDS), chance.choice(codes.MAKERS)
        name = chance.choice(list(codes.TEXTS))
        text, legs = codes.TEXTS[name]
        what = kinds[number % len(kinds)]
        picture = damage.KINDS[what](codes.draw(kind, maker, text), chance)
        yield what, f'{number}: {kind} by {maker}, {name}', picture, legs


def try_all(program, items, folder):
    """(what, name, whether it was read, seconds) of each (what, name, picture, legs)."""
    def one(item):
        what, name, picture, legs = item
        path = os.path.join(folder, ''.join(c if c.isalnum() else '_' for c in name))
        path = damage.save(picture, what, path)
        found, spent = read(program, path)
        return what, name, found == legs, spent

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, items))


def report(results, goal):
    """Prints a line for each kind and the misses; gives whether the goal is reached."""
    kinds = list(dict.fromkeys(what for what, _, _, _ in results))
    for kind in kinds:
        rows = [row for row in results if row[0] == kind]
        good = sum(row[2] for row in rows)
        slowest = max(row[3] for row in rows)
        print(f'  {kind:28} {good:3} of {len(rows):3}   slowest {slowest:5.2f} s')
    for what, name, good, _ in results:
        if not good:
            print(f'  not read: {what}, {name}')
    good = sum(row[2] for row in results)
    share = good / len(results)
    print(f'  read: {good} of {len(results)}, {share:.1%}; the goal is {goal:.0%}', flush=True)
    return share >= goal


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('program')
    parser.add_argument('--damaged', type=int, default=200)
    parser.add_argument('--keep', help='a folder that the pictures stay in')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        os.makedirs(folder, exist_ok=True)
        print('pictures of passes, clean:')
        whole = report(try_all(
            options.program, (('clean', *item) for item in clean()), folder), 1)
        if options.damaged:
            print('pictures of passes, damaged:')
            whole &= report(try_all(options.program, damaged(options.damaged), folder), GOAL)
    return 0 if whole else 1


if __name__ == '__main__':
    sys.exit(main())
