// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Text

/// Whether the desk of a venue grants, and why not.
package enum DeskStateWord: String, Vocabulary {
    case open
    /// It was away, and gathers asks to draw lots for them.
    case gathering
    /// Its people said so.
    case away
    /// Its disk was put back from a copy.
    case restored
    /// Nobody was linked since it started.
    case alone
    /// Its log may not be appended to.
    case shut
    /// It has no charter yet.
    case noCharter = "no-charter"
    /// Another desk of its epoch runs.
    case twoDesks = "two-desks"
    /// The next epoch has begun.
    case over
    /// Its ledger forked.
    case forked
}

/// Somebody who has a number at the desk.
package struct MemberFacts: Codable, Hashable, Sendable {
    /// 1...65535.
    package var number: Int
    /// The number of their class, in the order of the venue's file.
    package var memberClass: Int
    /// Their keys, 64 hexadecimal digits each.
    package var keys: [String]

    /// A member.
    package init(number: Int, memberClass: Int, keys: [String]) {
        self.number = number
        self.memberClass = memberClass
        self.keys = keys
    }

    private enum CodingKeys: String, CodingKey {
        case number, keys
        case memberClass = "class"
    }
}

/// A form that came to the desk, and that nobody has decided.
package struct DeskForm: Codable, Hashable, Sendable {
    /// Its number, 32 hexadecimal digits.
    package var id: String
    /// Who sent it.
    package var who: Person
    package var kind: Word<FormFacts.Kind>
    package var at: Stamp
    /// What they said.
    package var fields: [Op.SendForm.Field]

    /// A form.
    package init(
        id: String, who: Person, kind: Word<FormFacts.Kind>, at: Stamp, fields: [Op.SendForm.Field]
    ) {
        self.id = id
        self.who = who
        self.kind = kind
        self.at = at
        self.fields = fields
    }
}

/// What the people at a desk see.
package struct DeskStatus: Codable, Hashable, Sendable {
    /// Whether it grants.
    package var state: Word<DeskStateWord>
    /// The other desk, of ``DeskStateWord/twoDesks``.
    package var rival: Person?
    /// Whether what the other one grants counts, and what this one grants does not.
    @IfTrue package var rivalCounts: Bool
    /// Asks that wait, are in the queue, or were refused.
    package var requests: [AskedFacts]
    /// Forms that nobody has decided.
    package var forms: [DeskForm]
    /// What an earlier desk granted and this one did not know: it can be granted again where it is
    /// free.
    package var lost: [LostBooking]
    /// Everybody with a number.
    package var members: [MemberFacts]
    /// Entries and bytes of the ledger, and how many there may be.
    package var entries: Int
    package var bytes: Int
    package var entriesLimit: Int
    package var bytesLimit: Int

    package init(
        state: DeskStateWord, rival: Person?, rivalCounts: Bool = false,
        requests: [AskedFacts], forms: [DeskForm], lost: [LostBooking] = [],
        members: [MemberFacts], entries: Int, bytes: Int, entriesLimit: Int, bytesLimit: Int
    ) {
        self.state = Word(state)
        self.rival = rival
        self.rivalCounts = rivalCounts
        self.requests = requests
        self.forms = forms
        self.lost = lost
        self.members = members
        self.entries = entries
        self.bytes = bytes
        self.entriesLimit = entriesLimit
        self.bytesLimit = bytesLimit
    }

    private enum CodingKeys: String, CodingKey {
        case state, rival, requests, forms, lost, members, entries, bytes
        case rivalCounts = "rival_counts"
        case entriesLimit = "entries_limit"
        case bytesLimit = "bytes_limit"
    }
}

/// A booking that an earlier desk granted behind the last page that counts.
package struct LostBooking: Codable, Hashable, Sendable {
    /// The earlier desk.
    package var desk: Person
    /// Whose it was.
    package var holder: Person
    package var place: Int
    package var period: PeriodFacts
    package var count: Int
    /// What is said with it.
    package var note: String

    /// One of them.
    package init(
        desk: Person, holder: Person, place: Int, period: PeriodFacts, count: Int, note: String
    ) {
        self.desk = desk
        self.holder = holder
        self.place = place
        self.period = period
        self.count = count
        self.note = note
    }
}

/// What came of something that the people at the desk did.
package struct DeskDone: Codable, Hashable, Sendable {
    /// Bookings that were made or moved, 64 hexadecimal digits each.
    package var bookings: [String]
    /// What is kept from others now; absent for nothing.
    package var period: PeriodFacts?
    /// Bookings that are in the way, or bound by a yes, and stay.
    package var stay: [String]
    /// Keys of a member that count no more.
    package var retired: [String]

    package init(
        bookings: [String] = [], period: PeriodFacts? = nil, stay: [String] = [],
        retired: [String] = []
    ) {
        self.bookings = bookings
        self.period = period
        self.stay = stay
        self.retired = retired
    }
}

