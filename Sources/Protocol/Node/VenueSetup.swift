// SPDX-License-Identifier: Apache-2.0
/// What a core has to know of the venue that its people gather in (docs/protocol.md section 31).
public struct VenueSetup: Sendable {
    /// Which venue, and which of its days.
    public var name: VenueName
    /// When its days and places end.
    public var hours: StayHours
    /// The words that its operator signed; `nil` as long as only their key is known.
    public var page: VenuePage?
    /// What makes this agent a desk: its operator's charter for its key. A log that is empty begins
    /// with it; a ledger takes it in where its revision is a later one of the same epoch.
    public var charter: Charter?
    /// What that desk goes by, if the core shall answer asks by itself; `nil` where people do all.
    public var desk: DeskTerms?

    /// Its clocks: bookings whose time has begun are not swapped. `nil` where they are not known.
    public var clock: VenueClock?

    /// A venue with these hours, for an agent that is no desk.
    public init(name: VenueName, hours: StayHours, page: VenuePage?) {
        self.name = name
        self.hours = hours
        self.page = page
    }
}
