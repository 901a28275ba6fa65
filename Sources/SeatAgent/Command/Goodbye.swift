// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Launch
import Profile
import Protocol
import System
import Text
import Wording

/// The last word to others before a flight is forgotten: takes claims back and closes the log,
/// signed. Otherwise they see the seat as taken for the rest of the flight.
enum Goodbye {
    /// Seconds in which somebody who can hear it may come within reach.
    private static let patience = 5

    /// If no agent runs, starts one with the last options, provided that these were for this flight
    /// and somebody may hear it. A failure must not keep a passenger from forgetting.
    static func start(
        for flight: FlightName, _ call: Invocation
    ) -> (flight: String, file: String)? {
        do throws(UserError) {
            guard let stored = try StoredOptions.read(call.place), stored.flight == flight else {
                return nil
            }
            let options = try AgentOptions(stored.values, place: call.place, foreground: false)
            let end = FlightLife.end(of: options.flight, window: options.window)
            guard !FlightLife.isOver(end, now: SystemClock.utc()) else { return nil }
            call.hint("Saying goodbye to the others ...")
            try AgentProcess.start(call.place, timeout: 10, linger: 30)
            try waitForSomebody(call)
            return try FlightCommands.running(call)
        } catch {
            call.hint("No goodbye could be said: \(error.what)")
            return try? FlightCommands.running(call)
        }
    }

    private static func waitForSomebody(_ call: Invocation) throws(UserError) {
        let client = try call.connect(deadline: SystemClock.now() + .seconds(Int64(patience)))
        _ = try client.ask(Op.Watch(events: [Word(.peer)]))
        do throws(UserError) {
            var status = try client.ask(Op.Status()).reply
            while status.linked == 0, ReachText.known(status) > 0,
                try client.nextEvent() != nil
            {
                status = try client.ask(Op.Status()).reply
            }
        } catch {
            guard error.code == .timeout else { throw error }
        }
    }

    /// Has the agent say it, and waits for its end. If the agent was started for that alone and
    /// cannot say it, the flight is forgotten without: a log that is full or closed stays so.
    static func say(mustBeSaid: Bool, _ call: Invocation) throws(UserError) {
        let client = try call.connect(deadline: call.deadline(standard: 15))
        do throws(UserError) {
            _ = try client.ask(Op.Forget(force: call.line.has("force")))
            if let status = try? client.ask(Op.Status()).reply { tell(status, call) }
        } catch {
            guard !mustBeSaid, error.code == .logFull || error.code == .logClosed else {
                throw error
            }
            call.hint("No goodbye could be said: \(error.what)")
            _ = try client.ask(Op.Down())
        }
        while try client.nextEvent() != nil {}
        LifecycleCommands.waitForEnd(call.place)
    }

    /// Reports who heard it, as far as is known.
    private static func tell(_ status: AgentStatus, _ call: Invocation) {
        if status.linked == 0, ReachText.known(status) > 0 {
            call.hint("Nobody was within reach: the others still see you in your seat.")
        }
    }
}
