// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Launch
import Protocol
import Testing

@testable import SeatAgent

/// What becomes of seats and a name of an earlier time.
@Suite("Earlier start")
struct EarlierStartTests {
    private func seats(_ words: String...) -> [Seat] { words.compactMap { Seat($0) } }

    @Test("Another seat than the one held is not claimed before the passenger said what they mean")
    func another() {
        let earlier = EarlierStart(held: seats("14C"), known: seats("14C"), name: "ada")
        #expect(earlier.change(to: seats("3F"), nil) == nil)
        #expect(
            earlier.question(seats("3F"))
                == "You are still in 14C from before. Move to 3F, or hold both?")
        #expect(
            earlier.change(to: seats("3F"), .move)
                == SeatChange(leaves: seats("14C"), adds: seats("3F")))
        #expect(
            earlier.change(to: seats("3F"), .both)
                == SeatChange(adds: seats("3F"), isDecided: true))
        #expect(
            earlier.question(seats("3F", "3G"))
                == "You are still in 14C from before. Move to 3F, 3G, or hold all?")
    }

    @Test("The same seats, and more beside them, are no question")
    func same() {
        let earlier = EarlierStart(held: seats("14C"), known: seats("14C"), name: "ada")
        #expect(earlier.change(to: seats("14C"), nil) == SeatChange())
        #expect(
            earlier.change(to: seats("14C", "14D"), nil) == SeatChange(adds: seats("14D")))
        let none = EarlierStart(held: [], known: [], name: "ada")
        #expect(none.change(to: seats("3F"), nil) == SeatChange(adds: seats("3F")))
    }

    @Test("A seat that was swapped away is neither asked about nor claimed again")
    func swapped() {
        let earlier = EarlierStart(held: seats("12A"), known: seats("12A", "14C"), name: "ada")
        #expect(earlier.change(to: seats("14C"), nil) == SeatChange())
        #expect(earlier.given(seats("14C")) == seats("14C"))
        #expect(earlier.change(to: seats("3F"), nil) == nil)
        #expect(earlier.change(to: seats("3F"), .move)?.leaves == seats("12A"))
    }

    @Test("Two claims from before: one of them typed with --move gives the other back")
    func one() {
        let earlier = EarlierStart(
            held: seats("3F", "14C"), known: seats("3F", "14C"), name: "ada")
        #expect(earlier.change(to: seats("3F"), nil) == SeatChange())
        #expect(earlier.change(to: seats("3F"), .move) == SeatChange(leaves: seats("14C")))
    }
}
