// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Two days of a venue in made-up time, and people who come and go there.
package enum MadeUpVenue {
    /// When the first of its days begins.
    package static let opens = UTCTime(seconds: 1_000_000)
    /// How long a day is.
    package static let day: Int64 = 86_400

    /// Two days; place 1 closes after ten hours and place 2 after six and after twelve, on both
    /// days; others close with the day.
    package static let hours: StayHours = {
        func times(_ after: [Int64]) -> [UTCTime] {
            [0, day].flatMap { start in
                after.map { UTCTime(seconds: opens.seconds + start + 3600 * $0) }
            }
        }
        let days = (0...2).map { UTCTime(seconds: opens.seconds + day * Int64($0)) }
        guard let hours = StayHours(days: days, closings: [1: times([10]), 2: times([6, 12])])
        else { preconditionFailure("the hours grow") }
        return hours
    }()

    /// So many seconds after the venue opens, by both clocks.
    package static func moment(_ seconds: Int64) -> Moment {
        Moment(
            instant: .zero + .seconds(seconds),
            utc: UTCTime(seconds: opens.seconds + seconds))
    }

    /// Somebody's stay, signed. Times are seconds after the venue opens.
    package static func statement(
        _ signer: FakeSigner, _ revision: Int, at place: Int, since: Int64, until: Int64? = nil
    ) -> VenueStatement {
        let stay = Stay(
            place: place, since: UTCTime(seconds: opens.seconds + since),
            until: until.map { UTCTime(seconds: opens.seconds + $0) })
        guard let stay,
            let made = VenueStatement(stay, revision: revision, gathering: gathering.id, by: signer)
        else { preconditionFailure("a stay that can be written") }
        return made
    }

    /// What a core of it has to know; the operator's key is that of ``runBy``.
    package static func setup(page: VenuePage? = nil) -> VenueSetup {
        // Which days are meant is said by the hours.
        guard let volume = Volume("2026-W49") else { preconditionFailure("a week") }
        let name = VenueName(
            runBy: OperatorKey(runBy.key.raw), slug: "uva", volume: volume)
        guard let name else { preconditionFailure("a venue's name") }
        return VenueSetup(name: name, hours: hours, page: page)
    }

    /// A key that somebody made until it began like this; the order of such keys is that of their
    /// numbers, and all come before `FakeSigner(first)`.
    package static func ground(_ first: UInt8, _ number: Int) -> FakeSigner {
        var bytes = [first] + [UInt8](repeating: 0, count: 31)
        bytes[30] = UInt8(truncatingIfNeeded: number)
        bytes[29] = UInt8(truncatingIfNeeded: number >> 8)
        bytes[31] = 0x21
        return FakeSigner(key: PeerKey(bytes) ?? PeerKey(.zero))
    }

    /// The operator.
    package static let runBy = FakeSigner(200)

    /// Words that the operator signed.
    package static func page(
        _ revision: Int, _ words: String, of slug: String = "uva"
    ) -> VenuePage {
        let bytes = Array("{\"name\":\"\(words)\",\"slug\":\"\(slug)\"}".utf8)
        let signed = VenueSignature.toBeSigned(
            runBy: OperatorKey(runBy.key.raw), revision: revision, words: bytes)
        guard
            let page = VenuePage(
                revision: revision, signature: runBy.sign(signed), bytes: bytes)
        else { preconditionFailure("a page that can be written") }
        return page
    }

    /// The gathering of all these.
    package static let gathering = FlightKey(
        auth: .zero, foldVersion: FlightKey.venueFoldVersion, primitives: FakePrimitives())
}

/// One agent's view of who is where: the book, and what it comes to.
package struct Watcher {
    /// What is kept.
    package private(set) var book = StatementBook(hours: MadeUpVenue.hours)
    /// Who is where.
    package private(set) var attendance = Attendance(
        hours: MadeUpVenue.hours, at: MadeUpVenue.opens)
    private let primitives = FakePrimitives()
    /// With whom a session is open.
    private var there: Set<PeerKey> = []

    /// Nobody is there yet.
    package init() {}

    /// A session with them opens.
    package mutating func meets(_ key: PeerKey, at now: Moment = MadeUpVenue.moment(0)) {
        there.insert(key)
        book.arrived(key, at: now.instant)
    }

    /// Their session ends.
    package mutating func leaves(_ key: PeerKey) {
        there.remove(key)
        book.departed(key)
    }

    /// Takes what came from somebody whose session is open, if it is welcome; it opens first where
    /// none is.
    @discardableResult
    package mutating func take(
        _ statement: VenueStatement, from introducer: PeerKey, at now: Moment
    ) -> StatementBook.Verdict {
        if !there.contains(introducer) { meets(introducer, at: now) }
        let id = statement.id(primitives)
        let verdict = book.verdict(on: statement, id, from: introducer, at: now)
        guard verdict == .welcome else { return verdict }
        if let kept = book.keep(statement, id, from: introducer, at: now) {
            if let displaced = kept.displaced { attendance.set(nil, of: displaced) }
            attendance.set(kept.stay, of: statement.author)
        }
        return verdict
    }

    /// It is that time.
    package mutating func advance(to now: Moment) {
        attendance.advance(to: now.utc)
        for author in book.expire(at: now.utc) { attendance.set(nil, of: author) }
    }

    /// The digests of all buckets.
    package mutating func digests() -> [Bytes32] { book.digests(primitives) }

    /// Places and how many are there.
    package var counts: [[Int]] { attendance.places.map { [$0.place, $0.count] } }
}
