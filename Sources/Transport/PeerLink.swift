// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import System

/// One TCP and TLS connection with another agent, dialled or accepted: socket <-> ``TLSPipe``.
///
/// No method calls the event handler before it returns. Bytes of one turn of the loop are
/// gathered and leave at its end, in TLS records of up to 16 KiB. The link keeps itself alive
/// until `closed` was told.
package final class PeerLink {
    /// Steps of an accepted link that its listener is told about.
    enum GateStep {
        /// The first bytes came.
        case spoke
        /// It is proven or over; the last word.
        case left
    }

    /// `drained` is reported after so many bytes: a quarter of what may be on its way, so that
    /// whoever counts what they sent never waits for more than three quarters to go.
    private static let reportAfter = Limits.inFlight / 4

    /// Told every event of the link.
    package typealias Handler = (PeerLink, LinkEvent) -> Void

    /// Client when dialled here, server when accepted.
    package let role: TLSPipe.Role
    /// The other end.
    package let remote: Address
    /// This end; unknown until connected.
    private(set) var local: Address?
    /// Set by whoever feeds the core, when the peer has proved its membership: the link then no
    /// longer counts against the listener's limit for strangers.
    package var isProven = false {
        didSet { if isProven { leaveGate() } }
    }
    /// Set where the user verified the peer, or the peer is a member: the link is then read before
    /// others.
    package var isFavoured = false {
        didSet { if isFavoured != oldValue { socket?.favour(isFavoured) } }
    }
    /// Set it before the loop turns again; it is dropped after `closed`.
    package var handler: Handler? {
        get { owner }
        set { owner = newValue }
    }
    // Private, so that no look at it has to be watched.
    private var owner: Handler?

    private let environment: LinkEnvironment
    private let loop: EventLoop
    /// There until the end.
    private var socket: LinkSocket?
    /// Exists from the handshake to the end.
    private var pipe: TLSPipe?
    private var state: LinkState
    private var output: LinkOutput
    /// Deadline of the current step: connect, handshake or flush.
    private var stepTimer: TimerToken?
    private var stallTimer: TimerToken?
    private var isPaused = false
    private var flushQueued = false
    /// Bytes that moved since `drained` was last reported.
    private var moved = 0
    /// What still waited when it was.
    private var toldPending = 0
    /// Bytes of the peer came.
    private var hasHeard = false
    /// When to give up a dial that has less time than its steps allow.
    private var giveUpAt: Instant?
    private var onGate: ((GateStep) -> Void)?

    private var limits: LinkLimits { environment.limits }

    private init(
        role: TLSPipe.Role, remote: Address, environment: LinkEnvironment, state: LinkState
    ) {
        self.role = role
        self.remote = remote
        self.environment = environment
        loop = environment.loop
        self.state = state
        output = LinkOutput(at: environment.loop.now)
    }

    // MARK: Beginning

    /// Begins a connection, which is given up unless TLS stands within `patience`. Every failure,
    /// also an immediate one, comes as `closed`.
    package static func dial(
        to remote: Address, within patience: TimeSpan? = nil, in environment: LinkEnvironment,
        handler: @escaping Handler
    ) -> PeerLink {
        let link = PeerLink(
            role: .client, remote: remote, environment: environment, state: .connecting)
        link.handler = handler
        do throws(SystemError) {
            let socket = try LinkSocket.connecting(to: remote, in: environment)
            link.socket = socket
            try socket.watch(.write) { link.becameReady($0) }
            link.giveUpAt = patience.map { environment.loop.clock() + $0 }
            link.startStepTimer(link.limits.connectTime, .connectTimeout)
        } catch {
            link.finish(.failed(error))
        }
        return link
    }

    /// Continues with a connection that a listener took, and reports its steps to the listener.
    static func accepted(
        _ descriptor: Int32, from remote: Address, in environment: LinkEnvironment,
        onGate: @escaping (GateStep) -> Void
    ) -> PeerLink {
        let link = PeerLink(
            role: .server, remote: remote, environment: environment, state: .handshaking)
        link.onGate = onGate
        let socket = LinkSocket(descriptor, in: environment)
        link.socket = socket
        do throws(SystemError) {
            try socket.watch(.read) { link.becameReady($0) }
            link.beginHandshake()
            if link.state == .handshaking {
                link.startStepTimer(link.limits.firstBytesTime, .silent)
            }
        } catch {
            link.finish(.failed(error))
        }
        return link
    }

    // MARK: Using

    /// Bytes that have not reached the kernel yet; send more only while it is below
    /// `Limits.inFlight`.
    package var pending: Int { output.pending(pipe) }

    /// Queues plaintext; it leaves at the end of this turn, or when the handshake is over.
    /// Nothing happens on a link that is closing or closed.
    package func send(_ bytes: [UInt8]) {
        switch state {
        case .connecting, .handshaking, .open: break
        case .closing, .closed: return
        }
        output.append(bytes, pipe, at: loop.now)
        if state == .open { queueFlush() }
    }

    /// Says good-bye after what is queued, then waits for the peer to close too, so that the
    /// kernel does not throw away what the peer has not read. All within `flushFor`, at most
    /// ``LinkLimits/flushTime``. No `received` comes after this call.
    package func close(flushFor: TimeSpan = .seconds(1)) {
        switch state {
        case .connecting, .handshaking: finish(.closedHere)
        case .open:
            state = .closing
            startStepTimer(min(flushFor, limits.flushTime), .closedHere)
            queueFlush()
        case .closing, .closed: break
        }
    }

    /// Ends it at once; the peer sees a reset.
    package func abort() {
        guard state != .closed else { return }
        socket?.resetOnClose()
        finish(.aborted)
    }

    /// Ends a stranger's connection at once, to make room for a newcomer.
    func replace() {
        guard state != .closed else { return }
        socket?.resetOnClose()
        finish(.replaced)
    }

    /// Leaves the peer's bytes in the kernel, until TCP makes the peer wait. What was read in this
    /// turn still comes. A peer that goes away meanwhile is noticed after ``resumeReading()``.
    package func pauseReading() {
        isPaused = true
        updateInterest(pending > 0)
    }

    /// Reads again.
    package func resumeReading() {
        isPaused = false
        updateInterest(pending > 0)
    }

    // MARK: Events of the loop

    private func becameReady(_ ready: Readiness) {
        switch state {
        case .connecting:
            if let error = socket?.takeError() {
                finish(.failed(error))
            } else {
                beginHandshake()
            }
        case .handshaking, .open, .closing:
            if ready.reads { readSome() }
            if ready.writes { flush() }
        case .closed: break
        }
    }

    private func beginHandshake() {
        state = .handshaking
        local = socket?.localAddress
        startStepTimer(limits.handshakeTime, .handshakeTimeout)
        do throws(TLSFailure) {
            let pipe = try TLSPipe(context: environment.context, role: role)
            self.pipe = pipe
            try pipe.start()
            flush()
        } catch {
            finish(.tls(error))
        }
    }

    /// Reads once per turn, so that other links get their share. A closing link
    /// reads only to see the end.
    private func readSome() {
        switch socket?.receive() {
        case .moved(let count):
            if state == .closing { break }
            if !hasHeard { heardFirst() }
            take(UnsafeRawBufferPointer(rebasing: loop.scratch[..<count]))
        case .ended: finish(state == .closing ? .closedHere : .cut)
        case .failed(let error): finish(state == .closing ? .closedHere : .failed(error))
        case .wouldBlock, nil: break
        }
    }

    /// The peer who connected sent its first bytes: the handshake has the rest of its time.
    private func heardFirst() {
        hasHeard = true
        guard role == .server, state == .handshaking else { return }
        startStepTimer(limits.handshakeTime, .handshakeTimeout)
        onGate?(.spoke)
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        guard let pipe else { return }
        var received: [UInt8] = []
        if state == .open { received.reserveCapacity(pipe.room(for: bytes.count)) }
        do throws(TLSFailure) {
            try pipe.feed(bytes, into: &received)
            if state == .handshaking && pipe.isEstablished {
                let exporter = try pipe.exporter()
                stopStepTimer()
                state = .open
                emit(.established(peerKey: pipe.peerKey, exporter: exporter))
            }
        } catch {
            // The output holds the alert that tells the peer why; one try to get it out.
            if let socket, pipe.outputCount > 0 { _ = pipe.sendOutput(socket.send) }
            finish(.tls(error))
            return
        }
        if state == .open && !received.isEmpty { emit(.received(received)) }
        if state == .open && pipe.peerClosed { finish(.closedByPeer) }
        if pending > 0 { queueFlush() }
    }

    // MARK: Output

    private func queueFlush() {
        guard !flushQueued else { return }
        flushQueued = true
        loop.enqueue { self.flush() }
    }

    /// Hands what is queued to the kernel now instead of at the end of the turn, which has other
    /// work still. The outcome is still reported at the end of the turn.
    package func push() {
        guard state == .open, flushQueued else { return }
        moveOutput()
    }

    private func flush() {
        flushQueued = false
        moveOutput()
        let pending = pending
        guard state == .open, moved >= Self.reportAfter || toldPending > 0 && pending == 0
        else { return }
        moved = 0
        toldPending = pending
        emit(.drained(pending: pending))
    }

    /// Gives the kernel what it takes.
    private func moveOutput() {
        guard let pipe, let socket else { return }
        let before = pending
        do throws(TLSFailure) {
            let isLast = state == .closing
            switch try output.push(pipe, isLast: isLast, at: loop.now, socket.send) {
            case .done: break
            case .blocked: startStallTimer()
            case .failed(let error): finish(.failed(error))
            }
        } catch {
            finish(.tls(error))
        }
        guard state != .closed else { return }
        let pending = pending
        if output.saidGoodbye && pending == 0 { socket.endWriting() }
        updateInterest(pending > 0)
        moved += max(0, before - pending)
    }

    // MARK: Watching

    private func updateInterest(_ waits: Bool) {
        let wanted: Readiness
        switch state {
        case .connecting, .closed: return
        case .handshaking:
            // Plaintext that waits for the end of the handshake is no reason to wake.
            wanted = Readiness(reads: true, writes: pipe.map { $0.outputCount > 0 } ?? false)
        case .open: wanted = Readiness(reads: !isPaused, writes: waits)
        case .closing: wanted = Readiness(reads: true, writes: waits)
        }
        do throws(SystemError) {
            try socket?.want(wanted)
        } catch {
            finish(.failed(error))
        }
    }

    private func startStepTimer(_ span: TimeSpan, _ end: LinkEnd) {
        stopStepTimer()
        let due = loop.clock() + span
        // An open link has all the time to say good-bye.
        let given = state == .closing ? nil : giveUpAt
        stepTimer = loop.schedule(at: min(due, given ?? due)) { self.finish(end) }
    }

    private func stopStepTimer() {
        if let stepTimer { loop.cancel(stepTimer) }
        stepTimer = nil
    }

    /// One timer serves many writes: if bytes moved before it fires, it is set again.
    private func startStallTimer() {
        guard stallTimer == nil else { return }
        let end = output.lastProgress + limits.stallTime
        stallTimer = loop.schedule(at: end) {
            self.stallTimer = nil
            guard self.pending > 0 else { return }
            if self.output.lastProgress + self.limits.stallTime <= self.loop.now {
                self.finish(.slow)
            } else {
                self.startStallTimer()
            }
        }
    }

    // MARK: Ending

    private func emit(_ event: LinkEvent) { owner?(self, event) }

    private func leaveGate() {
        onGate?(.left)
        onGate = nil
    }

    /// Releases everything now and reports `closed` at the end of the turn.
    private func finish(_ end: LinkEnd) {
        guard state != .closed else { return }
        state = .closed
        stopStepTimer()
        if let stallTimer { loop.cancel(stallTimer) }
        socket?.close()
        socket = nil
        pipe = nil
        output = LinkOutput(at: loop.now)
        leaveGate()
        loop.enqueue {
            self.emit(.closed(end))
            self.owner = nil
        }
    }
}
