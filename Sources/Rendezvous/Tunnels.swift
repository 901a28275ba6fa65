// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What a program asks of the tunnels of its ``Meeting``.
package enum TunnelAsk: Hashable, Sendable {
    /// A session with these passengers is needed, and there is none. All of them, each time.
    case need([PeerKey])
    /// Who is never let in, and for whom two places are kept.
    case people(blocked: Set<PeerKey>, favoured: Set<PeerKey>)
    /// With whom there is a session of any kind: nobody needs to look whether they know more.
    case linked(Set<PeerKey>)
    /// TLS of the tunnel with this number has bytes for the other end.
    case write(Int, [UInt8])
    /// The program's end of it is closed.
    case close(Int)
}

/// What the program does at its end of a tunnel, where TLS runs as over a socket.
package enum TunnelOrder: Hashable, Sendable {
    /// Begin TLS with this passenger: as its client who opened the tunnel, else as its server.
    case begin(Int, PeerKey, isOpener: Bool)
    /// Bytes came.
    case bytes(Int, [UInt8])
    /// So many of the bytes written are on their way.
    case took(Int, Int)
    /// It is over. Comes for each that was begun, and once.
    case end(Int)
}

/// All tunnels of one agent: who may have one, whose stays, and how fast they send (docs/meet.md
/// section 8).
struct Tunnels: Sendable {
    /// A tunnel as this agent sees it.
    struct Line: Sendable {
        let number: Int
        let peer: PeerKey
        let broker: MeetBroker
        /// Where its frames go; names change at midnight, those of a tunnel do not.
        let topic: String
        let epoch: MeetEpoch
        var tunnel: Tunnel
        var hasBegun = false
    }

    /// What is asked for, in order.
    struct Output: Hashable, Sendable {
        /// Frames to say.
        var frames: [Frame] = []
        /// What the program does.
        var orders: [TunnelOrder] = []

        struct Frame: Hashable, Sendable {
            let broker: MeetBroker
            let topic: String
            let payload: [UInt8]
        }
    }

    /// Where a tunnel goes.
    struct Way {
        let broker: MeetBroker
        let topic: String
        let epoch: MeetEpoch
    }

    private(set) var lines: [Line] = []
    private(set) var needs = TunnelNeeds()
    private let me: PeerKey
    private let own: any KeyAgreement
    private let primitives: any Primitives
    private let secret: Bytes32
    private var drawn: UInt64 = 0
    private var lastNumber = 0
    private var blocked: Set<PeerKey> = []
    private(set) var favoured: Set<PeerKey> = []
    /// With whom there is a session.
    var linked: Set<PeerKey> = []
    private var gate: OpeningGate
    private var pace: [MeetBroker: TokenBucket] = [:]
    private var flushAt: Instant?
    /// Whose clock is too far from this one for a tunnel.
    private(set) var clocks: [MeetStatus.Clock] = []
    private static let clocksMost = 8

    /// No tunnels yet. `secret` is random: numbers and fresh keys are made of it.
    init(
        me: PeerKey, own: any KeyAgreement, secret: Bytes32, at now: Instant,
        _ primitives: any Primitives
    ) {
        (self.me, self.own, self.secret, self.primitives) = (me, own, secret, primitives)
        gate = OpeningGate(at: now)
    }

    /// Whether a connection to a broker is needed for them.
    func uses(_ broker: MeetBroker) -> Bool { lines.contains { $0.broker == broker } }

    /// When something is due.
    func nextDeadline(isConnected: Bool) -> Instant? {
        var due = lines.compactMap(\.tunnel.nextDeadline)
        if let flushAt { due.append(flushAt) }
        if isConnected, lines.count < TunnelLimits.tunnels {
            due += [needs.nextDeadline { isTaken($0) }].compactMap(\.self)
        }
        return due.min()
    }

    private func isTaken(_ key: PeerKey) -> Bool {
        blocked.contains(key) || lines.contains { $0.peer == key }
    }

    /// Whether somebody may be asked for a tunnel that nobody waits for: the places that are kept
    /// stay free.
    func isFree(for key: PeerKey) -> Bool {
        !isTaken(key) && !linked.contains(key)
            && lines.count < TunnelLimits.tunnels - TunnelLimits.kept
    }

    // MARK: What the program asks

    /// Somebody is needed, or no longer.
    mutating func need(_ keys: [PeerKey], at now: Instant) { needs.set(keys, at: now) }

