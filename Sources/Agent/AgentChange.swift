// SPDX-License-Identifier: Apache-2.0
import Protocol
import System

/// What an agent in the foreground changes about what an earlier one left.
extension Agent {
    /// Gives seats back and takes another name, once the log can be written to.
    func changeEarlier() {
        let change = options.change
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
