// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

@testable import Text

/// Books of asks: what is kept of a set of statements under a desk and what its ledger settled.
struct AskBooks {
    private let people: AskPeople

    init(_ people: AskPeople) { self.people = people }

    func json() throws -> [JSON] { [try ends(), try answered(), try many(), try times()] }

    /// An ask ends when its author takes it back, or a ledger settles it.
    private func ends() throws -> JSON {
        let asks = try (1...6).map { try people.book(0, $0) }
        return try book(
            "taken back, and settled", settled: [asks[1], asks[2]],
            asks + [
                people.takesBack(0, asks[0]), people.takesBack(0, asks[2]),
                // What takes back is not taken back, and nobody does so for others.
                people.takesBack(0, try people.takesBack(0, asks[0])),
                people.takesBack(1, asks[3]), people.takesBack(2, asks[1]), people.book(1, 1),
                people.answers(asks[0]), people.answers(asks[1]), people.answers(asks[2]),
            ], at: [0])
    }

    /// Of some answers to one ask the one that ends it counts, or the latest.
    private func answered() throws -> JSON {
        let asks = try (1...8).map { try people.book(0, $0) }
        let other = try people.book(3, 1)
        let back = try people.takesBack(0, asks[6])
        return try book(
            "answered, by the desk and by others", settled: [],
            asks + [
                other, back, people.answers(asks[0]),
                // It waits, and comes nearer.
                people.answers(asks[1], waiting: 3, at: 5),
                people.answers(asks[1], waiting: 2, at: 256),
                people.answers(asks[1], waiting: 3, at: 255),
                // Or others go before it.
                people.answers(asks[7], waiting: 2, at: 5),
                people.answers(asks[7], waiting: 3, at: 6),
                // An end, and what was said of it later.
                people.answers(asks[2], waiting: 1, at: 900), people.answers(asks[2], at: 5),
                // Two ends, of which the later counts, and two of one time.
                people.answers(asks[3], reason: 1, at: 5),
                people.answers(asks[3], reason: 2, at: 6),
                people.answers(asks[4], reason: 1), people.answers(asks[4], reason: 2),
                people.answers(asks[4], reason: 3),
                people.answers(asks[5], by: 1), people.answers(asks[5], by: 0),
                people.answers(back), people.answers(other, to: people.all[1].key),
                people.answers(try people.book(2, 1), waiting: 5),
            ], at: [0])
    }

    /// Of one asker eight asks with the smallest ids, and the eight latest answers.
    private func many() throws -> JSON {
        let asks = try (1...12).map { try people.book(0, $0) }
        let others = try (1...11).map { try people.book(1, $0) }
        let answers = try others.enumerated().map { place, ask in
            try people.answers(ask, at: Int64(300 - 7 * place), until: 900 + Int64(place))
        }
        return try book(
            "more than eight", settled: [],
            asks + answers + (1...8).map { try people.book(2, $0) }
                + (9...10).map { nonce in
                    try people.answers(
                        try people.book(2, nonce), at: Int64(nonce), until: 500)
                }, at: [0, 905])
    }

    /// All is over at its own `until`.
    private func times() throws -> JSON {
        let asks = try (0..<4).map { try people.book(0, UInt64($0), until: 10 + Int64($0)) }
        return try book(
            "until", settled: [],
            asks + [
                people.book(1, 1, until: 0), people.book(1, 2, until: 1),
                people.answers(asks[2], waiting: 2, until: 12),
                people.answers(asks[3], waiting: 2, until: 11),
                people.answers(try people.book(2, 3), at: 50, until: 30),
                people.answers(try people.book(2, 4), at: 50, until: 0),
                people.takesBack(2, try people.book(2, 5), until: 14),
                // What is over when it comes ends nothing.
                people.takesBack(0, asks[1], until: 0), people.answers(asks[0], until: 0),
            ], at: [0, 9, 10, 11, 12, 13, 29, 30])
    }

    // MARK: Writing

    private func book(
        _ name: String, settled: [VenueStatement], _ statements: [VenueStatement], at times: [Int64]
    ) throws -> JSON {
        [
            "name": .string(name), "desk": .hex(people.desk.key.bytes),
            "taken_at": .int(Int(AskPeople.start)),
            "settled": .array(settled.map { .hex($0.id(AskPeople.primitives).bytes) }),
            "statements": .array(statements.map { .hex($0.encoded) }),
            "looks": .array(times.map { look(statements, settled, at: $0) }),
        ]
    }

