/// What a passenger would take for a seat offered; the last one of a log counts.
package struct Wish: Hashable, Sendable {
    /// A kind of seat, or one seat.
    package enum Want: Hashable, Sendable {
        /// Any seat.
        case any
        /// A window seat.
        case window
        /// An aisle seat.
        case aisle
        /// Further forward.
        case front
        /// This very seat.
        case seat(Seat)
    }

    /// The tokens offered, sorted; empty withdraws the offer.
    package let offered: [Token]
    /// In order of preference, at most 16.
    package let wants: [Want]
    /// A few words, at most 200 bytes.
    package let note: String

    /// An offer of `offered`.
    package init(offered: [Token], wants: [Want], note: String = "") {
        self.offered = offered.sorted()
        self.wants = wants
        self.note = note
    }
}
