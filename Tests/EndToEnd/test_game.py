# SPDX-License-Identifier: Apache-2.0
"""Four in a row between a page and a command."""

import os
import unittest

from browser import seat_is
from page_case import PageCase, served
from waiting import until

SMALL = ("[...document.querySelectorAll('#sheet button')].filter(n => n.getClientRects().length"
         " && (n.getBoundingClientRect().height < 43.9 || n.getBoundingClientRect().width < 43.9"
         " || n.getBoundingClientRect().right > innerWidth)).map(n => n.outerHTML)")


class Game(PageCase):
    def signed(self, agent):
        file = os.path.join(self.here.env["XDG_DATA_HOME"], f"{agent.name}.flight")
        agent.call("log", "--export", file)
        with open(file, "rb") as stream:
            data = stream.read()
        os.unlink(file)
        return data

    def test_a_game_between_a_page_and_a_command(self):
        ada, bo = self.ada, self.bo
        before = [self.signed(one) for one in (ada, bo)]
        _, address = served(ada)
        page = self.browser().page(address, width=320)
        page.wait(seat_is("14C", "me"))
        page.click("#tab-talk")
        page.wait("document.querySelectorAll('#room option').length > 2")
        page.run("const room = document.querySelector('#room'); room.value = [...room.options]"
                 ".find(one => one.text.startsWith('bo')).value;"
                 " room.dispatchEvent(new Event('change'))")
        page.click("#play")
        page.wait_text("#sheet", "New game")
        is_adas = ada.call("play", "bo")["turn"]
        self.assertEqual(bo.call("play", "ada")["turn"], not is_adas)
        page.wait_text("#sheet", "Your turn." if is_adas else "bo plays next.")
        # Whoever begins plays D each time, the other one A.
        moves = "DADADAD"
        for index, letter in enumerate(moves):
            if is_adas == (index % 2 == 0):
                page.wait_text("#sheet", "Your turn.")
                if index < 2:
                    self.assertEqual(bo.call("play", "ada", "g", expect=1)["code"], "not-now")
                column = "ABCDEFG".index(letter) + 1
                page.run(f"document.querySelector('.board > :nth-child({column})').focus()")
                page.key("Enter", 13, "\r")
                until("bo sees it",
                      lambda: bo.call("play", "ada")["moves"] == moves[:index + 1], 20)
                self.assertEqual(page.run("document.activeElement.textContent[0]"), letter)
            else:
                until("bo's turn", lambda: bo.call("play", "ada")["turn"], 20)
                game = bo.call("play", "ada", letter.lower())
                self.assertEqual(game["moves"], moves[:index + 1])
                page.wait_text("#sheet", f"bo played {letter}." if index < 6 else "bo won.")
            if index == 2:
                self.assertEqual(page.run(SMALL), [])
                # Words by hand that are no move of this game: nothing is played.
                bo.call("msg", "ada", "four in a row 1: column G after GGGGGG")
                page.wait_text("#sheet", "sent a move that is not allowed")
        page.wait_text("#sheet", "You won." if is_adas else "bo won.")
        self.assertEqual(page.run("document.querySelectorAll('.four').length"), 4)
        last = bo.call("play", "ada")
        self.assertEqual((last["state"], sorted(last["four"])),
                         ("lost" if is_adas else "won", ["D1", "D2", "D3", "D4"]))
        self.assertEqual(bo.call("play", "ada", "b", expect=1)["code"], "not-now")
        # The next game is begun by the other one.
        page.click_text("New game", "#sheet")
        until("bo is asked", lambda: bo.call("play", "ada")["game"] == 2, 20)
        self.assertEqual(bo.call("play", "ada")["turn"], is_adas)
        said = bo.command("play", "ada", "--give-up", check=0).stdout
        self.assertIn("You gave up: ada won.", said)
        page.wait_text("#sheet", "You won.")
        self.assertEqual(page.complaints(), [])
        # No agent that copies logs learns that they played.
        self.assertEqual([self.signed(one) for one in (ada, bo)], before)
        self.assertIn("four in a row 2: I give up", ada.said())


if __name__ == "__main__":
    unittest.main()
