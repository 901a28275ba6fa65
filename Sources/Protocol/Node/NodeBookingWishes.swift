// SPDX-License-Identifier: Apache-2.0
/// What people would take for their bookings, and who could exchange them with whom
/// (docs/protocol.md section 32).
extension Node {
    /// Says what the user would take for which of their bookings; without tokens takes that back.
    mutating func wish(
        _ offered: [Token], _ wants: [[BookingWant]], _ note: String, _ effects: inout Effects,
        at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard records.gate.isOpen else { return .failure(.logClosed) }
        guard note.utf8.count <= Limits.note else { return .failure(.tooLong(Limits.note)) }
        let ranks = offered.isEmpty ? [] : wants.map { $0.sortedOnce(by: <) }
        guard ranks.count <= Limits.ranks, offered.count <= Limits.liveClaims,
            ranks.allSatisfy({ 1...Limits.seatBlocks ~= $0.count })
        else { return .failure(.tooManyWishes) }
        let view = bookView
        for token in offered {
            guard let booking = view.booking(token), booking.holder == me, booking.isLive else {
                return .failure(.desk(.noSuchBooking))
            }
            guard !isBound(booking.slot) else { return .failure(.bound) }
        }
        let wish = Wish(
            offered: offered.sortedOnce(by: <), ranks: [], wants: ranks,
            tag: ThreadID(high: 0, low: 0), note: offered.isEmpty ? "" : note)
        let last = talk.history.said(by: me) ?? Wish(offered: [], ranks: [], tag: wish.tag)
        guard !wish.says(the: last) else {
            venue?.wished = nil
            return .failure(.alreadySo)
        }
        // The last one of a log takes an offer back.
        guard wishesWritten < Limits.wishesPerLog - (offered.isEmpty ? 0 : 1) else {
            return .failure(.tooManyWishes)
        }
        venue?.wished = wish
        return .success(sayBookingWish(&effects, at: now))
    }

    /// Writes what the user wished last, now or when its turn comes.
    mutating func sayBookingWish(_ effects: inout Effects, at now: Moment) -> IntentReply {
        guard records.gate.isOpen, let wish = venue?.wished else {
            wishes.rest()
            return .done
        }
        if let then = wishes.next(at: now.instant) {
            wishes.wait(until: then)
            return .later(wishDue(at: now.instant) ?? 0)
        }
        venue?.wished = nil
        wishes.wrote(at: now.instant)
        let said = Wish(
            offered: wish.offered, ranks: [], wants: wish.wants, asks: wish.asks,
            tag: ThreadID(random: &random), note: wish.note)
        return append(.wish(said), &effects, at: now).map { .entry($0.id) } ?? .done
    }

    /// Who could exchange bookings with whom, by what all have said: nobody who is blocked here, or
    /// signed two things that exclude each other. O(n²) in the bookings that are offered.
    package func bookingRings(at now: Moment) -> BookingMatch {
        let never = people.blocked + folding.misdeeds.map(\.author)
        let stated = records.logs.logs.compactMap { log in
            never.contains(log.author)
                ? nil
                : talk.history.said(by: log.author).map {
                    StatedWish(author: log.author, wish: $0)
                }
        }
        let votes = folding.fold.openVotes
        return BookingMatch(bookView, stated, at: venue?.clock?.minute(at: now.utc) ?? 0) {
            votes.contains($0.slot, by: $0.holder) || $0.holder == me && isBound($0.slot)
        }
    }
}
