# SPDX-License-Identifier: Apache-2.0
"""How the page looks on a screen of 320 pixels, by its text and boxes, light and dark."""

import unittest

import page_shape
from browser import seat_is
from page_case import PageCase, served
from waiting import until

TABS = ("cabin", "talk", "requests", "self")
#: What the page leaves to the machine: here the font that each Debian with fontconfig has.
FONT = """
const sheet = document.styleSheets[0];
sheet.insertRule('html { font-family: "DejaVu Sans", sans-serif !important }', 0);
"""


class Shape(PageCase):
    def scene(self, address, **options):
        """Bo has talked, wishes, and asks for ada's seat."""
        page = self.browser().page(address, width=320, height=640, **options)
        page.wait(seat_is("12A", "asks"))
        page.wait("flight.lines.length === 2 && flight.peers.size === 1 && Boolean(self$.party)")
        page.run(FONT)
        return page

    def looks(self, page):
        """Each tab and the sheet, as text."""
        seen = {}
        for tab in TABS:
            page.click(f"#tab-{tab}")
            page.wait(f"document.querySelector('#{tab}').hidden === false")
            page.wait("document.querySelector('#news').textContent === ''", 20)
            seen[tab] = page_shape.shape(page)
        page.click("#tab-cabin")
        page.click('[data-seat="12A"]')
        page.wait_text("#sheet", "bo")
        page.run("Promise.all(document.getAnimations().map(one => one.finished))")
        seen["sheet"] = page_shape.shape(page, "document.querySelector('#sheet')")
        page.click("#sheet .row button:last-child")
        return seen

    def test_tabs_and_sheet_at_320_pixels_light_and_dark(self):
        self.ada.call("say", "good morning")
        self.bo.call("say", "who would give me an aisle, for a window further in front than this?")
        self.bo.call("wish", "aisle")
        self.bo.call("swap", "14C", "--note", "my knees")
        until("all is there", lambda: self.ada.call("requests")["requests"]
              and len(self.ada.said()) == 2, 20)
        _, address = served(self.ada)
        page = self.scene(address)
        light = self.looks(page)
        for name, text in light.items():
            with self.subTest(name):
                page_shape.check(self, f"page/{name}", text)
        # In the dark all has the same place, and other colours.
        colours = "getComputedStyle(document.documentElement).backgroundColor"
        before = page.run(colours)
        page.tell("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertNotEqual(page.run(colours), before)
        self.assertEqual(self.looks(page), light)


if __name__ == "__main__":
    unittest.main()
