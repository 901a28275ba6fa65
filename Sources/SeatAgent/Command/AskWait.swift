// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import System
import Text

/// Asks the desk for something, and waits for what it says.
struct AskWait {
    private let call: Invocation
    private let agent: VenueAgent
    private let client: ControlClient

    /// Seconds for which a command waits for the desk.
    static let patience = 20
    /// Whoever waits longer is told why: most answers come at once.
    private static let silence = TimeSpan.milliseconds(1500)

    /// Watches the agent before anything is asked, so that no answer is missed.
    init(_ call: Invocation, _ agent: VenueAgent) throws(UserError) {
        self.call = call
        self.agent = agent
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
    /// `isHere` says whether the desk is there: where it is not, the user knows already.
    func follow(_ asked: [AskOutcome], isHere: Bool = true) throws(UserError) -> [AskOutcome] {
        guard isHere else { return try follow(asked, client) }
        var known = asked
        do throws(UserError) {
            let early = try ControlClient(
                agent.place.socket, deadline: SystemClock.now() + Self.silence)
            _ = try early.ask(Op.Watch(events: [Word(.booking)]))
            // What was said before it listened.
            for (place, one) in known.enumerated() {
                known[place] = try early.ask(Op.Asked(ask: one.ask)).reply
            }
            known = try follow(known, early)
        } catch {
            guard error.code == .timeout else { throw error }
        }
        guard known.contains(where: { $0.state.known == .asked }) else { return known }
        call.hint("Waiting for the desk. After it opens it gathers requests for some seconds.")
        return try follow(known, client)
    }

    private func follow(
        _ asked: [AskOutcome], _ client: ControlClient
    ) throws(UserError) -> [AskOutcome] {
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
