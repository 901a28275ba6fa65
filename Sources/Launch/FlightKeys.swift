// SPDX-License-Identifier: Apache-2.0
package import Text

/// Errors about the agent's key on a flight.
package enum FlightKeys {
    /// The error for `--new-key` if no key was lost.
    package static func isThere(_ place: String) -> UserError {
        UserError(
            .alreadySo, "this flight has its key, so no new one is made",
            why: "\(place) holds it; --new-key is for records that are lost",
            advice: "seatagent restart")
    }
}
