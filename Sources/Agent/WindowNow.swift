// SPDX-License-Identifier: Apache-2.0
import Trips

extension WindowFacts {
    /// Of the flight that the agent is on; `nil` for seats that can be swapped at any time.
    init?(_ host: any ControlHost) {
        guard let window = host.node.window else { return nil }
        self.init(window, host.node.flight, host.facts.opening, at: host.now.utc)
    }
}
