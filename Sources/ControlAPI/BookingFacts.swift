// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol
package import Text

/// A period by the clocks of a venue.
package struct PeriodFacts: Codable, Hashable, Sendable {
    /// The day on which it begins: `2026-12-05`.
    package var day: String
    /// Minutes after the begin of that day, 0...1439.
    package var from: Int
    /// How long it lasts, 1...44640.
    package var minutes: Int

    /// That period.
    package init(_ period: Period) {
        day = DayNumber.text(period.day)
        from = period.from
        minutes = period.minutes
    }

    /// The period; `nil` for one that is none.
    package var period: Period? {
        DayNumber.day(day).flatMap { Period(day: $0, from: from, minutes: minutes) }
    }
}

/// Days of a venue as they are written on the control socket: `2026-12-05`.
package enum DayNumber {
    private static let first = FlightDate("2000-01-01")

    /// A day as it is written.
    package static func text(_ day: VenueDay) -> String {
        first?.adding(Int64(day.number)).text ?? ""
    }

    /// The day that is written so; `nil` for one without a number.
    package static func day(_ text: String) -> VenueDay? {
        guard let first, let date = FlightDate(text) else { return nil }
        return VenueDay(number: Int(date.days - first.days))
    }
}

/// An amount of money.
package struct MoneyFacts: Codable, Hashable, Sendable {
    /// Three capital letters (ISO 4217).
    package var currency: String
    /// In the smallest unit of the currency.
    package var amount: Int

    /// That amount.
    package init(_ due: Grant.Due) {
        currency = due.currency
        amount = due.amount
    }

    /// The same for the core.
    package var due: Grant.Due { Grant.Due(currency: currency, amount: amount) }
}

/// Why a booking ended.
package enum BookingEnding: String, Vocabulary {
    /// Its holder gave it back.
    case asked
    /// The desk ended it.
    case desk
    /// Nobody came.
    case noShow = "no-show"
    /// Nobody paid.
    case unpaid
    /// The desk had made an error.
    case error
    /// A swap of it got stranded.
    case stranded
    /// It was handed back before its time was up.
    case early
    /// Another booking took its place.
    case replaced

    /// The word for a reason of the ledger; without one another booking took its place.
    package init(_ reason: LedgerClose.Reason?) {
        self =
            switch reason {
            case .asked: .asked
            case .desk: .desk
            case .noShow: .noShow
            case .unpaid: .unpaid
            case .error: .error
            case .stranded: .stranded
            case .early: .early
            case nil: .replaced
            }
    }
}

/// What became of a booking at the counter.
package enum VisitWord: String, Vocabulary {
    /// They came.
    case arrived
    /// What they booked was handed out.
    case handedOut = "handed-out"
    /// It was returned.
    case returned

    /// The word for a note of the ledger.
    package init(_ visit: DeskNote.Visit) {
        self =
            switch visit {
            case .arrived: .arrived
            case .handedOut: .handedOut
            case .returned: .returned
            }
    }

    /// The note of the ledger.
    package var visit: DeskNote.Visit {
        switch self {
        case .arrived: .arrived
        case .handedOut: .handedOut
        case .returned: .returned
        }
    }
}

/// A booking of a venue's ledger.
package struct BookingFacts: Codable, Hashable, Sendable {
    /// The booking itself, 64 hexadecimal digits.
    package var token: String
    /// The number of the place in the venue's file, 1...4095.
    package var place: Int
    /// When.
    package var period: PeriodFacts
    /// How many of the place, 1...1000.
    package var count: Int
    /// Who holds it now.
    package var holder: Person
    /// The number of the member that it counts for; 0 for nobody's.
    package var member: Int
    /// What is to be paid; absent for nothing.
    package var due: MoneyFacts?
    /// What was paid, in the smallest unit.
    package var paid: Int
    /// Whether the venue keeps the place for itself.
    @IfTrue package var blocked: Bool
    /// Whether the desk set a quota aside for it.
    @IfTrue package var override: Bool
    /// What became of it at the counter; absent for nothing so far.
    package var visit: Word<VisitWord>?
    /// Why it ended; absent as long as it stands.
    package var ended: Word<BookingEnding>?
    /// Whether it counts for the quota although it ended.
    @IfTrue package var spent: Bool
    /// The ask that it answers, 64 hexadecimal digits; absent where nobody asked.
    package var ask: String?
    /// When its record was first seen here.
    package var seen: Stamp?
    /// Words of whoever asked, or of the desk.
    package var note: String
    /// Why a swap binds it: a yes of its holder that is not decided.
    @IfTrue package var bound: Bool

    /// A booking as the core knows it.
    package init(
        token: String, place: Int, period: PeriodFacts, count: Int, holder: Person, member: Int,
        due: MoneyFacts?, paid: Int, blocked: Bool, override: Bool, visit: VisitWord?,
        ended: BookingEnding?, spent: Bool, ask: String?, seen: Stamp?, note: String,
        bound: Bool = false
    ) {
        self.token = token
        self.place = place
        self.period = period
        self.count = count
        self.holder = holder
        self.member = member
        self.due = due
        self.paid = paid
        self.blocked = blocked
        self.override = override
        self.visit = visit.map { Word($0) }
        self.ended = ended.map { Word($0) }
        self.spent = spent
        self.ask = ask
        self.seen = seen
        self.note = note
        self.bound = bound
    }

    /// The booking for the core; `nil` for what is none.
    package var tokenValue: Token? { id(token).map { Token($0) } }

    /// Reads 64 hexadecimal digits.
    package func id(_ text: String) -> Bytes32? { bytes(hexadecimal: text).flatMap { Bytes32($0) } }
}

