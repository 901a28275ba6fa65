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
        /// From this address many have asked, whatever came of it.
        case tries
    }

    /// Guests of one address.
    package static var ofAddress: Int { 2 }
    /// Joins within a minute.
    package static var inMinute: Int { 3 }

    /// Joins of one address within ten minutes, whatever comes of them: nobody uses up the rate
    /// of all.
    package static var triesOfAddress: Int { 4 }
    /// Addresses of which tries are counted.
    package static var addresses: Int { 1024 }

    private let most: Int
    private var tries: [Place: [Instant]] = [:]
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
        if let refusal = count(from: place, at: now) { return refusal }
        places[number] = place
        return nil
    }

    /// Counts one who asks for more than a page: to be taken in, or to have their seat back. Gives
    /// why that is not possible.
    package mutating func count(from place: Place?, at now: Instant) -> Refusal? {
        joins.removeAll { now - $0 >= .seconds(60) }
        guard joins.count < perMinute else { return .rate }
        if let place {
            tries = tries.compactMapValues { times in
                let late = times.filter { now - $0 < .seconds(600) }
                return late.isEmpty ? nil : late
            }
            let own = tries[place, default: []]
            guard own.count < Self.triesOfAddress, tries.count < Self.addresses else {
                return .tries
            }
            tries[place] = own + [now]
        }
        joins.append(now)
        return nil
    }

    /// A guest has come back from another address.
    package mutating func move(_ number: Int, to place: Place?) { places[number] = place }

    /// A guest has gone.
    package mutating func leave(_ number: Int) { places[number] = nil }
}
