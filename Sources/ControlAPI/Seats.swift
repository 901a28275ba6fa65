// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol
package import Text

/// A seat that somebody holds.
package struct SeatEntry: Codable, Hashable, Sendable {
    /// Which seat.
    package var seat: Seat
    /// Whether one passenger has it.
    package var state: Word<SeatHolding>
    /// Who is shown in it.
    package var holders: [Holder]
    /// Those with most evidence first, where several claim it.
    package var claims: [SeatClaim]?

    /// A seat, who is shown in it and, where several claim it, their claims.
    package init(
        seat: Seat, state: Word<SeatHolding>, holders: [Holder], claims: [SeatClaim]? = nil
    ) {
        self.seat = seat
        self.state = state
        self.holders = holders
        self.claims = claims
    }
}

/// One of several claims to a seat.
@dynamicMemberLookup
package struct SeatClaim: Codable, Hashable, Sendable {
    /// Who would have the seat, with what stands behind the claim.
    @Flat package var holder: Holder
    /// Who made the claim, where the holder got the seat by a swap.
    package var by: Holder?
    /// How many seats its author claims.
    package var claimed: Int
    /// When it was first heard of here.
    package var since: Stamp?
    /// Whether the user blocked its holder.
    @IfTrue package var blocked: Bool
    /// Whether another claim outweighs it.
    @IfTrue package var remark: Bool

    /// The claim of `holder`, with what is known about it.
    package init(
        holder: Holder, by: Holder? = nil, claimed: Int, since: Stamp? = nil,
        blocked: Bool = false, remark: Bool = false
    ) {
        self.holder = holder
        self.by = by
        self.claimed = claimed
        self.since = since
        self.blocked = blocked
        self.remark = remark
    }

    /// What is said of the holder.
    package subscript<Value>(dynamicMember path: KeyPath<Holder, Value>) -> Value {
        holder[keyPath: path]
    }
}

/// The answer to `seats`.
package struct SeatList: Codable, Hashable, Sendable {
    /// Name of the flight.
    package var flight: String
    /// Digest of the seat map.
    package var digest: String
    /// Seats that somebody holds, by seat.
    package var seats: [SeatEntry]
    /// The layout in use, in its own form.
    package var cabin: JSON

    /// The seats of `flight`, the digest of its map, and the layout in use.
    package init(flight: String, digest: String, seats: [SeatEntry], cabin: JSON) {
        self.flight = flight
        self.digest = digest
        self.seats = seats
        self.cabin = cabin
    }
}

/// The answer to what concerns the layout in use.
package struct CabinInUse: Codable, Hashable, Sendable {
    /// The layout, in its own form.
    package var cabin: JSON

    /// The layout in use, in its own form.
    package init(cabin: JSON) {
        self.cabin = cabin
    }
}

/// Layouts that passengers suggest.
package struct LayoutSuggestions: Codable, Hashable, Sendable {
    /// A layout, and who suggests it.
    package struct Suggestion: Codable, Hashable, Sendable {
        /// The layout's name for commands.
        package var id: String
        /// The layout's name for people.
        package var name: String
        /// Whether most agree on it.
        package var agreed: Bool
        /// Who suggests it.
        package var by: [Person]
        /// Seats that somebody claims and the layout lacks.
        package var hides: [Seat]
        /// The layout, in its own form.
        package var cabin: JSON

        /// A suggestion.
        package init(
            id: String, name: String, agreed: Bool, by: [Person], hides: [Seat], cabin: JSON
        ) {
            self.id = id
            self.name = name
            self.agreed = agreed
            self.by = by
            self.hides = hides
            self.cabin = cabin
        }
    }

    /// The most suggested first.
    package var suggestions: [Suggestion]
    /// The one that waits for the user's yes or no.
    @OrNull package var asked: LayoutQuestion?

    /// Suggested layouts, and the one that the user is asked about.
    package init(suggestions: [Suggestion], asked: LayoutQuestion?) {
        self.suggestions = suggestions
        self.asked = asked
    }
}
