// SPDX-License-Identifier: Apache-2.0
/// Verification by voice on this agent's side: one attempt at a time (docs/protocol.md section 25).
///
/// The initiator commits to a nonce, the responder's user presses "verify" before their nonce goes
/// out, both compare three numbers, and "verified" stands only when the own user said that they
/// match and the other's proof is right. The agent never retries after a mismatch by itself.
public struct Verification: Sendable {
    /// May become: idle -> wishing, committed, asked; wishing -> committed, asked, idle;
    /// asked -> answered, idle; committed -> comparing, answered, idle; answered ->
    /// comparing, idle; comparing -> idle.
    package enum State: Hashable, Sendable {
        case idle
        /// The user wants to; a link is being made.
        case wishing(PeerKey, since: Instant)
        /// The peer wants to; the user has not said so.
        case asked(Attempt, commitment: Bytes32)
        /// SAS_START is out.
        case committed(Attempt, nonce: Bytes32)
        /// SAS_NONCE is out.
        case answered(Attempt, commitment: Bytes32, nonce: Bytes32)
        /// Both codes are on the screens.
        case comparing(Attempt, VerificationSecret, pressed: Bool, proven: Bool)
    }

    /// Who, on which connection, since when.
    package struct Attempt: Hashable, Sendable {
        package let transcript: VerificationTranscript
        /// The other one.
        package let peer: PeerKey
        let exporter: Bytes32
        let since: Instant
    }

    /// What happens.
    package enum Event: Hashable, Sendable {
        /// The user wants to verify somebody.
        case wish(PeerKey)
        /// A session with somebody is open; its exporter.
        case linked(PeerKey, exporter: Bytes32)
        /// The last session with somebody ended.
        case unlinked(PeerKey)
        /// A message from somebody, on a session with this exporter.
        case message(VerifyMessage, from: PeerKey, exporter: Bytes32)
        /// The user wants to compare codes with the peer who asked: now the nonce may go out.
        case agree
        /// The user says that the codes are the same, or not.
        case compared(isSame: Bool)
        /// The user does not want to any more.
        case cancel
        /// The deadline came.
        case tick
    }

    /// What people are told.
    public enum Notice: Hashable, Sendable {
        /// The peer wants to compare codes.
        case asked
        /// The code to compare.
        case code(VerificationSecret)
        /// Verified, on this side.
        case verified
        /// Somebody may stand in between: loud.
        case alarm(Alarm)
        /// Over without a result.
        case ended(VerifyMessage.EndReason)
    }

    /// Why there is an alarm.
    public enum Alarm: Hashable, Sendable {
        /// The own user says that the codes differ.
        case differs
        /// The other user says so.
        case differsThere
        /// A commitment or a proof was wrong.
        case wrongProof
    }

    /// What is asked for.
    package struct Output: Sendable {
        /// Messages for passengers, in order.
        package var sends: [(to: PeerKey, message: VerifyMessage)] = []
        /// What people are told, about whom.
        package var notices: [(about: PeerKey, notice: Notice)] = []

        /// Nothing.
        package init() {}
    }

    /// Failed attempts with one key.
    private struct Failures: Sendable {
        var peer: PeerKey
        var count: Int
        var until: Instant
    }

    /// Where it stands.
    package private(set) var state = State.idle
    private var failures: [Failures] = []
    private let me: PeerKey
    private let flight: FlightID
    private let primitives: any Primitives
    /// The secret that nonces are made from: nothing that others see reveals the next one.
    private let secret: Bytes32
    private var drawn: UInt64 = 0

    /// No attempt; `secret` is 32 random bytes that are used for nothing else.
    package init(me: PeerKey, flight: FlightID, secret: Bytes32, primitives: any Primitives) {
        self.me = me
        self.flight = flight
        self.secret = secret
        self.primitives = primitives
    }

    /// With whom an attempt is under way.
    package var peer: PeerKey? {
        switch state {
        case .idle: nil
        case .wishing(let peer, _): peer
        case .asked(let attempt, _), .committed(let attempt, _), .answered(let attempt, _, _),
            .comparing(let attempt, _, _, _):
            attempt.peer
        }
    }

    /// Whether the user takes part: a link to the other one is needed.
    package var isWanted: Bool {
        switch state {
        case .idle, .asked: false
        case .wishing, .committed, .answered, .comparing: true
        }
    }

    /// Whether attempts with `peer` rest after failures.
    package func rests(_ peer: PeerKey, at now: Instant) -> Bool {
        failures.contains {
            $0.peer == peer && $0.count >= Limits.verifyFailures && $0.until > now
        }
    }

