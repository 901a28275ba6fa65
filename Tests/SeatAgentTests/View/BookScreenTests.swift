// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Protocol
import Terminal
import Testing
import Text
import Venues

@testable import View

/// The page of a venue's bookings on the screen (docs/guide/view.md).
@Suite("The page of bookings on the screen")
struct BookScreenTests {
    /// The courts of the example on Saturday, 5 December 2026, half past eight in the morning.
    private func scene(_ width: Int = 100, _ height: Int = 30) throws -> InLibrary {
        try InLibrary(
            VenueExample.courts.text, width: width, height: height, at: "2026-12-05T14:30:00Z")
    }

    private static func booking(
        _ place: Int, _ from: Int, _ who: JSON, token: Character = "a", due: JSON? = nil
    ) -> JSON {
        .object(present: [
            "token": .string(String(repeating: token, count: 64)), "place": .int(place),
            "period": ["day": "2026-12-05", "from": .int(from), "minutes": 60], "count": 1,
            "holder": who, "member": 1, "paid": 0, "note": "", "due": due,
        ])
    }

    /// What the agent tells of a day.
    private static func facts(_ bookings: [JSON], _ asks: [JSON] = []) -> JSON {
        [
            "desk": [
                "who": InLibrary.bo, "epoch": 1, "pages": 9, "here": true, "rivals": [],
                "voids": 0, "lost": 0,
            ],
            "member": 1, "class": 0, "bookings": .array(bookings), "asks": .array(asks),
            "quotas": [
                ["minutes": 60, "bookings": 0, "minutes_limit": 240, "bookings_limit": 0]
            ],
        ]
    }

    private func told(
        _ view: inout InLibrary, _ bookings: [JSON], on day: String = "2026-12-05"
    ) {
        view.answer(.days(day), Self.facts(bookings))
    }

    @Test("Until the agent has told of a day, nothing is drawn of it, and it is asked for")
    func asked() throws {
        var view = try scene()
        view.state.stale.insert(.venue)
        let asked = view.state.refresh()
        #expect(
            asked.contains(
                .ask(Op.Days(first: "2026-12-05", last: "2026-12-05"), .days("2026-12-05"))))
        #expect(view.screen[2].contains("Nothing is known of that day yet."))
        // What is told of another day is not this one.
        told(&view, [], on: "2026-12-06")
        #expect(view.state.venue?.book?.page == nil)
    }

    @Test("Marks are letters: free, taken, one's own, not paid, closed")
    func marks() throws {
        var view = try scene()
        told(
            &view,
            [
                Self.booking(1, 18 * 60, InLibrary.bo), Self.booking(2, 17 * 60, InLibrary.kiki),
                Self.booking(
                    2, 19 * 60, InLibrary.kiki, token: "b",
                    due: ["currency": "USD", "amount": 1000]),
            ])
        let lines = view.screen
        #expect(lines[0].contains("desk: here"))
        #expect(lines[0].contains("you: student, 3 h of 4 h left"))
        let head = try #require(lines.first { $0.contains(" 18 19") })
        let column = try #require(head.range(of: " 18 19"))
        func mark(_ name: String, _ hour: Int) throws -> String {
            let line = try #require(lines.first { $0.contains(" \(name) ") })
            let offset = head.distance(from: head.startIndex, to: column.lowerBound) + 2
            return String(Array(line)[offset + 3 * (hour - 18)])
        }
        #expect(try mark("Tennis 1", 18) == "x")
        #expect(try mark("Tennis 1", 17) == ".")
        #expect(try mark("Tennis 2", 17) == "+")
        #expect(try mark("Tennis 2", 19) == "!")
    }

    @Test("The cursor goes from cell to cell, and Enter asks before it books")
    func books() throws {
        var view = try scene()
        told(&view, [Self.booking(1, 18 * 60, InLibrary.bo)])
        view.press(.tab)
        let first = try #require(view.state.venue?.book?.cursor)
        #expect(first.place == 1)
        view.press(.right, .down, .left, .up)
        #expect(view.state.venue?.book?.cursor == first)
        view.press(.enter)
        let question = try #require(view.state.question)
        #expect(question.sentence == "Book it? y/n")
        #expect(question.lines.first?.hasPrefix("Tennis 1, Sat 5 Dec") == true)
        guard case .errands(let errands) = question.intent else {
            Issue.record("it does something else")
            return
        }
        #expect(Array(errands[0].words.prefix(2)) == ["book", "Tennis 1"])
        #expect(errands[0].words.contains("--yes"))
    }

    @Test("What others have is waited for or swapped, one's own is cancelled")
    func others() throws {
        var view = try scene()
        told(
            &view,
            [
                Self.booking(1, 18 * 60, InLibrary.bo),
                Self.booking(2, 19 * 60, InLibrary.kiki, token: "b"),
            ])
        view.press(.tab, .letter("n"))
        view.press(.enter)
        #expect(view.state.question?.sentence == "Cancel it? y/n")
        view.press(.letter("q"), .up, .left, .enter)
        #expect(view.state.notice == "Others have it then: w waits for it, s asks for a swap.")
        view.press(.letter("w"))
        #expect(view.state.question?.sentence == "Wait for it? y/n")
        view.press(.letter("q"), .letter("s"))
        #expect(view.state.question?.lines == [BookingTerms.swapRisk])
    }

    @Test("Days turn, in the ledger of now alone")
    func days() throws {
        var view = try scene()
        told(&view, [])
        view.press(.tab, .letter("]"))
        #expect(view.state.venue?.book?.date?.text == "2026-12-06")
        view.press(.letter("["), .letter("["))
        #expect(view.state.venue?.book?.date?.text == "2026-12-04")
        view.press(.letter("g"))
        #expect(view.state.focus == .input && view.state.editor.text == "/day ")
        for letter in "31 dec" { view.press(.letter(letter)) }
        view.press(.enter)
        #expect(view.state.venue?.book?.date?.text == "2026-12-31")
        for letter in "/day 1 jan 2027" { view.press(.letter(letter)) }
        view.press(.enter)
        #expect(view.state.notice == "The ledger of now has the days of 2026-12.")
    }

    @Test("In any window nothing is drawn outside of it, and the cursor is in sight")
    func sizes() throws {
        for (width, height) in [(1, 1), (60, 16), (61, 17), (80, 24), (120, 40), (300, 70)] {
            var view = try scene(width, height)
            told(&view, [Self.booking(1, 18 * 60, InLibrary.bo)])
            view.press(.tab)
            for key in [Key.right, .down, .letter("+"), .letter("]")] {
                for _ in 0..<20 { view.press(key) }
                #expect(view.screen.count == height)
                #expect(view.screen.allSatisfy { $0.count <= width })
            }
        }
    }

    @Test("What is had by the day shows what is left of it")
    func stock() throws {
        var view = try InLibrary(
            VenueExample.rental.text, width: 100, height: 30, at: "2026-12-05T11:00:00Z")
        view.answer(.days("2026-12-05"), Self.facts([]))
        #expect(view.screen.contains { $0.contains("4/4") })
    }
}
