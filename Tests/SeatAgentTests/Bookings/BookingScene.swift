// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Testing

@testable import Bookings
@testable import Text
@testable import Venues

/// A venue at a moment of its own clocks, and what is typed there.
struct BookingScene {
    let venue: Venue
    let offered: OfferedPeriods
    let now: UTCTime

    /// An example at a time as `2026-12-01T10:30`, a Tuesday.
    init(_ example: VenueExample, at text: String = "2026-12-01T10:30") throws {
        try self.init(try VenueFiles.venue(example), at: text)
    }

    init(_ venue: Venue, at text: String = "2026-12-01T10:30") throws {
        self.venue = venue
        let zone = try #require(TimeZoneRules.named(venue.zone))
        let clock = try VenueFiles.at(text)
        now = zone.utc(ofCivil: clock.date.days * 86_400 + Int64(clock.minute) * 60)
        offered = try #require(OfferedPeriods(venue, at: now))
    }

    /// The least venue with these members.
    init(_ more: [String: JSON], at text: String = "2026-12-01T10:30") throws {
        try self.init(try Venue(json: VenueFiles.least.adding(more)), at: text)
    }

    var reader: BookingReader { BookingReader(offered, at: now) }

    /// What a line books, in words; several with ` + ` between them, places of a group with `|`.
    func words(_ line: String) throws -> String {
        try reader.read(Self.operands(line)).parts.map { part in
            part.spots.map { reader.words($0) }.joined(separator: " | ")
        }.joined(separator: " + ")
    }

    /// What is wrong with a line.
    func fault(_ line: String) throws -> UserError {
        do throws(UserError) {
            _ = try reader.read(Self.operands(line))
        } catch {
            return error
        }
        throw NoFault(line: line)
    }

    /// A line was read that should not be.
    struct NoFault: Error {
        let line: String
    }

    /// The only thing that a line books.
    func spot(_ line: String) throws -> BookingSpot {
        let wish = try reader.read(Self.operands(line))
        return try #require(wish.parts.first?.spots.first)
    }

    /// A line as a shell splits it.
    static func operands(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for letter in line {
            if letter == "'" {
                isQuoted.toggle()
                word = word ?? ""
            } else if letter == " ", !isQuoted {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(letter)
            }
        }
        if let word { words.append(word) }
        return words
    }

    /// The operands of a line to try; fails for another command.
    static func tried(_ line: String?) throws -> [String] {
        let line = try #require(line)
        try #require(line.hasPrefix("seatagent book "), "\(line)")
        return Array(operands(line).dropFirst(2))
    }

    /// A line to try works: it is one booking that the venue offers.
    func works(_ error: UserError) throws {
        let wish = try reader.read(try Self.tried(error.advice))
        #expect(wish.parts.count == 1 && wish.parts.first?.spots.count == 1, "\(error)")
        let spot = try #require(wish.parts.first?.spots.first)
        let place = try #require(venue.place(spot.place))
        #expect(offered.refusal(of: place, spot.period, at: now) == nil, "\(error)")
    }
}

/// The day of a date.
func venueDay(_ text: String) throws -> VenueDay {
    try #require(FlightDate(text)?.venueDay)
}

/// The volume of a text.
func bookVolume(_ text: String) throws -> Protocol.Volume {
    let volume: Protocol.Volume? = Protocol.Volume(text)
    return try #require(volume)
}

/// A token that begins with these bytes.
func token(_ bytes: UInt8...) throws -> Token {
    let all = bytes + [UInt8](repeating: 0, count: 32 - bytes.count)
    return try #require(Token(all))
}
