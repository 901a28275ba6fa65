// SPDX-License-Identifier: Apache-2.0
package import Bookings
package import Venues

/// What a desk does with somebody who wants to park.
package enum PermitDecision: Hashable, Sendable {
    /// They are the person whom `who` names, of that class: a new one, or a further key of one.
    case admit(who: String, memberClass: Int)
    /// Their key has that number: only the car is noted.
    case known(number: Int)
    /// Their key counts for another suite, and a key has one number for good.
    case other(suite: String)
    /// The venue wants to know first who they are.
    case join
    /// The people at the desk look at their card first.
    case look

    /// Decides by what the venue says and by its members. `number` is that of the key in the
    /// ledger, 0 for none; `key` names the key.
    package init(
        _ answers: PermitAnswers, of venue: Venue, number: Int, key: String, _ members: MemberBook
    ) {
        let isBySuite = venue.rules.member == .suite
        let who = isBySuite ? answers.suite : key
        guard number == 0 else {
            let known = members.member(number) ?? members.member(who: who)
            let isOther = known.map { $0.number != number || $0.who != who } ?? false
            self =
                isBySuite && isOther
                ? .other(suite: known?.suite ?? "") : .known(number: number)
            return
        }
        switch venue.rules.join {
        case .card: self = .look
        // Where an address makes a person, a plate says nothing of who they are.
        case .form where !isBySuite: self = .join
        case .form, .open:
            let last = venue.classes.count - 1
            let first = venue.classes.dropLast().firstIndex { one in
                one.proof != .roster && one.fits(mail: nil, number: nil)
            }
            let isCard = first.map { venue.classes[$0].proof == .card } ?? false
            self = isCard ? .look : .admit(who: who, memberClass: first ?? last)
        }
    }
}
