// SPDX-License-Identifier: Apache-2.0
/// The bookings that people offer for others, as the search for rings looks at them: the search
/// knows seats, so each booking stands for one (docs/protocol.md section 32, docs/matching.md).
package struct BookingMatch: Sendable {
    /// An exchange among two to four people.
    package struct Ring: Hashable, Sendable {
        /// Who gets which booking: what a contract of it moves, sorted by token.
        package let legs: [Leg]
        /// How many of them get something better by their own order.
        package let helped: Int
    }

    /// Rings with nobody in common, the best first.
    package let rings: [Ring]
    /// Whether there may be better ones: more was offered than is looked at, or the search gave up.
    package let isCut: Bool

    /// Bookings that are looked at: rows times columns of the seats that stand for them.
    static let most = 1024
    private static let columns = 26

    /// Searches among the bookings that `wishes` offer; `minute` is now by the venue's clocks, and
    /// `isBound` says whether somebody promised a booking already. O(n²) in the bookings offered.
    package init(
        _ view: BookView, _ wishes: [StatedWish], at minute: Int,
        steps limit: Int = MatchSteps.rings,
        isBound: (BookView.Booking) -> Bool = { _ in false }
    ) {
        let offered = Self.offered(view, wishes, at: minute).filter { !isBound($0.booking) }
        let looked = Array(offered.prefix(Self.most))
        let holders = looked.map(\.booking.holder).sortedOnce(by: <)
        let people = looked.enumerated().compactMap { index, own -> MatchScene.Person? in
            guard let seat = Self.seat(index) else { return nil }
            return MatchScene.Person(
                slot: own.booking.slot, seat: seat, holder: own.booking.holder,
                unit: holders.lowerBound(of: own.booking.holder) { $0 },
                ranks: own.wants.compactMap { wants in
                    Self.seats { other in
                        looked.indices.contains(other)
                            && own.takes(looked[other], wants, view)
                    }
                })
        }
        let search = RingSearch(MatchScene(people), steps: limit)
        rings = search.rings.map { Ring(legs: $0.legs, helped: $0.moves.count(where: \.isBetter)) }
        isCut = offered.count > Self.most || !search.isBest
    }

    // MARK: What is offered

    /// A booking, and what its holder would take for it.
    private struct Offered {
        let booking: BookView.Booking
        let wants: [[BookingWant]]
        let group: Int?

        /// Whether its holder would take another booking by these wants.
        func takes(_ other: Offered, _ wants: [BookingWant], _ view: BookView) -> Bool {
            let (mine, theirs) = (booking.mint.grant, other.booking.mint.grant)
            guard mine.period.minutes == theirs.period.minutes, mine.count == theirs.count,
                view.book.allows(
                    Leg(
                        token: other.booking.token, producer: other.booking.slot.producer,
                        from: other.booking.holder, to: booking.holder))
            else { return false }
            return wants.contains {
                $0.holds(place: theirs.place, group: other.group, theirs.period)
            }
        }
    }

    /// Sorted by begin, then token.
    private static func offered(
        _ view: BookView, _ wishes: [StatedWish], at minute: Int
    ) -> [Offered] {
        wishes.flatMap { stated in
            stated.wish.offered.compactMap { token -> Offered? in
                guard !stated.wish.wants.isEmpty, let booking = view.booking(token),
                    booking.holder == stated.author, booking.isLive, !booking.isBlocked,
                    booking.due == 0, booking.mint.grant.period.start > minute
                else { return nil }
                let place = booking.mint.grant.place
                let rules = view.book.rules[booking.mint.rules]
                return Offered(
                    booking: booking, wants: stated.wish.wants,
                    group: rules.places.first { $0.number == place }?.group)
            }
        }
        .sorted { one, other in
            (one.booking.mint.grant.period.start, one.booking.token)
                < (other.booking.mint.grant.period.start, other.booking.token)
        }
    }

    // MARK: Seats

    private static func seat(_ index: Int) -> Seat? {
        Seat(row: index / columns + 1, column: index % columns)
    }

    /// The seats of those bookings for which `isOne` holds; `nil` for none.
    private static func seats(where isOne: (Int) -> Bool) -> SeatSet? {
        var blocks: [SeatSet.Block] = []
        for row in 0...most / columns {
            let bits = (0..<columns).filter { isOne(row * columns + $0) }.map { 1 << $0 }
            guard !bits.isEmpty else { continue }
            blocks.append(
                SeatSet.Block(columns: bits.reduce(0, +), first: row + 1, last: row + 1))
        }
        return blocks.isEmpty ? nil : SeatSet(rows: blocks)
    }
}

extension MatchMove {
    fileprivate var isBetter: Bool {
        if case .wish = reason { true } else { false }
    }
}
