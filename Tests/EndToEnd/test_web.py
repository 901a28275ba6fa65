# SPDX-License-Identifier: Apache-2.0
"""The page of an agent, in Chromium."""

import unittest

from browser import AXE, seat_is
from case import for_soak
from page_case import PageCase, served
from waiting import until


class Web(PageCase):
    slow = 15

    def test_cabin_talk_and_a_swap_from_the_page(self):
        _, address = served(self.ada)
        page = self.browser().page(address)
        page.wait(seat_is("14C", "me"))
        page.wait(seat_is("12A", "aboard"))
        self.assertEqual(page.run("location.hash.includes('o=')"), False)
        # Talk, both ways, with words that would be a script elsewhere.
        page.click("#tab-talk")
        page.wait("Boolean(document.querySelector('#words'))")
        page.type("#words", "hello from the page")
        page.click("#talk form button")
        until("bo reads it", lambda: "hello from the page" in self.bo.said(), 20)
        page.wait("document.querySelector('#words').value === ''")
        nasty = "<img src=x onerror=alert(1)><script>alert(2)</script>"
        self.bo.call("say", nasty)
        page.wait_text("#lines", nasty)
        made = page.run("document.querySelectorAll('#lines img, #lines script').length")
        self.assertEqual(made, 0)
        # A seat is touched and asked for; bo says yes.
        page.click("#tab-cabin")
        page.click('[data-seat="12A"]')
        # What is shut before it is there stays shut.
        self.assertFalse(page.run("window.late = draftSwap('12A'); closeSheet();"
                                  " late.then(() => document.querySelector('#sheet').open)"))
        page.click('[data-seat="12A"]')
        page.click_text("Ask for 12A", "#sheet")
        page.wait_text("#sheet", "You give 14C to bo and get 12A.")
        page.type("#note", nasty)
        page.click("#sheet button.main")
        number = self.bo.incoming(20)
        self.assertEqual(self.bo.request(number)["note"], nasty)
        self.bo.call("accept", number, "--yes")
        page.wait(seat_is("12A", "me"))
        page.click("#tab-requests")
        page.wait_text("#requests", "done: you may move")
        # Nor does a sheet that comes late take the place of one that was opened since.
        plans = ("(() => { const { look } = wire; wire.look = async () => ({ plans: [] });"
                 " const late = findPlans('match'); wire.look = look; return late; })()")
        for late in (plans, "showNeeds('12A')", f"showReceipt({number})"):
            page.run(f"window.late = {late}; showSeat('14C'); late")
            self.assertEqual(page.text("#sheet-title"), "Seat 14C", late)
            page.run("closeSheet()")
        page.click_text("Show the receipt", "#requests")
        page.wait_text("#sheet", "12A ⇄ 14C")
        self.assertEqual(page.complaints(), [])
        # Nothing was asked of another place.
        hosts = {one.split("/")[2] for one in page.sent() if one.startswith("http")}
        self.assertEqual(hosts, {address.split("/")[2]})
        self.assertEqual(self.ada.held(), {"12A": "ada", "14C": "bo"})

    def test_the_page_comes_back_by_itself(self):
        process, address = served(self.ada)
        port = address.split(":")[2].split("/")[0]
        page = self.browser().page(address)
        page.wait(seat_is("14C", "me"))
        # The server dies, and starts again: the page goes on, and hears what it missed.
        process.kill()
        process.wait()
        page.wait_text("#state", "No connection")
        self.bo.call("say", "while it was away")
        process, _ = served(self.ada, port)
        page.wait_text("#state", "Connected")
        page.click("#tab-talk")
        page.wait_text("#lines", "while it was away")
        # The agent dies, and starts again.
        self.ada.kill()
        page.wait_text("#state", "The agent is away")
        self.ada.board()
        page.wait_text("#state", "Connected")
        self.bo.call("say", "and again")
        page.wait_text("#lines", "and again")
        # A page that was closed is let in without a new address.
        page.go(address.split("#")[0])
        page.wait(seat_is("14C", "me"))
        page.click("#tab-talk")
        page.wait_text("#lines", "and again")

    @for_soak
    def test_scripts_that_do_not_come_are_fetched_again(self):
        def without(*names):
            return lambda page: page.tell("Network.setBlockedURLs",
                                          urls=[f"*/{name}" for name in names])
        _, address = served(self.ada)
        browser = self.browser()
        # Without the first one nothing can act: the page says what to do after a while.
        page = browser.page(address, before=without("first.js"))
        page.wait("document.styleSheets.length === 1")
        self.assertEqual(page.text("#late"), "")
        page.wait_text("#late", "Reload the page.")
        without()(page)
        page.reload()
        page.wait(seat_is("14C", "me"))
        page.wait("typeof drawings.self === 'function'")
        without("game.js", "tabs.js", "words/en")(page)
        page.reload()
        page.wait("typeof t === 'function'")
        without("game.js", "tabs.js")(page)
        page.wait(seat_is("14C", "me"))
        page.wait_text("#news", "No connection")
        without("game.js")(page)
        page.wait("typeof drawings.self === 'function'")
        self.bo.swap("14C")
        page.wait_text("#tab-requests", "(1)")
        # A game is fetched by whoever plays, and again after it did not come.
        page.click("#tab-talk")
        page.run(f"talkTo({{key: '{self.bo.call('status')['me']['key']}'}})")
        page.click("#play")
        page.wait_text("#news", "That did not work.")
        without()(page)
        page.click("#play")
        page.wait_text("#sheet", "New game")

    @for_soak
    def test_what_was_typed_is_there_after_all(self):
        process, address = served(self.ada)
        port = address.split(":")[2].split("/")[0]
        page = self.browser().page(address)
        page.wait(seat_is("14C", "me"))
        page.click("#tab-talk")
        page.wait("Boolean(document.querySelector('#words'))")
        page.type("#words", "half a thought")
        page.reload()
        page.wait(seat_is("14C", "me"))
        page.click("#tab-talk")
        page.wait("document.querySelector('#words')?.value === 'half a thought'")
        # Sent while nobody serves: it is sent when somebody does, once.
        process.kill()
        process.wait()
        page.click("#talk form button")
        page.wait_text("#state", "No connection")
        served(self.ada, port)
        until("the words are with bo, or back in the page", lambda: (
            "half a thought" in self.bo.said()
            or "not known" in page.text("#news")), 30)
        page.wait_text("#state", "Connected")
        self.assertLessEqual(self.bo.said().count("half a thought"), 1)
        if "half a thought" not in self.bo.said():
            page.wait("document.querySelector('#words').value === 'half a thought'")

    @for_soak
    def test_words_whose_answer_is_lost_are_said_once(self):
        process, address = served(self.ada)
        port = address.split(":")[2].split("/")[0]
        page = self.browser().page(address)
        page.wait(seat_is("14C", "me"))
        page.run("(() => { const real = window.fetch; window.lose = false;"
                 " window.fetch = async (...all) => { const said = await real(...all);"
                 " if (all[0] === '/call' && window.lose) throw new TypeError('lost');"
                 " return said; }; })()")
        say = ("lose = true; window.did = null; void wire.act('say', {{text: '{}'}})"
               ".then(() => {{ did = 'done'; }}, error => {{ did = error.code; }})")
        # The server has done it, and says so again.
        page.run(say.format("the first"))
        until("bo reads it", lambda: "the first" in self.bo.said(), 20)
        page.run("lose = false")
        page.wait("did === 'done'")
        # The server has done it and ends: nobody can say, and nothing is done again.
        page.run(say.format("the second"))
        until("bo reads it", lambda: "the second" in self.bo.said(), 20)
        process.kill()
        process.wait()
        page.run("lose = false")
        served(self.ada, port)
        page.wait("did === 'unknown'")
        page.wait_text("#state", "Connected")
        self.assertEqual(self.bo.said(), ["the first", "the second"])

    @for_soak
    def test_a_false_key_does_not_stay(self):
        _, address = served(self.ada)
        page = self.browser().page(address)
        page.wait(seat_is("14C", "me"))
        # Another page of the web links here, with a key of its own.
        bare = address.split("#")[0]
        page.go("about:blank")
        page.go(bare + "#k=" + "A" * 43)
        page.wait(seat_is("14C", "me"))
        page.go("about:blank")
        page.go(bare)
        page.wait(seat_is("14C", "me"))

    @for_soak
    def test_private_words_stay_with_whom_they_are_for(self):
        _, address = served(self.ada)
        page = self.browser().page(address)
        page.wait(seat_is("12A", "aboard"))
        page.click('[data-seat="12A"]')
        page.click_text("Write to bo", "#sheet")
        page.wait("document.activeElement.id === 'words'")
        page.type("#words", "only for bo")
        self.ada.call("block", "bo")
        self.bo.leave()
        page.wait("document.querySelector('#room').value !== 'all'")
        page.run("readers.peers()")
        page.wait("document.querySelector('#room').value.length === 64")
        self.assertEqual(page.run("document.querySelector('#words').value"), "only for bo")

    def test_codes_are_compared_and_people_blocked(self):
        _, address = served(self.ada)
        page = self.browser().page(address)
        page.wait(seat_is("12A", "aboard"))
        page.click('[data-seat="12A"]')
        page.click_text("Compare codes with bo", "#sheet")
        page.wait_text("#sheet", "Waiting for bo")
        def comparing():
            return self.bo.call("status")["verification"]
        until("bo is asked", lambda: comparing()["state"] == "asked", 20)
        self.bo.ask("verify", who="ada")
        code = until("bo has the code", lambda: comparing().get("code"), 20)
        page.wait_text("#sheet", code)
        # Here the answer that says "waiting for bo" comes after the news that bo is verified.
        page.run("window.wait = span => new Promise(done => setTimeout(done, span));"
                 "{ const act = wire.act.bind(wire); wire.act = async (...call) => {"
                 " const said = await act(...call);"
                 " while (call[0] === 'compared' && !window.heard) await wait(50);"
                 " return said; } }")
        page.click_text("The same", "#sheet")
        self.bo.ask("compared", same=True, code=code)
        page.wait_text("#news", "bo is verified")
        page.run("window.heard = true; wait(200)")
        page.wait("document.querySelector('#sheet').open === false")
        page.wait("Boolean(flight.seats.get('12A').holders[0].evidence?.verified)")
        page.click('[data-seat="12A"]')
        page.wait_text("#sheet", "You compared codes")
        page.click_text("Block bo", "#sheet")
        page.wait_text("#news", "bo is blocked")
        until("bo is blocked", lambda: self.ada.call("who", "bo").get("blocked"), 10)
        page.wait("flight.peers.size > 0 && [...flight.peers.values()][0].blocked")
        page.click('[data-seat="12A"]')
        page.click_text("Unblock bo", "#sheet")
        until("bo is not blocked", lambda: not self.ada.call("who", "bo").get("blocked"), 10)

    def test_keys_alone_do_a_swap(self):
        _, address = served(self.ada)
        page = self.browser().page(address)
        page.wait(seat_is("12A", "aboard"))
        number = self.bo.swap("14C")
        page.wait_text("#tab-requests", "(1)")
        page.run("document.querySelector('#tab-cabin').focus()")
        page.key("ArrowRight", 39)
        page.key("ArrowRight", 39)
        page.wait("document.querySelector('#requests').hidden === false")
        for _ in range(30):
            if page.run("document.activeElement?.type === 'range'"):
                break
            page.key("Tab", 9)
        self.assertTrue(page.run("document.activeElement?.type === 'range'"))
        # A part of the way is no yes.
        page.key("ArrowRight", 39)
        self.assertTrue(self.ada.call("requests")["requests"][0]["needs_answer"])
        page.key("End", 35)
        until("they have swapped", lambda: self.ada.held() == {"12A": "ada", "14C": "bo"}, 20)
        self.assertEqual(self.bo.request(number)["state"], "final")

    @for_soak
    def test_languages_themes_and_narrow_screens(self):
        _, address = served(self.ada)
        browser = self.browser()
        page = browser.page(address, language="de-DE", dark=True, width=320)
        page.wait(seat_is("14C", "me"))
        self.assertEqual(page.text("#tab-requests"), "Anfragen")
        self.assertEqual(page.run("document.documentElement.lang"), "de")
        for tab in ("cabin", "talk", "requests", "self"):
            page.click(f"#tab-{tab}")
            page.wait(f"document.querySelector('#{tab}').hidden === false")
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 320, tab)
        small = page.run(
            "[...document.querySelectorAll('button, input:not([type=range]), select')].filter(n =>"
            " n.getClientRects().length && (n.getBoundingClientRect().height < 43.9"
            " || n.getBoundingClientRect().width < 43.9)).map(n => n.outerHTML)")
        self.assertEqual(small, [])

    def test_another_offer_needs_and_the_crews_language(self):
        _, address = served(self.ada)
        page = self.browser().page(address, language="de-DE")
        page.wait(seat_is("12A", "aboard"))
        # Who sits in the seat stays with the own agent.
        page.click("#tab-self")
        page.click_text("Wer auf 14C sitzt", "#self")
        page.wait_text("#sheet", "Ein Kind unter zwölf")
        page.click("#sheet input[value=paid]")
        page.click("#sheet button.main")
        until("the agent knows it", lambda: [
            one["facts"] for one in self.ada.call("needs")["people"]] == [["paid"]], 10)
        # A touch before the sheet has gone is one of the sheet.
        page.wait("document.querySelector('#sheet').open === false")
        page.click_text("Fenster", "#self")
        page.wait("document.querySelector('#wish').value === 'window'")
        # Bo asks for 14C and has two seats: ada would rather have the other one.
        number = self.bo.swap("14C")
        self.bo.ask("claim", seat="12B", dependant=True)
        page.wait(seat_is("12B", "asks"))
        page.click("#tab-requests")
        page.wait_text("#requests", "Du gibst einen Sitz her, den du bezahlt hast: Geld gibt es "
                       "nicht zurück. (You give up 14C")
        page.click_text("Etwas anderes anbieten", "#requests")
        page.wait_text("#sheet", "Du gibst bo den Sitz 14C und bekommst 12B.")
        # The words stay when another seat is chosen.
        page.type("#note", "my knees")
        page.run("window.before = document.querySelector('#sheet .slide');"
                 " document.querySelector('#sheet select').dispatchEvent(new Event('change'))")
        page.wait("![before, null].includes(document.querySelector('#sheet .slide'))")
        page.run("(() => { const s = document.querySelector('#sheet .slide'); s.value = 100;"
                 " s.dispatchEvent(new Event('input')); })()")
        until("bo is asked", lambda: self.bo.request(number)["needs_answer"], 20)
        self.assertTrue(self.bo.request(number)["revised"])
        self.assertEqual(self.bo.request(number)["note"], "my knees")
        self.bo.call("accept", number, "--yes", "--unverified")
        page.wait_text("#requests", "12B")
        until("they have swapped", lambda: self.ada.held().get("12B") == "ada", 20)
        # The crew reads French, and nobody is "you" to them.
        page.wait("flight.requests.some(one => one.state === 'final')")
        page.run("showReceipt(flight.requests.find(one => one.state === 'final').number)")
        page.wait_text("#sheet", "12B ⇄ 14C")
        page.run("(() => { const s = document.querySelector('#sheet select'); s.value = 'fr';"
                 " s.dispatchEvent(new Event('change')); })()")
        page.wait_text("#sheet .card", "Reçu pour l'équipage")
        page.wait_text("#sheet .card", "ada ")
        page.run("closeSheet()")
        # What was said is found.
        self.bo.call("say", "good morning to you")
        page.click("#tab-talk")
        page.wait_text("#lines", "good morning to you")
        page.click_text("Suchen", "#talk")
        page.type("#sought", "morning")
        page.click("#sheet button.main")
        page.wait_text("#sheet .lines", "good morning to you")
        # A refusal in the page's language, with the agent's words behind it.
        page.run("closeSheet(); void wire.act('claim', {seat: '14Z'}).catch(complain)")
        page.wait_text("#news", "So einen Sitz gibt es hier nicht. (")
        self.assertEqual(page.complaints(), [])
        # What was composed for the wish is still there, as are sentences not asked for in a loop.
        self.assertEqual(page.run("document.querySelector('#wish').value"), "window")
        self.assertEqual(page.run(
            "codes = null; window.tries = 0; window.fetch = () => { tries += 1;"
            " return tries > 9 ? new Promise(() => {}) : Promise.reject(new TypeError()); };"
            " drawings.requests = () => needCodes('requests'); drawings.requests();"
            " new Promise(done => setTimeout(() => done(tries), 100))"), 1)

    def test_axe_finds_nothing(self):
        self.check_axe(is_dark=False)

    @for_soak
    def test_axe_finds_nothing_in_the_dark(self):
        self.check_axe(is_dark=True)

    def check_axe(self, is_dark):
        if not AXE:
            self.skipTest("needs axe-playwright-python: make setup")
        self.bo.call("say", "good morning")
        self.bo.swap("14C")
        _, address = served(self.ada)
        page = self.browser().page(address, width=320, dark=is_dark)
        page.wait(seat_is("12A", "asks"))
        for tab in ("cabin", "talk", "requests", "self"):
            page.click(f"#tab-{tab}")
            self.assertEqual(page.axe(), [], tab)
        self.check_sheet(page, "document.querySelector('[data-seat=\"12A\"]').click()", "bo")
        self.check_sheet(page, "sayNo(flight.requests[0])", "bo asks you")
        bo = "[...flight.peers.values()].find(who => who.name === 'bo')"
        self.check_sheet(page, f"need('game').then(() => showGame({bo}))", "New game")

    def check_sheet(self, page, opens, words):
        """What axe-core finds in a sheet, once it has risen."""
        page.run(opens)
        page.wait_text("#sheet", words)
        page.run("Promise.all(document.getAnimations().map(one => one.finished))")
        self.assertEqual(page.axe(), [], words)
        page.click_text("Close", "#sheet")


if __name__ == "__main__":
    unittest.main()