    /// When the attempt runs out.
    package var nextDeadline: Instant? {
        switch state {
        case .idle: nil
        case .wishing(_, let since): since + Limits.verifyTime
        case .asked(let attempt, _), .committed(let attempt, _), .answered(let attempt, _, _),
            .comparing(let attempt, _, _, _):
            attempt.since + Limits.verifyTime
        }
    }

    /// Takes one event in.
    package mutating func handle(_ event: Event, at now: Instant) -> Output {
        var output = Output()
        switch event {
        case .wish(let peer): wish(peer, at: now)
        case .linked(let peer, let exporter):
            guard case .wishing(peer, _) = state else { break }
            start(peer, exporter, &output, at: now)
        case .unlinked(let peer):
            guard self.peer == peer else { break }
            if case .wishing = state { break }
            over(.cancelled, tell: false, &output)
        case .message(let message, let peer, let exporter):
            take(message, from: peer, exporter, &output, at: now)
        case .agree:
            if case .asked(let attempt, let commitment) = state {
                answer(attempt, commitment, &output)
            }
        case .compared(let isSame): compared(isSame, &output, at: now)
        case .cancel: over(.cancelled, tell: true, &output)
        case .tick:
            if let due = nextDeadline, due <= now { over(.expired, tell: true, &output) }
        }
        return output
    }

    // MARK: The user

    private mutating func wish(_ peer: PeerKey, at now: Instant) {
        switch state {
        case .idle: state = .wishing(peer, since: now)
        case .wishing, .asked, .committed, .answered, .comparing: break
        }
    }

    private mutating func compared(
        _ isSame: Bool, _ output: inout Output, at now: Instant
    ) {
        guard case .comparing(let attempt, let secret, false, let proven) = state else { return }
        guard isSame else {
            fail(attempt.peer, at: now)
            output.sends.append((attempt.peer, .end(attempt.transcript.attempt, .mismatch)))
            output.notices.append((attempt.peer, .alarm(.differs)))
            state = .idle
            return
        }
        let proof = attempt.transcript.proof(of: me, secret, primitives: primitives)
        output.sends.append((attempt.peer, .mac(attempt.transcript.attempt, proof)))
        state = .comparing(attempt, secret, pressed: true, proven: proven)
        finish(&output)
    }

    private mutating func finish(_ output: inout Output) {
        guard case .comparing(let attempt, _, true, true) = state else { return }
        failures.removeAll { $0.peer == attempt.peer }
        output.notices.append((attempt.peer, .verified))
        state = .idle
    }

    // MARK: The other side

    private mutating func start(
        _ peer: PeerKey, _ exporter: Bytes32, _ output: inout Output, at now: Instant
    ) {
        guard let number = ThreadID(Array(nonce().bytes.prefix(16))) else { return }
        let transcript = VerificationTranscript(
            flight: flight, attempt: number, initiator: me, responder: peer)
        let nonce = nonce()
        let commitment = transcript.commitment(to: nonce, primitives: primitives)
        output.sends.append(
            (peer, .start(number, method: VerificationTranscript.method, commitment: commitment)))
        state = .committed(
            Attempt(transcript: transcript, peer: peer, exporter: exporter, since: now),
            nonce: nonce)
    }

    private mutating func take(
        _ message: VerifyMessage, from peer: PeerKey, _ exporter: Bytes32,
        _ output: inout Output, at now: Instant
    ) {
        if case .start(let number, let method, let commitment) = message {
            guard method == VerificationTranscript.method else {
                output.sends.append((peer, .end(number, .cancelled)))
                return
            }
            let transcript = VerificationTranscript(
                flight: flight, attempt: number, initiator: peer, responder: me)
            let attempt = Attempt(
                transcript: transcript, peer: peer, exporter: exporter, since: now)
            return started(attempt, commitment, &output, at: now)
        }
        // What belongs to another attempt, or to nobody's, is late: it changes nothing.
        guard let attempt, attempt.peer == peer, attempt.exporter == exporter,
            attempt.transcript.attempt == message.attempt
        else { return }
        switch (state, message) {
        case (.committed(let attempt, let nonce), .nonce(_, let other)):
            output.sends.append((peer, .open(attempt.transcript.attempt, nonce)))
            compare(attempt, initiator: nonce, responder: other, &output)
        case (.answered(let attempt, let commitment, let own), .open(_, let nonce)):
            let expected = attempt.transcript.commitment(to: nonce, primitives: primitives)
            guard commitment.isSame(as: expected) else { return alarm(&output, at: now) }
            compare(attempt, initiator: nonce, responder: own, &output)
        case (.comparing(let attempt, let secret, let pressed, false), .mac(_, let proof)):
            let expected = attempt.transcript.proof(of: peer, secret, primitives: primitives)
            guard proof.isSame(as: expected) else { return alarm(&output, at: now) }
            state = .comparing(attempt, secret, pressed: pressed, proven: true)
            finish(&output)
        case (_, .end(_, .mismatch)):
            fail(peer, at: now)
            output.notices.append((peer, .alarm(.differsThere)))
            state = .idle
        case (_, .end(_, let reason)):
            output.notices.append((peer, .ended(reason)))
            state = .idle
        case (_, .start), (_, .nonce), (_, .open), (_, .mac): alarm(&output, at: now)
        }
    }

