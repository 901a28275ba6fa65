// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Launch
import Protocol
import Text
import Testing

@testable import SeatAgent

/// What becomes of seats and a name of an earlier time.
@Suite("Earlier start")
struct EarlierStartTests {
    private func seats(_ words: String...) -> [Seat] { words.compactMap { Seat($0) } }

    @Test("Another seat than the one held is not claimed before the passenger said what they mean")
    func another() {
        let earlier = EarlierRecords(held: seats("14C"), known: seats("14C"), name: "ada")
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
        let earlier = EarlierRecords(held: seats("14C"), known: seats("14C"), name: "ada")
        #expect(earlier.change(to: seats("14C"), nil) == SeatChange())
        #expect(
            earlier.change(to: seats("14C", "14D"), nil) == SeatChange(adds: seats("14D")))
        let none = EarlierRecords(held: [], known: [], name: "ada")
        #expect(none.change(to: seats("3F"), nil) == SeatChange(adds: seats("3F")))
    }

    @Test("A seat that was swapped away is neither asked about nor claimed again")
    func swapped() {
        let earlier = EarlierRecords(held: seats("12A"), known: seats("12A", "14C"), name: "ada")
        #expect(earlier.change(to: seats("14C"), nil) == SeatChange())
        #expect(
            earlier.givenRemark(seats("14C"))
                == "14C went to another passenger in a swap, so it is not claimed: "
                + "seatagent seats shows who sits there.")
        #expect(earlier.givenRemark(seats("12A", "3F")) == nil)
        #expect(earlier.change(to: seats("3F"), nil) == nil)
        #expect(earlier.change(to: seats("3F"), .move)?.leaves == seats("12A"))
    }

    @Test("A start that leaves it open is refused, and says how to start")
    func undecided() throws {
        let earlier = EarlierRecords(held: seats("14C"), known: seats("14C"), name: "ada")
        var choice = EarlierChoice(seats: nil, name: "eve", line: "seatagent up --seat 3F")
        let error = #expect(throws: UserError.self) {
            try earlier.change(to: seats("3F"), choice)
        }
        #expect(error?.code == .usage)
        #expect(error?.what == "you are still in 14C from before")
        #expect(error?.advice == "seatagent up --seat 3F --move")
        choice.seats = .move
        let change = SeatChange(
            leaves: seats("14C"), adds: seats("3F"), name: "eve", oldName: "ada")
        #expect(try earlier.change(to: seats("3F"), choice) == change)
        choice.name = nil
        #expect(try earlier.change(to: seats("3F"), choice).name == nil)
    }

    @Test("Two claims from before: one of them typed with --move gives the other back")
    func one() {
        let earlier = EarlierRecords(
            held: seats("3F", "14C"), known: seats("3F", "14C"), name: "ada")
        #expect(earlier.change(to: seats("3F"), nil) == SeatChange())
        #expect(earlier.change(to: seats("3F"), .move) == SeatChange(leaves: seats("14C")))
    }
}
