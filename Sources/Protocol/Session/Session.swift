// SPDX-License-Identifier: Apache-2.0
/// One connection from the end of its TLS handshake to its close (docs/protocol.md sections 6 and
/// 7).
///
/// It delivers nothing before HELLO_ACK went both ways.
package struct Session: Sendable {
    /// May become: greeting -> open, closed; open -> closed; closed -> closed.
    enum State: Sendable {
        // Beside the rest: what the handshake needs goes with it, and a link lasts for hours.
        indirect case greeting(Greeting)
        case open(Open)
        case closed
    }

    /// What is known before the session is open.
    struct Greeting: Sendable {
        let config: SessionConfig
        let role: FlightKey.Role
        let peer: PeerKey
        let exporter: Bytes32
        var deadline: Instant
        var hello: Hello?
        var minor = 0
        var sameFlight = true
        var alias: Int?
    }

    /// What an open session keeps.
    struct Open: Hashable, Sendable {
        var lastSent: Instant
        var lastReceived: Instant
        /// Numbers of the last PING sent and of the last PING answered.
        var pings = 0
        var answered = 0
        var entries: TokenBucket
        var requests: TokenBucket
        /// What others say that may be passed on to the peer.
        var passedOn: TokenBucket
        var heldUntil: Instant?
    }

    var state: State
    let role: FlightKey.Role
    private let rules: MessageRules
    var decoder = FrameDecoder(limit: Limits.frameBeforeHello)
    private var queues = SendQueues()
    private var inFlight = 0
    /// When it wants to be called again. Cached, because every link is asked after every event.
    package private(set) var nextDeadline: Instant?

    /// A session on a connection with `peer`.
    package init(
        _ config: SessionConfig, role: FlightKey.Role, peer: PeerKey, exporter: Bytes32,
        at now: Instant
    ) {
        self.role = role
        rules = MessageRules(foldVersion: config.foldVersion)
        state = .greeting(
            Greeting(
                config: config, role: role, peer: peer, exporter: exporter,
                deadline: now + Limits.helloTime))
        nextDeadline = now + Limits.helloTime
    }

    /// Whether messages go both ways.
    package var isOpen: Bool {
        if case .open = state { return true }
        return false
    }

    private var isClosed: Bool {
        if case .closed = state { return true }
        return false
    }

    /// Whether the last PING was answered. After a probe that means that the other process lives.
    package var isAnswered: Bool {
        if case .open(let open) = state { return open.answered == open.pings }
        return false
    }

    /// Bytes of bulk that may be sent now.
    // Asked of links in place: a call would copy the whole session.
    @inline(__always)
    package var bulkRoom: Int { queues.bulkRoom }

    private var deadline: Instant? {
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
        guard !isClosed else { return effects }
        // What an open session is told all the time. The table below copies the state.
        switch event {
        case .received(let bytes) where isOpen: receive(bytes, &effects, at: now)
        case .drained(let pending) where isOpen:
            inFlight = max(0, pending)
            // After every push to the kernel, and nothing waits: neither bytes
            // nor the deadline change.
            if queues.isEmpty { return effects }
        case .send(let message) where isOpen: add(message, &effects)
        case .passOn(let message, let isMember):
            passOn(message, ofMember: isMember, &effects, at: now)
        case .ledger(let count): credit(count, &effects, at: now)
        case .received, .drained, .send, .started, .tick, .probe, .close:
            handleRest(event, &effects, at: now)
        }
        release(&effects, at: now)
        nextDeadline = deadline
        return effects
    }

    private mutating func handleRest(
        _ event: SessionEvent, _ effects: inout SessionEffects, at now: Instant
    ) {
        switch (state, event) {
        case (.closed, _): break
        case (.greeting(let greeting), .started):
            if role == .initiator { add(.hello(greeting.ownHello()), &effects) }
        case (.open, .started): break
        case (_, .received(let bytes)): receive(bytes, &effects, at: now)
        case (_, .drained(let pending)): inFlight = max(0, pending)
        case (.greeting, .send), (_, .ledger), (_, .passOn): break
        case (.open, .send(let message)): add(message, &effects)
        case (.greeting(let greeting), .tick):
            if greeting.deadline <= now { end(.tooSlow, &effects) }
        case (.open(let open), .tick): keepAlive(open, &effects, at: now)
        case (.greeting, .probe): break
        case (.open(let open), .probe): ping(open, &effects)
        case (_, .close(let code, let text)): end(code, text: text, &effects)
        }
    }

    // MARK: Sending

    mutating func add(_ message: Message, _ effects: inout SessionEffects) {
        if message.isSmall, queues.isEmpty, inFlight < Limits.inFlight {
            // Bypass the empty queue.
            let before = effects.bytes.count
            message.encode(onto: &effects.bytes)
            inFlight += effects.bytes.count - before
            return
        }
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

    /// Passes on what others say, unless much of it waits here or the peer has enough to read.
    private mutating func passOn(
        _ message: Message, ofMember isMember: Bool, _ effects: inout SessionEffects,
        at now: Instant
    ) {
        guard case .open(var open) = state else { return }
        let kept = isMember ? 0 : Limits.passedOnOfMembers
        guard open.passedOn.left(at: now) > kept, queues.passOn(message, ofMember: isMember)
        else { return effects.leftOut = true }
        _ = open.passedOn.take(1, at: now)
        state = .open(open)
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
        if isIdle { next.lastSent = now }
        state = .open(next)
        if isIdle { ping(next, &effects) }
    }

    private mutating func ping(_ open: Open, _ effects: inout SessionEffects) {
        var next = open
        next.pings += 1
        state = .open(next)
        add(.ping(next.pings), &effects)
    }

    /// Ends the session with a CLOSE that says why.
    mutating func end(
        _ code: CloseCode, text: String = "", _ effects: inout SessionEffects
    ) {
        guard !isClosed else { return }
        state = .closed
        // Bypass the queues: what waits there is of no use any more.
        effects.bytes += Message.close(code: code.rawValue, text: Self.shortened(text)).encode()
        queues = SendQueues()
        effects.closed = SessionEnd(code: code.rawValue, byPeer: false, isFault: code.isFault)
    }

    /// As much of `text` as a CLOSE may carry, whole characters only.
    private static func shortened(_ text: String) -> String {
        var out = ""
        for character in text {
            guard out.utf8.count + character.utf8.count <= Limits.closeText else { break }
            out.append(character)
        }
        return out
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
        while !isClosed {
            do throws(DecodeError) {
                guard let frame = try decoder.draw() else { return }
                receive(frame, &effects, at: now)
            } catch {
                end(.badLength, &effects)
            }
        }
    }

    private mutating func receive(
        _ frame: FrameDecoder.Drawn, _ effects: inout SessionEffects, at now: Instant
    ) {
        do throws(Message.Fault) {
            // A stranger's frame is judged by its type alone before its payload is looked at.
            if case .greeting = state, !FrameType.greetings.contains(frame.type) {
                end(.unexpected, &effects)
                return
            }
            guard let message = try decoder.message(frame, rules: rules) else { return }
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

    private mutating func take(
        _ message: Message, _ open: Open, _ effects: inout SessionEffects, at now: Instant
    ) {
        switch message.type.traits.cost {
        case .session: takeOwn(message, open, &effects, at: now)
        case .entries:
            charge(\.entries, max(1, message.entryCount), open, &effects, at: now)
            effects.messages.append(message)
        case .requests:
            charge(\.requests, 1, open, &effects, at: now)
            effects.messages.append(message)
        case .free: effects.messages.append(message)
        }
    }

    /// What sessions say to each other once they are open: a second greeting is a fault.
    private mutating func takeOwn(
        _ message: Message, _ open: Open, _ effects: inout SessionEffects, at now: Instant
    ) {
        if case .ping(let number) = message {
            charge(\.requests, 1, open, &effects, at: now)
            add(.pong(number), &effects)
        } else if case .pong(let number) = message {
            // Only a number that was asked for is an answer.
            guard number > open.answered, number <= open.pings else { return }
            var next = open
            next.answered = number
            state = .open(next)
        } else if case .close(let code, _) = message {
            closedByPeer(code, &effects)
        } else {
            end(.unexpected, &effects)
        }
    }

    private mutating func charge(
        _ bucket: WritableKeyPath<Open, TokenBucket>, _ count: Int, _ open: Open,
        _ effects: inout SessionEffects, at now: Instant
    ) {
        var next = open
        if let until = next[keyPath: bucket].take(count, at: now) {
            next.heldUntil = max(until, next.heldUntil ?? until)
            effects.hold = true
        }
        state = .open(next)
    }

    /// Nobody but the operator makes a ledger, so that its entries may come ten times as fast.
    private mutating func credit(
        _ count: Int, _ effects: inout SessionEffects, at now: Instant
    ) {
        guard case .open(var open) = state else { return }
        open.entries.giveBack(tenths: 9 * count)
        if open.heldUntil != nil {
            let ends = [open.entries, open.requests].compactMap { $0.debtEnds(at: now) }
            open.heldUntil = ends.max()
            if open.heldUntil == nil { effects.hold = false }
        }
        state = .open(open)
    }

    mutating func closedByPeer(_ code: Int, _ effects: inout SessionEffects) {
        state = .closed
        effects.closed = SessionEnd(code: code, byPeer: true, isFault: false)
    }
}
