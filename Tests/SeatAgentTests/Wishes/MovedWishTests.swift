// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Agent
@testable import Aviation
@testable import Launch
@testable import Protocol
@testable import Trips

@Suite("A wish on another aircraft")
struct MovedWishTests {
    @Test(
        "Words that name seats or rows are left out",
        arguments: [
            ("window, next to bo", "window, next to bo", ""),
            ("12A 12B, window", "window", "12A, 12B"),
            ("window rows 1-10, aisle", "window, aisle", "rows 1-10"),
            ("near 14C or not 3-5 front", "front", "near 14C, not 3-5"),
            ("12A window, window", "window", "12A"), ("next to 14B", "", "next to 14B"),
            ("exit legroom, away from toilets", "exit legroom, away from toilets", ""),
        ])
    func elsewhere(_ typed: String, _ kept: String, _ leftOut: String) throws {
        let (choices, words) = WishChoice.elsewhere(try WishReader.read(typed))
        #expect(WishWords.text(choices) == kept)
        #expect(words.joined(separator: ", ") == leftOut)
    }

    /// A wish as the flight's file has it, with `words`.
    private func own(_ words: String, stays: Bool = false, note: String = "") throws -> OwnWish {
        var said = SaidWish()
        said.choices = words.isEmpty ? [] : try WishReader.read(words)
        said.stays = stays
        var wish = OwnWish()
        (wish.words, wish.note, wish.isPrivate) = (said.text, note, true)
        return wish
    }

    private func left(_ wish: OwnWish, name: (PeerKey) -> String? = { _ in nil }) -> LeftFlight {
        var left = LeftFlight(.practice)
        left.take(wish, name: name)
        return left
    }

    @Test("A passenger goes along by name, and who has none is left out")
    func people() throws {
        let key = PeerKey(.zero)
        let wish = try own("next to \(key.hex), window", stays: true)
        let known = left(wish) { $0 == key ? "bo" : nil }
        #expect(known.moved.wish?.words == "next to bo, window")
        #expect(known.moved.wish?.stays == true && known.moved.wish?.isPrivate == true)
        #expect(known.leftOut.isEmpty)
        let unknown = left(wish)
        #expect(unknown.moved.wish?.words == "window")
        #expect(unknown.leftOut.count == 1)
    }

    @Test("A note that names a seat is left out, and a wish of nothing is none")
    func notes() throws {
        #expect(left(try own("window", note: "long legs")).moved.wish?.note == "long legs")
        let seat = left(try own("window", note: "my 14C, please"))
        #expect(seat.moved.wish?.note == "" && seat.leftOut == ["the note"])
        #expect(left(try own("12A")).moved.wish == nil)
        #expect(left(OwnWish()).moved.wish == nil)
    }
}
