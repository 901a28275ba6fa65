// SPDX-License-Identifier: Apache-2.0
package import Protocol
import Text
import Venues

/// What is said of somebody's own booking, at one moment.
package struct BookingText: Sendable {
    private let reader: BookingReader
    private let terms: BookingTerms

    /// Words for a venue, as `reader` sees it; `nil` for a clock that shows a day without a number.
    package init?(_ reader: BookingReader) {
        guard let today = reader.today else { return nil }
        self.reader = reader
        terms = BookingTerms(reader.offered, today: today)
    }

    // MARK: Before

    /// What is asked before anything is: place, day, period, price, what is left of the quotas,
    /// until when it can be cancelled. `quotas` are those of that day before it.
    ///
    /// `Tennis 2, Sat 5 Dec 18:00-20:00: 20.00 USD, to be paid by Sat 5 Dec 17:30; after it 0 h of
    /// 2 h left that day; can be cancelled until Sat 5 Dec 16:00.`
    package func question(
        _ spot: BookingSpot, due: Grant.Due?, quotas: [DayQuota], at now: UTCTime
    ) -> String {
        var price = "free for you"
        if let due {
            price =
                ([due.words] + [terms.payWords(spot.period, granted: now)].compactMap(\.self))
                .joined(separator: ", ")
        }
        let left = quotas.map { $0.after(minutes: spot.period.minutes, count: spot.count).words }
        let quota = left.isEmpty ? [] : ["after it " + left.joined(separator: "; ") + " that day"]
        let parts = [price] + quota + [terms.cancelWords(spot.period, at: now)]
        return "\(reader.words(spot)): " + parts.joined(separator: "; ") + "."
    }

    // MARK: Afterwards

    /// `Booked: Tennis 2, Sat 5 Dec 18:00-20:00, code K7Q2M5XA`.
    package func booked(_ spot: BookingSpot, _ token: Token) -> String {
        "Booked: \(reader.words(spot)), code \(BookingCode(token).text)"
    }

    /// `Asked: ...`, as long as the desk has not answered.
    package func asked(_ spot: BookingSpot) -> String {
        "Asked: \(reader.words(spot)); nothing is booked yet"
    }

    /// `Waiting: Tennis 2, Sat 5 Dec 18:00-20:00, number 2 on the waiting list`.
    package func waiting(_ spot: BookingSpot, number: Int) -> String {
        "Waiting: \(reader.words(spot)), number \(number) on the waiting list"
    }

    /// `Cancelled: Tennis 2, Sat 5 Dec 18:00-20:00`, and whether it still counts.
    package func cancelled(_ spot: BookingSpot, spent: Bool) -> String {
        "Cancelled: \(reader.words(spot))"
            + (spent ? "; it was late, so it still counts for that day" : "")
    }

    // MARK: Passing on

    /// What one sends to friends: no code, since whoever has it can say at the counter that it is
    /// theirs.
    package func shared(_ spot: BookingSpot) -> [String] {
        let venue = reader.offered.venue
        let place = venue.place(spot.place)
        return [
            "\(visible(spot.what, cells: 60)) at \(visible(venue.name, cells: 60)): "
                + spot.when(today: nil),
            (place?.address ?? venue.address).map { visible($0, cells: 100) },
            (place?.at ?? venue.at).map(\.link), venue.web,
        ].compactMap(\.self)
    }
}
