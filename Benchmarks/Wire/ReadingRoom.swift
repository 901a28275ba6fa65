// SPDX-License-Identifier: Apache-2.0
import Glibc
import Keys
import Protocol
import System
import Transport

/// The other people in a library, over real links to one agent: each with a key of their own, whose
/// stays are signed and compared as an agent does it. They come and go at a rate, and each change
/// comes on every link, as from neighbours who all heard of it elsewhere.
final class ReadingRoom {
    /// What it plays.
    struct Plan {
        /// Where the agent listens.
        var remote: Address
        /// What all in the venue share: F_auth.
        var auth: Bytes32
        /// How many people there are.
        var people: Int
        /// When the first of them came, in seconds since 1970; half a second later the next.
        var start: Int64
        /// Neighbours of the agent, each with one link.
        var links: Int
        /// Changes in an hour: somebody leaves, or comes back to another place.
        var rate: Int
    }

    private struct Person {
        var signer: Identity
        var revision = 1
        var stay: Stay
    }

    private let plan: Plan
    private let loop: EventLoop
    private let primitives: AgentPrimitives
    private let gathering: FlightID
    private var people: [Person] = []
    private var book: StatementBook
    private var talks: [Talk] = []
    private var told: Instant
    private var changed: Instant
    private var number = 0
    private var random = SeededRandom(seed: 15)

    /// Plays until it is ended; says `open` once all links stand.
    static func run(_ plan: Plan) throws {
        let room = try ReadingRoom(plan)
        try room.fill()
        try room.link()
        print("open")
        fflush(nil)
        room.live()
    }

    private init(_ plan: Plan) throws {
        guard let primitives = AgentPrimitives() else { throw Trouble.noPrimitives }
        self.plan = plan
        self.primitives = primitives
        loop = try EventLoop()
        gathering =
            FlightKey(
                auth: plan.auth, foldVersion: FlightKey.venueFoldVersion, primitives: primitives
            ).id
        let day = [plan.start - 86_400, plan.start + 86_400].map { UTCTime(seconds: $0) }
        guard let hours = StayHours(days: day) else { throw Trouble.usage }
        book = StatementBook(hours: hours)
        told = loop.now
        changed = loop.now
    }

    private func fill() throws {
        for number in 0..<plan.people {
            let seed = primitives.sha256(Array("reader \(number)".utf8)).bytes
            let since = UTCTime(seconds: plan.start + Int64(number / 2))
            guard let signer = Identity(seed: seed),
                let stay = Stay(place: 1 + number % 2, since: since)
            else { throw Trouble.noPrimitives }
            people.append(Person(signer: signer, stay: stay))
            book.arrived(signer.key, at: .zero)
            _ = try say(number)
        }
    }

    private func say(_ number: Int) throws -> VenueStatement {
        let person = people[number]
        guard
            let statement = VenueStatement(
                person.stay, revision: person.revision, gathering: gathering, by: person.signer)
        else { throw Trouble.usage }
        let now = Moment(instant: loop.now, utc: SystemClock.utc())
        _ = book.keep(statement, statement.id(primitives), from: person.signer.key, at: now)
        return statement
    }

    private func link() throws {
        let key = FlightKey(
            auth: plan.auth, foldVersion: FlightKey.venueFoldVersion, primitives: primitives)
        for number in 0..<plan.links {
            let talk = try Place(loop, seed: UInt8(100 + number), of: key).dial(plan.remote)
            talk.onMessage = { [unowned self, unowned talk] in take($0, on: talk) }
            talk.onOpen = { [unowned self, unowned talk] in tell(talk) }
            talks.append(talk)
            // One after the other: an agent takes few unproven connections from one address.
            while !talk.isOpen {
                turn()
                if let end = talk.end { throw Trouble.ended(end) }
            }
        }
    }

    private func tell(_ talk: Talk) { talk.send(.venue(.digests(book.digests(primitives)))) }

    private func take(_ message: Message, on talk: Talk) {
        guard case .venue(.marks(let list)) = message else { return }
        for statement in book.newer(than: list) { talk.send(.venue(.statement(statement))) }
    }

    private func turn() {
        loop.turn(waitingAtMost: .milliseconds(200))
        for talk in talks {
            if let due = talk.nextDeadline, due <= loop.now { talk.tick() }
        }
    }

    /// Until whoever started it has seen enough.
    private func live() {
        let pause = plan.rate > 0 ? TimeSpan.milliseconds(Int64(3_600_000 / plan.rate)) : nil
        while talks.contains(where: { $0.end == nil }) {
            turn()
            let now = loop.now
            if told + Limits.stayRound <= now {
                told = now
                for talk in talks where talk.end == nil { tell(talk) }
            }
            if let pause, changed + pause <= now {
                changed = changed + pause
                change()
            }
        }
    }

    /// The next person leaves, or comes back.
    private func change() {
        number = (number + 7) % people.count
        let old = people[number].stay
        let now = SystemClock.utc()
        let next =
            old.until == nil
            ? Stay(place: old.place, since: old.since, until: max(now, old.since))
            : Stay(place: 3 - old.place, since: now)
        guard let next else { return }
        people[number].stay = next
        people[number].revision += 1
        guard let statement = try? say(number) else { return }
        for talk in talks.shuffled(using: &random) where talk.end == nil {
            talk.send(.venue(.statement(statement)))
        }
    }
}
