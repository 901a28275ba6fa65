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
    private static let pause = TimeSpan.seconds(4)
    /// Guests whose going is still to be said, at most.
    private static let goneAtMost = 200

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
    private let shelf: GuestShelf
    private var host: AgentLink?
    /// Keys of guests of whom both have said so, by number.
    private var told: [Int: String] = [:]
    /// Which guest has a number: it is given out again.
    private var links: [Int: ObjectIdentifier] = [:]
    /// When it is tried again.
    private var next: [Int: Instant] = [:]
    /// Keys of guests who have gone, of whom the host has not taken it back yet.
    private var gone: [String] = []

    /// Speaks for the host of these guests.
    init(_ shelf: GuestShelf, loop: EventLoop) {
        self.loop = loop
        self.shelf = shelf
        host = AgentLink(shelf.hostSocket, loop: loop) { [weak self] news in
            // An agent that comes back may be on another flight.
            if case .isHere = news { self?.begin() }
        }
        host?.connect()
    }

    private func begin() {
        told = [:]
        next = [:]
        for key in gone { takeBack(key) }
    }

    /// A guest's agent answers: both say that they share a computer, unless they did.
    func tell(_ number: Int, _ guest: AgentLink) {
        guard let host, host.isHere, guest.isHere, told[number] == nil,
            next[number].map({ $0 <= loop.clock() }) ?? true
        else { return }
        next[number] = loop.clock() + Self.pause
        links[number] = ObjectIdentifier(guest)
        let status = ControlCall(operation: .status, arguments: .object([:]))
        host.ask(status) { [weak self] one in
            guest.ask(status) { other in
                guard let self, case .success(let first) = one, case .success(let second) = other,
                    let ours = Standing(first), let theirs = Standing(second),
                    ours.flight == theirs.flight
                else { return }
                // What fails is tried again.
                guest.ask(Self.says(.guest, of: ours.key)) { said in
                    guard Self.isSaid(said) else { return }
                    self.note(number, theirs.key, ObjectIdentifier(guest))
                    host.ask(Self.says(.host, of: theirs.key)) { [weak self] said in
                        guard Self.isSaid(said) else { return }
                        self?.told(number, theirs.key, ObjectIdentifier(guest))
                    }
                }
            }
        }
    }

    /// What is not noted before it is said may never be taken back.
    private func note(_ number: Int, _ key: String, _ guest: ObjectIdentifier) {
        if links[number] == guest { shelf.note(key, of: number) }
    }

    private func told(_ number: Int, _ key: String, _ guest: ObjectIdentifier) {
        guard links[number] == guest else { return takeBack(key) }
        told[number] = key
    }

    /// A guest has gone: the host takes back what it said.
    func takeBack(_ number: Int) {
        next[number] = nil
        links[number] = nil
        if let key = told.removeValue(forKey: number) ?? shelf.noted(number) { takeBack(key) }
    }

    private func takeBack(_ key: String) {
        if !gone.contains(key), gone.count < Self.goneAtMost { gone.append(key) }
        host?.ask(Self.says(.host, of: key, off: true)) { [weak self] said in
            if Self.isSaid(said) { self?.gone.removeAll { $0 == key } }
        }
    }

    private static func isSaid(_ result: Result<JSON, UserError>) -> Bool {
        switch result {
        case .success: true
        case .failure(let error): error.code == .alreadySo
        }
    }

    private static func says(_ role: HostingRole, of key: String, off: Bool = false) -> ControlCall
    {
        var words: [String: JSON] = ["role": .string(role.rawValue), "who": .string(key)]
        if off { words["off"] = true }
        return ControlCall(operation: .hosting, arguments: .object(words))
    }
}
