// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Testing

@testable import Bookings
@testable import Text
@testable import Venues

@Suite("Rules of a ledger from a venue's file")
struct BookRulesTests {
    private func rules(_ venue: Venue, _ text: String) throws -> BookRules {
        try venue.bookRules(for: try bookVolume(text))
    }

    @Test("Courts share a hall by its parts, and each other place is a unit of its own")
    func courts() throws {
        let venue = try VenueFiles.venue(.courts)
        let rules = try rules(venue, "2026-12")
        #expect(
            rules.units.map { [$0.number, $0.capacity] } == [
                [1, 1], [2, 1], [11, 1], [12, 1], [4095, 2],
            ])
        #expect(rules.places.map(\.number) == [1, 2, 10, 11, 12])
        #expect(
            rules.places.map { $0.uses.map(\.unit) } == [
                [1], [2], [4095], [11, 4095], [12, 4095],
            ])
        #expect(rules.places.map { $0.uses.last?.amount } == [1, 1, 2, 1, 1])
        #expect(rules.places.map(\.group) == [0, 0, 1, 2, 2])
        #expect(rules.swaps == .classes)
        #expect(
            rules.classes.map { $0.map { [$0.minutes, $0.bookings] } } == [
                [[240, 1]], [[120, 1]],
            ])
        #expect(try rules.last == venueDay("2026-12-31"))
        #expect(try rules.first == venueDay("2026-12-01"))
        let numbers = BookNumbers(venue)
        #expect(numbers.group(numbered: 2) == "badminton" && numbers.group("badminton") == 2)
        #expect(numbers.unit(numbered: 4095) == "hall" && numbers.unit(numbered: 1) == nil)
        #expect(numbers.group(nil) == 63 && numbers.memberClass("guest") == 1)
    }

    @Test("Stocks have a unit each, and nothing is booked in a library")
    func others() throws {
        let rental = try rules(try VenueFiles.venue(.rental), "2027")
        #expect(rental.units.map(\.capacity) == [4, 1])
        #expect(rental.places.map(\.turnover) == [0, 1440] && rental.places[0].group == 63)
        #expect(rental.classes == [[]] && rental.swaps == .all)
        let bays = try rules(try VenueFiles.venue(.parking), "2026-12")
        #expect(bays.units.map(\.capacity) == [20] && bays.swaps == .none)
        #expect(bays.classes.map { $0.map { [$0.minutes, $0.bookings] } } == [[[0, 2]]])
        let study = try VenueFiles.venue(.study)
        #expect(!study.hasBookings)
        #expect(throws: FormFault.self) { try rules(study, "2026-12-01") }
        #expect(throws: FormFault.self) { try rules(try VenueFiles.venue(.rental), "2026-12") }
    }

    @Test("Every number of rules has its name again")
    func names() throws {
        for example in [VenueExample.courts, .rental, .parking] {
            let venue = try VenueFiles.venue(example)
            let numbers = BookNumbers(venue)
            for place in venue.places {
                let group = numbers.group(place.group)
                #expect(place.group == (group == 63 ? nil : numbers.group(numbered: group)))
                for use in place.uses {
                    let unit = try #require(numbers.unit(use.unit))
                    #expect(numbers.unit(numbered: unit) == use.unit)
                }
            }
            for (index, one) in venue.classes.enumerated() {
                #expect(numbers.memberClass(one.name) == index)
                #expect(venue.memberClass(index) == one)
            }
            #expect(venue.memberClass(nil) == venue.classes.last)
            #expect(venue.memberClass(99) == venue.classes.last)
        }
    }

    @Test("Two halves of a hall are two courts: neither is anybody's twice")
    func halves() throws {
        let rules = try rules(try VenueFiles.venue(.courts), "2026-12")
        func voids(_ places: [Int]) throws -> [VoidGrant.Reason] {
            var desk = try MadeUpLedger(FakeSigner(1), rules: rules, in: .fake)
            let period = try #require(
                Period(day: try venueDay("2026-12-05"), from: 18 * 60, minutes: 60))
            for (index, place) in places.enumerated() {
                try desk.grant(
                    Grant(
                        holder: FakeSigner(UInt8(100 + index)).key, place: place, period: period))
            }
            return Book.whole(of: desk.venue.logs(desk)).voids.map(\.reason)
        }
        #expect(try voids([11, 12]) == [])
        #expect(try voids([11, 11]) == [.full])
        #expect(try voids([11, 10]) == [.full] && (try voids([10, 12])) == [.full])
        #expect(try voids([1, 2, 11, 12]) == [])
    }

    private func court(_ id: Int, _ more: [String: JSON] = [:]) -> JSON {
        VenueFiles.court(["id": .int(id), "name": .string("Court \(id)")].merging(more) { $1 })
    }

    private func venue(_ places: [JSON], _ more: [String: JSON] = [:]) throws -> Venue {
        try Venue(
            json: VenueFiles.least.adding(
                ["volume": "month", "places": .array(places)].merging(more) { $1 }))
    }

    @Test("Two units of one place have two numbers, and no place has one of them")
    func units() throws {
        let both: JSON = ["a": 1, "b": 1]
        let venue = try venue(
            [court(4094), court(7, ["uses": both]), court(9, ["uses": ["b": 1]]), court(4095)],
            ["units": ["a": 2, "b": 3, "unused": 9]])
        let numbers = BookNumbers(venue)
        #expect(numbers.unit("a") == 4093 && numbers.unit("b") == 4092)
        #expect(numbers.unit("unused") == nil)
        let rules = try rules(venue, "2026-12")
        #expect(rules.units.map(\.number) == [7, 9, 4092, 4093, 4094, 4095])
        #expect(rules.places.first { $0.number == 9 }?.uses.map(\.unit) == [9, 4092])
    }

    @Test("New places behind the others move no number, and what moves one is refused")
    func changes() throws {
        let units: [String: JSON] = ["units": ["hall": 2], "groups": ["g": ["name": "G"]]]
        let hall: [String: JSON] = ["uses": ["hall": 1], "group": "g"]
        let old = try venue([court(3), court(5, hall)], units)
        func fault(_ new: Venue) -> String? { RulesChange.fault(from: old, to: new)?.place }
        #expect(fault(old) == nil)
        #expect(
            fault(try venue([court(3), court(5, hall), court(8, hall), court(9)], units)) == nil)
        #expect(fault(try venue([court(3), court(4, hall), court(5, hall)], units)) == nil)
        let two: [String: JSON] = [
            "units": ["hall": 2, "aula": 2], "groups": ["g": ["name": "G"]],
        ]
        #expect(
            fault(try venue([court(3), court(4, ["uses": ["aula": 1]]), court(5, hall)], two))
                == "units.hall")
        // What was one of two is all of it.
        let one = units.merging(["units": ["hall": 1]]) { $1 }
        #expect(fault(try venue([court(3), court(5, hall)], one)) == "places.5")
        // The hall is gone, and so is its place: nothing counts for another one.
        #expect(fault(try venue([court(3)])) == nil)
        #expect(fault(try venue([court(3), court(5, ["group": "g"])], units)) == "places.5")
        let other: [String: JSON] = ["units": ["gym": 2], "groups": ["g": ["name": "G"]]]
        #expect(
            fault(try venue([court(3), court(5, ["uses": ["gym": 1], "group": "g"])], other))
                == "units.hall")
        let moved = try venue([court(3, ["group": "g"]), court(5, hall)], units)
        #expect(fault(moved) == "places.3")
        let classes: [String: JSON] = [
            "classes": [["name": "vip", "proof": "card"], ["name": "all"]]
        ]
        let more = units.merging(classes) { $1 }
        #expect(fault(try venue([court(3), court(5, hall)], more)) == "classes")
    }

    @Test("Rules of a file that is as large as can be fit into a charter, or are refused")
    func size() throws {
        let few: JSON = .object(
            Dictionary(uniqueKeysWithValues: (0..<7).map { ("u\($0)", JSON.int(1)) }))
        let units: JSON = .object(
            Dictionary(uniqueKeysWithValues: (0..<7).map { ("u\($0)", JSON.int(65_535)) }))
        let places = (0..<60).map { number in
            JSON.object([
                "id": .int(4000 + number), "name": .string("\(number)"), "mode": "granted",
                "grain": 60, "uses": few,
            ])
        }
        let venue = try venue(places, ["units": units])
        let rules = try rules(venue, "2026-12")
        #expect(1...6144 ~= rules.encoded.count)
        #expect(try BookRules(decoding: rules.encoded) == rules)
    }
}
