// SPDX-License-Identifier: Apache-2.0
/// What people read of the book of a venue: who has what when, and what is left (docs/protocol.md
/// section 32).
package struct BookView: Sendable {
    /// A booking with all that is known of it.
    package struct Booking: Hashable, Sendable {
        /// What was granted, and whether it ended.
        package let mint: Mint
        /// Who holds it now.
        package let holder: PeerKey
        /// The present tenure: what a holder gives back or moves.
        package let slot: Slot
        /// What was paid for it, in minor units.
        package let paid: Int
        /// What became of it at the counter; `nil` for nothing so far.
        package let visit: DeskNote.Visit?

        /// The right that it is.
        package var token: Token { mint.token }
        /// Whether it has not ended.
        package var isLive: Bool { mint.end == nil }
        /// Whether the venue keeps the place for itself.
        package var isBlocked: Bool { mint.grant.flags.contains(.blocked) }
        /// What is still to be paid, in minor units.
        package var due: Int { max(0, (mint.grant.due?.amount ?? 0) - paid) }
    }

    /// What the ledgers come to.
    package let book: Book
    /// What could still be booked.
    package let room: BookRoom
    /// Grants of earlier desks that stand behind the last page that counts, as far as their
    /// holders have not got the same again; sorted by desk and page.
    package let lost: [LostGrant]
    private let paid: [Token: Int]
    private let visits: [Token: DeskNote.Visit]
    /// By token, where contracts moved something.
    private let moved: [Token: BookFold.Booking]

    /// The book with what stands beside it, and the bookings that contracts moved.
    package init(
        _ book: Book, _ room: BookRoom, moved: [BookFold.Booking], paid: [Token: Int],
        visits: [Token: DeskNote.Visit], lost: [LostGrant] = []
    ) {
        self.book = book
        self.room = room
        self.lost = LostGrant.open(lost, in: book)
        self.paid = paid
        self.visits = visits
        var holders: [Token: BookFold.Booking] = [:]
        for booking in moved { holders[booking.mint.token] = booking }
        self.moved = holders
    }

    /// The rules in force; `nil` while no ledger counts.
    package var rules: BookRules? { book.rules.last }

    /// Every booking, ended ones too, in the order of the book. O(n).
    package var bookings: [Booking] { book.mints.map(booking) }

    private func booking(_ mint: Mint) -> Booking {
        let known = moved[mint.token]
        return Booking(
            mint: mint, holder: known?.holder ?? mint.grant.holder,
            slot: known?.slot ?? mint.slot, paid: paid[mint.token] ?? 0,
            visit: visits[mint.token])
    }

    /// One booking; `nil` for a token that no grant minted. O(1).
    package func booking(_ token: Token) -> Booking? { book.mint(token).map(booking) }

    /// What somebody holds or held last, in the order of the book. O(n).
    package func bookings(of key: PeerKey) -> [Booking] { bookings.filter { $0.holder == key } }

    /// What somebody finds who knows the tag, in the order of the book. O(n).
    package func bookings(tagged tag: ThreadID) -> [Booking] {
        book.mints.filter { $0.grant.tag == tag }.map(booking)
    }

    /// What is live at some minute of a day, by its begin, then in the order of the book; of one
    /// place or of all. Hours past midnight belong to the day that began, and to the next one.
    /// O(n).
    package func bookings(on day: VenueDay, at place: Int? = nil) -> [Booking] {
        let start = day.number * Limits.minutesOfDay
        let span = start..<start + Limits.minutesOfDay
        let found = book.mints.filter { mint in
            mint.end == nil && (place == nil || mint.grant.place == place)
                && (mint.grant.period.start..<mint.grant.period.end).overlaps(span)
        }
        // With their place in the book, so that of one begin its order stays.
        return found.enumerated().sorted {
            ($0.element.grant.period.start, $0.offset) < ($1.element.grant.period.start, $1.offset)
        }.map { booking($0.element) }
    }

    /// The number and class of the member whose key this is; `nil` for a key without a note.
    package func member(of key: PeerKey) -> (number: Int, class: Int)? {
        let number = book.member(of: key)
        guard number > 0, let klass = book.memberClass(number) else { return nil }
        return (number, klass)
    }
}
