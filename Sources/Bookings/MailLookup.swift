// SPDX-License-Identifier: Apache-2.0
package import Text
package import Venues

/// Looking for bookings by an e-mail address (`bookings --mail els@x.be`).
package enum MailLookup {
    /// The address in small letters. Throws `usage`.
    package static func address(_ text: String) throws(UserError) -> String {
        guard let why = MailAddress.fault(text) else { return text.lowercased() }
        throw UserError(
            .usage, "\"\(visible(text, cells: 60))\" is no e-mail address",
            why: "\(why); it needs \(MailAddress.need)",
            advice: BookingLines.byMail)
    }

    /// That there are none: `no booking for els@x.be here`.
    package static func none(_ address: String, _ venue: Venue) -> UserError {
        UserError(
            .noSuchBooking, "no booking for \(visible(address, cells: 60)) here",
            why: "whoever booked may have left the address out, or at another venue than "
                + visible(venue.name, cells: 40),
            advice: BookingLines.show(venue))
    }
}
