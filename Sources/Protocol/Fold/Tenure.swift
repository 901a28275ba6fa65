// SPDX-License-Identifier: Apache-2.0
/// Who holds a right, and by what: to a seat of a flight or to a booking of a venue
/// (docs/protocol.md sections 13 and 32). All that negotiations look at.
package struct Tenure: Hashable, Sendable {
    /// The present tenure.
    package let slot: Slot
    /// Who held the right at first: by a claim, or by a grant.
    package let first: PeerKey
    /// Who holds it now.
    package let holder: PeerKey
    /// Whether it is over.
    package let ended: Bool
    /// Contracts applied to it, oldest first.
    package let lineage: [ContractID]
}

/// The bookings of a venue in the fold: the book, and what contracts moved of it.
package struct BookTenures: Hashable, Sendable {
    /// What the ledgers come to.
    package let book: Book
    /// Bookings that contracts moved, sorted by token.
    package let moved: [BookFold.Booking]

    /// A booking, and who holds it; `nil` for a token that no grant minted. O(log n).
    package func booking(_ token: Token) -> BookFold.Booking? {
        if let index = moved.position(of: token, by: \.mint.token) { return moved[index] }
        return book.mint(token).map { mint in
            BookFold.Booking(
                mint: mint, holder: mint.grant.holder, producer: mint.slot.producer, lineage: [])
        }
    }
}

extension SeatFold {
    /// Who holds a right; `nil` for one that is not known. O(log n).
    package func tenure(of token: Token) -> Tenure? {
        if let venue { return venue.booking(token).map(Tenure.init) }
        return self.token(token).map(Tenure.init)
    }

    /// All rights that contracts moved: in a venue, where most bookings stay as they were granted,
    /// only these; on a flight every token. Sorted by token.
    var tenures: [Tenure] {
        if let venue { return venue.moved.map(Tenure.init) }
        return tokens.map(Tenure.init)
    }
}

extension Tenure {
    init(_ token: TokenState) {
        self.init(
            slot: token.slot, first: token.author, holder: token.holder, ended: token.ended,
            lineage: token.lineage)
    }

    init(_ booking: BookFold.Booking) {
        self.init(
            slot: booking.slot, first: booking.mint.grant.holder, holder: booking.holder,
            ended: booking.mint.end != nil, lineage: booking.lineage)
    }
}
