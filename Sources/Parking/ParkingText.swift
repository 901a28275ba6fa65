// SPDX-License-Identifier: Apache-2.0
import Bookings
import CivilTime
package import Places
package import Protocol
import Text
import Venues
import Wording

/// Parked cars in words, at one moment.
package struct ParkingText: Sendable {
    private let record: ParkingRecord
    private let now: UTCTime
    private let near: NearPlace?

    /// The words for a record; `near` names its position if it has no street.
    package init(_ record: ParkingRecord, near: NearPlace? = nil, _ now: UTCTime) {
        self.record = record
        self.near = near
        self.now = now
    }

    /// One record, a line for each thing that is known.
    package var lines: [String] {
        let rows: [(String, String?)] = [
            ("number", String(record.number)), ("building", record.building),
            ("plate", record.plate), ("suite", record.suite),
            ("since", Self.clock(record.since, now)),
            ("until", "\(Self.clock(record.ends, now)) (\(record.left(at: now)))"),
            ("street", record.street ?? near?.words), ("position", record.at?.text),
            ("permit", record.permit.map { BookingCode($0).text }),
        ]
        return rows.compactMap { name, value in value.map { "  " + padded(name, to: 10) + $0 } }
    }

    /// The code of the permit of a car whose time runs; `nil` for none.
    package static func permit(_ record: ParkingRecord, _ now: UTCTime) -> String? {
        record.ends > now ? record.permit.map { BookingCode($0).text } : nil
    }

    /// All records in a table.
    package static func table(_ records: [ParkingRecord], _ now: UTCTime) -> [String] {
        let head = ["number", "building", "plate", "suite", "since", "time", "where"]
        let rows = records.map { record in
            [
                String(record.number), record.building, record.plate, record.suite,
                clock(record.since, now), record.left(at: now),
                record.street ?? record.at?.text ?? "",
            ]
        }
        let widths = head.indices.map { column in
            ([head] + rows).map { cellWidth($0[column]) }.max() ?? 0
        }
        return ([head] + rows).map { row in
            var line = row.indices.map { padded(row[$0], to: widths[$0]) }
                .joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// `14:10`, with the day if that is not today.
    static func clock(_ time: UTCTime, _ now: UTCTime) -> String {
        let clock = EventText.clock(Stamp(time))
        guard let day = LocalDay(time), day != LocalDay(now) else { return clock }
        return "\(day.text) \(clock)"
    }
}
