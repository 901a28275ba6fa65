// SPDX-License-Identifier: Apache-2.0
/// What the clocks of a venue show (docs/protocol.md section 33). The shell makes it from the rules
/// of the zone, for the days of a volume and some around them, so that the core knows no zones.
///
/// Minutes are counted since 2000-01-01 by the venue's clocks, as ``Period/start`` is.
public struct VenueClock: Hashable, Sendable {
    /// A moment at which clocks change.
    public struct Change: Hashable, Sendable {
        /// The first second of the new offset.
        public let at: UTCTime
        /// Seconds that clocks are ahead of UTC from then on, less than 26 hours either way.
        public let offset: Int

        /// From `at` on clocks show UTC and `offset` seconds.
        public init(at: UTCTime, offset: Int) {
            self.at = at
            self.offset = offset
        }
    }

    /// Seconds that clocks are ahead of UTC before the first change.
    public let first: Int
    /// By time.
    public let changes: [Change]

    /// 2000-01-01T00:00:00Z, seconds since the start of 1970.
    private static let origin: Int64 = 946_684_800
    /// No offset is as long as this, in seconds (RFC 9636 3.2).
    private static let longest = 26 * 3600
    /// Days around a time in which a change can make a clock show it twice, or not at all.
    private static let reach = Int64(2 * longest)

    /// Clocks that show UTC and `first` seconds, and others from each change on. `nil` unless times
    /// grow, offsets are less than 26 hours, and there are at most 4096 changes.
    public init?(first: Int, changes: [Change] = []) {
        guard ([first] + changes.map(\.offset)).allSatisfy({ abs($0) < Self.longest }),
            changes.count <= 4096, zip(changes, changes.dropFirst()).allSatisfy({ $0.at < $1.at }),
            changes.allSatisfy({ abs($0.at.seconds) < 1 << 48 })
        else { return nil }
        self.first = first
        self.changes = changes
    }

    /// Seconds that clocks are ahead of UTC at a time. O(log n).
    public func offset(at time: UTCTime) -> Int {
        let next = changes.partitionPoint { $0.at <= time }
        return next == 0 ? first : changes[next - 1].offset
    }

    /// The minute that clocks show at a time. O(log n).
    public func minute(at time: UTCTime) -> Int {
        let civil = time.seconds &- Self.origin &+ Int64(offset(at: time))
        // Rounded down before the year 2000 too.
        let minute = civil >= 0 ? civil / 60 : (civil &- 59) / 60
        return Int(minute)
    }

    /// When clocks show a minute: the first time, where they show it twice; counted with the offset
    /// before, where they skip it. O(log n).
    public func time(of minute: Int) -> UTCTime {
        guard let civil = civil(minute) else {
            return UTCTime(seconds: minute < 0 ? .min : .max)
        }
        let (start, changes) = near(civil)
        var offset = Int64(start)
        for change in changes {
            let time = UTCTime(seconds: civil - offset)
            // Before the change, or in the gap that it makes.
            if time < change.at || civil - Int64(change.offset) < change.at.seconds { return time }
            offset = Int64(change.offset)
        }
        return UTCTime(seconds: civil - offset)
    }

    /// Whether clocks show a minute at all: they skip some where they are put forward. O(log n).
    public func shows(_ minute: Int) -> Bool { self.minute(at: time(of: minute)) == minute }

    /// Seconds since 1970 by the venue's clocks; `nil` for a minute beyond all days.
    private func civil(_ minute: Int) -> Int64? {
        guard abs(minute) < 1 << 40 else { return nil }
        return Int64(minute) * 60 + Self.origin
    }

    /// The offset well before a time by the clocks, and the changes around it.
    private func near(_ civil: Int64) -> (offset: Int, changes: ArraySlice<Change>) {
        let from = changes.partitionPoint { $0.at.seconds < civil - Self.reach }
        let to = changes.partitionPoint { $0.at.seconds <= civil + Self.reach }
        return (from == 0 ? first : changes[from - 1].offset, changes[from..<to])
    }
}
