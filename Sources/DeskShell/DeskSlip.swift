// SPDX-License-Identifier: Apache-2.0
package import Bookings
package import Protocol
import Text
import Venues

/// What a desk prints for whoever booked: a narrow piece of paper.
package struct DeskSlip: Sendable {
    /// Columns of a roll of paper.
    package static let width = 40

    private let spot: BookingSpot
    private let code: BookingCode
    private let name: String?
    private let car: MemberBook.Car?
    private let due: Grant.Due?
    private let paid: Int
    private let payUntil: String?
    private let cancel: String
    private let venue: Venue

    /// The slip of a booking: for whom and for which car, what is still to be paid, and until when.
    package init(
        _ spot: BookingSpot, _ token: Token, for name: String?, _ car: MemberBook.Car? = nil,
        due: Grant.Due?, paid: Int, granted: UTCTime, _ offered: OfferedPeriods
    ) {
        self.spot = spot
        code = BookingCode(token)
        self.name = name
        self.car = car
        self.due = due
        self.paid = paid
        let terms = BookingTerms(offered)
        payUntil = terms.payWords(spot.period, granted: granted)
        cancel = terms.cancelWords(spot.period, at: granted)
        venue = offered.venue
    }

    /// Lines of at most ``width`` columns.
    package var lines: [String] {
        var lines = [venue.name] + [venue.address, venue.phone].compactMap(\.self) + [""]
        lines += ["Booking \(code.text)", spot.what, spot.when(today: nil)]
        if let name { lines.append("For \(name)") }
        if let car { lines.append("Plate \(car.plate), suite \(car.suite)") }
        lines.append("")
        lines += money
        lines.append("It \(cancel).")
        return lines.flatMap { Wrapping.lines(visible($0), cells: Self.width) }
    }

    private var money: [String] {
        guard let due else { return [] }
        let left = max(due.amount - paid, 0)
        guard left > 0 else { return ["Paid: \(due.words)", ""] }
        let open = Grant.Due(currency: due.currency, amount: left)
        var lines = ["Due: \(open.words)" + (payUntil.map { ", \($0)" } ?? "")]
        if let money = venue.money {
            switch money.account {
            case .iban(let number, let payee):
                lines += ["To \(payee)", Self.grouped(number), "Message \(code.text)"]
            case .payto, nil: break
            }
            if let link = BookingPayment(open, code, money).link { lines.append(link) }
        }
        return lines + [""]
    }

    /// `BE71 0961 2345 6769`, as people copy it (ISO 13616).
    private static func grouped(_ number: String) -> String {
        var text = ""
        for (index, letter) in number.enumerated() {
            text += (index > 0 && index % 4 == 0 ? " " : "") + String(letter)
        }
        return text
    }
}
