// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let primitives = FakePrimitives()

/// A venue with two people who have a log, and a booking each.
private struct Hall {
    var venue: SmallVenue
    var ada = MadeUpLedger(FakeSigner(101), in: .fake)
    var bo = MadeUpLedger(FakeSigner(102), in: .fake)
    var mine = Token(.zero)
    var theirs = Token(.zero)

    init(swaps: BookRules.Swaps = .all) throws {
        venue = try SmallVenue()
        try venue.desk.charter(revision: 2, try SmallVenue.rules(swaps: swaps))
        try ada.write(.genesis(name: "ada", agent: "test"))
        try bo.write(.genesis(name: "bo", agent: "test"))
        mine = try venue.grant(ada.key, 3, 0, 10, 60)
        theirs = try venue.grant(bo.key, 4, 0, 12, 60)
    }

    var logs: LogSet { LedgerVenue.fake.logs(venue.desk, ada, bo) }

    var fold: BookFold { BookFold.fold(logs, Book.whole(of: logs)) }

    /// Ada and bo change these tenures: two votes, and a certificate in one log.
    @discardableResult
    mutating func swap(_ one: Slot, _ other: Slot, claims: [Entry] = []) throws -> Contract {
        let legs = [
            Leg(token: one.token, producer: one.producer, from: ada.key, to: bo.key),
            Leg(token: other.token, producer: other.producer, from: bo.key, to: ada.key),
        ]
        let contract = Contract(
            flight: LedgerVenue.fake.gathering, coordinator: ada.key,
            nonce: ThreadID(high: 1, low: UInt64(ada.entries.count)), legs: legs,
            primitives: primitives)
        guard let contract else { throw DecodeError(.badValue) }
        let votes = [
            try ada.write(.vote(.yes(contract.id, slots: contract.slots(of: ada.key)))),
            try bo.write(.vote(.yes(contract.id, slots: contract.slots(of: bo.key)))),
        ]
        try ada.write(
            .commit(
                Commit(
                    contract: contract, votes: votes.sorted { $0.author < $1.author },
                    claims: claims)))
        return contract
    }

    func slot(_ token: Token) -> Slot {
        fold.booking(token)?.slot ?? Slot(token: token, producer: Producer(claim: token))
    }
}

@Suite("Swaps of bookings") struct BookFoldTests {
    @Test("Bookings change hands by a contract, without the desk, and back")
    func swaps() throws {
        var hall = try Hall()
        #expect(hall.fold.bookings.map(\.holder).sorted() == [hall.ada.key, hall.bo.key].sorted())
        let before = hall.fold.digest(primitives)
        let contract = try hall.swap(hall.slot(hall.mine), hall.slot(hall.theirs))
        #expect(hall.fold.swaps.contract(contract.id)?.applied == true)
        let booking = try #require(hall.fold.booking(hall.mine))
        #expect(booking.holder == hall.bo.key && booking.lineage == [contract.id])
        #expect(booking.producer == Producer(contract: contract.id))
        #expect(hall.fold.booking(hall.theirs)?.holder == hall.ada.key)
        #expect(hall.fold.digest(primitives) != before && hall.fold.swaps.tokens.isEmpty)
        try hall.swap(hall.slot(hall.theirs), hall.slot(hall.mine))
        #expect(hall.fold.booking(hall.mine)?.holder == hall.ada.key)
        #expect(hall.fold.booking(hall.mine)?.lineage.count == 2)
        #expect(hall.fold.bookings.map(\.mint.token) == [hall.mine, hall.theirs].sorted())
    }

    @Test("A close ends what somebody else holds, and undoes no swap, before or after it")
    func closes() throws {
        var hall = try Hall()
        try hall.venue.desk.close(hall.mine, .desk)
        let contract = try hall.swap(hall.slot(hall.mine), hall.slot(hall.theirs))
        #expect(hall.fold.swaps.contract(contract.id)?.applied == true)
        let booking = try #require(hall.fold.booking(hall.mine))
        #expect(booking.holder == hall.bo.key && booking.mint.end?.reason == .desk)
        try hall.venue.desk.close(hall.theirs, .noShow)
        #expect(hall.fold.swaps.contract(contract.id)?.applied == true)
        #expect(hall.fold.booking(hall.theirs)?.mint.end != nil)
    }

    @Test("S1: under `class` a swap waits for both notes, and for one class; none applies without")
    func classes() throws {
        func applied(
            _ swaps: BookRules.Swaps, _ notes: [(Int, Int, String)]
        ) throws -> Bool? {
            var hall = try Hall(swaps: swaps)
            let contract = try hall.swap(hall.slot(hall.mine), hall.slot(hall.theirs))
            for (number, klass, who) in notes {
                try hall.venue.desk.member(number, klass, who == "ada" ? hall.ada.key : hall.bo.key)
            }
            return hall.fold.swaps.contract(contract.id)?.applied
        }
        #expect(try applied(.none, []) == false && applied(.all, []) == true)
        #expect(try applied(.classes, []) == false)
        #expect(try applied(.classes, [(1, 0, "ada")]) == false)
        #expect(try applied(.classes, [(1, 0, "ada"), (2, 1, "bo")]) == false)
        #expect(try applied(.classes, [(1, 0, "ada"), (2, 0, "bo")]) == true)
        #expect(try applied(.classes, [(1, 0, "ada"), (1, 1, "bo")]) == true)
        // Later notes change nothing.
        #expect(try applied(.classes, [(1, 0, "ada"), (2, 0, "bo"), (2, 1, "bo")]) == true)
        let both = [(1, 0, "ada"), (2, 0, "bo")]
        #expect(try applied(.none, both) == false)
    }

    @Test("The rules of the grant count, not those of the swap")
    func rulesOfTheGrant() throws {
        var hall = try Hall(swaps: .all)
        try hall.venue.desk.charter(revision: 3, try SmallVenue.rules(swaps: .none))
        let contract = try hall.swap(hall.slot(hall.mine), hall.slot(hall.theirs))
        #expect(hall.fold.swaps.contract(contract.id)?.applied == true)
        var other = try Hall(swaps: .none)
        try other.venue.desk.charter(revision: 3, try SmallVenue.rules(swaps: .all))
        let late = try other.swap(other.slot(other.mine), other.slot(other.theirs))
        #expect(other.fold.swaps.contract(late.id)?.applied == false)
    }

    @Test("A void grant is no token, and a second yes on a slot is beaten, as on a flight")
    func voidAndTwice() throws {
        var hall = try Hall()
        let void = try hall.venue.grant(hall.ada.key, 3, 0, 10, 60)
        let none = try hall.swap(
            Slot(token: void, producer: Producer(claim: void)), hall.slot(hall.theirs))
        #expect(hall.fold.swaps.contract(none.id)?.applied == false)
        let twice = try hall.swap(hall.slot(hall.mine), hall.slot(hall.theirs))
        #expect(hall.fold.swaps.contract(twice.id)?.beaten == true)
        #expect(hall.fold.booking(hall.theirs)?.holder == hall.bo.key)
    }

    @Test("A certificate of a venue carries no claims")
    func noClaims() throws {
        var hall = try Hall()
        let desk = hall.venue.desk.entries[3]
        #expect(desk.id.token == hall.mine)
        #expect(throws: DecodeError.self) {
            try hall.swap(hall.slot(hall.mine), hall.slot(hall.theirs), claims: [desk])
        }
    }
}
