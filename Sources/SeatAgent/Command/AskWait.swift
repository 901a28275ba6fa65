// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import System
import Text

/// Asks the desk for something, and waits for what it says.
struct AskWait {
    private let client: ControlClient

    /// Seconds for which a command waits for the desk.
    static let patience = 20

    /// Watches the agent before anything is asked, so that no answer is missed.
    init(_ call: Invocation, _ agent: VenueAgent) throws(UserError) {
        client = try ControlClient(
            agent.place.socket, deadline: call.deadline(standard: Self.patience))
        _ = try client.ask(Op.Watch(events: [Word(.booking)]))
    }

    /// Asks, and returns how it stands.
    func ask<Operation: ControlOperation>(
        _ operation: Operation
    ) throws(UserError) -> AskOutcome where Operation.Reply == AskOutcome {
        try client.ask(operation).reply
    }

    /// Waits until the desk has said something to all of these; what is known when time is up.
    func follow(_ asked: [AskOutcome]) throws(UserError) -> [AskOutcome] {
        var known = asked
        while known.contains(where: { $0.state.known == .asked }) {
            do throws(UserError) {
                guard let told = try client.nextEvent() else { break }
                guard case .booking = told.event.what else { continue }
                for (place, one) in known.enumerated() where one.state.known == .asked {
                    known[place] = try client.ask(Op.Asked(ask: one.ask)).reply
                }
            } catch {
                guard error.code == .timeout else { throw error }
                break
            }
        }
        return known
    }
}
