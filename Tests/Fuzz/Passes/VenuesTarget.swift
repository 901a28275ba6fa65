// SPDX-License-Identifier: Apache-2.0
import FuzzKit
@testable import CivilTime
@testable import Protocol
import ProtocolTestKit
@testable import Text
@testable import Venues

/// Files of venues: what is read is written in one form that reads as the same, its hours lie in
/// their days, its plan in its frame, and nothing of it acts on a terminal. What is signed is read
/// as it was signed, and refused after any change; no input gets in unsigned.
///
/// Input: a byte that chooses the moment at which it is looked at, the text.
enum VenuesTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        guard let first = input.first, let start = FlightDate("2026-01-01") else { return .refused }
        let file: VenueFile
        do throws(FormFault) {
            file = try VenueFile.read(Array(input.dropFirst()), primitives: FakePrimitives())
        } catch {
            hold(error.sentence.unicodeScalars.allSatisfy(\.isSafeToPrint), "a fault that acts")
            hold(error.sentence.utf8.count < 1000, "a long complaint")
            if let json = try? JSON(line: Array(input.dropFirst())) { form(json) }
            return .refused
        }
        switch file {
        case .cabin(let cabin):
            hold((try? CabinVenue(json: cabin.json)) == cabin, "another cabin")
        case .signed(let signed): hold(signed.json == Self.again(signed)?.json, "another one")
        case .venue(let venue):
            check(venue)
            sign(venue, Int(first) + 1)
            let date = start.adding(Int64(first) * 3)
            guard let now = LocalMinute(date: date, minute: Int(first) * 5) else {
                broken("no such minute")
            }
            show(venue, now)
        }
        return .accepted
    }

    /// A signed file whose signature nobody checks is read and written as the same.
    private static func form(_ json: JSON) {
        guard let signed = try? SignedVenue(unchecked: json) else { return }
        check(signed.venue)
        hold((try? SignedVenue(unchecked: signed.json)) == signed, "another signed file")
    }

    private static func again(_ signed: SignedVenue) -> SignedVenue? {
        try? SignedVenue(json: signed.json, primitives: FakePrimitives())
    }

    private static func sign(_ venue: Venue, _ revision: Int) {
        guard let signed = SignedVenue(venue, revision: revision, by: FakeSigner(7, seed: 1))
        else { broken("it cannot be signed") }
        hold(again(signed) == signed, "another one after it was signed")
        for (member, value) in [
            ("revision", .int(revision + 1)),
            ("operator", .string(String(repeating: "a", count: 52))),
            ("venue", venue.json.adding(["name": .string(venue.name + "x")])),
        ] as [(String, JSON)] {
            let json = signed.json.adding([member: value])
            let read = try? SignedVenue(json: json, primitives: FakePrimitives())
            hold(read == nil, "a change that nobody notices")
        }
    }

    private static func check(_ venue: Venue) {
        let bytes = venue.bytes
        hold(bytes.count <= VenueLimits.bytes && !bytes.contains(10), "too large to send")
        guard let again = try? Venue.read(bytes) else { broken("its own line is refused") }
        hold(again == venue && again.bytes == bytes, "another as one line")
        hold((try? Venue.read(Array(venue.text.utf8))) == venue, "another as a text")
        hold(1...VenueLimits.places ~= venue.places.count, "too many places")
        hold(Set(venue.places.map(\.id)).count == venue.places.count, "one number for two")
        for place in venue.places {
            let units = place.uses.compactMap { use in
                venue.units.first { $0.key == use.unit && use.amount <= $0.capacity }
            }
            hold(units.count == place.uses.count, "more than there is")
            hold((place.periods != nil) == (place.mode == .granted), "periods of nothing")
        }
        hold(LedgerSize(venue).bookings >= 0, "fewer than no bookings")
    }

    private static func show(_ venue: Venue, _ now: LocalMinute) {
        let days = VenueDays(venue)
        var last = Int64.min
        for day in -1..<9 {
            let date = now.date.adding(Int64(day))
            for span in days.spans(on: date) {
                hold(span.from < span.to && span.to <= OpeningSpan.latest, "a span of nothing")
                let start = date.days * 1440 + Int64(span.from)
                let isOrdinary = !days.isSpecial(date) && !days.isSpecial(date.adding(-1))
                hold(!isOrdinary || last <= start, "a day begins before the last has ended")
                last = date.days * 1440 + Int64(span.to)
            }
        }
        switch days.state(at: now) {
        case .open(let end): hold(end.map { now < $0 } ?? true, "it ended before")
        case .closed(let next): hold(next.map { now < $0 } ?? true, "it opened before")
        }
        let text = VenueText(venue, now: now)
        var lines = text.lines + text.lines(now.date)
        for place in venue.places.prefix(3) { lines += text.lines(place) }
        if let map = VenueMap(venue) {
            lines += map.lines()
            for spot in map.spots where spot.beside == nil {
                let end = spot.column + String(spot.number).count
                hold(spot.column >= 0 && end <= map.columns, "beside the plan")
                hold(0..<map.rows ~= spot.row, "above or below the plan")
            }
        }
        for line in lines {
            hold(line.unicodeScalars.allSatisfy(\.isSafeToPrint), "a line that acts")
        }
    }
}
