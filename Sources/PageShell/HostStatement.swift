// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Profile
import Protocol
import System
import Text

/// Lets the host's agent and the agents of guests say that they share a computer, so that others
/// read "mia (14B, on ada's laptop)" (docs/protocol.md section 8). A host without an agent aboard
/// the same flight says nothing.
final class HostStatement {
    /// How long it is before what failed is tried again.
    private static let pause = TimeSpan.seconds(20)

    /// What is known of one agent: its key, and on which flight it is.
    private struct Standing {
        let key: String
        let flight: String

        init?(_ status: JSON) {
            guard let key = status["me"]?["key"]?.text, let flight = status["flight"]?["id"]?.text
            else { return nil }
            self.key = key
            self.flight = flight
        }
    }

    private let loop: EventLoop
    private var host: AgentLink?
    /// Keys of guests of whom it was said, by number.
    private var told: [Int: String] = [:]
    /// When it is tried again.
    private var next: [Int: Instant] = [:]

    /// Speaks for the agent at `address`.
    init(_ address: ControlAddress, loop: EventLoop) {
        self.loop = loop
        host = AgentLink(address, loop: loop) { [weak self] news in
            // An agent that comes back may be on another flight.
            if case .isHere = news { self?.begin() }
        }
        host?.connect()
    }

    private func begin() {
        told = [:]
        next = [:]
    }

    /// A guest's agent answers: both say that they share a computer, unless they did.
    func tell(_ number: Int, _ guest: AgentLink) {
        guard let host, host.isHere, guest.isHere, told[number] == nil,
            next[number].map({ $0 <= loop.clock() }) ?? true
        else { return }
        next[number] = loop.clock() + Self.pause
        let status = ControlCall(operation: .status, arguments: .object([:]))
        host.ask(status) { [weak self] one in
            guest.ask(status) { other in
                guard let self, case .success(let first) = one, case .success(let second) = other,
                    let ours = Standing(first), let theirs = Standing(second),
                    ours.flight == theirs.flight
                else { return }
                guest.ask(Self.says(.guest, of: ours.key)) { _ in }
                host.ask(Self.says(.host, of: theirs.key)) { result in
                    switch result {
                    case .success: self.told[number] = theirs.key
                    case .failure(let error) where error.code == .alreadySo:
                        self.told[number] = theirs.key
                    // It is tried again.
                    case .failure: break
                    }
                }
            }
        }
    }

    /// A guest has gone: the host takes back what it said.
    func takeBack(_ number: Int) {
        next[number] = nil
        guard let key = told.removeValue(forKey: number) else { return }
        host?.ask(Self.says(.host, of: key, off: true)) { _ in }
    }

    private static func says(_ role: HostingRole, of key: String, off: Bool = false) -> ControlCall
    {
        var words: [String: JSON] = ["role": .string(role.rawValue), "who": .string(key)]
        if off { words["off"] = true }
        return ControlCall(operation: .hosting, arguments: .object(words))
    }
}
