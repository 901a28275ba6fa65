// SPDX-License-Identifier: Apache-2.0
@testable import Agent
import Protocol
import Testing

@testable import Aviation
@testable import SeatAgent
@testable import Text

@Suite("Offers in words and in seats") struct OfferTests {
    private let cabin = CabinLayout.standard

    @Test("Words come back from the seats that they were made into")
    func words() throws {
        let mine = [try #require(Seat("14C")), try #require(Seat("20A"))]
        let seats = WishSeats(cabin: cabin, mine: mine) { _ in [] }
        for word in ["any", "window", "aisle", "front", "12A", "1F"] {
            let rank = try seats.set(try WishReader.read(word)[0])
            #expect(OfferWords.want(rank, for: mine, cabin).text == word)
        }
    }

    @Test("Seats that are no word here are told as seats")
    func seats() throws {
        let blocks = [
            SeatSet.Block(columns: 1 << 5 | 1, first: 1, last: 10),
            SeatSet.Block(columns: 1, first: 12, last: 12),
        ]
        let set = try #require(SeatSet(blocks))
        #expect(OfferWords.want(set, for: [], cabin).text == "1-10AF,12A")
        let rows = try #require(SeatSet(before: 4))
        #expect(OfferWords.want(rows, for: [], cabin).text == "1-3")
    }

    @Test(
        "The windows and aisles of every bundled cabin fit a wish, and are its windows and aisles")
    func cabins() throws {
        for layout in CabinLayout.bundled {
            let windows = try #require(layout.set(where: \.window), "\(layout.id)")
            let aisles = try #require(layout.set(where: \.aisle), "\(layout.id)")
            for seat in layout.seats {
                let kind = layout.kind(of: seat)
                #expect(windows.contains(seat) == kind.window, "\(layout.id) \(seat.text)")
                #expect(aisles.contains(seat) == kind.aisle, "\(layout.id) \(seat.text)")
            }
        }
    }
}