/// What kind of ask it is.
package enum AskKind: String, Vocabulary {
    case book
    /// That a booking ends, or goes to somebody else.
    case giveBack = "give-back"
    /// Another place and period in the stead of a booking.
    case move
    /// That an ask is nothing any more.
    case withdraw
}

/// How an ask stands.
package enum AskStanding: String, Vocabulary {
    /// The desk has said nothing.
    case asked
    /// It has a place in the queue.
    case waiting
    /// The desk says no.
    case refused
    /// The desk did what it asks.
    case done
    /// Its time is over, or nothing is known of it here.
    case over
}

/// Something that the user, or anybody, asks of the desk.
package struct AskedFacts: Codable, Hashable, Sendable {
    /// The id of the ask, 64 hexadecimal digits.
    package var ask: String
    /// What kind.
    package var kind: Word<AskKind>
    /// Who asks.
    package var who: Person
    /// The place, of what asks for one.
    package var place: Int?
    /// The period, of what asks for one.
    package var period: PeriodFacts?
    /// How many of it.
    package var count: Int
    /// The booking that it gives back or moves, 64 hexadecimal digits.
    package var token: String?
    /// Who gets it, of a gift.
    package var to: Person?
    /// Until when it stands.
    package var until: Stamp
    /// How it stands.
    package var state: Word<AskStanding>
    /// The number in the queue, 1...999.
    package var waiting: Int?
    /// Why the desk says no, a number of docs/protocol.md section 33.
    package var reason: Int?
    /// Words for the desk.
    package var note: String

    /// An ask.
    package init(
        ask: String, kind: AskKind, who: Person, place: Int?, period: PeriodFacts?, count: Int,
        token: String?, to: Person?, until: Stamp, state: AskStanding, waiting: Int?,
        reason: Int?, note: String
    ) {
        self.ask = ask
        self.kind = Word(kind)
        self.who = who
        self.place = place
        self.period = period
        self.count = count
        self.token = token
        self.to = to
        self.until = until
        self.state = Word(state)
        self.waiting = waiting
        self.reason = reason
        self.note = note
    }
}

/// What somebody has used of one quota of their class on one day.
package struct QuotaFacts: Codable, Hashable, Sendable {
    /// The number of the group in the rules; absent for all places.
    package var group: Int?
    /// Minutes that count already, and the limit; 0 for none.
    package var minutes: Int
    package var minutesLimit: Int
    /// Bookings that count already, and the limit; 0 for none.
    package var bookings: Int
    package var bookingsLimit: Int

    /// So much of a quota.
    package init(
        group: Int?, minutes: Int, minutesLimit: Int, bookings: Int, bookingsLimit: Int
    ) {
        self.group = group
        self.minutes = minutes
        self.minutesLimit = minutesLimit
        self.bookings = bookings
        self.bookingsLimit = bookingsLimit
    }

    private enum CodingKeys: String, CodingKey {
        case group, minutes, bookings
        case minutesLimit = "minutes_limit"
        case bookingsLimit = "bookings_limit"
    }
}

/// What is known of the desk of a venue.
package struct DeskSightFacts: Codable, Hashable, Sendable {
    /// Whose ledger counts.
    package var who: Person
    /// Which desk of the venue it is, 1...255.
    package var epoch: Int
    /// How many pages of its ledger are known here.
    package var pages: Int
    /// Whether it is this agent.
    @IfTrue package var me: Bool
    /// Whether it is linked, reached through others, or was heard within 45 s.
    package var here: Bool
    /// When something of it came last, or when it was last within reach if that was later; absent
    /// for neither since this agent started.
    package var heard: Stamp?
    /// The page from which on its ledger forked, if it did.
    package var fork: Int?
    /// Other desks of that epoch, whose ledgers do not count.
    package var rivals: [Person]
    /// What it said last to all, and when by its own clock: hostile text.
    package var says: String?
    package var said: Stamp?
    /// How many grants break a rule of the venue, so that they are void.
    package var voids: Int
    /// How many bookings of an earlier desk do not count, since the one after it did not know them.
    package var lost: Int

    /// A desk.
    package init(
        who: Person, epoch: Int, pages: Int, me: Bool, here: Bool, heard: Stamp?, fork: Int?,
        rivals: [Person], says: String? = nil, said: Stamp? = nil, voids: Int, lost: Int
    ) {
        self.who = who
        self.epoch = epoch
        self.pages = pages
        self.me = me
        self.here = here
        self.heard = heard
        self.fork = fork
        self.rivals = rivals
        self.says = says
        self.said = said
        self.voids = voids
        self.lost = lost
    }
}

/// A form that went, or is to go, to the desk.
package struct FormFacts: Codable, Hashable, Sendable {
    /// What it is for.
    package enum Kind: String, Vocabulary {
        case join, permit, erase
        case newKey = "new-key"
    }

    /// How it stands.
    package enum State: String, Vocabulary {
        /// The desk does not have it.
        case waiting
        /// It is on the desk's disk.
        case kept
        case admitted, refused, unknown
    }

    /// Its number, 32 hexadecimal digits.
    package var id: String
    package var kind: Word<Kind>
    package var state: Word<State>
    /// What the desk says to it.
    package var text: String
    package var at: Stamp
    /// What the user answered in it.
    package var fields: [Op.SendForm.Field]?

    /// A form.
    package init(
        id: String, kind: Kind, state: State, text: String, at: Stamp,
        fields: [Op.SendForm.Field]? = nil
    ) {
        self.id = id
        self.kind = Word(kind)
        self.state = Word(state)
        self.text = text
        self.at = at
        self.fields = fields
    }
}