    /// The book at a time, of which all orders make the same.
    private func look(
        _ statements: [VenueStatement], _ settled: [VenueStatement], at seconds: Int64
    ) -> JSON {
        let now = UTCTime(seconds: AskPeople.start + seconds)
        var first = kept(statements, settled, after: 0, at: now)
        for turn in 0..<statements.count {
            let order = Array(statements[turn...] + statements[..<turn])
            var other = kept(order.reversed(), settled, after: turn, at: now)
            precondition(
                other.digests(AskPeople.primitives) == first.digests(AskPeople.primitives),
                "it depends on the order")
        }
        let digests = first.digests(AskPeople.primitives)
        let lists = digests.indices.compactMap { first.list(of: $0) }.filter { !$0.marks.isEmpty }
        return [
            "at": .int(Int(now.seconds)),
            "kept": .array(lists.flatMap(\.marks).sorted().map { .hex($0.id.bytes) }),
            "digests": .array(
                lists.map {
                    ["bucket": .int($0.bucket), "digest": .hex(digests[$0.bucket].bytes)]
                }),
        ]
    }

    /// What is kept of these, if what is settled is heard of after some.
    private func kept(
        _ statements: [VenueStatement], _ settled: [VenueStatement], after count: Int,
        at now: UTCTime
    ) -> AskBook {
        let start = Moment(instant: .zero, utc: UTCTime(seconds: AskPeople.start))
        var book = AskBook(own: people.own)
        book.serves(people.desk.key)
        for who in people.all { book.arrived(who.key, at: .zero) }
        for (place, one) in statements.enumerated() {
            if place == count { book.settle(settled.map { $0.id(AskPeople.primitives) }) }
            let introducer = one.answer?.asker ?? one.author
            book.keep(one, one.id(AskPeople.primitives), from: introducer, at: start)
        }
        _ = book.expire(at: now)
        return book
    }
}

/// What is answered to a list of asks: those of three people in one bucket and of one in another,
/// and which of them a peer is sent who lists what they keep.
struct AskLists {
    private let people: AskPeople
    private var book: AskBook
    private let kept: [VenueStatement]
    private let bucket: Int

    init() throws {
        people = try AskPeople()
        var kept: [VenueStatement] = []
        for who in 0..<3 {
            for nonce in 0...UInt64(who) { kept.append(try people.book(who, nonce)) }
        }
        let waiting = try people.answers(kept[1], waiting: 2)
        let ended = try people.answers(try people.book(0, 77))
        kept += [waiting, ended]
        self.kept = kept
        bucket = StatementBuckets.bucket(of: people.all[0].key)
        book = AskBook(own: people.own)
        book.serves(people.desk.key)
        let now = Moment(instant: .zero, utc: UTCTime(seconds: AskPeople.start))
        for who in people.all { book.arrived(who.key, at: .zero) }
        for one in kept {
            let introducer = one.answer?.asker ?? one.author
            book.keep(one, one.id(AskPeople.primitives), from: introducer, at: now)
        }
    }

    func json() throws -> JSON {
        let marks = book.list(of: bucket)?.marks ?? []
        let keys = people.all[0..<2].map(\.key).sorted()
        func changed(_ mark: AskMark) -> AskMark {
            AskMark(asker: mark.asker, id: AskPeople.primitives.sha256(mark.id.bytes))
        }
        let lists: [(String, AskList)] = [
            ("nothing is kept", try AskList(bucket: bucket, [])),
            ("the same is kept", try AskList(bucket: bucket, marks)),
            ("all but the first", try AskList(bucket: bucket, Array(marks.dropFirst()))),
            ("the first alone", try AskList(bucket: bucket, [marks[0]])),
            (
                "others are kept of the same people",
                try AskList(bucket: bucket, marks.map(changed).sorted())
            ),
            ("up to the first asker", try AskList(bucket: bucket, last: keys[0], [])),
            ("behind the first asker", try AskList(bucket: bucket, after: keys[0], [])),
            ("behind the last asker", try AskList(bucket: bucket, after: keys[1], [])),
            (
                "behind the first up to the last",
                try AskList(bucket: bucket, after: keys[0], last: keys[1], [])
            ), ("an empty bucket", try AskList(bucket: bucket == 63 ? 62 : 63, [])),
        ]
        return [
            "kept": .array(kept.map { .hex($0.encoded) }),
            "lists": .array(
                lists.map { name, list in
                    let bytes = Message.venue(.askMarks(list)).encode()
                    let answer = book.missing(in: list).map { $0.id(AskPeople.primitives) }
                    return [
                        "name": .string(name), "list": .hex(Array(bytes[5...])),
                        "answer": .array(answer.sorted().map { .hex($0.bytes) }),
                    ]
                }),
        ]
    }
}
