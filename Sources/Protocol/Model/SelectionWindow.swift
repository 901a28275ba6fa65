// SPDX-License-Identifier: Apache-2.0
/// When seats may be chosen: a policy of this agent, never a rule of the fold.
///
/// Opens 48 h before the scheduled departure unless the flight says otherwise, closes at arrival.
/// Exact seconds, in UTC.
public struct SelectionWindow: Hashable, Sendable {
    /// First second at which swaps are made.
    public let opens: UTCTime
    /// Scheduled departure.
    public let departs: UTCTime
    /// First second at which no more swaps are made.
    public let closes: UTCTime

    /// How long before departure the window opens: 48 h, in seconds.
    public static let standardLead: Int64 = 48 * 3600
    /// How long after departure arrival is assumed: 20 h, in seconds.
    public static let standardFlight: Int64 = 20 * 3600

    /// A window around `departs`; `lead` in seconds; `arrives` defaults to 20 h after departure.
    public init(departs: UTCTime, lead: Int64 = standardLead, arrives: UTCTime? = nil) {
        self.departs = departs
        opens = UTCTime(seconds: departs.seconds &- max(lead, 0))
        closes = arrives ?? UTCTime(seconds: departs.seconds &+ Self.standardFlight)
    }

    /// Where a moment stands, with the seconds left to the next change.
    public enum State: Hashable, Sendable {
        /// Not open; opens in that many seconds.
        case early(opensIn: Int64)
        /// Open; closes in that many seconds.
        case open(closesIn: Int64)
        /// Closed since that many seconds.
        case closed(since: Int64)
    }

    /// The state at `now`.
    public func state(at now: UTCTime) -> State {
        if now < opens { return .early(opensIn: opens.seconds - now.seconds) }
        if now < closes { return .open(closesIn: closes.seconds - now.seconds) }
        return .closed(since: now.seconds - closes.seconds)
    }
}
