// SPDX-License-Identifier: Apache-2.0
/// When stays end by themselves (docs/protocol.md section 31). The shell makes it from the venue's
/// hours and zone, so that the core has neither.
public struct StayHours: Hashable, Sendable {
    /// When the first day of the volume begins, and when each day ends, in order.
    private let days: [UTCTime]
    /// When each place closes, in order.
    private let closings: [Int: [UTCTime]]

    /// `days` are the begin of the first day of the volume and the end of each; `closings` the
    /// times at which a place closes. `nil` unless all of these grow, and for no day at all.
    public init?(days: [UTCTime], closings: [Int: [UTCTime]] = [:]) {
        func grows(_ times: [UTCTime]) -> Bool {
            zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
        }
        guard days.count > 1, grows(days), closings.allSatisfy({ grows($0.value) }) else {
            return nil
        }
        self.days = days
        self.closings = closings
    }

    /// When the last day of the volume ends.
    public var end: UTCTime { days[days.count - 1] }

    /// When the day ends in which a stay began, and the stay is forgotten; `nil` for a begin that
    /// is on no day of the volume. O(log n).
    public func dayEnd(after since: UTCTime) -> UTCTime? {
        guard let first = days.first, first <= since else { return nil }
        let next = days.partitionPoint { $0 <= since }
        return next < days.count ? days[next] : nil
    }

    /// When a stay that began at `since` ends, if nobody ends it before: when the place closes, or
    /// with the day; `nil` for a begin that is on no day of the volume. O(log n).
    public func close(of place: Int, after since: UTCTime) -> UTCTime? {
        guard let day = dayEnd(after: since) else { return nil }
        let times = closings[place] ?? []
        let next = times.partitionPoint { $0 <= since }
        return next < times.count ? min(times[next], day) : day
    }
}
