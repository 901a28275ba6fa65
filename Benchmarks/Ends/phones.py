#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Row 18, from inside: 40 guests of one host.

    phones.py LINES PICTURES

Two of them are pages in Chromium, which is as slow as a cheap phone; 38 speak the page's protocol.
LINES lines of chat are said, one a second, while three of them, who travel together, find a plan
and swap. Before that, PICTURES times, somebody opens the address over a slow Wi-Fi.

Memory is what all of the host's processes have written, and the most of it since before the first
guest came; the processor is that of the same processes during the lines.
"""

import concurrent.futures
import os
import sys
import time

import stage
from hosts import Cabin
from waiting import until

#: Chromium works so many times slower.
SLOWER = 4
#: Notes when a page shows a line.
WATCH = """
window.shown = {};
new MutationObserver(() => {
  for (const line of document.querySelectorAll('#lines li')) {
    const found = /line \\d+$/.exec(line.textContent);
    if (found && !(found[0] in shown)) shown[found[0]] = Date.now() / 1000;
  }
}).observe(document.querySelector('#talk'), { childList: true, subtree: true });
"""


def come_in(browser, address):
    """Two phones with the whole page, which show what is said."""
    from page_case import come_in as type_in
    phones = []
    for name, seat in (("mia", "14B"), ("leo", "15B")):
        page = browser.page(address)
        page.tell("Emulation.setCPUThrottlingRate", rate=SLOWER)
        type_in(page, name, seat)
        page.click("#tab-talk")
        page.wait("Boolean(document.querySelector('#lines'))")
        page.run(WATCH)
        phones.append(page)
    return phones


def first_pictures(browser, address, count):
    from slow_wifi import first_picture
    seen = []
    for _ in range(count):
        page, *figures = first_picture(browser, address)
        page.close()
        seen.append(figures)
    for name, values, unit in zip(("painted", "ready", "weight"), zip(*seen), ("ms", "ms", "kB")):
        stage.show(name, [one / 1000 if unit == "kB" else one for one in values], unit)


def main():
    lines, pictures = map(int, sys.argv[1:])
    stage.enter()
    import forty
    from agent import Agent
    from browser import PROGRAM, Browser
    from page_case import hosted
    if PROGRAM is None:
        print("there is no Chromium", file=sys.stderr)
        return
    place = Cabin("ada", "phones")
    ada = Agent(place["ada"], "ada", "14C").board()
    meter = forty.Meter(place["ada"])
    _, address = hosted(ada, "--joins", "60")
    browser = Browser(place["phones"].argv([]))
    try:
        first_pictures(browser, address, pictures)
        phones = come_in(browser, address)
        measure(forty, place, address, lines, phones, meter)
    finally:
        meter.end()
        browser.close()
        ada.command("host", "off", check=None)
        place.close()


def measure(forty, place, address, lines, phones, meter):
    go = f"{place['ada'].folder}/go"
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        said = pool.submit(forty.guests, place["phones"], address, lines, go,
                           forty.GUESTS - len(phones))
        until("all have come in", lambda: os.path.exists(go + ".ready") or said.done(), 200)
        if said.done():
            said.result()
        before, begin = meter.used(), time.monotonic()
        with open(go, "w"):
            pass
        until("all was said", lambda: os.path.exists(go + ".done") or said.done(), lines * 3)
        cores = meter.cores(before, meter.used(), time.monotonic() - begin)
        found = said.result()
    last = f"line {lines - 1}"
    for page in phones:
        page.wait(f"{last!r} in shown")
    shown = [page.run("shown") for page in phones]
    times = [max(end, *(one[f"line {number}"] for one in shown)) - begin
             for number, (begin, end) in enumerate(found["lines"])]
    if found["plan"] is None:
        raise AssertionError(f"the family sits apart: {found['error']}")
    stage.show("guests", [len(before) - 2], "guests")
    stage.show("line", [1000 * forty.at_95(times)], "ms")
    stage.show("middle", [1000 * sorted(times)[len(times) // 2]], "ms")
    stage.show("spoken", [1000 * forty.at_95([end - at for at, end in found["lines"]])], "ms")
    stage.show("plan", [found["plan"]], "s")
    stage.show("peak", [meter.peak / 1e6], "MB")
    stage.show("memory", [meter.memory() / 1e6], "MB")
    stage.show("cores", [sum(cores.values())], "cores")
    stage.show("page", [cores.get("seatagent-web", 0)], "cores")


main()
