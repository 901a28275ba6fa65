// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A day of UTC, counted from 1970: names and keys at the meeting point are of one (docs/meet.md
/// section 1).
package struct MeetEpoch: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    package let number: UInt32

    /// The epoch with this number.
    package init(number: UInt32) { self.number = number }

    /// The epoch of a time; times before 1970 and after the year 11 761 191 count as its ends.
    package init(at time: UTCTime) {
        let days = time.seconds < 0 ? 0 : time.seconds / MeetLimits.epochSeconds
        number = UInt32(clamping: days)
    }

    /// Its number in 4 bytes, the highest first.
    package var bytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// When it begins.
    package var begins: UTCTime { UTCTime(seconds: Int64(number) * MeetLimits.epochSeconds) }

    /// The epoch that ended when this one began; itself for the first.
    package var previous: MeetEpoch { MeetEpoch(number: number == 0 ? 0 : number - 1) }

    /// The next one.
    package var next: MeetEpoch { MeetEpoch(number: number == .max ? .max : number + 1) }

    /// Those that are read in this one, newest first.
    package var read: [MeetEpoch] {
        (0..<UInt32(MeetLimits.epochsRead)).compactMap {
            number >= $0 ? MeetEpoch(number: number - $0) : nil
        }
    }

    /// Those that are followed at a time: that of the time, and a neighbour within 10 minutes of
    /// midnight. In order.
    package static func followed(at time: UTCTime) -> [MeetEpoch] {
        let slack = MeetLimits.clockSlack.wholeSeconds
        let first = MeetEpoch(at: UTCTime(seconds: time.seconds - slack))
        let last = MeetEpoch(at: UTCTime(seconds: time.seconds + slack))
        return first == last ? [first] : [first, last]
    }

    /// Orders by time.
    package static func < (left: MeetEpoch, right: MeetEpoch) -> Bool { left.number < right.number }
}
