// SPDX-License-Identifier: Apache-2.0
import Glibc
import Profile
import Protocol
import Rendezvous
import System

/// A stream of bytes to a broker: looks its name up, connects, and does TLS, all without waiting;
/// then ``BrokerPump`` carries what comes and goes.
final class BrokerStream {
    /// Which broker, and who it must be.
    struct Target {
        var broker: MeetBroker
        /// Names of which its certificate must have one, the first is asked for.
        var names: [String]
        /// `nil` for a connection without TLS, to this machine.
        var trust: ClientTrust?
        /// What it speaks.
        var engine = MeetAddress.Engine.mqtt
    }

    private enum State {
        case looking
        case connecting(BrokerSocket)
        /// It speaks first, before TLS.
        case greeting(BrokerSocket, NATSGreeting)
        case shaking(BrokerSocket)
        case over
    }

    private let target: Target
    private let loop: EventLoop
    private let limits: BrokerLimits
    private let done: (Result<BrokerSocket, BrokerTrouble>) -> Void
    private var state = State.looking
    /// How far it came.
    private(set) var reached = BrokerReach.name
    private var left: [Address] = []
    private var lastTrouble: BrokerTrouble?
    private var deadline: TimerToken?
    private var attempt: TimerToken?

    /// Begins; `done` is called once, in a later turn, unless it is cancelled before.
    init(
        _ target: Target, names: BrokerNames, loop: EventLoop, limits: BrokerLimits,
        done: @escaping (Result<BrokerSocket, BrokerTrouble>) -> Void
    ) {
        self.target = target
        self.loop = loop
        self.limits = limits
        self.done = done
        deadline = loop.schedule(at: loop.clock() + limits.patience) { [weak self] in
            guard let self else { return }
            end(.failure(lastTrouble ?? .timedOut))
        }
        names.addresses(of: target.broker.host) { [weak self] in self?.found($0) }
    }

    deinit { cancel() }

    /// Gives up without a word.
    func cancel() {
        switch state {
        case .connecting(let socket), .greeting(let socket, _), .shaking(let socket):
            socket.close()
        case .looking, .over: break
        }
        state = .over
        stopTimers()
    }

    private func stopTimers() {
        for timer in [deadline, attempt].compactMap(\.self) { loop.cancel(timer) }
        (deadline, attempt) = (nil, nil)
    }

    private func end(_ result: Result<BrokerSocket, BrokerTrouble>) {
        if case .over = state { return }
        if case .success = result { state = .over } else { cancel() }
        stopTimers()
        done(result)
    }

    private func found(_ answer: NameQuestion.Answer<[Address]>) {
        guard case .looking = state else { return }
        switch answer {
        case .found(let addresses):
            reached = .connection
            left = addresses.map { Address(host: $0.host, port: target.broker.port) }
            next()
        case .none: end(.failure(.nameNotFound))
        case .nobodySaid: end(.failure(.noNames))
        }
    }

    /// Tries the next address.
    private func next() {
        if let attempt { loop.cancel(attempt) }
        attempt = nil
        while !left.isEmpty {
            let address = left.removeFirst()
            do throws(SystemError) {
                let socket = try BrokerSocket(to: address, on: loop)
                socket.onReady = { [weak self] in self?.turn() }
                state = .connecting(socket)
                // The last one has what is left of the whole time.
                guard !left.isEmpty else { return }
                attempt = loop.schedule(at: loop.clock() + limits.attempt) { [weak self] in
                    self?.failed(.timedOut)
                }
                return
            } catch {
                lastTrouble = .of(error)
            }
        }
        end(.failure(lastTrouble ?? .timedOut))
    }

    /// This address is of no use.
    private func failed(_ trouble: BrokerTrouble) {
        lastTrouble = trouble
        switch state {
        case .connecting(let socket), .greeting(let socket, _), .shaking(let socket):
            socket.close()
        case .looking, .over: return
        }
        state = .looking
        next()
    }

    private func turn() {
        switch state {
        case .connecting(let socket):
            if let error = socket.takeError() { return failed(.of(error)) }
            guard target.engine == .nats else { return secure(socket) }
            socket.want(.read)
            greet(socket, NATSGreeting())
        case .greeting(let socket, let greeting): greet(socket, greeting)
        case .shaking(let socket): shake(socket)
        case .looking, .over: break
        }
    }

    /// Reads on what a server of NATS says first.
    private func greet(_ socket: BrokerSocket, _ greeting: NATSGreeting) {
        var greeting = greeting
        switch socket.receive(loop.scratch) {
        case .moved(let count):
            let isWhole = greeting.take(
                UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(loop.scratch)[..<count]))
            guard let isWhole else { return failed(.malformed) }
            if isWhole { return secure(socket) }
            state = .greeting(socket, greeting)
        case .wouldBlock: state = .greeting(socket, greeting)
        case .ended: failed(.closed)
        case .failed(let error): failed(.of(error))
        }
    }

    private func secure(_ socket: BrokerSocket) {
        if let trust = target.trust {
            // Beside other services of port 443 the registered name says which one is meant.
            let isNamed = target.broker.port == 443 && target.engine == .mqtt
            let isReady = socket.secure(
                trust, names: target.names, protocolName: isNamed ? "mqtt" : nil)
            guard isReady else { return failed(.system(SystemError(code: ENOMEM))) }
        }
        reached = .tls
        state = .shaking(socket)
        shake(socket)
    }

    private func shake(_ socket: BrokerSocket) {
        switch socket.shake() {
        case .done: end(.success(socket))
        case .waits: break
        case .failed(let trouble): failed(trouble)
        }
    }
}
