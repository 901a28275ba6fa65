// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Protocol
import System
import Transport

/// Tries to connect to all addresses where agents should answer, and hangs up at once.
///
/// With each connection goes one empty datagram: a machine that is there but drops connections
/// often replies that nobody takes datagrams either.
struct Knocking {
    /// How long a machine may take to answer.
    private static let patience = TimeSpan.milliseconds(2000)
    /// How much longer to wait while the kernel still looks for the machine's hardware: it uses an
    /// old answer for 5 s before it asks again.
    private static let doubt = TimeSpan.milliseconds(3500)

    private struct Attempt {
        let place: Int
        let address: Address
        let connection: Int32
        let datagram: Int32
        var outcome: Place.Outcome?
    }

    private var attempts: [Attempt] = []

    /// `places` with the results of trying `addresses`, which are grouped by place.
    static func at(_ addresses: [[Address]], of places: [Place], program: String?) -> [Place] {
        var knocking = Knocking()
        for (index, list) in addresses.enumerated() {
            for address in list { knocking.begin(address, of: index) }
        }
        knocking.finish(program)
        return places.enumerated().map { index, place in
            var place = place
            place.tries = knocking.attempts.filter { $0.place == index }.map {
                .init(address: $0.address, outcome: $0.outcome ?? .silent(hasNeighbour: nil))
            }
            return place
        }
    }

    private mutating func begin(_ address: Address, of place: Int) {
        let calls = Syscalls()
        do throws(SystemError) {
            let connection = try calls.socket(address)
            var attempt = Attempt(
                place: place, address: address, connection: connection,
                datagram: Self.datagram(to: address))
            do throws(SystemError) {
                try calls.connect(connection, address)
            } catch {
                attempt.outcome = Self.outcome(error)
            }
            attempts.append(attempt)
        } catch {
            attempts.append(
                Attempt(
                    place: place, address: address, connection: -1, datagram: -1,
                    outcome: .failed(error.description)))
        }
    }

    private static func datagram(to address: Address) -> Int32 {
        let kind =
            Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { return -1 }
        let code = address.withSocketAddress { connect(descriptor, $0, $1) }
        if code == 0 { _ = send(descriptor, nil, 0, Int32(MSG_NOSIGNAL)) }
        return descriptor
    }

    private mutating func finish(_ program: String?) {
        let end = SystemClock.now() + Self.patience
        while attempts.contains(where: { $0.outcome == nil }) {
            let open = attempts.filter { $0.outcome == nil }.map(\.connection)
            let decided = Polling.wait(for: open, forWriting: true, until: end)
            guard !decided.isEmpty else { break }
            for index in attempts.indices where decided.contains(attempts[index].connection) {
                let error = Syscalls().takeError(attempts[index].connection)
                attempts[index].outcome = error.map(Self.outcome) ?? .connected
            }
        }
        ask(program, until: end + Self.doubt)
        for attempt in attempts {
            for descriptor in [attempt.connection, attempt.datagram] where descriptor >= 0 {
                close(descriptor)
            }
        }
    }

    private static func outcome(_ error: SystemError) -> Place.Outcome {
        switch error.code {
        case ECONNREFUSED: .refused
        case EHOSTUNREACH, ETIMEDOUT: .silent(hasNeighbour: nil)
        default: .failed(error.description)
        }
    }

    // MARK: Who is there although nothing connects

    /// What the kernel knows about a machine's hardware.
    enum Presence: Hashable, Sendable {
        case there
        case gone
        /// It asks, and has no answer yet.
        case asking
        case unknown
    }

    /// Finds out whether silent machines exist at all. Waits only while nothing is known about any
    /// of them and the kernel is still asking.
    private mutating func ask(_ program: String?, until end: Instant) {
        let isMet = attempts.contains { $0.outcome == .connected || $0.outcome == .refused }
        while true {
            var seen: [Presence] = []
            for index in attempts.indices {
                guard case .silent = attempts[index].outcome ?? .silent(hasNeighbour: nil) else {
                    continue
                }
                let presence = presence(of: attempts[index], program)
                seen.append(presence)
                attempts[index].outcome = .silent(
                    hasNeighbour: presence == .there ? true : presence == .gone ? false : nil)
            }
            let isWorthIt = seen.contains(.asking) && !seen.contains(.there) && !isMet
            guard isWorthIt else { return }
            guard SystemClock.now() < end else { return giveUp() }
            // The kernel does not report when it has decided, so look again later.
            _ = Polling.wait(for: [], until: SystemClock.now() + .milliseconds(250))
        }
    }

    /// The kernel has asked long enough: nobody is there.
    private mutating func giveUp() {
        for index in attempts.indices
        where attempts[index].outcome == .silent(hasNeighbour: nil) {
            attempts[index].outcome = .silent(hasNeighbour: false)
        }
    }

    private func presence(of attempt: Attempt, _ program: String?) -> Presence {
        if attempt.datagram >= 0, Syscalls().takeError(attempt.datagram)?.code == ECONNREFUSED {
            return .there
        }
        guard let program else { return .unknown }
        var arguments = [program, "neighbour", "show", "to"]
        let parts = attempt.address.host.description.split(separator: "%").map(String.init)
        arguments.append(parts[0])
        if parts.count == 2 { arguments += ["dev", parts[1]] }
        let output = ProgramOutput.of(arguments, deadline: SystemClock.now() + .seconds(1))
        return Self.presence(String(decoding: output ?? [], as: UTF8.self))
    }

    /// The result in the output of `ip neighbour show` (ip-neighbour(8)).
    static func presence(_ output: String) -> Presence {
        let words = output.split { $0 == " " || $0 == "\n" }
        if words.contains("REACHABLE") { return .there }
        if words.contains("FAILED") || words.contains("INCOMPLETE") { return .gone }
        let isAsking = ["STALE", "DELAY", "PROBE"].contains { words.contains($0) }
        return isAsking ? .asking : .unknown
    }
}
