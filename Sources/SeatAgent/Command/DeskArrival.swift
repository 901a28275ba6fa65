// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import System
import Text

/// The agent of a venue for somebody who books. One that has just been started knows neither the
/// desk nor what is taken, so it gets a few seconds to find both.
struct DeskArrival {
    private let call: Invocation
    private let known: VenueAgent

    /// Seconds for which the desk is looked for.
    private static let patience: Int64 = 4
    /// How long nothing of a ledger comes when all of it is here.
    private static let quiet = TimeSpan.milliseconds(250)

    init(_ call: Invocation, _ known: VenueAgent) {
        self.call = call
        self.known = known
    }

    /// Its agent, started if none runs.
    func agent() throws(UserError) -> VenueAgent {
        let before = try known.status()
        let (agent, status) = try known.ensure()
        let isNew = before?.volume != status.volume || before?.revision != status.revision
        guard isNew else { return agent }
        let patience = min(Self.patience, call.timeout.map(Int64.init) ?? Self.patience)
        let end = SystemClock.now() + .seconds(patience)
        guard
            try hears(
                agent, until: end,
                { (client) throws(UserError) in
                    try client.ask(Op.Bookings()).reply.desk?.here == true
                })
        else { return agent }
        // The ledger comes in pieces: each one is news.
        while try hears(agent, until: min(SystemClock.now() + Self.quiet, end), nil) {}
        return agent
    }

    /// Waits until something is so, or for the next news of bookings; `false` when time is up.
    private func hears(
        _ agent: VenueAgent, until end: Instant,
        _ isSo: ((ControlClient) throws(UserError) -> Bool)?
    ) throws(UserError) -> Bool {
        do throws(UserError) {
            let client = try ControlClient(agent.place.socket, deadline: end)
            _ = try client.ask(Op.Watch(events: [Word(.booking)]))
            while true {
                if let isSo, try isSo(client) { return true }
                guard try client.nextEvent() != nil else { return false }
                if isSo == nil { return true }
            }
        } catch {
            guard error.code == .timeout else { throw error }
            return false
        }
    }
}
