// SPDX-License-Identifier: Apache-2.0
/// What a core has to know of the venue that its people gather in (docs/protocol.md section 31).
public struct VenueSetup: Sendable {
    /// Which venue, and which of its days.
    public var name: VenueName
    /// When its days and places end.
    public var hours: StayHours
    /// The words that its operator signed; `nil` as long as only their key is known.
    public var page: VenuePage?

    /// A venue with these hours.
    public init(name: VenueName, hours: StayHours, page: VenuePage?) {
        self.name = name
        self.hours = hours
        self.page = page
    }
}
