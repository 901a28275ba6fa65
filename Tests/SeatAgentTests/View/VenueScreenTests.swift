// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Foundation
import Protocol
import Testing

@testable import Terminal
@testable import Text
@testable import Venues
@testable import View

/// The page of a venue, as whole screens.
@Suite("F2, F3: the page of a venue")
struct VenueScreenTests {
    private func scene(width: Int, height: Int, ascii: Bool = false) throws -> InLibrary {
        var view = try InLibrary(width: width, height: height)
        view.count([1: 86, 2: 260])
        try view.comes(to: 1)
        view.state.hasHistory = true
        view.state.ascii = ascii
        return view
    }

    private static let top = [
        " UvA study places   open until 18:00   you: UB Singel since 09:12",
        " Sat 5 Dec 2026   6 within reach   @ you  * friend  o people  x full  - closed",
        " @  1 UB Singel     34 of 120 free    open until 18:00",
        " -  2 Law library   full, 260 of 260  closed; opens Mo 2026-12-07 at 09:00, ca…",
        " ·  3 Science Park  180 of 180 free   open until 18:00",
    ]

    @Test("80x24: the list, and the chat below")
    func list() throws {
        let below = [
            "", " [all]", "",
            "  Nothing was said yet. Type something and press Enter: all here read it.",
            "  Tab goes to the places, Enter on one checks in.",
        ]
        let last = [
            " Enter send  Tab places  F4 people  F1 help  /quit closes  PgUp scroll", "[all]",
        ]
        let blank = Array(repeating: "", count: 12)
        let screen = try scene(width: 80, height: 24).screen
        #expect(screen == Self.top + below + blank + last)
    }

