// SPDX-License-Identifier: Apache-2.0
package import Text

/// A day of a venue as a page shows it: what is free, what is the user's, and what they have left
/// (docs/control.md, `day`).
package struct DaySheet: Codable, Hashable, Sendable {
    /// A place at a time, or on a day.
    package struct Cell: Codable, Hashable, Sendable {
        /// `free`, `taken`, `yours`, `closed`, `asked`, `offered` or `unpaid`.
        package var mark: String
        /// The shortest period at the cell; absent for a time that clocks there skip.
        package var period: PeriodFacts?
        /// How many are free, where there are several.
        package var free: Int?
        /// Whether it can be asked for: its time has not come, and the venue gives it out.
        @IfTrue package var isOffered: Bool

        package init(mark: String, period: PeriodFacts?, free: Int?, isOffered: Bool) {
            self.mark = mark
            self.period = period
            self.free = free
            self.isOffered = isOffered
        }

        private enum CodingKeys: String, CodingKey {
            case mark, period, free
            case isOffered = "offered"
        }
    }

    /// For how long a place can be had, and what one costs then.
    package struct Length: Codable, Hashable, Sendable {
        package var minutes: Int
        package var due: MoneyFacts?

        package init(minutes: Int, due: MoneyFacts?) {
            self.minutes = minutes
            self.due = due
        }
    }

    /// A place of the day.
    package struct Row: Codable, Hashable, Sendable {
        package var place: Int
        package var name: String
        /// How many there are of it.
        package var count: Int
        /// The first few, the shortest first.
        package var lengths: [Length]
        /// One for each column.
        package var cells: [Cell]

        package init(place: Int, name: String, count: Int, lengths: [Length], cells: [Cell]) {
            self.place = place
            self.name = name
            self.count = count
            self.lengths = lengths
            self.cells = cells
        }
    }

    /// Places against the times of a day, or against days.
    package struct Table: Codable, Hashable, Sendable {
        package var byDay: Bool
        /// What stands above each column.
        package var columns: [String]
        package var rows: [Row]

        package init(byDay: Bool, columns: [String], rows: [Row]) {
            self.byDay = byDay
            self.columns = columns
            self.rows = rows
        }

        private enum CodingKeys: String, CodingKey {
            case columns, rows
            case byDay = "by_day"
        }
    }

    /// What is left of a quota of the user's class on that day.
    package struct Left: Codable, Hashable, Sendable {
        /// The group of places that it is of; absent for all.
        package var group: String?
        package var minutes: Int?
        package var minutesLimit: Int?
        package var bookings: Int?
        package var bookingsLimit: Int?

        package init(
            group: String?, minutes: Int?, minutesLimit: Int?, bookings: Int?, bookingsLimit: Int?
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

    /// How a booking is paid: the program moves no money.
    package struct Payment: Codable, Hashable, Sendable {
        /// Who gets it, and their account.
        package var payee: String?
        package var iban: String?
        /// The venue's own page for it, or a link to its account (RFC 8905).
        package var link: String?

        package init(payee: String?, iban: String?, link: String?) {
            self.payee = payee
            self.iban = iban
            self.link = link
        }
    }

    /// A booking of the user's that is not over.
    package struct Own: Codable, Hashable, Sendable {
        package var token: String
        /// What the venue finds it by: `K7Q2M5XA`.
        package var code: String
        package var name: String
        package var period: PeriodFacts
        package var count: Int
        package var due: MoneyFacts?
        package var paid: Int
        /// Until when it can be given back without being spent, by the clocks there:
        /// `2026-12-05T16:00`.
        package var cancelUntil: String
        /// Absent where nothing is to be paid any more.
        package var payment: Payment?

        package init(
            token: String, code: String, name: String, period: PeriodFacts, count: Int,
            due: MoneyFacts?, paid: Int, cancelUntil: String, payment: Payment?
        ) {
            self.token = token
            self.code = code
            self.name = name
            self.period = period
            self.count = count
            self.due = due
            self.paid = paid
            self.cancelUntil = cancelUntil
            self.payment = payment
        }

        private enum CodingKeys: String, CodingKey {
            case token, code, name, period, count, due, paid, payment
            case cancelUntil = "cancel_until"
        }
    }

    /// The venue's name for people.
    package var name: String
    package var day: String
    /// The days of which bookings are known here.
    package var first: String
    package var last: String
    /// When it is open that day: `06:00-22:00`.
    package var hours: [String]
    /// Why the hours are others than usual.
    package var reason: String?
    /// Absent while no ledger is known.
    package var desk: DeskSightFacts?
    /// What is wrong with the desk, a sentence each.
    package var alarms: [String]
    /// The user's class, once they joined.
    package var className: String?
    /// Whether only members book, and the user is none.
    @IfTrue package var mustJoin: Bool
    /// Whether one can wait for what others have.
    @IfTrue package var queues: Bool
    package var quotas: [Left]
    package var tables: [Table]
    package var own: [Own]
    /// What the user asked for, and has no answer to.
    package var asks: [AskedFacts]

    package init(
        name: String, day: String, first: String, last: String, hours: [String], reason: String?,
        desk: DeskSightFacts?, alarms: [String], className: String?, mustJoin: Bool, queues: Bool,
        quotas: [Left], tables: [Table], own: [Own], asks: [AskedFacts]
    ) {
        self.name = name
        self.day = day
        self.first = first
        self.last = last
        self.hours = hours
        self.reason = reason
        self.desk = desk
        self.alarms = alarms
        self.className = className
        self.mustJoin = mustJoin
        self.queues = queues
        self.quotas = quotas
        self.tables = tables
        self.own = own
        self.asks = asks
    }

    private enum CodingKeys: String, CodingKey {
        case name, day, first, last, hours, reason, desk, alarms, queues, quotas, tables, own, asks
        case className = "class"
        case mustJoin = "must_join"
    }
}

extension Op {
    /// A day of a venue with all that a page of it shows.
    package struct Day: ControlOperation {
        package typealias Reply = DaySheet
        package static var operation: OperationName { .day }
        /// `2026-12-05`; absent for today by the clocks there.
        package var day: String?

        /// That day.
        package init(day: String? = nil) { self.day = day }
    }
}
