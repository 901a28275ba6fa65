// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

@testable import Text

/// Asks and answers: what statements say, and the forms of an answer just allowed or just not.
struct AskVectors {
    private let people: AskPeople

    init() throws { people = try AskPeople() }

    func json() throws -> JSON {
        [
            "note": "section 32: asks, answers of a desk, their book, and forms",
            "flight_id": .hex(StatementVectors.gathering.id.bytes),
            "statements": .array(try statements()), "bodies": .array(bodies()),
            "books": .array(try AskBooks(people).json()), "lists": try AskLists().json(),
            "messages": try AskMessages().messages(), "refused_messages": AskMessages().refused(),
        ]
    }

    // MARK: Statements

    private func statements() throws -> [JSON] {
        let slot = Slot(
            token: Token(AskPeople.primitives.sha256([1])),
            producer: Producer(claim: Token(AskPeople.primitives.sha256([1]))))
        let period = try people.period()
        let booked = try people.book(0, 1)
        let all: [VenueStatement] = try [
            booked, people.asks(1, 2, .giveBack(slot, to: nil)),
            people.asks(1, 3, .move(slot, place: 7, period: period)), people.takesBack(0, booked),
            people.answers(booked, reason: 14), people.answers(booked, reason: 31, waiting: 999),
            people.answers(booked, reason: 0, at: 0, by: 2),
        ]
        return all.map { one in
            let says: String? =
                switch one.content {
                case .stay: "stay"
                case .ask: "ask"
                case .answer: "answer"
                case .later: nil
                }
            return [
                "statement": .hex(one.encoded), "author": .hex(one.author.bytes),
                "id": .hex(one.id(AskPeople.primitives).bytes),
                "says": says.map { .string($0) } ?? .null,
                "diagnostic": .string(VectorText.diagnostic(one.body)),
            ]
        }
    }

    // MARK: Bodies

    private typealias Part = BookForms.Part

    /// Bodies of kind 2, and whether each is an answer. All may be passed on.
    private func bodies() -> [JSON] {
        let good = Part.list([
            .number(2), .bytes(BookForms.some(1)), .bytes(BookForms.some(2)), .number(100),
            .number(50), .number(14), .number(3),
        ])
        var all: [(String, Part)] = [("an answer", good)]
        for (name, place, range) in [
            ("until", 3, 0...Int.max), ("at", 4, 0...Int.max), ("reason", 5, 0...31),
            ("waiting", 6, 0...999),
        ] {
            for number in [range.lowerBound, range.upperBound, range.upperBound &+ 1]
            where number >= 0 {
                all.append(("\(name) \(number)", good.with([place]) { _ in .number(number) }))
            }
        }
        for (name, place) in [("whose ask", 1), ("which ask", 2)] {
            for count in [31, 33] {
                let bytes = Part.bytes(BookForms.some(3, count))
                all.append(("\(name) of \(count) bytes", good.with([place]) { _ in bytes }))
            }
            all.append(("\(name) is null", good.with([place]) { _ in .null }))
        }
        guard case .list(let parts) = good else { return [] }
        all.append(("one part fewer", .list(Array(parts.dropLast()))))
        all.append(("one part more", .list(parts + [.number(0)])))
        all.append(("it is said after the ask is over", good.with([4]) { _ in .number(101) }))
        all.append(("of kind 3", good.with([0]) { _ in .number(3) }))
        return all.map { name, body in
            let statement = try? VenueStatement(
                decoding: Part.list([
                    .bytes(BookForms.some(6)), .inner(body), .bytes(BookForms.some(7, 64)),
                ]).encoded)
            guard let statement else { preconditionFailure("not to be passed on: \(name)") }
            return [
                "form": .string(name), "body": .hex(body.encoded),
                "is_answer": .bool(statement.answer != nil),
            ]
        }
    }
}

/// People who ask, of whom the first two share a bucket, and the desk, who is the last.
struct AskPeople {
    static let primitives = VectorFlight.primitives
    static let start: Int64 = 1_796_428_800

    let all: [Scribe]
    /// Whose books these are; they ask nothing.
    let own: PeerKey

    init() throws {
        own = try Scribe("own", 251).key
        var people = [try Scribe("p1", 1)]
        let bucket = StatementBuckets.bucket(of: people[0].key)
        for number in 2...200 as ClosedRange<UInt8> {
            let one = try Scribe("p\(number)", number)
            let isTogether = StatementBuckets.bucket(of: one.key) == bucket
            if people.count == 1 ? isTogether : people.count < 4 && !isTogether {
                people.append(one)
            }
        }
        all = people + [try Scribe("desk", 250)]
    }

    var desk: Scribe { all[all.count - 1] }

    func period(_ minutes: Int = 60) throws -> Period {
        guard let day = VenueDay(number: 9836),
            let period = Period(day: day, from: 600, minutes: minutes)
        else { throw DecodeError(.badValue) }
        return period
    }

    /// What somebody asks; times are seconds after the start.
    func asks(
        _ who: Int, _ nonce: UInt64, until: Int64 = 1000, _ wish: BookingAsk.Wish
    ) throws -> VenueStatement {
        let ask = BookingAsk(nonce: nonce, until: UTCTime(seconds: Self.start + until), wish: wish)
        guard
            let made = VenueStatement(
                ask, gathering: StatementVectors.gathering.id, by: all[who].identity)
        else { throw DecodeError(.badValue) }
        return made
    }

    /// Somebody asks for a place.
    func book(_ who: Int, _ nonce: UInt64, until: Int64 = 1000) throws -> VenueStatement {
        try asks(
            who, nonce, until: until,
            .book(
                place: 5, period: try period(), count: 1, waits: true,
                tag: ThreadID(BookForms.some(4, 16)), note: "for Els"))
    }

    func takesBack(
        _ who: Int, _ ask: VenueStatement, _ nonce: UInt64 = 9, until: Int64 = 1000
    ) throws -> VenueStatement {
        try asks(who, nonce, until: until, .withdraw(ask.id(Self.primitives)))
    }

    /// The desk answers, or somebody else does.
    func answers(
        _ ask: VenueStatement, reason: Int = 14, waiting: Int = 0, at: Int64 = 5,
        until: Int64 = 1000, to asker: PeerKey? = nil, by who: Int? = nil
    ) throws -> VenueStatement {
        let answer = AskAnswer(
            asker: asker ?? ask.author, ask: ask.id(Self.primitives),
            until: UTCTime(seconds: Self.start + until), at: UTCTime(seconds: Self.start + at),
            reason: reason, waiting: waiting)
        guard let answer else { throw DecodeError(.badValue) }
        let signer = who.map { all[$0] } ?? desk
        return VenueStatement(
            answer, gathering: StatementVectors.gathering.id, by: signer.identity)
    }
}
