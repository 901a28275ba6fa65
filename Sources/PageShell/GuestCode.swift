// SPDX-License-Identifier: Apache-2.0
package import Text

/// A code that the host may read out to a guest who was here before (docs/page.md section 5).
package struct GuestCode: Hashable, Sendable {
    /// The number of the guest.
    package let guest: Int
    /// What others know them as.
    package let name: String
    /// Where they sit.
    package let seats: [String]
    /// Six digits.
    package let code: String
    /// Whether the page that they had is open at this moment.
    package let isOpen: Bool

    /// For the host's terminal.
    package var lines: [String] {
        let who = visible(name, cells: 40)
        let seat = seats.isEmpty ? "" : " (\(seats.joined(separator: ",")))"
        return [
            seats.isEmpty
                ? "\(who) wants to go on in another browser."
                : "\(who)\(seat) wants to have their seat back in another browser.",
            isOpen
                ? "  Careful: \(who)'s page is OPEN now. Ask \(who) in person whether it is them."
                : "  Is it \(who) who asks you? Then read them this code, and nobody else:",
            "  \(code)    (good for 2 minutes; it ends the page that \(who) had)",
        ]
    }

    /// For programs.
    package var json: JSON {
        [
            "code": .string(code), "guest": .int(guest), "name": .string(name),
            "seats": .array(seats.map(JSON.string)), "open": .bool(isOpen),
        ]
    }
}
