// SPDX-License-Identifier: Apache-2.0
package import Bookings
package import Protocol
package import Text
import Venues

/// How a desk was paid: the number that the ledger notes.
package enum PaidMeans: Int, CaseIterable, Hashable, Sendable {
    case cash = 0
    case card = 1
    case transfer = 2
    case link = 3
    case other = 7

    /// The word on a command line.
    package var word: String {
        switch self {
        case .cash: "cash"
        case .card: "card"
        case .transfer: "transfer"
        case .link: "link"
        case .other: "other"
        }
    }

    /// Reads the word. Throws `usage`.
    package static func read(_ word: String) throws(UserError) -> PaidMeans {
        if let found = allCases.first(where: { $0.word == word.lowercased() }) { return found }
        throw UserError(
            .usage, "\"\(visible(word, cells: 20))\" is no way to pay",
            why: "ways are " + allCases.map(\.word).joined(separator: ", "),
            advice: BookingLines.help)
    }
}

/// Words of the people at a desk.
package enum DeskWords {
    /// How late something comes back, in minutes: `+1d`, `2h`. Throws `usage`.
    package static func late(_ words: [String]) throws(UserError) -> Int {
        let text = words.joined(separator: " ")
        let plain = text.hasPrefix("+") ? String(text.dropFirst()) : text
        if let minutes = LengthText.minutes(plain), Limits.periodMinutes.contains(minutes) {
            return minutes
        }
        throw UserError(
            .usage, "\"\(visible(text, cells: 20))\" is no time by which something is late",
            why: "one is +2h or +1d", advice: BookingLines.help)
    }

    /// An amount of that currency in minor units: `20`, `20.00`. Throws `usage`.
    package static func amount(
        _ word: String, _ currency: String, code: BookingCode
    ) throws(UserError) -> Int {
        if let amount = MoneyText.amount(word, currency), 0...Limits.money ~= amount {
            return amount
        }
        throw UserError(
            .usage, "\"\(visible(word, cells: 20))\" is no amount of \(currency)",
            why: "one is \(MoneyText.words(2000, currency)), without the currency",
            advice: BookingLines.paid(code))
    }
}

/// A member who has a new key: the desk looked at their card (`desk member move 217 --to '#c2d9'`).
package struct MemberMove: Hashable, Sendable {
    /// The member.
    package let number: Int
    /// Their new key.
    package let key: PeerKey

    /// Finds the key of a tag among those that are known here. `members` are the numbers and keys
    /// of the ledger. Throws `no-such-record` for a number that nobody has, `no-such-passenger` and
    /// `ambiguous` for a tag, and `already-so` for a key that has a number.
    package init(
        _ number: Int, to tag: String, known: [PeerKey], members: [(number: Int, keys: [PeerKey])]
    ) throws(UserError) {
        let list = BookingLines.members
        guard members.contains(where: { $0.number == number }) else {
            throw UserError(.noSuchRecord, "there is no member \(number)", advice: list)
        }
        let typed = String(tag.lowercased().drop { $0 == "#" })
        let found = Set(known).filter { typed.utf8.count >= 4 && $0.tag.hasPrefix(typed) }.sorted()
        let shown = visible(tag, cells: 20)
        guard let key = found.first else {
            throw UserError(
                .noSuchPassenger, "nobody here has the key \(shown)",
                why: "their agent shows it behind a #, and has to be on this network",
                advice: BookingLines.requests)
        }
        guard found.count == 1 else {
            throw UserError(
                .ambiguous, "several keys begin with \(shown)",
                why: found.prefix(6).map(\.tag).joined(separator: ", "), advice: list)
        }
        if let other = members.first(where: { $0.keys.contains(key) }) {
            throw UserError(
                .alreadySo, "that key is one of member \(other.number)",
                why: other.number == number ? nil : "a key has one number for good", advice: list)
        }
        self.number = number
        self.key = key
    }
}
