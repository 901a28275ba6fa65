// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Text

/// Books of stays: what is kept of a set of statements, its digests, and who is where at which
/// time.
struct StatementBooks {
    private static let primitives = VectorFlight.primitives
    private static let start: Int64 = 1_796_428_800
    private static let hour: Int64 = 3600
    /// Two days of the venue, of which the first has 25 hours.
    private static let days = [0, 25, 49].map { UTCTime(seconds: start + hour * $0) }
    /// Place 1 closes twice a day, place 2 once.
    private static let closings: [Int: [UTCTime]] = [
        1: [6, 12, 31, 37].map { UTCTime(seconds: start + hour * $0) },
        2: [10, 35].map { UTCTime(seconds: start + hour * $0) },
    ]

    private let people: [Scribe]

    /// Of six people two share a bucket.
    init() throws {
        var people = try (1...5).map { try Scribe("p\($0)", UInt8($0)) }
        let bucket = StatementBook.bucket(of: people[0].key)
        for number in 6...200 as ClosedRange<UInt8> {
            let one = try Scribe("p\(number)", number)
            guard StatementBook.bucket(of: one.key) == bucket else { continue }
            people.append(one)
            break
        }
        self.people = people
    }

    /// Somebody's stay: their number, a revision, a place, hours after the start.
    private func said(
        _ who: Int, _ revision: Int, _ place: Int, _ since: Int64, _ until: Int64? = nil
    ) throws -> VenueStatement {
        let stay = Stay(
            place: place, since: UTCTime(seconds: Self.start + since),
            until: until.map { UTCTime(seconds: Self.start + $0) })
        guard let stay,
            let made = VenueStatement(
                stay, revision: revision, gathering: StatementVectors.gathering.id,
                by: people[who].identity)
        else { throw DecodeError(.badValue) }
        return made
    }

    func json() throws -> [JSON] {
        let hour = Self.hour
        return [
            try book(
                "the higher revision, and the smaller id of two",
                [
                    try said(0, 2, 1, 0), try said(0, 1, 2, 60), try said(0, 2, 2, 0),
                    try said(1, 255, 1, 0), try said(1, 256, 2, 0, 5), try said(2, 3, 1, 0),
                    try said(2, 3, 2, 0), try said(2, 3, 3, 0), try said(5, 1, 3, 0),
                    try said(5, 1, 3, 0, 5),
                ], at: [0, hour]),
            try book(
                "days of the volume, and what is over",
                [
                    try said(0, 1, 3, -1), try said(1, 1, 3, 0), try said(2, 1, 3, 25 * hour),
                    try said(3, 1, 3, 49 * hour), try said(4, 1, 3, 49 * hour - 1),
                    try said(5, 1, 3, 25 * hour - 1),
                ], at: [-1, 0, 25 * hour - 1, 25 * hour, 49 * hour - 1, 49 * hour]),
            try book(
                "closings, twice a day and with the day",
                [
                    try said(0, 1, 1, 0), try said(1, 1, 1, 6 * hour), try said(2, 1, 1, 12 * hour),
                    try said(3, 1, 2, 6 * hour), try said(4, 1, 2, 10 * hour),
                    try said(5, 1, 9, 6 * hour),
                ],
                at: [6, 10, 12, 24].flatMap { [$0 * hour - 1, $0 * hour] } + [25 * hour - 1]),
            try book(
                "clocks that differ",
                [
                    try said(0, 1, 1, 120), try said(1, 1, 1, 121), try said(2, 1, 1, 50, 90),
                    try said(3, 1, 1, 50, 20 * hour), try later(4),
                ], at: [0, 1, 60]),
        ]
    }

    /// Something of a later agent, which no book keeps.
    private func later(_ who: Int) throws -> VenueStatement {
        let body: [UInt8] = [0x81, 2]
        let text = VenueStatement.toBeSigned(gathering: StatementVectors.gathering.id, body: body)
        var writer = CBORWriter()
        writer.array(3)
        writer.value(people[who].key)
        writer.bytes(body)
        writer.bytes(people[who].identity.sign(text))
        return try VenueStatement(decoding: writer.bytes)
    }

    private func book(
        _ name: String, _ statements: [VenueStatement], at times: [Int64]
    ) throws -> JSON {
        [
            "name": .string(name), "days": Self.list(Self.days),
            "closings": .array(
                Self.closings.sorted { $0.key < $1.key }.map {
                    ["place": .int($0.key), "at": Self.list($0.value)]
                }),
            "statements": .array(statements.map { .hex($0.encoded) }),
            "looks": .array(try times.map { try look(statements, at: Self.start + $0) }),
        ]
    }

    private static func list(_ times: [UTCTime]) -> JSON {
        .array(times.map { .int(Int($0.seconds)) })
    }

    /// The book at a time: all statements taken at the start of the volume.
    private func look(_ statements: [VenueStatement], at seconds: Int64) throws -> JSON {
        guard let hours = StayHours(days: Self.days, closings: Self.closings) else {
            throw DecodeError(.badValue)
        }
        var book = StatementBook(hours: hours)
        let start = UTCTime(seconds: Self.start)
        let now = UTCTime(seconds: seconds)
        var attendance = Attendance(hours: hours, at: start)
        for one in statements {
            book.arrived(one.author, at: .zero)
            let kept = book.keep(
                one, one.id(Self.primitives), from: one.author,
                at: Moment(instant: .zero, utc: start))
            if let kept { attendance.set(kept.stay, of: one.author) }
        }
        attendance.advance(to: now)
        for author in book.expire(at: now) { attendance.set(nil, of: author) }
        let digests = book.digests(Self.primitives)
        let filled = digests.indices.filter { book.list(of: $0)?.marks.isEmpty == false }
        return [
            "at": .int(Int(seconds)),
            "kept": .array(
                book.statements.map { .hex($0.id(Self.primitives).bytes) }),
            "digests": .array(
                filled.map { ["bucket": .int($0), "digest": .hex(digests[$0].bytes)] }),
            "places": .array(
                attendance.places.map { place, _ in
                    [
                        "place": .int(place),
                        "people": .array(
                            attendance.people(at: place).map { .hex($0.bytes) }),
                    ]
                }),
        ]
    }
}
