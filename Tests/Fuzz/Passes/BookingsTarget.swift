// SPDX-License-Identifier: Apache-2.0
import FuzzKit
@testable import Bookings
@testable import CivilTime
@testable import Protocol
@testable import Text
@testable import Venues

/// Words of bookings: what is read is printed and read as the same, what is not comes with a line
/// that books something that the venue offers, and nothing of it acts on a terminal.
///
/// Input: a byte that chooses the example and the moment, the line.
enum BookingsTarget {
    /// 2026-03-27, two days before clocks change in Europe.
    private static let start: Int64 = 1_774_569_600

    static func run(_ input: [UInt8]) -> Verdict {
        guard let first = input.first else { return .refused }
        let examples = VenueExample.allCases
        let now = UTCTime(seconds: start + Int64(first / 4) * 40_000)
        guard let venue = examples[Int(first) % examples.count].venue,
            let offered = OfferedPeriods(venue, at: now)
        else { broken("no such venue") }
        let reader = BookingReader(offered, at: now)
        let line = String(decoding: input.dropFirst(), as: UTF8.self)
        let wish: BookingWish
        do throws(UserError) {
            wish = try reader.read([line])
        } catch {
            check(error, reader)
            return .refused
        }
        hold(1...BookingReader.most ~= wish.parts.count, "too many parts")
        for spot in wish.parts.flatMap(\.spots) {
            hold(Limits.bookingCount.contains(spot.count), "a count that nobody writes")
            hold(venue.place(spot.place)?.mode == .granted, "a place that nobody books")
            for operands in [[reader.words(spot)], typed(reader.line(spot))] {
                let again = try? reader.read(operands)
                hold(again?.parts.map(\.spots) == [[spot]], "another booking when printed")
            }
            show(spot, reader)
        }
        hold(wish.choices { _ in false }.count == wish.parts.count, "a part without a choice")
        return .accepted
    }

    private static func check(_ error: UserError, _ reader: BookingReader) {
        for line in error.lines {
            hold(line.unicodeScalars.allSatisfy(\.isSafeToPrint), "a complaint that acts")
            hold(line.utf8.count < 1000, "a long complaint")
        }
        guard let advice = error.advice else { broken("no line to try") }
        guard advice.hasPrefix("seatagent book ") else {
            hold(!reader.offered.venue.hasBookings, "a line that books nothing")
            return
        }
        guard let spot = (try? reader.read(typed(advice)))?.parts.first?.spots.first,
            let place = reader.offered.venue.place(spot.place)
        else { broken("a line to try that is none") }
        let refusal = reader.offered.refusal(of: place, spot.period, at: reader.now)
        hold(refusal == nil, "a line to try for what is not offered")
    }

    /// The operands of a line for a shell; the examples have no quotes in their names.
    private static func typed(_ line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .flatMap { index, part in
                index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
            }.dropFirst(2).map { $0 }
    }

    private static func show(_ spot: BookingSpot, _ reader: BookingReader) {
        let span = reader.offered.clock.span(spot.period)
        hold(span.begin <= span.end, "it ends before it begins")
        for kind in Volume.Kind.allCases {
            // A volume at the end of numbered days is none.
            let parts = spot.period.parts(kind)
            let minutes = parts.reduce(0) { $0 + $1.minutes }
            hold(parts.isEmpty || minutes == spot.period.minutes, "a gap between volumes")
        }
        guard let text = BookingText(reader) else { broken("no day") }
        let due = reader.offered.venue.due(spot.period, count: spot.count, memberClass: nil)
        var lines = [text.question(spot, due: due, quotas: [], at: reader.now)] + text.shared(spot)
        if let fault = BookingRefusal(reader, spot).fault { lines += fault.lines }
        for line in lines {
            hold(line.unicodeScalars.allSatisfy(\.isSafeToPrint), "a sentence that acts")
        }
    }
}
