// SPDX-License-Identifier: Apache-2.0
package import Bookings
package import Text
package import Venues

/// A form of somebody who wants to join, as it came: hostile text, read as strictly as whoever
/// typed it was asked.
package struct JoinRequest: Hashable, Sendable {
    /// What they answered.
    package let answers: JoinAnswers
    /// What makes them one person at this venue.
    package let who: String

    /// Reads the fields of a form: each of a question that the venue asks, checked, and none
    /// missing. Throws for the first fault, in words that whoever sent it may read.
    package init(_ fields: [(number: Int, text: String)], of venue: Venue) throws(FormFault) {
        var answers = JoinAnswers(venue)
        var given: [JoinField: String] = [:]
        for (number, text) in fields {
            guard let field = JoinField(rawValue: number) else {
                throw FormFault(place: "field \(number)", why: "nobody asks for it")
            }
            guard given.updateValue(text, forKey: field) == nil else {
                throw FormFault(place: field.word, why: "it is there twice")
            }
        }
        // In the order of the questions: an address decides whether a number is asked for.
        for field in JoinField.allCases {
            if let text = given[field] { try answers.take(field, text) }
        }
        try answers.check()
        guard let mail = answers[.mail] else {
            throw FormFault(place: JoinField.mail.word, why: "it is missing")
        }
        self.answers = answers
        who = venue.rules.member == .suite ? answers[.suite] ?? mail : mail.lowercased()
    }

    /// What they are called.
    package var name: String { answers[.name] ?? "" }
    /// Their address, as they typed it.
    package var mail: String { answers[.mail] ?? "" }
    /// The number that they say they have.
    package var card: String? { answers[.number] }
}

/// What a desk does with somebody who wants to join.
package enum JoinDecision: Hashable, Sendable {
    /// They are a member of that class, a number of the venue's file.
    case admit(memberClass: Int)
    /// The people at the desk look at their card first: they are of the first class if it shows
    /// that, else of the last one.
    case look(card: Int)
    /// That person has a key here already: the people at the desk move the member to the new one
    /// if they know them.
    case known(number: Int)

    /// Decides by what the venue says, its roster, and the members. `hasKey` says whether a member
    /// has a key in the ledger of the volume.
    package init(
        _ request: JoinRequest, of venue: Venue, _ roster: Roster, _ members: MemberBook,
        hasKey: (Int) -> Bool
    ) {
        // Whoever visits a suite shares its number with all others who do.
        if venue.rules.member != .suite, let member = members.member(who: request.who),
            hasKey(member.number)
        {
            self = .known(number: member.number)
            return
        }
        let last = venue.classes.count - 1
        let isTaken =
            request.card.flatMap { members.member(card: $0) }.map { $0.who != request.who }
            ?? false
        for (index, one) in venue.classes.dropLast().enumerated() {
            guard one.fits(mail: request.mail, number: request.card) else { continue }
            // A number that is somebody else's makes nobody a member of a class with numbers.
            if one.number != nil, isTaken { continue }
            switch one.proof {
            case .roster:
                let entry = roster.entry(mail: request.mail, number: request.card ?? "")
                guard entry?.memberClass == one.name else { continue }
            case .card:
                self = .look(card: index)
                return
            case .word, nil: break
            }
            self = venue.rules.join == .card ? .look(card: index) : .admit(memberClass: index)
            return
        }
        self = venue.rules.join == .card ? .look(card: last) : .admit(memberClass: last)
    }
}
