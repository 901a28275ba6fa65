// SPDX-License-Identifier: Apache-2.0
package import Text

/// What is said of the key that an agent has on a flight.
package enum FlightKeys {
    /// What is said to `--new-key` where nothing was lost.
    package static func isThere(_ place: String) -> UserError {
        UserError(
            .alreadySo, "this flight has its key, so no new one is made",
            why: "\(place) holds it; --new-key is for records that are lost",
            advice: "seatagent restart")
    }
}
