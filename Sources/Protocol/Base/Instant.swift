// SPDX-License-Identifier: Apache-2.0
/// A point of monotonic time in nanoseconds from an origin the shell chooses.
///
/// Never a date: nothing about validity may depend on a clock.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the origin.
    public var nanoseconds: Int64

    /// A point `nanoseconds` after the origin.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The origin.
    public static let zero = Instant(nanoseconds: 0)

    /// Orders by time.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The point `span` later; saturates at the end of time.
    public static func + (left: Instant, span: TimeSpan) -> Instant {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(span.nanoseconds)
        return Instant(nanoseconds: overflow ? Int64.max : sum)
    }

    /// How much later `left` is than `right`.
    public static func - (left: Instant, right: Instant) -> TimeSpan {
        TimeSpan(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }
}

/// A length of time in nanoseconds.
public struct TimeSpan: Hashable, Comparable, Sendable {
    /// Nanoseconds; may be negative.
    public var nanoseconds: Int64

    /// A length of `nanoseconds`.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// A length of `count` milliseconds.
    public static func milliseconds(_ count: Int64) -> TimeSpan {
        TimeSpan(nanoseconds: saturating(count, 1_000_000))
    }

    /// A length of `count` seconds.
    public static func seconds(_ count: Int64) -> TimeSpan {
        TimeSpan(nanoseconds: saturating(count, 1_000_000_000))
    }

    /// No time.
    public static let zero = TimeSpan(nanoseconds: 0)

    /// Both lengths one after the other; saturates.
    public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        return TimeSpan(nanoseconds: overflow ? Int64.max : sum)
    }

    /// Whole seconds in it, rounded towards zero.
    public var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }

    /// Orders by length.
    public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    private static func saturating(_ count: Int64, _ unit: Int64) -> Int64 {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? (count < 0 ? Int64.min : Int64.max) : product
    }
}

/// A date as seconds since 1970-01-01T00:00:00Z without leap seconds.
///
/// Used for what people see and for the local selection window, never in a rule of the fold.
public struct UTCTime: Hashable, Comparable, Sendable {
    /// Seconds since the start of 1970, UTC.
    public var seconds: Int64

    /// The date `seconds` after the start of 1970, UTC.
    public init(seconds: Int64) { self.seconds = seconds }

    /// Orders by time.
    public static func < (left: UTCTime, right: UTCTime) -> Bool { left.seconds < right.seconds }
}

/// What the shell says about time with every event: a monotonic instant and the wall clock.
public struct Moment: Hashable, Sendable {
    /// Monotonic; every deadline is of this kind.
    public var instant: Instant
    /// The wall clock, which may jump; for display, the window and stored expiry only.
    public var utc: UTCTime

    /// A moment known by both clocks.
    public init(instant: Instant, utc: UTCTime) {
        self.instant = instant
        self.utc = utc
    }
}
