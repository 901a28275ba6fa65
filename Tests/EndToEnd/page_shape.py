# SPDX-License-Identifier: Apache-2.0
"""What a page shows, as text: an indented line for each part with its role, its words and its box.

    main
      section "Requests"                  [0 48 320 416]
        button "Sit together"             [8 8 120 48]

A box is left, top, width and height in pixels of the page, from the corner of the part around it,
so that what one line grows does not move all that comes behind it. It is rounded to a grid of 8
pixels, and compared with some slack: fonts differ from machine to machine, and with them where
words break.
Roles, words and their order are compared as they are. Parts alike that follow each other, such as
the rows of a cabin, are one line with a count.
"""

import difflib
import os
import re

import goldens

GRID = 8
#: A box may differ by so many steps of the grid, or by this share of itself.
STEPS, SHARE = 2, 0.15
BOX = re.compile(r" +\[(-?\d+) (-?\d+) (\d+) (\d+)\]$")
#: What is another one in each run.
MASKS = [(re.compile(r"\b\d\d:\d\d( [AP]M)?\b"), "HH:MM"), (re.compile(r"#[a-z2-7]{4}\b"), "#tag"),
         (re.compile(r"\b[a-z2-7]{4}(-[a-z2-7]{4}){3}-[a-z2-7]\b"), "CODE")]

SCRIPT = """
(() => {
  const lines = [];
  const words = node => [...node.childNodes].filter(n => n.nodeType === 3)
    .map(n => n.textContent.trim()).filter(Boolean).join(' ');
  const walk = (node, depth, around) => {
    if (node.matches('script, style, noscript, option') || node.closest('[hidden]')) return;
    const box = node.getBoundingClientRect();
    if (!box.width || !box.height) return;
    const role = node.getAttribute('role') || node.localName;
    const label = node.getAttribute('aria-label') || words(node);
    const value = node.value !== undefined && node.localName !== 'li' ? ` = ${node.value}` : '';
    const state = (node.disabled ? ' off' : '')
      + (node.getAttribute('aria-selected') === 'true' ? ' selected' : '');
    lines.push({ depth, text: `${role}${label ? ' ' + JSON.stringify(label) : ''}${
      node.localName === 'input' ? value : ''}${state}`,
      box: [box.x - around.x, box.y - around.y, box.width, box.height] });
    for (const child of node.children) walk(child, depth + 1, box);
  };
  window.scrollTo({ top: 0, behavior: 'instant' });
  const root = ROOT;
  walk(root, 0, { x: 0, y: root.getBoundingClientRect().y });
  return lines;
})()
"""


def shape(page, root="document.body"):
    """The text of what a page shows below an element."""
    lines = []
    for one in page.run(SCRIPT.replace("ROOT", root)):
        box = " ".join(str(round(number / GRID) * GRID) for number in one["box"])
        lines.append(("  " * one["depth"] + masked(one["text"]), f"[{box}]"))
    return "\n".join(f"{words:<60} {box}".rstrip() for words, box in folded(lines)) + "\n"


def masked(text):
    for pattern, word in MASKS:
        text = pattern.sub(word, text)
    return text


def folded(lines):
    """With one part for all that follow each other and differ in nothing but numbers."""
    parts = []
    for words, box in lines:
        depth = len(words) - len(words.lstrip())
        if parts and depth > parts[0][0][2]:
            parts[-1].append((words, box, depth))
        else:
            parts.append([(words, box, depth)])
    kept, count, last = [], 1, None
    for part in [*parts, None]:
        key = part and [(re.sub(r"\d+", "0", words), box.split()[2:]) for words, box, _ in part]
        if part and key == last:
            count += 1
            continue
        if count > 1:
            indent = " " * kept[-1][2]
            kept.append((f"{indent}and {count - 1} more like it", "", kept[-1][2]))
        count, last = 1, key
        if part:
            head, *rest = part
            inner = folded([(words, box) for words, box, _ in rest])
            kept.append(head)
            kept += [(words, box, head[2]) for words, box in inner]
    return [(words, box) for words, box, _ in kept]


def check(case, name, text):
    """Compares with a golden; see above for what may differ. `GOLDENS=write` writes it anew."""
    if os.environ.get("GOLDENS") == "write":
        return goldens.check(case, name, text)
    path = os.path.join(goldens.FOLDER, f"{name}.txt")
    with open(path, encoding="utf-8") as file:
        wanted = file.read()
    ours, theirs = text.splitlines(), wanted.splitlines()
    alike = len(ours) == len(theirs) and all(map(is_alike, ours, theirs))
    if not alike:
        difference = difflib.unified_diff(theirs, ours, f"goldens/{name}.txt", "seen", lineterm="")
        case.fail("\n".join(difference))
    return None


def is_alike(one, other):
    if one == other:
        return True
    left, right = BOX.search(one), BOX.search(other)
    if not left or not right or one[:left.start()] != other[:right.start()]:
        return False
    return all(abs(int(a) - int(b)) <= max(STEPS * GRID, SHARE * abs(int(b)))
               for a, b in zip(left.groups(), right.groups()))
