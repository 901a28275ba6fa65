// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// How many people are taken in, and how fast (docs/page.md section 5).
package struct JoinLimits<Place: Hashable & Sendable>: Sendable {
    /// Why somebody is not taken in now.
    package enum Refusal: Hashable, Sendable {
        /// All places are taken.
        case full
        /// As many as may come from one address have come from there.
        case address
        /// Three came within a minute.
        case rate
    }

    /// Guests of one address.
    package static var ofAddress: Int { 2 }
    /// Joins within a minute.
    package static var inMinute: Int { 3 }

    private let most: Int
    private let perMinute: Int
    private var joins: [Instant] = []
    private var places: [Int: Place] = [:]

    /// Limits for `most` guests.
    package init(most: Int, perMinute: Int = inMinute) {
        self.most = most
        self.perMinute = perMinute
    }

    /// Takes a place for guest `number` of `taken` others in all. Gives why that is not possible.
    package mutating func take(
        _ number: Int, from place: Place?, besides taken: Int, at now: Instant
    ) -> Refusal? {
        guard taken < most else { return .full }
        if let place, places.values.count(where: { $0 == place }) >= Self.ofAddress {
            return .address
        }
        joins.removeAll { now - $0 >= .seconds(60) }
        guard joins.count < perMinute else { return .rate }
        joins.append(now)
        places[number] = place
        return nil
    }

    /// A guest has gone.
    package mutating func leave(_ number: Int) { places[number] = nil }
}
