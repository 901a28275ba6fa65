// SPDX-License-Identifier: Apache-2.0
import Glibc
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
    }

    private enum State {
        case looking
        case connecting(BrokerSocket)
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
        case .connecting(let socket), .shaking(let socket): socket.close()
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
        case .connecting(let socket), .shaking(let socket): socket.close()
        case .looking, .over: return
        }
        state = .looking
        next()
    }

    private func turn() {
        switch state {
        case .connecting(let socket):
            if let error = socket.takeError() { return failed(.of(error)) }
            if let trust = target.trust {
                let isReady = socket.secure(
                    trust, names: target.names, port: target.broker.port)
                guard isReady else { return failed(.system(SystemError(code: ENOMEM))) }
            }
            reached = .tls
            state = .shaking(socket)
            shake(socket)
        case .shaking(let socket): shake(socket)
        case .looking, .over: break
        }
    }

    private func shake(_ socket: BrokerSocket) {
        switch socket.shake() {
        case .done: end(.success(socket))
        case .waits: break
        case .failed(let trouble): failed(trouble)
        }
    }
}
