// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Glibc
import Launch
import Profile
import Protocol
import System
import Text

extension EndedFlight {
    /// Before a start on a terminal, asks about each flight that is found over for the first time
    /// whether to delete its records. Throws if that was the flight of the start.
    static func ask(_ options: AgentOptions, _ call: Invocation) throws(UserError) {
        guard call.mayAsk else { return }
        let now = SystemClock.utc()
        for item in try KeptFlights.all(call.place) {
            let isWanted = item.flight == options.flight
            let end = isWanted ? FlightLife.end(of: item.flight, window: options.window) : item.end
            let mark = EndMark(of: item.path, in: call.place)
            guard FlightLife.isOver(end, now: now), isWanted || mark.first == nil,
                !mark.isAgreed(now: now)
            else { continue }
            call.note("It is \(RFC3339.text(now)) by this computer's clock.")
            let question =
                "\(item.flight.text) was over \(span(end, now)) ago, then. "
                + "Delete your key and all records of it for good?"
            guard call.confirm(question) else {
                call.hint("Nothing is deleted now.")
                mark.note(now)
                continue
            }
            try KeptFlights.delete(item, call.place)
            if try StoredOptions.read(call.place)?.flight == item.flight {
                unlink(call.place.optionsPath)
            }
            if isWanted { throw deleted }
        }
    }
}
