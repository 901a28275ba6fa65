// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Testing

@testable import Aviation
@testable import Text

@Suite("Wishes in words") struct WishReaderTests {
    private func read(_ text: String) throws -> String {
        WishWords.text(try WishReader.read(text))
    }

    @Test(
        "What people type is read, and written in one form",
        arguments: [
            ("window", "window"), ("Window, AISLE", "window, aisle"),
            ("window then aisle", "window, aisle"), ("window,aisle", "window, aisle"),
            ("a window seat", "window"), ("any seat", "any"), ("any window", "window"),
            ("not middle", "not middle"), ("no middle seat", "not middle"),
            ("not a middle seat further front", "not middle front"),
            ("rows 1-10", "rows 1-10"), ("rows 1 to 10", "rows 1-10"),
            ("rows 1 - 10", "rows 1-10"), ("rows 1\u{2013}10", "rows 1-10"),
            ("row 7", "row 7"), ("near 14c", "near 14C"), ("near 14 c", "near 14C"),
            ("close to 14C", "near 14C"), ("next to bo", "next to bo"),
            ("next to '#c2d9'", "next to #c2d9"), ("beside bo", "next to bo"),
            ("next to \"ada l.\"", "next to \"ada l.\""), ("next to 12A", "next to 12A"),
            ("away from toilets", "away from toilets"),
            ("away from the toilet", "away from toilets"),
            ("not near a loo", "away from toilets"), ("near toilets", "near toilets"),
            ("12A 12B", "12A 12B"), ("12 A", "12A"), ("12AB 1-10AF", "12AB 1-10AF"),
            ("not 12A 12B", "not 12A not 12B"), ("window or aisle front", "window or aisle front"),
            ("not 12A or 12B front", "not 12A not 12B front"),
            ("exit row", "exit"), ("exit row 7", "exit row 7"), ("extra legroom", "legroom"),
            ("rear", "back"),
            ("window aisle", "window aisle"), (",window,,aisle,", "window, aisle"),
            ("next to window", "next to window"), ("3-5", "3-5"),
            ("2 2-2", "2 2"), ("not 12A any 12B", "not 12A any 12B"),
            ("not 12A or any 3-5", "not 12A or any 3-5"),
            ("not next to \"Ada", "not next to Ada"), ("near \"An\"", "near \"An\""),
            ("next to 12\"c", "next to 12C"),
            ("near 'Loo'", "near \"Loo\""), ("next to 'it\"s'", "next to its"),
            ("next to \n\u{301}ada", "next to \u{301}ada"),
        ]) func read(typed: String, form: String) throws
    {
        #expect(try read(typed) == form)
        #expect(try read(form) == form)
    }

    @Test(
        "What cannot be read says so, with a wish that can",
        arguments: [
            ("windoww", "window"), ("window, ailse", "window, aisle"),
            ("window, xyzzyx", "window"), ("", "window, aisle"), (",", "window, aisle"),
            ("not", "not middle"), ("window, not", "window, not middle"), ("or", "window, aisle"),
            ("window or", "window"), ("rows", "rows 1-10"), ("rows ten", "rows 1-10"),
            ("rows 10-1", "rows 1-10"), ("rows 0-3", "rows 1-10"), ("row 256", "row 1-10"),
            ("window near", "window near 14C"), ("next to", "window, aisle"),
            ("away from bo", "away from toilets"), ("away", "away from toilets"),
            ("not any", "not middle"), ("tail", "window, aisle"), ("12AA", "window, aisle"),
            ("nex to fay", "next to fay"), ("window nex fay", "window next to fay"),
            ("999A", "window, aisle"), ("\u{1B}[2J", "window, aisle"),
            ("a, b, c", "window, aisle"), ("'a\"b' x", "window, aisle"),
            ("near 'a\"b' x", "near 'a\"b'"),
            // A quote that stands alone stays alone.
            ("next to \"@ xyzzyx near 'ada l.'", "next to \"@ near 'ada l.'"),
            ("window, aisle, front, back, middle", "window, aisle, front, back"),
        ]) func mended(typed: String, better: String) throws
    {
        let found = try #require(fault(typed))
        #expect(found.better == better)
        #expect(throws: Never.self) { try WishReader.read(found.better) }
        #expect(!found.what.contains("\u{1B}") && !found.why.isEmpty)
    }