    private mutating func started(
        _ attempt: Attempt, _ commitment: Bytes32, _ output: inout Output, at now: Instant
    ) {
        let peer = attempt.peer
        guard !rests(peer, at: now) else {
            output.sends.append((peer, .end(attempt.transcript.attempt, .busy)))
            return
        }
        switch state {
        case .idle:
            state = .asked(attempt, commitment: commitment)
            output.notices.append((peer, .asked))
        case .wishing(peer, _): answer(attempt, commitment, &output)
        case .committed(let own, _) where own.peer == peer && peer < me:
            // Both began: the smaller key stays the initiator, and both users have said so.
            answer(attempt, commitment, &output)
        case .committed(let own, _) where own.peer == peer: break
        case .asked(let old, _) where old.peer == peer:
            state = .asked(attempt, commitment: commitment)
        case .wishing, .asked, .committed, .answered, .comparing:
            output.sends.append((peer, .end(attempt.transcript.attempt, .busy)))
        }
    }

    private mutating func answer(
        _ attempt: Attempt, _ commitment: Bytes32, _ output: inout Output
    ) {
        let nonce = nonce()
        output.sends.append((attempt.peer, .nonce(attempt.transcript.attempt, nonce)))
        state = .answered(attempt, commitment: commitment, nonce: nonce)
    }

    private mutating func compare(
        _ attempt: Attempt, initiator: Bytes32, responder: Bytes32, _ output: inout Output
    ) {
        let secret = attempt.transcript.secret(
            exporter: attempt.exporter, initiatorNonce: initiator, responderNonce: responder,
            primitives: primitives)
        state = .comparing(attempt, secret, pressed: false, proven: false)
        output.notices.append((attempt.peer, .code(secret)))
    }

    // MARK: Ends

    private var attempt: Attempt? {
        switch state {
        case .idle, .wishing: nil
        case .asked(let attempt, _), .committed(let attempt, _), .answered(let attempt, _, _),
            .comparing(let attempt, _, _, _):
            attempt
        }
    }

    private mutating func alarm(_ output: inout Output, at now: Instant) {
        guard let attempt else { return }
        fail(attempt.peer, at: now)
        output.sends.append((attempt.peer, .end(attempt.transcript.attempt, .wrong)))
        output.notices.append((attempt.peer, .alarm(.wrongProof)))
        state = .idle
    }

    private mutating func over(
        _ reason: VerifyMessage.EndReason, tell: Bool, _ output: inout Output
    ) {
        guard let peer else { return }
        if tell, let attempt {
            output.sends.append((peer, .end(attempt.transcript.attempt, reason)))
        }
        output.notices.append((peer, .ended(reason)))
        state = .idle
    }

    private mutating func fail(_ peer: PeerKey, at now: Instant) {
        let until = now + Limits.verifyPause
        if let place = failures.firstIndex(where: { $0.peer == peer }) {
            let isOld = failures[place].until <= now
            failures[place].count = isOld ? 1 : failures[place].count + 1
            failures[place].until = until
        } else {
            if failures.count >= Limits.penalties { failures.removeFirst() }
            failures.append(Failures(peer: peer, count: 1, until: until))
        }
    }

    /// 32 bytes that nobody can foresee, even from earlier ones.
    private mutating func nonce() -> Bytes32 {
        drawn += 1
        return primitives.hmacSHA256(
            key: secret.bytes, Array("seatswap/sas/nonce".utf8) + eightBytes(drawn))
    }
}

extension Bytes32 {
    /// Compares in constant time, wherever two values differ.
    func isSame(as other: Bytes32) -> Bool {
        zip(bytes, other.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
