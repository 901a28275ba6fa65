// SPDX-License-Identifier: Apache-2.0

/// Who somebody is to the venue, and what that entitles them to.
package struct VenueClass: Hashable, Sendable {
    /// How it is known that somebody is of the class.
    package enum Proof: String, CaseIterable, Hashable, Sendable {
        /// A list that the venue has.
        case roster
        /// A card that they show.
        case card
        /// Their own word.
        case word
    }

    /// What one person may have a day.
    package struct Quota: Hashable, Sendable {
        /// The group's key; `nil` for all places together.
        package let group: String?
        package let minutes: Int?
        package let bookings: Int?
    }

    /// What a period costs, in the smallest unit of the currency.
    package enum Price: Hashable, Sendable {
        case hour(Int)
        case day(Int)
    }

    package let name: String
    /// What their e-mail address and number look like.
    package let mail: VenuePattern?
    package let number: VenuePattern?
    package let proof: Proof?
    package let quota: [Quota]
    package let price: Price?

    /// Whether somebody with that address and number could be of the class.
    package func fits(mail: String?, number: String?) -> Bool {
        (self.mail.map { $0.matches(mail ?? "") } ?? true)
            && (self.number.map { $0.matches(number ?? "") } ?? true)
    }
}

/// What a text looks like: `#` stands for a digit, `?` for any character, a letter for itself in
/// either case.
package struct VenuePattern: Hashable, Sendable {
    package let text: String

    /// `nil` unless it has 1 to 80 visible ASCII characters.
    package init?(_ text: String) {
        guard 1...80 ~= text.utf8.count, text.utf8.allSatisfy({ 33...126 ~= $0 }) else {
            return nil
        }
        self.text = text
    }

    /// Whether `word` looks like that.
    package func matches(_ word: String) -> Bool {
        let units = Array(word.utf8)
        guard units.count == text.utf8.count else { return false }
        return zip(text.utf8, units).allSatisfy { wanted, unit in
            switch wanted {
            case UInt8(ascii: "#"): 48...57 ~= unit
            case UInt8(ascii: "?"): 33...126 ~= unit
            default: Self.small(wanted) == Self.small(unit)
            }
        }
    }

    private static func small(_ unit: UInt8) -> UInt8 { 65...90 ~= unit ? unit + 32 : unit }
}

/// How the venue is paid. The program moves no money.
package struct VenueMoney: Hashable, Sendable {
    /// An account, as a link or by its number.
    package enum Account: Hashable, Sendable {
        /// `payto://...` (RFC 8905).
        case payto(String)
        case iban(String, payee: String)
    }

    /// `EUR` (ISO 4217).
    package let currency: String
    package let account: Account?
    /// A page of the venue's own; `{code}` stands for the booking.
    package let link: String?
    /// Minutes until which it has to be paid: negative before the start, positive after the grant.
    package let payBy: Int?
}

/// What applies to bookings.
package struct VenueRules: Hashable, Sendable {
    /// How people join.
    package enum Join: String, CaseIterable, Hashable, Sendable {
        case open, form, card
    }

    /// Who may exchange bookings.
    package enum Swaps: String, CaseIterable, Hashable, Sendable {
        case none
        case sameClass = "class"
        case all
    }

    /// What makes two people one.
    package enum Member: String, CaseIterable, Hashable, Sendable {
        case mail, suite
    }

    package let join: Join
    package let swaps: Swaps
    /// Days ahead, and minutes before the start, at which it can be booked.
    package let ahead: Int?
    package let notice: Int?
    /// Minutes before the start up to which a booking can be given back; later it stays spent.
    package let cancel: Int?
    /// Minutes after the start at which somebody who has not come loses it.
    package let arrive: Int?
    /// Whether there is a waiting list.
    package let waiting: Bool
    /// Bookings of one person at one time.
    package let together: Int?
    package let member: Member?
}