    mutating func people(blocked: Set<PeerKey>, favoured: Set<PeerKey>, _ output: inout Output) {
        (self.blocked, self.favoured) = (blocked, favoured)
        for line in lines where blocked.contains(line.peer) {
            apply(line.number, &output) { $0.end(.closed) }
        }
    }

    mutating func write(_ number: Int, _ bytes: [UInt8]) {
        guard let place = lines.firstIndex(where: { $0.number == number }) else { return }
        lines[place].tunnel.write(bytes)
    }

    mutating func close(_ number: Int, _ output: inout Output) {
        apply(number, &output) { $0.end(.closed) }
    }

    /// Whom to open a tunnel to now; the next one later.
    mutating func due(at now: Instant) -> PeerKey? {
        guard lines.count < TunnelLimits.tunnels else { return nil }
        let (blocked, peers) = (blocked, lines.map(\.peer))
        return needs.due(at: now) { blocked.contains($0) || peers.contains($0) }
    }

    /// Asks a passenger for a tunnel.
    mutating func open(
        to peer: PeerKey, boxKey: Bytes32, by way: Way, _ output: inout Output, at now: Moment
    ) {
        let ends = TunnelOpening.Ends(from: me, own: own, to: peer, boxKey: boxKey)
        guard let id = TunnelID(Array(draw("id").bytes.prefix(TunnelID.count))),
            let fresh = own.pair(seed: draw("ephemeral")),
            let made = TunnelOpening.make(id, ends, fresh: fresh, at: now.utc, primitives)
        else { return }
        add(peer, way, Tunnel(made.opening, isOpener: true, at: now.instant, primitives))
        send(made.bytes, way.broker, way.topic, &output, at: now.instant)
    }

    private mutating func draw(_ word: StaticString) -> Bytes32 {
        drawn += 1
        let message = Array("seatswap/meet/tunnel \(word)".utf8) + drawn.bytes
        return primitives.hmacSHA256(key: secret.bytes, message)
    }

    @discardableResult
    private mutating func add(_ peer: PeerKey, _ way: Way, _ tunnel: Tunnel) -> Int {
        lastNumber += 1
        lines.append(
            Line(
                number: lastNumber, peer: peer, broker: way.broker, topic: way.topic,
                epoch: way.epoch, tunnel: tunnel))
        return lastNumber
    }

    // MARK: What comes

    /// A payload came to the own inbox. `boxKey` knows passengers' keys, `way` the way back to one.
    mutating func came(
        _ bytes: [UInt8], _ output: inout Output, at now: Moment,
        boxKey: (PeerKey) -> Bytes32?, way: (PeerKey) -> Way
    ) {
        if bytes.first == TunnelOpening.version {
            // Whoever knows the flight can send these, and each costs this agent a little.
            guard gate.looks(at: now.instant),
                let opening = TunnelOpening(
                    bytes, to: me, own: own, primitives, boxKey: boxKey)
            else { return }
            let way = way(opening.from)
            switch gate.answer(opening, at: now) {
            case .dropped: return
            case .taken: return asked(opening, way, &output, at: now.instant)
            case .clock(let ahead):
                note(MeetStatus.Clock(peer: opening.from, ahead: ahead))
                return refuse(opening, .clock, way, &output, at: now.instant)
            }
        }
        guard let (id, seq) = TunnelFrame.place(bytes),
            let line = lines.first(where: { $0.tunnel.id == id })
        else { return }
        apply(line.number, &output, at: now.instant) { $0.take(bytes, seq: seq, at: now.instant) }
    }

    /// A passenger asks for a tunnel.
    private mutating func asked(
        _ opening: TunnelOpening, _ way: Way, _ output: inout Output, at now: Instant
    ) {
        let peer = opening.from
        let tunnel = Tunnel(opening, isOpener: false, at: now, primitives)
        if let other = lines.first(where: { $0.peer == peer }) {
            // Of two that were asked for at once the one of the smaller key stays; one that stands
            // was given up by who asks for another.
            if !other.tunnel.isReady, me < peer { return }
            apply(other.number, &output, at: now) { $0.end(.closed) }
        }
        let refusal: TunnelEnd? =
            blocked.contains(peer) ? .refused : hasRoom(for: peer) ? nil : .full
        if let refusal { return refuse(opening, refusal, way, &output, at: now) }
        let number = add(peer, way, tunnel)
        apply(number, &output, at: now) { $0.welcome() }
    }

