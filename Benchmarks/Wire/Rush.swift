// SPDX-License-Identifier: Apache-2.0
import Glibc
import Keys
import Protocol
import System
import Transport

/// Members of a venue who all ask its desk within a second, over real links: each with a key of
/// their own, and an ask that they signed. Two want each court and hour, and ask at once.
final class Rush {
    /// What it plays.
    struct Plan {
        /// Where the desk listens.
        var remote: Address
        /// What all in the venue share: F_auth.
        var auth: Bytes32
        /// How many members ask; an even number.
        var members: Int
        /// Neighbours through whom their asks come, each with one link.
        var links: Int
        /// The day for which they ask, in days since 2000-01-01.
        var day: Int
        /// Courts, numbered from 1 on, which are had by the hour from 8:00.
        var courts: Int
    }

    private let plan: Plan
    private let loop: EventLoop
    private let primitives: AgentPrimitives
    private let key: FlightKey
    private var signers: [Identity] = []
    private var talks: [Talk] = []
    private var asks: [VenueStatement] = []
    /// Asks that the desk refused, by an answer that came on a link.
    private var refused: Set<Bytes32> = []
    private var began = Instant.zero
    private var last = Instant.zero

    /// Prints the keys of all, waits for a line, asks, and prints when what came.
    static func run(_ plan: Plan) throws {
        let rush = try Rush(plan)
        for signer in rush.signers { print(signer.key.hex) }
        fflush(nil)
        guard readLine() != nil else { throw Trouble.usage }
        try rush.sign()
        try rush.link()
        print("open")
        fflush(nil)
        guard readLine() != nil else { throw Trouble.usage }
        try rush.ask()
    }

    private init(_ plan: Plan) throws {
        guard let primitives = AgentPrimitives() else { throw Trouble.noPrimitives }
        self.plan = plan
        self.primitives = primitives
        loop = try EventLoop()
        key = FlightKey(
            auth: plan.auth, foldVersion: FlightKey.venueFoldVersion, primitives: primitives)
        for number in 0..<plan.members {
            let seed = primitives.sha256(Array("member \(number)".utf8)).bytes
            guard let signer = Identity(seed: seed) else { throw Trouble.noPrimitives }
            signers.append(signer)
        }
    }

    private func sign() throws {
        let until = UTCTime(seconds: SystemClock.utc().seconds + 3600)
        for (number, signer) in signers.enumerated() {
            let slot = number / 2
            guard let day = VenueDay(number: plan.day),
                let period = Period(
                    day: day, from: 480 + 60 * (slot / plan.courts), minutes: 60),
                let ask = VenueStatement(
                    BookingAsk(
                        nonce: UInt64(number), until: until,
                        wish: .book(
                            place: 1 + slot % plan.courts, period: period, count: 1, waits: false,
                            tag: nil, note: "")),
                    gathering: key.id, by: signer)
            else { throw Trouble.usage }
            asks.append(ask)
        }
    }

    private func link() throws {
        for number in 0..<plan.links {
            let talk = try Place(loop, seed: UInt8(100 + number), of: key).dial(plan.remote)
            talk.onMessage = { [unowned self] in take($0) }
            talks.append(talk)
            // One after the other: an agent takes few unproven connections from one address.
            while !talk.isOpen {
                turn(.milliseconds(200))
                if let end = talk.end { throw Trouble.ended(end) }
            }
        }
    }

    private func take(_ message: Message) {
        guard case .venue(.statement(let statement)) = message, let answer = statement.answer,
            answer.waiting == 0, refused.insert(answer.ask).inserted
        else { return }
        last = loop.now
    }

    private func turn(_ most: TimeSpan) {
        loop.turn(waitingAtMost: most)
        for talk in talks {
            if let due = talk.nextDeadline, due <= loop.now { talk.tick() }
        }
    }

    /// Asks over one second, then waits for the refusals of all who came second.
    private func ask() throws {
        began = loop.now
        // When whoever started it asks, the clock is the one of the machine.
        report("began", Double(began.nanoseconds) / 1e6, "ms")
        fflush(nil)
        // Both of two at one moment.
        let pause = 2_000_000_000 / Int64(plan.members)
        var number = 0
        while number < asks.count || refused.count < plan.members / 2 {
            let due = began + TimeSpan(nanoseconds: pause * Int64(number / 2))
            if number < asks.count, due <= loop.now {
                talks[number % talks.count].send(.venue(.statement(asks[number])))
                number += 1
                continue
            }
            turn(number < asks.count ? .milliseconds(1) : .milliseconds(50))
            if let end = talks.lazy.compactMap(\.end).first { throw Trouble.ended(end) }
            guard loop.now < began + .seconds(30) else { break }
        }
        report("refused", Double(refused.count), "asks")
        report("last-refusal", Double((last - began).nanoseconds) / 1e6, "ms")
        fflush(nil)
        // The links stay until the driver has seen the rest.
        while talks.contains(where: { $0.end == nil }) { turn(.milliseconds(200)) }
    }
}
