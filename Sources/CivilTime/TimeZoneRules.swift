// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What clocks show in a time zone, at any moment (RFC 9636, RFC 5545 3.3.5). A pure value.
package struct TimeZoneRules: Hashable, Sendable {
    /// What clocks show for a while.
    package struct LocalKind: Hashable, Sendable {
        /// Seconds east of UTC.
        package let offset: Int64
        /// Whether it is daylight-saving time.
        let isDaylight: Bool
        /// `GMT`, `IST`, `+0545`.
        package let abbreviation: String
    }

    /// A moment at which clocks change.
    struct Change: Hashable, Sendable {
        /// First second of the new kind.
        let at: UTCTime
        /// What they show from then on.
        let to: LocalKind
    }

    /// Before the first change.
    let first: LocalKind
    /// All that are listed, by time.
    let changes: [Change]
    /// After the last of them; `nil` if nothing is said.
    let rule: PosixRule?

    /// What clocks show at `time`.
    package func kind(at time: UTCTime) -> LocalKind {
        if let rule, changes.last.map({ $0.at <= time }) ?? true { return rule.kind(at: time) }
        let later = changes.partitionPoint { $0.at <= time }
        return later == 0 ? first : changes[later - 1].to
    }

    /// Civil seconds at `time`: what clocks show, counted from 1970-01-01T00:00 as they show it.
    package func civil(at time: UTCTime) -> Int64 { time.seconds &+ kind(at: time).offset }

    /// The moment at which clocks show `civil`, in seconds from 1970-01-01T00:00 as they show it.
    ///
    /// If clocks show a time twice, this is the first of the two. If they skip it, it is counted
    /// with the offset before the gap, so that it lies after the gap (RFC 5545 3.3.5).
    package func utc(ofCivil civil: Int64) -> UTCTime {
        let start = UTCTime(seconds: civil &- Self.reach)
        var offset = kind(at: start).offset
        for change in near(start, UTCTime(seconds: civil &+ Self.reach)) {
            let time = UTCTime(seconds: civil &- offset)
            // Before the change, or in the gap that it makes, where no clock shows it.
            if time < change.at || civil &- change.to.offset < change.at.seconds { return time }
            offset = change.to.offset
        }
        return UTCTime(seconds: civil &- offset)
    }

    /// The changes of what clocks are ahead of UTC, seconds, from a time to another one, by time.
    package func changes(
        after start: UTCTime, through end: UTCTime
    ) -> [(at: UTCTime, offset: Int64)] {
        var found: [(at: UTCTime, offset: Int64)] = []
        var last = kind(at: start).offset
        var from = start
        while from < end {
            // The rule knows the changes of a few years at once.
            let to = UTCTime(seconds: min(from.seconds + Self.year, end.seconds))
            for change in near(from, to) where change.to.offset != last {
                found.append((change.at, change.to.offset))
                last = change.to.offset
            }
            from = to
        }
        return found
    }

    private static let year: Int64 = 365 * 86_400

    /// No offset is as long as this, seconds (RFC 9636 3.2: under 26 hours).
    private static let reach: Int64 = 26 * 3600

    /// The changes from `start` to `end`, by time.
    private func near(_ start: UTCTime, _ end: UTCTime) -> [Change] {
        var found = changes.filter { start < $0.at && $0.at <= end }
        if let rule {
            let last = changes.last?.at
            found += rule.changes(around: end).filter { change in
                start < change.at && change.at <= end && last.map { $0 < change.at } ?? true
            }
        }
        return found
    }
}
