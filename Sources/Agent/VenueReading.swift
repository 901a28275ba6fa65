// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What can be read from the core of a venue with a desk.
protocol VenueReading {
    /// Who the desk is; `nil` as long as no ledger counts.
    var desk: DeskFacts? { get }
    /// The user's asks that no ledger has granted or closed, oldest first.
    var ownAsks: [AskFacts] { get }
    /// What the ledgers come to.
    var bookView: BookView { get }
    /// Who could exchange bookings with whom, by what all wish.
    func bookingRings(at now: Moment) -> BookingMatch
    /// Forms for the desk: the user's own, and at a desk those that came; oldest first.
    var forms: [FormRecord] { get }
    /// Whether the desk that this agent is grants; `nil` where it is none.
    var deskState: DeskState? { get }
    /// What its people may decide.
    var deskRequests: [DeskRequest] { get }
}
