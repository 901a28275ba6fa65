// SPDX-License-Identifier: Apache-2.0
import Text
import Trips

/// The selection window of the flight that the agent is on.
extension WindowJSON {
    /// Its members; `nil` for seats that can be swapped at any time.
    static func members(_ host: any ControlHost) -> [String: JSON]? {
        guard let window = host.node.window else { return nil }
        return members(window, host.node.flight, host.facts.opening, at: host.now.utc)
    }
}
