// SPDX-License-Identifier: Apache-2.0
@testable import View
import Protocol
import Testing

@testable import SeatAgent
@testable import Terminal
@testable import Text

@Suite("The page of people")
struct ViewPeopleTests {
    private func crowd(width: Int = 80, height: Int = 24) -> Aboard {
        var view = Aboard(width: width, height: height)
        let offer: JSON = ["seats": ["12A"], "wants": ["aisle"], "note": ""]
        let bo = Aboard.who("bo", "12A", verified: true, offer: offer)
            .adding(["reach": "linked", "one_way": false])
        let cy = Aboard.who("cy", "3F").adding(["reach": "none", "left": false])
        let dev = Aboard.dev.adding(["reach": "through", "through": [bo]])
        view.answer(.peers, ["peers": [dev, cy, bo]])
        view.message(dev, "psst")
        return view
    }

    @Test("F4 shows name, seat, offer, reach and what is unread")
    func columns() {
        var view = crowd()
        view.press(.function(4))
        #expect(
            view.screen[11...15].map { $0 } == [
                " People: 3",
                "   name                    seat    offers for      reach         unread",
                ">✓ bo                      12A     an aisle seat   direct",
                "   cy                      3F                      out of reach",
                "   dev                     22D                     within reach…      1",
            ])
        #expect(view.screen[22] == " type to filter  Up Down choose  Enter talk  Esc back")
        view.press(.function(4))
        #expect(view.state.focus == .input)
    }

    @Test("Typing filters, by any column; Enter talks to whom is chosen")
    func filtering() {
        var view = crowd()
        view.type("half")
        view.press(.function(4))
        for (filter, names) in [
            ("d", ["bo", "dev"]), ("22d", ["dev"]), ("AISLE", ["bo"]), ("unread", ["dev"]),
            ("out reach", ["cy"]), ("zed", []),
        ] as [(String, [String])] {
            view.press(.control("u"))
            view.type(filter)
            #expect(view.state.listed.map(\.name) == names, "\(filter)")
            #expect(view.screen[23] == "[people] \(filter)")
        }
        #expect(view.press(.enter).isEmpty && view.state.focus == .people)
        view.press(.backspace, .backspace, .backspace, .down, .down, .down, .up)
        #expect(view.screen[14].hasPrefix(">  cy"))
        view.press(.enter)
        #expect(view.state.focus == .input && view.state.conversation.key == "key-cy")
        view.press(.alt("1"))
        #expect(view.state.editor.text == "half")
    }

    @Test("A crowd can be gone through to its end, in the smallest window, which is all its own")
    func crowded() {
        var view = Aboard(width: 60, height: 16)
        let people = (10..<60).map { Aboard.who("p\($0)", "\($0 - 9)A") }
        view.answer(.peers, ["peers": .array(people)])
        view.type("/people")
        view.press(.enter)
        #expect(view.screen[0] == " People: 50" && view.screen[2].hasPrefix(">  p10"))
        for _ in 0..<99 { view.press(.down) }
        #expect(view.screen[13].hasPrefix(">  p59") && view.screen[2].hasPrefix("   p48"))
        view.press(.home, .pageDown)
        #expect(view.screen.contains { $0.hasPrefix(">  p21") })
        // Who is chosen stays so when others come.
        view.answer(.peers, ["peers": .array(people + [Aboard.who("a", "30F")])])
        view.press(.enter)
        #expect(view.state.conversation.key == "key-p21")
    }
}

@Suite("What newcomers look for")
struct NewcomerTests {
    @Test("60x16: help and pages have the whole screen, the line and its keys left out")
    func smallPages() {
        var view = Aboard(width: 60, height: 16)
        view.press(.function(1))
        #expect(view.screen[0].hasPrefix(" Help  1 to 13 of "))
        #expect(view.screen[1] == " Anywhere" && view.screen[13] != "")
        #expect(view.screen[14] == " PgUp PgDn scroll  / command  Esc back")
        view.press(.pageDown)
        #expect(view.screen[0].hasPrefix(" Help  13 to 25 of "))
        view.press(.escape)
        #expect(view.screen[0].hasPrefix(" seatagent   ada 14C"))
        view.devAsks()
        view.press(.function(5))
        #expect(view.screen.contains { $0.contains("a accept   d decline") })
        #expect(view.screen.contains { $0.contains("dev #dev only claims 22D.") })
    }

