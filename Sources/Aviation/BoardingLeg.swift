// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Text

/// What is kept of one flight of a boarding pass; none of it says whose pass it was.
package struct BoardingLeg: Hashable, Sendable {
    /// Three letters of the airport or station of departure; `nil` in a part that is blank.
    package let from: String?
    /// Three letters of the airport or station of arrival.
    package let to: String?
    /// The airline that operates the flight: two or three letters or digits, as on the pass.
    let carrier: String?
    /// Airline, number without zeros, and a following letter if there is one: `FR202`.
    package let flight: String?
    /// The day of departure, for the person to confirm; `nil` if the pass names no day that exists.
    package var date: FlightDate?
    /// The letter or word for the class.
    package let compartment: String?
    /// The seat.
    package let seat: SeatField
    /// One character: checked in, on standby.
    package let status: UInt8?

    /// A flight of these parts.
    package init(
        from: String?, to: String?, carrier: String?, flight: String?, date: FlightDate?,
        compartment: String?, seat: SeatField, status: UInt8?
    ) {
        self.from = from
        self.to = to
        self.carrier = carrier
        self.flight = flight
        self.date = date
        self.compartment = compartment
        self.seat = seat
        self.status = status
    }

    /// Reads it from `text`; `date`, and whether the pass is only a receipt, come from the whole
    /// pass.
    init(_ text: [UInt8], _ fields: BoardingLegFields, date: FlightDate?, isReceipt: Bool) {
        from = text.words(in: fields.from)
        to = text.words(in: fields.to)
        let carrier = text.words(in: fields.carrier)
        self.carrier = carrier
        let isCode = text[text.trimmed(fields.carrier)].allSatisfy { $0.isCapital || $0.isDigit }
        flight = carrier.flatMap { code in
            isCode && code.utf8.count >= 2
                ? Self.number(text, fields.number).map { code + $0 } : nil
        }
        self.date = date
        compartment = text.words(in: fields.compartment)
        seat = SeatField(text, fields.seat)
        let status = text[fields.status].first.flatMap { $0 == 32 ? nil : $0 }
        self.status = isReceipt && status != UInt8(ascii: "7") ? UInt8(ascii: "0") : status
    }

    /// `202` or `42A`; `nil` for a number that no flight has.
    private static func number(_ text: [UInt8], _ part: Range<Int>) -> String? {
        var digits = text.trimmed(part)
        var suffix = ""
        if let last = text[digits].last, last.isLetter {
            suffix = String(Unicode.Scalar(last & 0xDF))
            digits = digits.dropLast()
        }
        // Five digits are a number with a leading zero, or none.
        guard text[digits].allSatisfy(\.isDigit), let number = text.number(in: digits),
            1...9999 ~= number
        else { return nil }
        return "\(number)\(suffix)"
    }

    /// For scripts.
    package var json: JSON {
        .object(present: [
            "from": from.map(JSON.string), "to": to.map(JSON.string),
            "carrier": carrier.map(JSON.string), "flight": flight.map(JSON.string),
            "flightDate": date.map { .string($0.text) },
            "compartment": compartment.map(JSON.string), "seat": seat.seat.map(JSON.string),
            "seatKind": .string(seat.kind),
        ])
    }

    /// For people.
    package var sentence: String {
        guard let from, let to else { return "a flight that is left blank" }
        let day = date.map { "on \($0.text)" } ?? "on a day that is unknown"
        return "\(flight ?? carrier ?? "a flight") from \(from) to \(to) \(day), \(seat.sentence)"
    }

    /// Whether the seat is not the passenger's yet, because they are not checked in or on standby.
    package var isWaiting: Bool { status.map { [48, 50, 55].contains($0) } ?? false }

    /// What the status means, if it matters for a seat.
    package var note: String? {
        switch status {
        case UInt8(ascii: "0"), UInt8(ascii: "2"): "not checked in yet"
        case UInt8(ascii: "7"): "on standby"
        case UInt8(ascii: "A"): "moved to another class when the flight was closed"
        default: nil
        }
    }
}
