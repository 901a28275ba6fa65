// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Asks that people in a made-up venue sign, and answers of its desk.
package enum MadeUpAsks {
    /// The desk.
    package static let desk = FakeSigner(1)

    /// Somebody asks for a castle; `until` is in seconds after the venue opens.
    package static func book(
        _ signer: FakeSigner, _ nonce: UInt64, until: Int64 = 3600
    ) -> VenueStatement {
        guard let day = VenueDay(number: 9000),
            let period = Period(day: day, from: 600, minutes: 60)
        else { preconditionFailure("a period") }
        return statement(
            signer, nonce, until,
            .book(place: 5, period: period, count: 1, waits: true, tag: nil, note: ""))
    }

    /// Somebody takes an ask back.
    package static func withdraw(
        _ signer: FakeSigner, _ ask: VenueStatement, nonce: UInt64 = 0, until: Int64 = 3600
    ) -> VenueStatement {
        statement(signer, nonce, until, .withdraw(ask.id(FakePrimitives())))
    }

    private static func statement(
        _ signer: FakeSigner, _ nonce: UInt64, _ until: Int64, _ wish: BookingAsk.Wish
    ) -> VenueStatement {
        let end = UTCTime(seconds: MadeUpVenue.opens.seconds + until)
        let made = VenueStatement(
            BookingAsk(nonce: nonce, until: end, wish: wish),
            gathering: MadeUpVenue.gathering.id, by: signer)
        guard let made else { preconditionFailure("an ask that can be written") }
        return made
    }

    /// The desk answers an ask; times are in seconds after the venue opens.
    package static func answer(
        _ ask: VenueStatement, reason: Int = 14, waiting: Int = 0, at: Int64 = 0,
        until: Int64 = 3600, by signer: FakeSigner = desk
    ) -> VenueStatement {
        let opens = MadeUpVenue.opens.seconds
        let answer = AskAnswer(
            asker: ask.author, ask: ask.id(FakePrimitives()),
            until: UTCTime(seconds: opens + until), at: UTCTime(seconds: opens + at),
            reason: reason, waiting: waiting)
        guard let answer else { preconditionFailure("an answer that can be written") }
        return VenueStatement(answer, gathering: MadeUpVenue.gathering.id, by: signer)
    }
}

/// One agent's view of what is asked.
package struct AskWatcher {
    /// What is kept.
    package private(set) var book = AskBook(own: FakeSigner(250).key)
    private let primitives = FakePrimitives()
    /// With whom a session is open.
    private var there: Set<PeerKey> = []

    /// Nothing is asked; the desk is known.
    package init(desk: PeerKey? = MadeUpAsks.desk.key) { book.serves(desk) }

    /// Takes what came from somebody whose session is open, if it is welcome; it opens first where
    /// none is.
    @discardableResult
    package mutating func take(
        _ statement: VenueStatement, from introducer: PeerKey? = nil,
        at now: Moment = MadeUpVenue.moment(0)
    ) -> AskBook.Verdict {
        let introducer = introducer ?? statement.author
        if !there.contains(introducer) {
            there.insert(introducer)
            book.arrived(introducer, at: now.instant)
        }
        let id = statement.id(primitives)
        let verdict = book.verdict(on: statement, id, from: introducer, at: now)
        if verdict == .welcome { book.keep(statement, id, from: introducer, at: now) }
        return verdict
    }

    /// A ledger has granted these.
    package mutating func settle(_ asks: [VenueStatement]) {
        book.settle(asks.map { $0.id(primitives) })
    }

    /// It is that time.
    package mutating func advance(to now: Moment) { _ = book.expire(at: now.utc) }

    /// Changes the book in another way.
    package mutating func change(_ body: (inout AskBook) -> Void) { body(&book) }

    /// The digests of all buckets.
    package mutating func digests() -> [Bytes32] { book.digests(primitives) }
}