    @Test("The legend has whole words at 80x24, one a line where they fit")
    func legend() {
        let words = Aboard().screen[2...8].map { String($0.dropFirst(70)) }
        #expect(
            words == [
                "@ you", "o aboard", "S offers", "W wants", "  yours", "! asks you", "? disputed",
            ])
        let wide = Aboard(width: 99, height: 24).screen[2...7].map { String($0.dropFirst(70)) }
        #expect(
            wide == ["@ you", "o aboard", "S offers", "W wants yours", "! asks you", "? disputed"])
    }

    @Test("A line that names me stands out, with a letter and in bold; my own does not")
    func mentions() {
        var view = Aboard()
        _ = view.hear(Aboard.bo, "Ada, is 14c an aisle?")
        _ = view.hear(Aboard.dev, "adapters are sold out")
        _ = view.hear(Aboard.ada, "ada speaking")
        let lines = view.screen
        #expect(lines[19].dropFirst(6).hasPrefix("✓@      bo 12A  Ada,"))
        #expect(lines[20].dropFirst(6).hasPrefix("       dev 22D  adapters"))
        let row = ScreenPicture.draw(view.state).row(19)
        #expect(row.contains { $0.text == "A" && $0.style == .bold })
        #expect(!lines[21].contains("@"))
        view.state.size = Grid.Point(x: 30, y: 10)
        #expect(view.screen.contains { $0.hasPrefix("@ bo 12A Ada") })
    }

    @Test("A message that is sent from [all] is echoed there, with how far it has come")
    func echo() {
        var view = Aboard()
        view.answer(.message("psst", key: "key-bo"), ["id": "psst", "state": "waiting"])
        view.message(Aboard.bo, "psst", state: "waiting")
        #expect(view.state.current == 0)
        #expect(view.screen[21].dropFirst(19).hasPrefix("-  to bo (12A): psst"))
        #expect(view.screen[21].hasSuffix("…"))
        view.message(Aboard.bo, "psst", state: "acknowledged")
        #expect(view.screen[21].hasSuffix("✓"))
        view.press(.alt("2"))
        #expect(view.state.conversation.lines.map(\.text) == ["psst"])
        view.answer(.message("more", key: "key-bo"), ["id": "more", "state": "waiting"])
        #expect(view.state.conversation.lines.count == 1)
    }

    @Test("Tab shows the candidates, the one in the line in brackets")
    func candidates() {
        var view = Aboard()
        view.type("/se")
        view.press(.tab)
        #expect(view.screen[22].hasPrefix(" [/search]  /seat  /seated  /seats"))
        view.press(.tab)
        #expect(view.screen[22].hasPrefix(" /search  [/seat]  /seated  /seats"))
        view.type("x")
        #expect(view.screen[22].hasPrefix(" Enter send"))
        let people = (10..<60).map { Aboard.who("p\($0)", nil) }
        view.answer(.peers, ["peers": .array(people)])
        view.press(.control("c"))
        view.type("hi p")
        for index in 10..<60 {
            view.press(.tab)
            #expect(view.screen[22].contains("[p\(index)]") && cellWidth(view.screen[22]) <= 79)
        }
    }

    @Test("A slash lists commands while its word is typed, then what goes after it")
    func commands() {
        var view = Aboard()
        view.type("/")
        #expect(view.screen[14].hasPrefix("   /swap SEAT [for MINE] [NOTE]  ask for a seat"))
        #expect(view.screen[21].hasSuffix("more: type on, or /help"))
        view.type("of")
        #expect(view.screen[21].hasPrefix("   /offer [for] [window|aisle|front|SEAT...]  offer"))
        #expect(!view.screen[20].contains("/"))
        view.type("fer win")
        #expect(view.screen[21].hasPrefix("   /offer [for]"))
        view.press(.control("u"))
        for text in ["//of", "of", "/zz", "/zz of"] {
            view.type(text)
            #expect(!view.screen.prefix(22).contains { $0.contains("/offer") }, "\(text)")
            view.press(.control("u"))
        }
        view.state.size = Grid.Point(x: 60, y: 16)
        _ = view.hear(Aboard.bo, "the newest line")
        view.type("/")
        #expect(view.screen[11].hasSuffix("the newest line"))
    }
}
