// SPDX-License-Identifier: Apache-2.0
import Protocol
package import Venues

/// The numbers that the rules of a ledger have for what a venue's file names (docs/protocol.md
/// section 32).
///
/// Everybody makes the same ones from one file. They also stay as they are when an operator adds
/// places with new, higher ids, as long as no class changes its place: a later file goes on with
/// the bookings of an earlier one (``RulesChange``).
package struct BookNumbers: Hashable, Sendable {
    /// The number of places in no group, and of no quota: wishes use it for any group.
    package static let noGroup = 63

    /// By key.
    private let groups: [String: Int]
    private let units: [String: Int]
    private let classes: [String]

    /// The numbers for a venue's file.
    package init(_ venue: Venue) {
        let booked = venue.places.filter { $0.mode == .granted }
        // Groups in the order of their first places: a new game has new places behind the others.
        var groups: [String: Int] = [:]
        for group in Self.sorted(
            venue.groups.map(\.key),
            firstPlace: { key in
                booked.filter { $0.group == key }.map(\.id).min()
            })
        { groups[group] = groups.count }
        self.groups = groups
        units = Self.units(venue, booked)
        classes = venue.classes.map(\.name)
    }

    /// Units have numbers from the highest on downwards that are no place's, in the order of the
    /// first places that use them: a new one comes behind the others.
    private static func units(_ venue: Venue, _ booked: [VenuePlace]) -> [String: Int] {
        func first(_ key: String) -> Int? {
            booked.filter { $0.uses.contains { $0.unit == key } }.map(\.id).min()
        }
        let places = Set(booked.map(\.id))
        var next = Limits.unitNumber
        var numbers: [String: Int] = [:]
        // Nothing uses some, so no rule names them.
        for key in sorted(venue.units.map(\.key), firstPlace: first) where first(key) != nil {
            while places.contains(next), next > 0 { next -= 1 }
            numbers[key] = next
            next -= 1
        }
        return numbers
    }

    /// Keys by the first place that has them, equals and those of no place by their bytes.
    private static func sorted(
        _ keys: [String], firstPlace: (String) -> Int?
    ) -> [String] {
        keys.map { (key: $0, place: firstPlace($0) ?? Int.max) }.sorted { left, right in
            left.place != right.place
                ? left.place < right.place
                : left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
        }.map(\.key)
    }

    // MARK: Numbers

    /// The number of a group; that of none for `nil`.
    package func group(_ key: String?) -> Int {
        key.flatMap { groups[$0] } ?? Self.noGroup
    }

    /// The number of a unit by its key; `nil` for one that no place uses.
    package func unit(_ key: String) -> Int? { units[key] }

    /// The unit that a place is by itself.
    package func ownUnit(_ place: VenuePlace) -> Int { place.id }

    /// The number of a class by its name: they count in the order of the file.
    package func memberClass(_ name: String) -> Int? { classes.firstIndex(of: name) }

    // MARK: Names

    /// The key of the group with that number; `nil` for none.
    package func group(numbered number: Int) -> String? {
        groups.first { $0.value == number }?.key
    }

    /// The key of the unit with that number; `nil` for a place's own one.
    package func unit(numbered number: Int) -> String? {
        units.first { $0.value == number }?.key
    }
}

extension Venue {
    /// The class with that number: the last one for a number that the file does not have, as
    /// everybody is who has none.
    package func memberClass(_ number: Int?) -> VenueClass {
        classes[min(max(number ?? Int.max, 0), classes.count - 1)]
    }
}
