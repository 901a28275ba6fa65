// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Which reminders are due: one a quarter of an hour before the time of a car is up, and one at its
/// end. A pure value, which remembers what it has said.
package struct ParkingReminder: Sendable {
    /// What a driver is told.
    package struct Notice: Hashable, Sendable {
        /// The record's number.
        package let number: Int
        /// `AB12CDE at B7K2Q: 15 minutes left, until 14:02.`
        package let text: String
    }

    private enum Stage: Int { case nothing, before, end }

    /// Seconds before the end at which the first one comes.
    package static let lead: Int64 = 15 * 60

    private let start: UTCTime
    /// What was said last of a record, by its number, and of which end.
    private var said: [Int: (ends: UTCTime, stage: Stage)] = [:]

    /// Reminds of what ends after `start`; what ended before is old.
    package init(from start: UTCTime) { self.start = start }

    /// What is to be said at `now`. A moment that went by while the computer slept is made up for
    /// once, with the minutes that are left.
    package mutating func due(_ records: [ParkingRecord], at now: UTCTime) -> [Notice] {
        var notices: [Notice] = []
        for record in records.reversed() where record.ends > start {
            let stage = Self.stage(record, now)
            guard stage.rawValue > last(record).rawValue else { continue }
            said[record.number] = (record.ends, stage)
            notices.append(Notice(number: record.number, text: Self.text(record, stage, now)))
        }
        return notices
    }

    /// The next moment at which something is to be said; `nil` if there is none.
    package func next(_ records: [ParkingRecord], after now: UTCTime) -> UTCTime? {
        records.filter { $0.ends > start && last($0) != .end }.map { record in
            let first = Self.first(record)
            return last(record) == .nothing && first > now ? first : record.ends
        }.min()
    }

    /// When the first reminder of a record comes.
    package static func first(_ record: ParkingRecord) -> UTCTime {
        UTCTime(seconds: record.ends.seconds - lead)
    }

    /// A record that got more hours is a new one.
    private func last(_ record: ParkingRecord) -> Stage {
        guard let last = said[record.number], last.ends == record.ends else { return .nothing }
        return last.stage
    }

    private static func stage(_ record: ParkingRecord, _ now: UTCTime) -> Stage {
        now >= record.ends ? .end : now >= first(record) ? .before : .nothing
    }

    private static func text(_ record: ParkingRecord, _ stage: Stage, _ now: UTCTime) -> String {
        let car = "\(record.plate) at \(record.building)"
        let clock = ParkingText.clock(record.ends, now)
        guard stage == .before else { return "\(car): the time is up since \(clock)." }
        let minutes = (record.ends.seconds - now.seconds + 59) / 60
        return "\(car): \(minutes == 1 ? "1 minute" : "\(minutes) minutes") left, until \(clock)."
    }
}
