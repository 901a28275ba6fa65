// SPDX-License-Identifier: Apache-2.0
/// Why the desk of a venue does not do what somebody asked (docs/protocol.md section 33). Numbers
/// are what travels. Those up to ``full`` are weighed in this order, and the first that fits is
/// told.
public enum DeskReason: Int, CaseIterable, Hashable, Sendable {
    /// The desk has no such place.
    case place = 0
    /// The period is not in the hours that are offered.
    case hours = 1
    /// It does not begin at a step of the place.
    case grain = 2
    /// It is too short or too long, or none of the lengths to choose from.
    case length = 3
    /// It begins too soon, or has begun.
    case tooSoon = 4
    /// It begins too many days ahead.
    case tooFar = 5
    /// Who asks has not joined.
    case notJoined = 6
    /// The place is not for the class of who asks.
    case classes = 7
    /// The desk has blocked who asks.
    case blocked = 8
    /// Who asks caused as many entries as one may: a few a day, and some in all.
    case tooMany = 9
    /// What is left of the ledger is kept for others.
    case noRoom = 10
    /// A quota of the day would be exceeded.
    case quota = 11
    /// Who asks has as many bookings at that time as one may.
    case together = 12
    /// The venue keeps the place for itself at that time. Who waits has a place in the queue.
    case kept = 13
    /// Others have it. Who waits has a place in the queue.
    case full = 14
    /// Who asks does not hold that booking.
    case notYours = 15
    /// The booking has ended.
    case over = 16
    /// An open yes to a swap binds the booking.
    case bound = 17
    /// It is too late to move the booking or to give it to somebody.
    case late = 18
    /// Nothing would change.
    case same = 19
    /// The ask was to stand until a time that has come.
    case expired = 20
    /// Whoever asked has taken it back.
    case withdrawn = 21
    /// There is no ask to take back.
    case unknown = 22
    /// The desk says no.
    case refused = 23
}
