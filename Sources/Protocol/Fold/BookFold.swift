// SPDX-License-Identifier: Apache-2.0
/// Who holds which booking: the book, and the contracts that move what it minted (docs/protocol.md
/// section 32). A pure function of a set of logs, as the fold of seats is.
package struct BookFold: Hashable, Sendable {
    /// A booking, and who holds it.
    package struct Booking: Hashable, Sendable {
        /// What was granted, and whether it ended.
        package let mint: Mint
        /// Who holds it now.
        package let holder: PeerKey
        /// What makes them the holder: the grant, or the contract that moved it last.
        package let producer: Producer
        /// Contracts applied to it, oldest first.
        package let lineage: [ContractID]

        /// The present tenure.
        package var slot: Slot { Slot(token: mint.token, producer: producer) }
    }

    /// What the ledgers come to.
    package let book: Book
    /// Every booking, sorted by token.
    package let bookings: [Booking]
    /// Contracts, forks and departures, as the fold of a flight has them; no tokens.
    package let swaps: SeatFold

    /// Folds logs whose book is known: that of the same logs.
    package static func fold(_ logs: LogSet, _ book: Book) -> BookFold {
        BookFold(Fold.fold(logs, book))
    }

    /// Every booking as the fold of a venue has it; none on a flight.
    package init(_ swaps: SeatFold) {
        self.swaps = swaps
        book = swaps.venue?.book ?? Book()
        bookings = book.mints.map(\.token).sorted().compactMap { swaps.venue?.booking($0) }
    }

    /// The booking of a token; `nil` if no grant minted it. O(log n).
    package func booking(_ token: Token) -> Booking? {
        bookings.position(of: token, by: \.mint.token).map { bookings[$0] }
    }

    // MARK: Map digest

    /// The bytes under the digest: version 2 of the map, about 120 a booking.
    package var mapBytes: [UInt8] {
        let applied = swaps.contracts.filter(\.applied)
        var writer = CBORWriter(capacity: 16 + 124 * bookings.count + 34 * applied.count)
        writer.array(3)
        writer.uint(2)
        writer.array(bookings.count)
        for booking in bookings {
            let grant = booking.mint.grant
            writer.array(9)
            writer.value(booking.mint.token)
            for part in [
                grant.place, grant.period.day.number, grant.period.from, grant.period.minutes,
                grant.count,
            ] { writer.uint(part) }
            writer.value(booking.holder)
            writer.value(booking.producer)
            writer.bool(booking.mint.end != nil)
        }
        writer.array(applied.count)
        for state in applied { writer.value(state.id) }
        return writer.bytes
    }

    /// SHA-256 of the map: equal for equal sets of logs, whatever the order of arrival.
    package func digest(_ primitives: any Primitives) -> Bytes32 {
        primitives.sha256(Array("seatswap/1 map".utf8) + mapBytes)
    }
}

extension Book {
    /// Whether all legs of a contract may be, by the rules under which each token was minted. First
    /// notes stay, so what is allowed once is allowed for good.
    func allows(_ contract: Contract) -> Bool { contract.legs.allSatisfy(allows) }

    /// The same of one leg.
    func allows(_ leg: Leg) -> Bool {
        guard let mint = mint(leg.token) else { return false }
        switch rules[mint.rules].swaps {
        case .none: return false
        case .classes:
            guard let from = memberClass(of: leg.from), let to = memberClass(of: leg.to) else {
                return false
            }
            return from == to
        case .all: return true
        }
    }

    /// The class of whose key this is; `nil` for a key without a note.
    func memberClass(of key: PeerKey) -> Int? {
        let number = member(of: key)
        return number > 0 ? memberClass(number) : nil
    }
}
