// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Aviation
@testable import SeatAgent
@testable import Terminal
@testable import Text

@Suite("Steps in a cabin")
struct CabinStepTests {
    private func seat(_ text: String) throws -> Seat { try #require(Seat(text)) }

    @Test("Rows that are missing are stepped over, and so are missing seats")
    func rows() throws {
        let layout = bundled("ryanair-737-800")
        #expect(try layout.seat(seat("12A"), rowsOn: 1) == seat("14A"))
        #expect(try layout.seat(seat("14A"), rowsOn: -1) == seat("12A"))
        // Row 1 has no D: the next seat forward is in the same row's other block.
        #expect(try layout.seat(seat("2D"), rowsOn: -1) == seat("1C"))
        #expect(try layout.seat(seat("33F"), rowsOn: 1) == seat("33F"))
        #expect(try layout.seat(seat("1A"), rowsOn: -1) == seat("1A"))
        let doors = bundled("ryanair-737-8-200")
        #expect(try doors.seat(seat("27A"), rowsOn: 1) == seat("29A"))
        #expect(try doors.seat(seat("29F"), rowsOn: -1) == seat("27F"))
    }

    @Test("Aisles are crossed, walls are not")
    func columns() throws {
        let layout = bundled("lufthansa-a350-900")
        var at = try seat("30A")
        var passed = [at.text]
        for _ in 0..<12 {
            at = layout.seat(at, columnsOn: 1)
            passed.append(at.text)
        }
        #expect(
            passed.prefix(9) == [
                "30A", "30B", "30C", "30D", "30E", "30G", "30H", "30J", "30K",
            ])
        #expect(passed.suffix(4) == ["30K", "30K", "30K", "30K"])
        #expect(try layout.seat(seat("3C"), columnsOn: 1) == seat("3D"))
        #expect(try layout.seat(seat("3D"), columnsOn: 1) == seat("3G"))
        #expect(try layout.seat(seat("27D"), columnsOn: -1) == seat("27D"))
    }

    @Test("From a letter that the rows ahead do not have, the nearest one is next")
    func compartments() throws {
        let layout = bundled("lufthansa-a350-900")
        #expect(try layout.seat(seat("16B"), rowsOn: -1) == seat("15A"))
        #expect(try layout.seat(seat("12E"), rowsOn: -1) == seat("8D"))
    }

    @Test("Every seat of every layout can be reached with the arrows, and every step is a seat")
    func reach() {
        for layout in CabinLayout.bundled {
            var seen: Set<Seat> = []
            var next = Array(layout.seats.prefix(1))
            while let seat = next.popLast() {
                guard seen.insert(seat).inserted else { continue }
                #expect(layout.contains(seat))
                for by in [1, -1] {
                    next.append(layout.seat(seat, rowsOn: by))
                    next.append(layout.seat(seat, columnsOn: by))
                }
            }
            #expect(seen == Set(layout.seats), "\(layout.id)")
        }
    }

    @Test("In the view the arrows do the same, and a cursor outlives another layout")
    func view() {
        var view = Aboard()
        view.draw(by: bundled("ryanair-737-800"))
        view.press(.tab)
        #expect(view.state.cursor == Seat("14C"))
        view.press(.left)
        #expect(view.state.cursor == Seat("12C"))
        view.press(.up)
        #expect(view.state.cursor == Seat("12D"))
        view.type("13a")
        #expect(
            view.state.notice
                == "\"13a\" is not a seat here: rows go from 1 to 33 without 13, "
                + "letters from A to F.")
        view.type("33f")
        view.draw(by: bundled("klm-e190"))
        #expect(view.state.cursor == Seat("26F"))
        view.draw(by: bundled("lufthansa-a350-900"))
        view.type("1a")
        for _ in 0..<99 { view.press(.right) }
        #expect(view.state.cursor == Seat("42A"))
        #expect(view.screen.contains { $0.hasPrefix(" 42A  nobody is known here   window") })
    }

    @Test("Words of a seat come from the layout that is drawn")
    func words() {
        var view = Aboard()
        view.draw(by: bundled("ryanair-737-8-200"))
        view.press(.tab)
        view.type("29a")
        #expect(
            view.screen.contains {
                $0.hasPrefix(" 29A  nobody is known here   window, no window there, exit row")
            })
    }

    @Test("A seat of mine that the layout has not is said when one looks for it")
    func outside() {
        var view = Aboard()
        view.answer(
            .status, view.status.adding(["me": Aboard.who("ada", "40K", me: true)]))
        view.press(.tab)
        #expect(view.state.cursor == Seat("1A"))
        #expect(view.state.notice == "40K is not in this layout: /cabins lists others.")
    }
}
