// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// A counter-offer in a request of several (docs/protocol.md section 16).
@Suite struct RingCounterTests {
    /// Travellers 0 to 3 sit in 1A to 4A, and each is to get the seat of the one before them.
    private func asked() throws -> Desk { try Desk.invited(4).0 }

    /// Who gets 1A, 2A, 3A and 4A where traveller 1 would take `seat`.
    private func takers(
        _ desk: Desk, _ seat: String, give: String? = nil
    ) throws -> Result<[Int], Refusal> {
        RingCounter.legs(
            try require(desk.swaps.records.first), desk.key(1), give: give.flatMap { Seat($0) },
            take: try require(Seat(seat)), desk.context.fold, desk.context.logs
        )
        .map { legs in
            (0..<4).compactMap { index in
                let leg = legs.first { $0.token == desk.slots[index].token }
                return (0..<4).first { desk.key($0) == leg?.to }
            }
        }
    }

    private func wish(_ desk: inout Desk, _ who: Int, _ ranks: String) {
        desk.travellers[who].append(
            .wish(
                Wish(
                    offered: [desk.slots[who].token], ranks: [SeatedCabin.set(ranks)],
                    tag: ThreadID(high: 1, low: 1))))
    }

    @Test func asFewAsPossibleGetAnotherSeat() throws {
        var desk = try asked()
        #expect(try takers(desk, "3A") == .success([3, 2, 1, 0]))
        #expect(try takers(desk, "3A", give: "2A") == .success([3, 2, 1, 0]))
        // Traveller 3 would not take 1A, so one more is moved.
        wish(&desk, 3, "2A 3A")
        #expect(try takers(desk, "3A") == .success([2, 3, 1, 0]))
        // And where they would take nothing but the seat that they lose, there is none.
        wish(&desk, 3, "3A")
        let seat = try require(Seat("3A"))
        #expect(try takers(desk, "3A") == .failure(.notInRequest(seat)))
    }

    @Test func whoGetsTheSameIsNotAskedForTheirWish() throws {
        var desk = try asked()
        // They said yes or no to 2A already, whatever they wish for now.
        wish(&desk, 2, "9F")
        #expect(try takers(desk, "3A") == .success([3, 2, 1, 0]))
    }

    @Test func onlyAnotherSeatOfIt() throws {
        let desk = try asked()
        func seat(_ text: String) throws -> Seat { try require(Seat(text)) }
        #expect(try takers(desk, "9F") == .failure(.notInRequest(seat("9F"))))
        #expect(try takers(desk, "2A") == .failure(.ownSeat(seat("2A"))))
        #expect(try takers(desk, "1A") == .failure(.alreadySo))
        #expect(try takers(desk, "3A", give: "4A") == .failure(.notYours(seat("4A"))))
    }

    /// As many as a contract may have, and nobody else would take anything: it ends.
    @Test func itsStepsAreBounded() throws {
        var desk = try Desk.invited(8).0
        for index in [0, 2, 3, 4, 5, 6, 7] { wish(&desk, index, "9F") }
        let seat = try require(Seat("3A"))
        let found = RingCounter.legs(
            try require(desk.swaps.records.first), desk.key(1), give: nil, take: seat,
            desk.context.fold, desk.context.logs)
        #expect(found == .failure(.notInRequest(seat)))
    }
}
