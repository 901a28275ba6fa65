// SPDX-License-Identifier: Apache-2.0
/// Places that the venue keeps for itself: repairs, and what comes back late (docs/protocol.md
/// section 33). Bookings in the way are listed, and stay.
extension VenueDesk {
    /// What keeping a place for the venue takes.
    func blocking(_ place: Int, _ period: Period, _ count: Int, _ note: String) -> DeskWant {
        DeskWant(
            holder: setup.key, place: place, period: period, count: count, note: note,
            flags: .blocked)
    }

    /// Keeps a place from others for the whole period, or not at all.
    mutating func block(
        _ want: DeskWant, _ effects: inout DeskEffects, at now: Moment
    ) -> Outcome {
        switch place(want, &effects, at: now) {
        case .success: return .success(.blocked(want.period, inTheWay: []))
        case .failure(.void(.full)):
            return .success(.blocked(nil, inTheWay: inTheWay(of: want)))
        case .failure(let refusal): return .failure(refusal)
        }
    }

    /// Keeps what is booked from others for so many minutes after it should be back: as far as
    /// nobody has it.
    mutating func late(
        _ token: Token, _ minutes: Int, _ effects: inout DeskEffects, at now: Moment
    ) -> Outcome {
        guard Limits.periodMinutes.contains(minutes) else { return .failure(.badValue) }
        guard let mint = ledger.book.mint(token), mint.end == nil, let rules = ledger.rules,
            let place = rules.place(mint.grant.place)
        else { return .failure(.noSuchBooking) }
        // It is kept until its turnover is over; that of the block itself comes after it.
        let start = ledger.book.load(of: mint).span.upperBound
        // What lies beyond the volume is the next ledger's.
        let wanted = min(max(minutes - place.turnover, 1), rules.minutes.upperBound - start)
        guard let whole = Self.period(from: start, minutes: wanted) else {
            return .success(.blocked(nil, inTheWay: []))
        }
        let want = blocking(mint.grant.place, whole, mint.grant.count, "")
        let others = inTheWay(of: want)
        // The longest that fits: of two that begin alike the shorter one fits if the longer does.
        let fits =
            (1..<wanted + 1).partitionPoint { length in
                guard let period = Self.period(from: start, minutes: length) else { return false }
                let want = blocking(mint.grant.place, period, mint.grant.count, "")
                return ledger.faults(of: grant(of: want)).isEmpty
            } - 1
        guard fits > 0, let period = Self.period(from: start, minutes: fits) else {
            return .success(.blocked(nil, inTheWay: others))
        }
        let part = blocking(mint.grant.place, period, mint.grant.count, "")
        switch self.place(part, &effects, at: now) {
        case .success: return .success(.blocked(period, inTheWay: fits < wanted ? others : []))
        case .failure(let refusal): return .failure(refusal)
        }
    }

    private static func period(from minute: Int, minutes: Int) -> Period? {
        VenueDay(number: minute / Limits.minutesOfDay).flatMap {
            Period(day: $0, from: minute % Limits.minutesOfDay, minutes: minutes)
        }
    }
}
