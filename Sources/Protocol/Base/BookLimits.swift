// SPDX-License-Identifier: Apache-2.0
/// Limits of ledgers and of what they say (docs/protocol.md section 32).
extension Limits {
    /// Entries of a log in a venue that a reader decodes: the frontier's two bytes hold this.
    /// A log that is no ledger still ends at ``entriesPerAuthor``.
    package static let entriesPerLedger = 32_768
    /// Bytes of a ledger: its entries have about 292 each.
    package static let bytesPerLedger = 12 * 1024 * 1024
    /// Places among the ``authors`` of a venue that ledgers alone may take: one an epoch, and some
    /// for desks that run beside each other. No number of strangers keeps a ledger out.
    package static let ledgerPlaces = 16
    /// Bytes of a whole statement: its body, key and signature, and what frames them.
    package static let statement = 640
    /// A minute of a day by the venue's clocks.
    package static let minutesOfDay = 1440
    /// Minutes of a period: a month of 31 days.
    package static let periodMinutes = 1...44_640
    /// Minutes after the last day of a volume at which a period may still end: hours past midnight
    /// belong to the day that began.
    package static let pastMidnight = 360

    /// Epochs of a venue's ledgers: one for each desk that was lost.
    package static let epochs = 1...255
    /// Bytes of a charter's rules: 256 places need 3.5 KB.
    package static let bookRules = 1...6144
    /// Ledgers that a charter goes on from.
    package static let ledgersBefore = 8
    /// Physical capacities, and places that use them: as many as a building has rooms.
    package static let bookUnits = 1...256
    /// Numbers of units.
    package static let unitNumber = 4095
    /// What a unit holds at once, and how much of it one place uses.
    package static let capacity = 1...65_535
    /// Units that one place uses: the parts of a hall.
    package static let usesOfPlace = 1...8
    /// Groups of places: one bit each in 64.
    package static let placeGroup = 63
    /// Minutes after a booking in which nobody else gets the place: a week of cleaning.
    package static let turnover = 10_080
    /// Classes of members.
    package static let memberClasses = 1...16
    /// Quotas of one class.
    package static let quotas = 8
    /// Minutes a day in a quota, 0 for any number.
    package static let quotaMinutes = 44_640
    /// Bookings a day in a quota, 0 for any number.
    package static let quotaBookings = 255
    /// How many of a place one booking takes.
    package static let bookingCount = 1...1000
    /// Bookings that one grant takes the place of.
    package static let replaced = 8
    /// Numbers of members: two bytes.
    package static let members = 1...65_535
    /// Amounts of money in minor units: four bytes.
    package static let money = 4_294_967_295
    /// Kinds in which a desk is paid.
    package static let means = 7
    /// Places in a queue.
    package static let queue = 1...999
}