    @Test("The guide shows it as it is")
    func guide() throws {
        let path = FlightsUnchangedTests.root.appending(path: "docs/guide/view.md")
        let lines = try String(contentsOf: path, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let first = try #require(lines.firstIndex(of: "```text"))
        #expect(Array(lines[first + 1..<first + 6]) == Self.top)
    }

    @Test("A line says all about the place under the cursor, another one what keys do there")
    func chosen() throws {
        var view = try scene(width: 80, height: 24)
        view.press(.tab)
        var lines = view.screen
        #expect(lines[2].hasPrefix(">@  1 UB Singel"))
        #expect(lines[5] == " 1 UB Singel  34 of 120 free   open until 18:00   Singel 425")
        let keys = " arrows move  Enter check out  i about it  p plan  n people  Esc back  ? help"
        #expect(lines[22] == keys)
        view.press(.down)
        lines = view.screen
        #expect(lines[5].hasPrefix(" 2 Law library  full, 260 of 260   closed; opens Mo 2026-12"))
        #expect(lines[22].hasPrefix(" arrows move  Enter: not here  i"))
    }

    @Test("p: the plan in place of the list, true to scale, with signs behind the numbers")
    func plan() throws {
        var view = try scene(width: 80, height: 24, ascii: true)
        view.press(.tab, .letter("p"))
        let lines = view.screen
        #expect(lines[2].hasPrefix("+---") && lines[2].hasSuffix(" N -+"))
        #expect(lines.contains { $0.contains("[1@]") })
        #expect(lines.contains { $0.contains(" 2- ") })
        #expect(lines.contains { $0.contains(" 3 ") })
        #expect(lines.contains { $0.hasPrefix(" |-") && $0.hasSuffix(" km") })
        #expect(lines.joined().utf8.allSatisfy { $0 < 128 })
        view.press(.letter("p"))
        #expect(view.screen[2].hasPrefix(">@  1 UB Singel"))
    }

    @Test("120x40: list and plan side by side")
    func wide() throws {
        var view = try scene(width: 120, height: 40)
        let lines = view.screen
        let first =
            " UvA study places   Sat 5 Dec 2026   open until 18:00   6 within reach"
            + "   you: UB Singel since 09:12"
        #expect(lines[0] == first)
        #expect(lines[2].hasPrefix(" @  1 UB Singel     34 of 120 free    open until 18:00"))
        #expect(lines[2].contains("┌───") && lines[2].hasSuffix(" N ─┐"))
        #expect(lines.contains { $0.contains("│1@") })
        #expect(lines[20] == " [all]")
        // The way between both is not needed.
        view.press(.tab, .letter("p"))
        #expect(view.state.notice?.contains("side by side") == true)
    }

    @Test("Small windows scroll; smaller ones say what they want")
    func small() throws {
        var view = try scene(width: 60, height: 16)
        #expect(view.screen[1].hasSuffix("@ you  * friend  o people  x full  - closed"))
        #expect(view.screen[2].hasPrefix(" @  1 UB Singel"))
        view.state.resize(Grid.Point(x: 59, y: 16))
        #expect(view.screen[14] == " make the window 60x16 for the places")
        for size in [(1, 1), (3, 2), (20, 5), (60, 16), (300, 60)] {
            view.state.resize(Grid.Point(x: size.0, y: size.1))
            view.press(.tab, .letter("p"))
            #expect(view.screen.count == size.1)
            view.press(.letter("p"), .escape)
        }
    }

    @Test("In ASCII nothing else is drawn, and no two marks are alike")
    func ascii() throws {
        for (x, y) in [(80, 24), (120, 40)] {
            var view = try scene(width: x, height: y, ascii: true)
            for keys in [[], [Key.tab], [.letter("p")]] as [[Key]] {
                for key in keys { view.press(key) }
                let text = view.screen.joined()
                #expect(text.utf8.allSatisfy { $0 < 128 }, "\(text)")
            }
        }
        let letters = PlaceMark.allCases.map(\.letter) + [PlaceMark.friend]
        #expect(Set(letters).count == letters.count)
    }

    @Test("Words that cannot be read say so")
    func empty() throws {
        var view = try InLibrary("{}")
        #expect(view.screen[2] == " The operator's words cannot be read by this version.")
        view.press(.tab)
        #expect(view.state.notice == "There is no place to go to." && view.state.focus == .input)
    }

    @Test("As many places as words have room for, with long numbers, scroll and are all reached")
    func many() throws {
        let places = (0..<110).map { index in
            VenueFiles.place([
                "id": .int(3840 + index), "name": .string("H\(index)"),
                "at": [.int(index % 16), .int(index / 16)],
            ])
        }
        let venue = try Venue(json: VenueFiles.least.adding(["places": .array(places)]))
        let text = String(decoding: venue.bytes, as: UTF8.self)
        for (x, y) in [(60, 16), (120, 40)] {
            var view = try InLibrary(text, width: x, height: y)
            view.press(.tab)
            var seen: Set<Int> = []
            for _ in 0..<110 {
                let id = try #require(view.state.venue?.cursor)
                seen.insert(id)
                if id % 32 == 0 {
                    let isShown = view.screen.contains { $0.contains("\(id) H") }
                    #expect(isShown, "\(id)")
                }
                view.press(.down)
            }
            #expect(seen.count == 110)
            view.press(.letter("3"), .letter("8"), .letter("4"), .letter("1"))
            #expect(view.state.venue?.cursor == 3841)
        }
    }

    @Test("No name acts on the terminal or leaves its column")
    func hostile() throws {
        let names = [
            "図書館の座席とても長い名前です", "e\u{301}\u{302}\u{323}\u{327}\u{30A}x", "@* x -  full",
        ]
        let places = names.enumerated().map { index, name in
            VenueFiles.place([
                "id": .int(index + 1), "name": .string(name), "at": [.int(index), 1],
            ])
        }
        let venue = try Venue(
            json: VenueFiles.least.adding(["places": .array(places), "name": "座席 | you: here"]))
        let text = String(decoding: venue.bytes, as: UTF8.self)
        for (x, y) in [(60, 16), (80, 24), (120, 40)] {
            var view = try InLibrary(text, width: x, height: y)
            view.press(.tab)
            // The columns stand where they do for every name.
            let free = view.screen[2..<5].compactMap { line in
                line.range(of: "5 of 5 free").map { cellWidth(String(line[..<$0.lowerBound])) }
            }
            #expect(free.count == 3 && Set(free).count == 1)
            for key in [Key.down, .letter("p"), .down] {
                view.press(key)
                for line in view.screen {
                    #expect(cellWidth(line) <= x)
                    #expect(line.unicodeScalars.allSatisfy { $0.value >= 32 })
                }
            }
        }
        // What no operator may sign is not shown at all.
        let wrong = text.replacing("full", with: "\u{1B}[31m\u{202E}")
        let screen = try InLibrary(wrong).screen
        #expect(screen.allSatisfy { !$0.contains("\u{1B}") && !$0.contains("\u{202E}") })
    }
}
