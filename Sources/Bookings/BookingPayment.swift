// SPDX-License-Identifier: Apache-2.0
package import Protocol
import Text
package import Venues

/// How somebody pays for a booking. The program moves no money: it says what others need for that,
/// and the desk marks what it got.
package struct BookingPayment: Hashable, Sendable {
    /// What is to be paid.
    package let due: Grant.Due
    /// By what the venue finds it: `K7Q2M5XA`.
    package let code: BookingCode
    /// How the venue is paid.
    package let money: VenueMoney

    /// The payment of a booking.
    package init(_ due: Grant.Due, _ code: BookingCode, _ money: VenueMoney) {
        self.due = due
        self.code = code
        self.money = money
    }

    /// The venue's own page for it.
    package var link: String? {
        money.link.map { link in
            var text = ""
            var rest = link[...]
            while let mark = rest.firstPlace(of: "{code}") {
                text += String(rest[..<mark.lowerBound]) + code.text
                rest = rest[mark.upperBound...]
            }
            return text + String(rest)
        }
    }

    /// The amount without its currency, as links and codes want it: `20.00`.
    private var amount: String {
        String(MoneyText.words(due.amount, due.currency).dropLast(4))
    }

    // MARK: payto

    /// A link with account, amount and code, for a program that pays (RFC 8905); `nil` without an
    /// account, and where the venue's currency is another one than what is due.
    package var payto: String? {
        guard due.currency == money.currency else { return nil }
        let options = [("amount", "\(due.currency):\(amount)"), ("message", code.text)]
        switch money.account {
        case nil: return nil
        case .iban(let number, let payee):
            return Self.adding(
                [options[0], ("receiver-name", payee), options[1]], to: "payto://iban/\(number)")
        case .payto(let link): return Self.adding(options, to: link)
        }
    }

    /// A link with options that it does not have yet.
    private static func adding(_ options: [(String, String)], to link: String) -> String {
        // A fragment would end the options.
        let plain = link.prefix { $0 != "#" }
        let parts = plain.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let known = parts.count < 2 ? [] : parts[1].split(separator: "&").map(String.init)
        let names = known.map { $0.prefix { $0 != "=" }.lowercased() }
        let new = options.filter { !names.contains($0.0) }.map { "\($0)=\(encoded($1))" }
        return "\(parts[0])?" + (known + new).joined(separator: "&")
    }

    /// A value of an option: what is not unreserved, nor a colon of an amount, as `%20` (RFC 3986
    /// section 2.1).
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { out, byte in
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126, 58:
                out.unicodeScalars.append(Unicode.Scalar(byte))
            default: out += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    // MARK: EPC

    /// Bytes of a code's text, and letters of a payee (EPC069-12).
    private static let longestTransfer = 331
    private static let longestPayee = 70
    /// Amounts of a transfer, in cents.
    private static let transferred = 1...99_999_999_999

    /// The text of a code that banks' apps read, for a transfer in euro (EPC069-12, version 002):
    /// one element a line. `nil` without an IBAN, and for any other currency.
    package var transfer: String? {
        guard case .iban(let number, let payee) = money.account, due.currency == "EUR",
            money.currency == "EUR", Self.transferred.contains(due.amount)
        else { return nil }
        let lines = [
            "BCD",  // service tag
            "002",  // version: the bank's code may be left out
            "1",  // UTF-8
            "SCT",  // SEPA credit transfer
            "",  // the bank's code
            String(payee.prefix(Self.longestPayee)), number, "EUR\(amount)",
            "",  // purpose
            "",  // structured reference
            code.text,  // what the payee reads
        ]
        let text = lines.joined(separator: "\n")
        return text.utf8.count <= Self.longestTransfer ? text : nil
    }
}
