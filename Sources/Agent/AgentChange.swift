// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Launch
import Profile
import Protocol
import System
import Text

/// What an agent in the foreground changes about what an earlier one left.
extension Agent {
    /// What that is, by the records in the flight's file. Throws `usage` if the passenger has to
    /// decide between seats first. A new key claims nothing by itself.
    static func change(
        _ options: AgentOptions, _ opened: FlightStore.Opened
    ) throws(UserError) -> SeatChange {
        guard let choice = options.earlier, !opened.isRenewed, !opened.awaitsLog else {
            return SeatChange()
        }
        let records = EarlierRecords(opened.stored, of: opened.identity.key)
        let change = try records.change(to: options.seats, choice)
        if !options.isQuiet, let remark = records.givenRemark(options.seats) {
            StandardStream.err(remark)
        }
        return change
    }

    /// Gives seats back and takes another name, once the log can be written to.
    func changeEarlier() {
        for seat in change.leaves {
            perform(.release(seat)) { result in
                guard case .failure = result else { return }
                Log.line("an earlier seat is still claimed: the log could not be written to")
            }
        }
        guard let name = change.name else { return }
        perform(.rename(name)) { result in
            guard case .failure = result else { return }
            Log.line("the name is as before: the log could not be written to")
        }
    }
}
