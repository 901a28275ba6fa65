// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Aviation

/// The cabin as a search takes it.
@Suite struct MatchingCabinTests {
    private func place(_ cabin: CabinLayout, _ seat: String) throws -> MatchCabin.Place {
        let seat = try #require(Seat(seat))
        return try #require(cabin.forMatching.place(of: seat))
    }

    @Test func kindsAreThoseOfTheLayout() throws {
        let cabin = CabinLayout.standard
        #expect(cabin.forMatching.places.map(\.seat) == cabin.seats.sorted())
        for seat in cabin.seats {
            let kind = cabin.kind(of: seat)
            let place = try place(cabin, seat.text)
            #expect(place.kind == (kind.window ? .window : kind.aisle ? .aisle : .middle))
        }
        #expect(try place(cabin, "14C").touches(place(cabin, "14B")))
        #expect(try !place(cabin, "14C").touches(place(cabin, "14D")))
    }

    @Test func theFrontIsBetterAndExitsAndClassesAreKept() throws {
        let standard = CabinLayout.standard
        #expect(try place(standard, "1A").section < place(standard, "20A").section)
        #expect(try place(standard, "20A").section < place(standard, "32A").section)
        for cabin in CabinLayout.bundled {
            let places = cabin.forMatching.places
            #expect(places.count == cabin.seats.count, "\(cabin.id)")
            for place in places {
                let kind = cabin.kind(of: place.seat)
                #expect(place.isExit == kind.exit, "\(cabin.id) \(place.seat.text)")
                let same = places.first { $0.compartment == place.compartment }
                #expect(same.map { cabin.kind(of: $0.seat).compartment } == kind.compartment)
            }
        }
    }

    @Test func whatIsSaidOfPeopleIsKept() throws {
        let seat = try #require(Seat("14C"))
        func needs(_ facts: Set<Needs.Fact>) -> MatchNeeds {
            Needs.Person(seat: seat, facts: facts).forMatching
        }
        #expect(needs([]) == MatchNeeds())
        #expect(needs([.child]).isChild && needs([.helped]).isHelped)
        #expect(needs([.exit]).mayExit && !needs([.exit, .infant]).mayExit)
        #expect(!needs([.exit, .child]).mayExit)
        #expect(Needs.Person(seat: seat, facts: [.standby]).stays)
    }
}
