// SPDX-License-Identifier: Apache-2.0
import Text
package import Venues

/// Lines to try that errors about bookings print, in one place.
package enum BookingLines {
    /// The user's bookings, past ones too.
    package static let bookings = "seatagent bookings --all"
    /// Bookings that were made with an address.
    package static let byMail = "seatagent bookings --mail els@example.org"
    /// The members of a desk.
    package static let members = "seatagent desk members"
    /// What waits for the people at a desk.
    package static let requests = "seatagent desk requests"
    /// What they can do.
    package static let help = "seatagent help desk"

    /// Joins a venue.
    package static func join(_ venue: Venue) -> String {
        "seatagent venue join \(ShellWord.quoted(venue.slug))"
    }

    /// Shows a venue.
    package static func show(_ venue: Venue) -> String {
        "seatagent venue show \(ShellWord.quoted(venue.slug))"
    }

    /// Marks a booking as paid.
    package static func paid(_ code: BookingCode) -> String { "seatagent desk paid \(code.text)" }
}