    private mutating func refuse(
        _ opening: TunnelOpening, _ reason: TunnelEnd, _ way: Way, _ output: inout Output,
        at now: Instant
    ) {
        var tunnel = Tunnel(opening, isOpener: false, at: now, primitives)
        for case .send(let frame) in tunnel.end(reason) {
            send(frame, way.broker, way.topic, &output, at: now)
        }
    }

    private mutating func note(_ clock: MeetStatus.Clock) {
        clocks.removeAll { $0.peer == clock.peer }
        if clocks.count >= Self.clocksMost { clocks.removeFirst() }
        clocks.append(clock)
    }

    private func hasRoom(for peer: PeerKey) -> Bool {
        if favoured.contains(peer) { return lines.count < TunnelLimits.tunnels }
        let others = lines.count { !favoured.contains($0.peer) }
        return lines.count < TunnelLimits.tunnels
            && others < TunnelLimits.tunnels - TunnelLimits.kept
    }

    /// These brokers are connected. What went over another connection did not all come: its tunnels
    /// end without a word, since no frame is said into the void.
    mutating func keep(on brokers: [MeetBroker], _ output: inout Output) {
        pace = pace.filter { brokers.contains($0.key) }
        for line in lines where !brokers.contains(line.broker) {
            apply(line.number, &output) { $0.drop() }
        }
    }

    /// What is due: waits that are over, epochs that are not followed any more, bytes that may be
    /// sent now.
    mutating func tick(following epochs: [MeetEpoch], _ output: inout Output, at now: Instant) {
        for line in lines {
            apply(line.number, &output, at: now) { tunnel in
                epochs.contains(line.epoch) ? tunnel.tick(at: now) : tunnel.end(.lost)
            }
        }
        flush(&output, at: now)
    }

    // MARK: What goes

    /// Brokers take so many messages a second, and drop what is more: a frame that is dropped ends
    /// its tunnel.
    private static let pace = (perSecond: 10, burst: 100)

    /// Sends what waits, as fast as a broker takes it.
    mutating func flush(_ output: inout Output, at now: Instant) {
        flushAt = nil
        var goesOn = true
        while goesOn {
            goesOn = false
            // One piece of each in turn: a long one does not keep a short one waiting.
            for line in lines where line.tunnel.hasMore {
                guard bucket(line.broker, at: now).left(at: now) > 0 else {
                    flushAt = now + .milliseconds(100)
                    continue
                }
                apply(line.number, &output, at: now) { $0.flush(at: now) }
                goesOn = true
            }
        }
    }

    private func bucket(_ broker: MeetBroker, at now: Instant) -> TokenBucket {
        pace[broker]
            ?? TokenBucket(perSecond: Self.pace.perSecond, burst: Self.pace.burst, at: now)
    }

    private mutating func send(
        _ payload: [UInt8], _ broker: MeetBroker, _ topic: String, _ output: inout Output,
        at now: Instant?
    ) {
        if let now {
            var left = bucket(broker, at: now)
            _ = left.take(1, at: now)
            pace[broker] = left
        }
        output.frames.append(Output.Frame(broker: broker, topic: topic, payload: payload))
    }

    private mutating func apply(
        _ number: Int, _ output: inout Output, at now: Instant? = nil,
        _ step: (inout Tunnel) -> [Tunnel.Output]
    ) {
        guard let place = lines.firstIndex(where: { $0.number == number }) else { return }
        let results = step(&lines[place].tunnel)
        let line = lines[place]
        for result in results {
            switch result {
            case .send(let frame): send(frame, line.broker, line.topic, &output, at: now)
            case .began:
                lines[place].hasBegun = true
                needs.reached(line.peer)
                clocks.removeAll { $0.peer == line.peer }
                output.orders.append(
                    .begin(number, line.peer, isOpener: line.tunnel.isOpener))
            case .bytes(let bytes): output.orders.append(.bytes(number, bytes))
            case .took(let count): output.orders.append(.took(number, count))
            case .ended(let reason):
                if reason == .clock { note(MeetStatus.Clock(peer: line.peer, ahead: nil)) }
                if lines[place].hasBegun { output.orders.append(.end(number)) }
                lines.remove(at: place)
            }
        }
    }
}