    @Test("A wish that is proposed is not longer than a wish may be")
    func mendedAtTheLimit() throws {
        let name = String(repeating: "b", count: Limits.wishWords - 9)
        let long = "near \(name) not"
        #expect(long.utf8.count == Limits.wishWords)
        #expect(try #require(fault(long)).better == "near \(name)")
        // Neither with the word that was meant nor without it.
        let meant = "nex to \(name)bb"
        #expect(meant.utf8.count == Limits.wishWords)
        #expect(try #require(fault(meant)).better == WishReader.standard)
    }

    private func fault(_ text: String) -> WishFault? {
        do throws(WishFault) {
            _ = try WishReader.read(text)
            return nil
        } catch {
            return error
        }
    }

    @Test("A command line becomes the text, and a wish becomes a command line")
    func shells() throws {
        #expect(
            WishReader.text(["window,", "next", "to", "ada l."]) == "window, next to \"ada l.\"")
        #expect(WishReader.text(["window, aisle"]) == "window, aisle")
        let line = WishReader.shell("next to \"it's ada\", next to #c2d9, 12A")
        #expect(line == "next to 'it'\\''s ada' then next to '#c2d9' then 12A")
        #expect(
            WishReader.text(["next", "to", "it's ada", "then", "12A"])
                == "next to \"it's ada\" then 12A")
        #expect(try read("next to \"it's ada\" then 12A") == "next to \"it's ada\", 12A")
        let long = String(repeating: "12A ", count: 400)
        #expect(fault(long)?.isTooMuch == true)
    }

    // MARK: Seats

    private let mine = [Seat("14C"), Seat("15C")].compactMap(\.self)

    private func seats(_ cabin: CabinLayout = .standard) -> WishSeats {
        WishSeats(cabin: cabin, mine: mine) { who in
            switch who {
            case "bo": [Seat("12A")].compactMap(\.self)
            case "cy": [Seat("20C"), Seat("20D")].compactMap(\.self)
            default: []
            }
        }
    }

    private func seats(_ text: String, _ cabin: CabinLayout = .standard) throws -> String {
        let choices = try WishReader.read(text)
        return WishWords.text(try seats(cabin).set(choices[0]))
    }

    @Test(
        "Words come to seats",
        arguments: [
            ("window", "1-32AF"), ("aisle", "1-32CD"), ("window aisle", "1-32ACDF"),
            ("not middle", "1-32ACDF"), ("middle rows 3-4", "3-4BE"), ("any", "1-255"),
            ("front", "1-13"), ("back", "16-255"), ("window front", "1-13AF"),
            ("rows 1-10", "1-10"), ("rows 40-50", "40-50"), ("12A 12B", "12AB"),
            ("12A 13A", "12-13A"), ("near 14C", "12-13 14ABDEFGHIJKLMNOPQRSTUVWXYZ 15-16"),
            ("next to bo", "12B"), ("next to cy", "20BE"), ("next to 12C", "12B"),
            ("aisle near bo", "10-14CD"), ("not 1A", "1BCDEFGHIJKLMNOPQRSTUVWXYZ 2-255"),
            ("window or aisle front", "1-13ACDF 14-32AF"), ("12K", "12K"),
            ("12K window rows 12-13", "12-13AFK"), ("not next to bo rows 12-12 window", "12AF"),
        ]) func compiled(typed: String, blocks: String) throws
    {
        #expect(try seats(typed) == blocks)
    }

    @Test("Where the cabin has a gap, a block goes over it; what others made is found again")
    func gaps() throws {
        let cabin = try #require(CabinLayout.bundled.first { $0.id == "ryanair-737-800" })
        let windows = try seats("window", cabin)
        #expect(windows.split(separator: " ").count <= 3)
        for layout in CabinLayout.bundled {
            let choice = WishChoice(alternatives: [[WishChoice.Part(.window)]])
            let set = try seats(layout).set(choice)
            #expect(set == layout.set(where: \.window), "\(layout.id)")
            for seat in layout.seats {
                #expect(set.contains(seat) == layout.kind(of: seat).window)
            }
        }
    }

    @Test("What no seat is like says why")
    func nothing() throws {
        func why(_ text: String, mine: [Seat] = []) throws -> WishSeats.Nothing? {
            let choice = try WishReader.read(text)[0]
            do throws(WishSeats.Nothing) {
                _ = try WishSeats(cabin: .standard, mine: mine, seats: { _ in [] }).set(choice)
                return nil
            } catch {
                return error
            }
        }
        let first = try #require(Seat("1A"))
        #expect(try why("window rows 40-50") == .nowhere)
        #expect(try why("front", mine: [first]) == .edge(first))
        #expect(try why("next to bo") == .seatless("bo"))
        #expect(try why("away from toilets") == .unknown(.nearToilet))
        #expect(try why("exit") == .unknown(.exit))
        #expect(try why("legroom") == .unknown(.extraLegroom))
        let chess = (1...20).map { "\($0 * 2)\($0 % 2 == 0 ? "A" : "F")" }
        #expect(try why(chess.joined(separator: " ")) == .scattered(20))
        #expect(try why((1...16).map { "\($0 * 2)A" }.joined(separator: " ")) == nil)
    }

    @Test("Staying unless it is better leaves the ranks before the own seat")
    func better() throws {
        let ranks = try ["12A", "14C", "any"].map { try seats().set(try WishReader.read($0)[0]) }
        let here = try #require(Seat("14C"))
        let best = try #require(Seat("12A"))
        #expect(WishSeats.better(ranks, than: [here]) == [ranks[0]])
        #expect(WishSeats.better(ranks, than: [best, here]).isEmpty)
        #expect(WishSeats.better(ranks, than: []) == ranks)
    }

    // MARK: Sets

    @Test("Any set of seats comes to sorted blocks that do not overlap and are that set")
    func grids() throws {
        var random = SeededRandom(seed: .zero)
        for _ in 0..<Soak.rounds(300, short: 100) {
            var grid = SeatGrid.none
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let first = Int.random(in: 1...40, using: &random)
                let part = SeatGrid(
                    rows: first...min(first + Int.random(in: 0...20, using: &random), 255),
                    columns: Int.random(in: 1...63, using: &random))
                grid = Bool.random(using: &random) ? grid.union(part) : grid.union(part.others)
                if Bool.random(using: &random) { grid = grid.intersection(part) }
            }
            let blocks = grid.blocks(real: .all)
            var sum = SeatGrid.none
            var count = 0
            for block in blocks {
                let part = SeatGrid(rows: block.first...block.last, columns: block.columns)
                sum = sum.union(part)
                count += part.count
            }
            #expect(sum == grid && count == grid.count && blocks == blocks.sorted())
            if (1...16).contains(blocks.count) { #expect(SeatSet(blocks) != nil) }
            // Seats that do not exist cost nothing.
            let real = SeatGrid(rows: 1...30, columns: 63)
            let fewer = grid.blocks(real: real)
            #expect(fewer.count <= grid.intersection(real).blocks(real: .all).count)
            for seat in CabinLayout.standard.seats where seat.row <= 30 {
                let isIn = fewer.contains { block in
                    block.first...block.last ~= Int(seat.row)
                        && block.columns & 1 << Int(seat.column) != 0
                }
                #expect(isIn == !grid.intersection(SeatGrid([seat])).isEmpty)
            }
        }
    }
}