extension Op {
    /// What waits at the desk that this agent is.
    package struct Desk: ControlOperation {
        package typealias Reply = DeskStatus
        package static var operation: OperationName { .desk }
        package init() {}
    }

    /// Grants again. A desk whose disk was put back from a copy opens only with `restored`.
    package struct DeskOpen: ControlOperation {
        package typealias Reply = DeskStatus
        package static var operation: OperationName { .deskOpen }
        package var restored: Bool?

        /// Opens it.
        package init(restored: Bool? = nil) { self.restored = restored }
    }

    /// Grants nothing until ``DeskOpen``; asks wait.
    package struct DeskAway: ControlOperation {
        package typealias Reply = DeskStatus
        package static var operation: OperationName { .deskAway }
        package init() {}
    }

    /// Grants what an ask wants, hours and quotas set aside, or refuses it.
    package struct DeskAnswer: ControlOperation {
        package typealias Reply = DeskDone
        package static var operation: OperationName { .deskAnswer }
        /// The id of the ask, 64 hexadecimal digits.
        package var ask: String
        package var grant: Bool

        /// Answers that one.
        package init(ask: String, grant: Bool) {
            self.ask = ask
            self.grant = grant
        }
    }

    /// Books for somebody, hours set aside.
    package struct DeskBook: ControlOperation {
        package typealias Reply = DeskDone
        package static var operation: OperationName { .deskBook }
        package var place: Int
        package var period: PeriodFacts
        package var count: Int?
        /// The number of the member, or a key or tag; both absent for somebody who has neither.
        package var member: Int?
        package var who: String?
        /// Sets the quota aside.
        package var override: Bool?
        /// 32 hexadecimal digits by which those who know their address find it.
        package var tag: String?
        package var note: String?

        /// Books that.
        package init(
            place: Int, period: PeriodFacts, count: Int? = nil, member: Int? = nil,
            who: String? = nil, override: Bool? = nil, tag: String? = nil, note: String? = nil
        ) {
            self.place = place
            self.period = period
            self.count = count
            self.member = member
            self.who = who
            self.override = override
            self.tag = tag
            self.note = note
        }
    }

    /// Keeps a place for the venue itself.
    package struct DeskBlock: ControlOperation {
        package typealias Reply = DeskDone
        package static var operation: OperationName { .deskBlock }
        package var place: Int
        package var period: PeriodFacts
        package var count: Int?
        package var note: String?

        /// Keeps that.
        package init(place: Int, period: PeriodFacts, count: Int? = nil, note: String? = nil) {
            self.place = place
            self.period = period
            self.count = count
            self.note = note
        }
    }

    /// Ends a booking.
    package struct DeskClose: ControlOperation {
        package typealias Reply = DeskDone
        package static var operation: OperationName { .deskClose }
        /// The booking, 64 hexadecimal digits.
        package var token: String
        /// Why; not ``BookingEnding/asked`` or ``BookingEnding/replaced``.
        package var reason: Word<BookingEnding>
        /// Whether it still counts for the quota.
        package var spent: Bool?

        /// Ends that one.
        package init(token: String, reason: BookingEnding, spent: Bool? = nil) {
            self.token = token
            self.reason = Word(reason)
            self.spent = spent
        }
    }

    /// Notes what was paid for a booking.
    package struct DeskPaid: ControlOperation {
        package typealias Reply = DeskDone
        package static var operation: OperationName { .deskPaid }
        package var token: String
        /// In the smallest unit of the currency.
        package var amount: Int
        /// How, a number of 0...7 (docs/protocol.md section 32).
        package var means: Int

        /// So much was paid.
        package init(token: String, amount: Int, means: Int) {
            self.token = token
            self.amount = amount
            self.means = means
        }
    }

    /// Notes that somebody came, had it handed out, or returned it.
    package struct DeskVisit: ControlOperation {
        package typealias Reply = DeskDone
        package static var operation: OperationName { .deskVisit }
        package var token: String
        package var visit: Word<VisitWord>

        /// That became of it.
        package init(token: String, visit: VisitWord) {
            self.token = token
            self.visit = Word(visit)
        }
    }

    /// Keeps what comes back late from others for so long.
    package struct DeskLate: ControlOperation {
        package typealias Reply = DeskDone
        package static var operation: OperationName { .deskLate }
        package var token: String
        package var minutes: Int

        /// So late.
        package init(token: String, minutes: Int) {
            self.token = token
            self.minutes = minutes
        }
    }

    /// Gives somebody a number and a class, or one more key.
    package struct DeskMember: ControlOperation {
        package typealias Reply = DeskDone
        package static var operation: OperationName { .deskMember }
        package var number: Int
        package var memberClass: Int
        /// A key or a tag; absent for nobody's yet.
        package var who: String?

        /// That member.
        package init(number: Int, memberClass: Int, who: String? = nil) {
            self.number = number
            self.memberClass = memberClass
            self.who = who
        }

        private enum CodingKeys: String, CodingKey {
            case number, who
            case memberClass = "class"
        }
    }
}
