// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

@testable import Text

/// What is answered to a list: stays of five people in one bucket and of one in another, and which
/// of them a peer is sent who lists what they keep.
struct StatementAnswers {
    private static let primitives = VectorFlight.primitives
    private static let start: Int64 = 1_796_428_800

    /// Sorted by author; the last five share a bucket, or the first five do.
    private let kept: [VenueStatement]
    private let together: [StayMark]
    private let bucket: Int

    init() throws {
        let all = try (1...250).map { try Scribe("p\($0)", UInt8($0)) }
        let groups = Dictionary(grouping: all) { StatementBook.bucket(of: $0.key) }
        guard let found = groups.keys.sorted().first(where: { groups[$0]?.count ?? 0 >= 5 }),
            let five = groups[found]?.sorted(by: { $0.key < $1.key }).prefix(5),
            let other = all.first(where: { StatementBook.bucket(of: $0.key) != found })
        else { throw DecodeError(.badValue) }
        bucket = found
        let people = (five + [other]).sorted { $0.key < $1.key }
        kept = try people.map { try Self.said($0, 5) }
        together = kept.compactMap { Self.mark($0) }.filter { $0.bucket == found }
    }

    private static func said(_ who: Scribe, _ revision: Int) throws -> VenueStatement {
        guard let stay = Stay(place: 1, since: UTCTime(seconds: start)),
            let made = VenueStatement(
                stay, revision: revision, gathering: StatementVectors.gathering.id,
                by: who.identity)
        else { throw DecodeError(.badValue) }
        return made
    }

    private static func mark(_ statement: VenueStatement) -> StayMark? {
        guard case .stay(_, let revision) = statement.content else { return nil }
        return StayMark(
            author: statement.author, revision: revision, id: statement.id(primitives))
    }

    func json() throws -> JSON {
        let keys = together.map(\.author)
        func changed(_ place: Int, _ revision: Int, _ id: Bytes32) -> StayMark {
            StayMark(author: keys[place], revision: revision, id: id)
        }
        let most = Bytes32([UInt8](repeating: 255, count: 32)) ?? .zero
        var between = keys[1].bytes
        between[31] ^= 1
        let key = PeerKey(between) ?? keys[1]
        let lists: [(String, StayList)] = [
            ("nothing is kept", try StayList(bucket: bucket, [])),
            ("the same is kept", try StayList(bucket: bucket, together)),
            (
                "an older, a newer, and of one revision a smaller and a larger id",
                try StayList(
                    bucket: bucket,
                    [
                        changed(0, 4, .zero), changed(1, 6, most), changed(2, 5, .zero),
                        changed(3, 5, most), together[4],
                    ])
            ),
            ("two of five, to the end", try StayList(bucket: bucket, Array(together.prefix(2)))),
            (
                "two of five, and no more is said",
                try StayList(bucket: bucket, last: keys[1], Array(together.prefix(2)))
            ),
            ("behind the second", try StayList(bucket: bucket, after: keys[1], [])),
            ("behind a key that nobody has", try StayList(bucket: bucket, after: key, [])),
            ("up to a key that nobody has", try StayList(bucket: bucket, last: key, [])),
            ("up to the fourth", try StayList(bucket: bucket, last: keys[3], [])),
            (
                "behind the second, up to the fourth",
                try StayList(bucket: bucket, after: keys[1], last: keys[3], [])
            ),
            (
                "of these the third",
                try StayList(bucket: bucket, after: keys[1], last: keys[3], [together[2]])
            ),
            ("behind the last", try StayList(bucket: bucket, after: keys[4], [])),
            ("an empty bucket", try StayList(bucket: bucket == 63 ? 62 : 63, [])),
        ]
        guard let hours = StayHours(days: [0, 90_000].map { UTCTime(seconds: Self.start + $0) })
        else { throw DecodeError(.badValue) }
        var book = StatementBook(hours: hours)
        let now = Moment(instant: .zero, utc: UTCTime(seconds: Self.start))
        for one in kept {
            book.arrived(one.author, at: .zero)
            _ = book.keep(one, one.id(Self.primitives), from: one.author, at: now)
        }
        return [
            "kept": .array(kept.map { .hex($0.encoded) }),
            "lists": .array(
                lists.map { name, list in
                    let bytes = Message.venue(.marks(list)).encode()
                    return [
                        "name": .string(name), "list": .hex(Array(bytes[5...])),
                        "answer": .array(
                            book.newer(than: list).map { .hex($0.id(Self.primitives).bytes) }),
                    ]
                }),
        ]
    }
}
