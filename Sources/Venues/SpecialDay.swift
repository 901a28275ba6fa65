// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Text

/// A date with hours of its own, or a part of it that is closed, and why.
package struct SpecialDay: Hashable, Sendable {
    /// The hours; none for the whole day.
    package let spans: [OpeningSpan]
    /// Why: `Christmas`.
    package let reason: String?

    /// Bytes of a reason.
    private static let longest = 60
    private static let off = "off"

    /// `off: Christmas`, `10:00-14:00`.
    package var text: String {
        (spans.isEmpty ? Self.off : spans.map(\.text).joined(separator: ","))
            + (reason.map { ": " + $0 } ?? "")
    }

    /// Reads the dates of a venue. Throws for the first fault.
    static func read(
        _ form: FormReader, _ key: String, mayBeOff: Bool
    ) throws(FormFault) -> [FlightDate: SpecialDay] {
        var days: [FlightDate: SpecialDay] = [:]
        for entry in try form.entries(key, most: VenueLimits.dates) {
            guard let date = FlightDate(entry.key) else {
                throw FormFault(place: entry.place, why: "a date as 2026-12-25 is wanted")
            }
            days[date] = try SpecialDay(entry, mayBeOff: mayBeOff)
        }
        return days
    }

    private init(_ entry: FormReader.Entry, mayBeOff: Bool) throws(FormFault) {
        let text = try FormReader.text(entry.value, entry.place, bytes: VenueLimits.text)
        let mark = text.firstRange(of: ": ")
        let hours = mark.map { text[..<$0.lowerBound] } ?? text[...]
        reason = mark.map { String(text[$0.upperBound...]) }
        if let reason {
            guard !reason.allSatisfy(\.isWhitespace), reason.utf8.count <= Self.longest else {
                throw FormFault(
                    place: entry.place, why: "a reason of 1 to \(Self.longest) bytes is wanted")
            }
        }
        if hours == Self.off {
            guard mayBeOff else {
                throw FormFault(
                    place: entry.place, why: "a date on which it is closed stands in closed")
            }
            spans = []
            return
        }
        switch OpeningSpan.list(hours) {
        case .success(let read): spans = read
        case .failure(let fault):
            throw FormFault(
                place: entry.place,
                why: fault.words + (mayBeOff ? ", or off" : "") + ", a reason after \": \"")
        }
    }

    /// The one form of dates; `nil` if there are none.
    static func json(_ days: [FlightDate: SpecialDay]) -> JSON? {
        days.isEmpty
            ? nil
            : .object(
                Dictionary(
                    days.map { ($0.key.text, JSON.string($0.value.text)) },
                    uniquingKeysWith: { $1 }))
    }
}
