// SPDX-License-Identifier: Apache-2.0
/// An airline, with what matters for seats.
package struct Airline: Hashable, Sendable {
    /// Airlines that sell each other's flights under one number.
    package enum Family: String, Hashable, Sendable, CaseIterable {
        case ryanair = "FR"
        case easyJet = "U2"
        case wizz = "W6"
        case transavia = "HV"
        case norwegian = "DY"
    }

    /// Two-character IATA designator.
    let code: String
    /// Three-letter ICAO designator.
    let icao: String
    /// The name that people use.
    package let name: String
    /// The family, if the airline is in one.
    package let family: Family?
    /// When seats are given; `nil` if that is unknown.
    package let checkIn: CheckIn?

    init(
        _ code: String, _ icao: String, _ name: String, _ family: Family? = nil,
        _ checkIn: CheckIn? = nil
    ) {
        self.code = code
        self.icao = icao
        self.name = name
        self.family = family
        self.checkIn = checkIn
    }

    /// The designator that names flights: that of the family's head, else the airline's own.
    var key: String { family?.rawValue ?? code }
}

/// When an airline gives seats. Airlines change this, so it is dated data that people may correct.
package struct CheckIn: Hashable, Sendable {
    /// How far a figure can be trusted.
    package enum Sure: String, Hashable, Sendable {
        /// A source says so.
        case stated
        /// Sources disagree.
        case conflicting
        /// One weak source says so.
        case weak
        /// It holds for most airlines of the country; nothing is known of this one.
        case general
    }

    /// When somebody who paid for a seat can have it.
    enum Paid: Hashable, Sendable {
        /// From the sale of the ticket on.
        case atSale
        /// Hours before the scheduled departure.
        case hours(Int)
    }

    /// Hours before the scheduled departure at which passengers who did not pay for a seat can
    /// check in. A range if that differs between flights.
    package let opens: ClosedRange<Int>
    /// When a paid seat can be chosen; `nil` if that is unknown.
    let paid: Paid?
    /// Hours before departure at which check-in ends, as a range too; `nil` if that is unknown.
    let closes: ClosedRange<Int>?
    /// How far all of this can be trusted.
    package let sure: Sure
    /// Where it was read.
    package let source: String
    /// Anything else that is known about it.
    package let note: String

    /// When the sources were read; they carry no date themselves.
    package static let asOf = "2026-11"

    init(
        opens: ClosedRange<Int>, paid: Paid? = nil, closes: ClosedRange<Int>? = nil, _ sure: Sure,
        source: String = "", note: String = ""
    ) {
        self.opens = opens
        self.paid = paid
        self.closes = closes
        self.sure = sure
        self.source = source
        self.note = note
    }
}

extension CheckIn {
    static let ryanair = CheckIn(
        opens: 24...24, paid: .hours(60 * 24), closes: 2...2, .stated,
        source: "help.ryanair.com; buzzair.com, article 6.2.2", note: "48 h from 13 June 2018")
    static let wizz = CheckIn(
        opens: 24...24, paid: .hours(30 * 24), closes: 3...3, .conflicting,
        source: "levnocestovani", note: "other pages say 48 h; a delay does not move the end")
    static let easyJet = CheckIn(
        opens: (30 * 24)...(30 * 24), paid: .hours(30 * 24), closes: 2...2, .stated,
        source: "cestee", note: "seats of those who paid for none are given at random, also later")
    static let vueling = CheckIn(
        opens: 24...(7 * 24), paid: .atSale, closes: 1...4, .stated, source: "help.vueling.com",
        note: "seats are few, then given at the desk")
    static let norwegian = CheckIn(opens: 24...24, closes: 1...1, .weak)
    static let lufthansa = CheckIn(
        opens: 23...23, .weak, note: "the seat is given at check-in; 30 h may be newer")
    static let british = CheckIn(opens: 24...24, .weak, note: "free choice then")
    static let airFranceKLM = CheckIn(opens: 30...30, closes: 1...1, .stated)
    static let condor = CheckIn(opens: 24...24, closes: 1...1, .stated)
    static let american = CheckIn(
        opens: 24...24, closes: 1...1, .general, note: "so at most airlines of the United States")
}
