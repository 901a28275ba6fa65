/// One connection from the end of its TLS handshake to its close (protocol.md 2.3, 4).
///
/// Nothing is delivered before HELLO_ACK went both ways.
package struct Session: Sendable {
    /// May become: greeting -> open, closed; open -> closed; closed -> closed.
    enum State: Hashable, Sendable {
        case greeting(Greeting)
        case open(Open)
        case closed
    }

    /// What is known before the session is open.
    struct Greeting: Hashable, Sendable {
        var deadline: Instant
        var hello: Hello?
        var minor = 0
        var sameFlight = true
        var gotAck = false
    }

    /// What an open session keeps.
    struct Open: Hashable, Sendable {
        var lastSent: Instant
        var lastReceived: Instant
        var pings = 0
        var entries: TokenBucket
        var heldUntil: Instant?
    }

    private(set) var state: State
    let config: SessionConfig
    let role: FlightKey.Role
    let peer: PeerKey
    let exporter: Bytes32
    private var decoder = FrameDecoder(limit: Limits.frameBeforeHello)
    private var queues = SendQueues()
    private var inFlight = 0

    /// A session on a connection with `peer`.
    package init(
        _ config: SessionConfig, role: FlightKey.Role, peer: PeerKey, exporter: Bytes32,
        at now: Instant
    ) {
        self.config = config
        self.role = role
        self.peer = peer
        self.exporter = exporter
        state = .greeting(Greeting(deadline: now + Limits.helloTime))
    }

    /// Whether messages go both ways.
    package var isOpen: Bool {
        if case .open = state { return true }
        return false
    }

    /// When the last byte came; `nil` unless open.
    package var lastReceived: Instant? {
        if case .open(let open) = state { return open.lastReceived }
        return nil
    }

    /// Bytes of bulk that may be sent now.
    package var bulkRoom: Int { queues.bulkRoom }

    /// When it wants to be called again.
    package var nextDeadline: Instant? {
        switch state {
        case .greeting(let greeting): greeting.deadline
        case .open(let open):
            min(
                open.heldUntil ?? open.lastReceived + Limits.deadAfter,
                open.lastReceived + Limits.deadAfter, open.lastSent + Limits.pingAfter)
        case .closed: nil
        }
    }

    /// Takes one event in.
    package mutating func handle(_ event: SessionEvent, at now: Instant) -> SessionEffects {
        var effects = SessionEffects()
        switch (state, event) {
        case (.closed, _): return effects
        case (.greeting, .started):
            if role == .initiator { add(.hello(ownHello()), &effects) }
        case (.open, .started): break
        case (_, .received(let bytes)): receive(bytes, &effects, at: now)
        case (_, .drained(let pending)): inFlight = max(0, pending)
        case (.greeting, .send): break
        case (.open, .send(let message)): add(message, &effects)
        case (.greeting(let greeting), .tick):
            if greeting.deadline <= now { end(.tooSlow, &effects) }
        case (.open(let open), .tick): keepAlive(open, &effects, at: now)
        case (_, .close(let code, let text)): end(code, text: text, &effects)
        }
        release(&effects, at: now)
        return effects
    }

    // MARK: Sending

    private mutating func add(_ message: Message, _ effects: inout SessionEffects) {
        do throws(SendQueues.Refusal) {
            try queues.add(message)
        } catch {
            switch error {
            case .overflow: end(.tooSlow, &effects)
            case .push: effects.droppedPush = true
            case .message:
                if case .directMessage(let id, _) = message { effects.refused.append(id) }
            }
        }
    }

    /// Frees frames while little is on its way to the kernel.
    private mutating func release(_ effects: inout SessionEffects, at now: Instant) {
        while inFlight < Limits.inFlight, let frame = queues.next() {
            effects.bytes += frame
            inFlight += frame.count
        }
        if !effects.bytes.isEmpty, case .open(var open) = state {
            open.lastSent = now
            state = .open(open)
        }
    }

    private mutating func keepAlive(_ open: Open, _ effects: inout SessionEffects, at now: Instant)
    {
        var next = open
        if open.lastReceived + Limits.deadAfter <= now {
            end(.silent, &effects)
            return
        }
        if let until = open.heldUntil, until <= now {
            next.heldUntil = nil
            effects.hold = false
        }
        let isIdle = open.lastSent + Limits.pingAfter <= now
        if isIdle {
            next.pings += 1
            next.lastSent = now
        }
        state = .open(next)
        if isIdle { add(.ping(next.pings), &effects) }
    }

    /// Says why and is over.
    mutating func end(
        _ code: CloseCode, text: String = "", _ effects: inout SessionEffects
    ) {
        guard state != .closed else { return }
        state = .closed
        // Straight out: what waits in the queues is of no use any more.
        effects.bytes += Message.close(code: code.rawValue, text: text).encode()
        queues = SendQueues()
        effects.closed = SessionEnd(code: code.rawValue, byPeer: false, isFault: code.isFault)
    }

    // MARK: Receiving

    private mutating func receive(
        _ bytes: [UInt8], _ effects: inout SessionEffects, at now: Instant
    ) {
        decoder.append(bytes)
        if case .open(var open) = state {
            open.lastReceived = now
            state = .open(open)
        }
        while state != .closed {
            do throws(DecodeError) {
                guard let frame = try decoder.next() else { return }
                receive(frame, &effects, at: now)
            } catch {
                end(.badLength, &effects)
            }
        }
    }

    private mutating func receive(
        _ frame: Frame, _ effects: inout SessionEffects, at now: Instant
    ) {
        do throws(Message.Fault) {
            // A stranger's frame is judged by its type alone before its payload is looked at.
            if case .greeting = state, !FrameType.greetings.contains(frame.type) {
                end(.unexpected, &effects)
                return
            }
            guard let message = try Message.decode(frame) else { return }
            switch state {
            case .greeting(let greeting): greet(message, greeting, &effects, at: now)
            case .open(let open): take(message, open, &effects, at: now)
            case .closed: break
            }
        } catch {
            switch error {
            case .unsupported: end(.unsupported, &effects)
            case .payload: end(.badPayload, &effects)
            }
        }
    }

    private mutating func greet(
        _ message: Message, _ greeting: Greeting, _ effects: inout SessionEffects, at now: Instant
    ) {
        switch message {
        case .hello(let hello) where greeting.hello == nil:
            greet(hello, greeting, &effects)
        case .helloAck(let ack) where greeting.hello != nil && !greeting.gotAck:
            guard ack.minor == greeting.minor, ack.matched < config.flights.count else {
                end(.badPayload, &effects)
                return
            }
            open(greeting, &effects, at: now)
        case .close(let code, _): closedByPeer(code, &effects)
        default: end(.unexpected, &effects)
        }
    }

    /// The peer's HELLO: his proof, then versions; ours and the answer go out together.
    private mutating func greet(
        _ hello: Hello, _ greeting: Greeting, _ effects: inout SessionEffects
    ) {
        let theirs: FlightKey.Role = role == .initiator ? .responder : .initiator
        guard let match = match(hello.proofs, role: theirs) else {
            end(.noCommonFlight, &effects)
            return
        }
        guard hello.foldVersion == Int(FlightKey.foldVersion) else {
            end(.otherFoldVersion, &effects)
            return
        }
        guard hello.minors.contains(Limits.minor) else {
            end(.noCommonVersion, &effects)
            return
        }
        var next = greeting
        next.hello = hello
        next.minor = Limits.minor
        next.sameFlight = match.own == 0 && match.theirs == 0
        state = .greeting(next)
        if role == .responder { add(.hello(ownHello()), &effects) }
        add(.helloAck(HelloAck(minor: next.minor, matched: match.theirs)), &effects)
    }

    private mutating func open(
        _ greeting: Greeting, _ effects: inout SessionEffects, at now: Instant
    ) {
        guard let hello = greeting.hello else { return }
        decoder.limit = Limits.frame
        state = .open(
            Open(
                lastSent: now, lastReceived: now,
                entries: TokenBucket(
                    perSecond: Limits.entriesPerSecond, burst: Limits.entryBurst, at: now)))
        effects.opened = SessionFacts(
            minor: greeting.minor, hello: hello, sameFlight: greeting.sameFlight)
    }

    private mutating func take(
        _ message: Message, _ open: Open, _ effects: inout SessionEffects, at now: Instant
    ) {
        switch message {
        case .hello, .helloAck: end(.unexpected, &effects)
        case .ping(let number): add(.pong(number), &effects)
        case .pong: break
        case .close(let code, _): closedByPeer(code, &effects)
        case .entries(let batch):
            charge(batch.entries.count, open, &effects, at: now)
            effects.messages.append(message)
        case .vote(let vote):
            charge(vote.entries.count, open, &effects, at: now)
            effects.messages.append(message)
        case .frontier, .want, .forkProof, .have, .propose, .ready, .decline, .withdraw, .prepare,
            .certificate, .query, .status, .directMessage, .directAck:
            effects.messages.append(message)
        }
    }

    private mutating func charge(
        _ count: Int, _ open: Open, _ effects: inout SessionEffects, at now: Instant
    ) {
        var next = open
        if let until = next.entries.take(count, at: now) {
            next.heldUntil = until
            effects.hold = true
        }
        state = .open(next)
    }

    private mutating func closedByPeer(_ code: Int, _ effects: inout SessionEffects) {
        state = .closed
        effects.closed = SessionEnd(code: code, byPeer: true, isFault: false)
    }
}
