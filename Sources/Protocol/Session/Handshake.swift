// SPDX-License-Identifier: Apache-2.0
/// HELLO and the proofs of membership (docs/protocol.md section 6).
extension Session.Greeting {
    func ownHello() -> Hello {
        Hello(
            minors: Limits.minor...Limits.minor, foldVersion: config.foldVersion,
            boot: config.boot, connection: config.connection, maxFrame: Limits.frame,
            port: config.port, proofs: config.flights.map { proof($0, role: role) },
            features: Hello.changes | (config.isOnDemand ? Hello.onDemand : 0))
    }

    /// The first proof that belongs to a flight of ours, and to which.
    func match(_ proofs: [[UInt8]], role: FlightKey.Role) -> (theirs: Int, own: Int)? {
        let expected = config.flights.map { proof($0, role: role) }
        for (theirs, given) in proofs.enumerated() {
            for (own, known) in expected.enumerated() where isSame(given, known) {
                return (theirs, own)
            }
        }
        return nil
    }

    private func proof(_ flight: FlightKey, role proving: FlightKey.Role) -> [UInt8] {
        flight.proof(
            role: proving, exporter: exporter,
            initiator: role == .initiator ? config.me : peer,
            responder: role == .initiator ? peer : config.me, primitives: config.primitives)
    }

    /// Compares in constant time, wherever two proofs differ.
    private func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension Session {
    mutating func greet(
        _ message: Message, _ greeting: Greeting, _ effects: inout SessionEffects, at now: Instant
    ) {
        if case .hello(let hello) = message, greeting.hello == nil {
            greet(hello, greeting, &effects)
        } else if case .helloAck(let ack) = message {
            guard let hello = greeting.hello else { return end(.unexpected, &effects) }
            guard ack.minor == greeting.minor, ack.matched < greeting.config.flights.count else {
                return end(.badPayload, &effects)
            }
            open(greeting, hello, &effects, at: now)
        } else if case .close(let code, _) = message {
            closedByPeer(code, &effects)
        } else {
            end(.unexpected, &effects)
        }
    }

    /// Judges the peer's HELLO: first the proof, then the versions. Our own HELLO and
    /// the answer go out together.
    private mutating func greet(
        _ hello: Hello, _ greeting: Greeting, _ effects: inout SessionEffects
    ) {
        let theirs: FlightKey.Role = role == .initiator ? .responder : .initiator
        guard let match = greeting.match(hello.proofs, role: theirs) else {
            return end(.noCommonFlight, &effects)
        }
        guard hello.foldVersion == greeting.config.foldVersion else {
            return end(.otherFoldVersion, &effects)
        }
        guard hello.minors.contains(Limits.minor) else {
            return end(.noCommonVersion, &effects)
        }
        var next = greeting
        next.hello = hello
        next.minor = Limits.minor
        next.sameFlight = match.own == 0 && match.theirs == 0
        next.alias = match.own > 0 ? match.own : nil
        state = .greeting(next)
        if role == .responder { add(.hello(greeting.ownHello()), &effects) }
        add(.helloAck(HelloAck(minor: next.minor, matched: match.theirs)), &effects)
    }

    private mutating func open(
        _ greeting: Greeting, _ hello: Hello, _ effects: inout SessionEffects, at now: Instant
    ) {
        decoder.limit = Limits.frame
        state = .open(
            Open(
                lastSent: now, lastReceived: now,
                entries: TokenBucket(
                    perSecond: Limits.entriesPerSecond, burst: Limits.entryBurst, at: now),
                requests: TokenBucket(
                    perSecond: Limits.requestsPerSecond, burst: Limits.requestBurst, at: now),
                passedOn: TokenBucket(
                    perSecond: Limits.passedOnPerSecond, burst: Limits.passedOnBurst, at: now)))
        effects.opened = SessionFacts(
            minor: greeting.minor, hello: hello, sameFlight: greeting.sameFlight,
            alias: greeting.alias)
    }
}

extension FrameType {
    /// What may come before the session is open.
    static let greetings = [FrameType.hello, .helloAck, .close].map(\.rawValue)
}

extension CloseCode {
    /// Whether the peer broke the rules as no honest agent would.
    package var isFault: Bool {
        switch self {
        case .badLength, .badPayload, .unsupported, .unexpected, .badEntry, .tooMuch: true
        case .leaving, .noCommonFlight, .otherFoldVersion, .noCommonVersion, .tooSlow, .silent,
            .duplicate, .resting, .full, .keyRunsTwice, .notNeeded:
            false
        }
    }
}
