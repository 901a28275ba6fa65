// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Places
import Protocol
package import Text
import Trips
import Venues

/// A driver's parked cars. A pure value; ``ParkingFile`` stores it.
package struct ParkingBook: Hashable, Sendable {
    /// Newest first.
    package private(set) var records: [ParkingRecord] = []
    /// The number of the next record.
    package private(set) var next = 1

    /// More than anybody looks through.
    package static let limit = 500

    /// None yet.
    package init() {}

    /// The record with that number. Throws `no-such-record`.
    package func find(_ number: Int) throws(UserError) -> ParkingRecord {
        if let record = records.first(where: { $0.number == number }) { return record }
        let numbers = records.prefix(8).map { String($0.number) }.joined(separator: ", ")
        throw UserError(
            .noSuchRecord, "there is no record \(number)",
            why: records.isEmpty ? "your list is empty" : "there are \(numbers)",
            advice: "seatagent park")
    }

    /// Adds a record with the next number. Throws `too-long` if the list is full.
    @discardableResult
    package mutating func add(
        _ make: (Int) -> ParkingRecord
    ) throws(UserError) -> ParkingRecord {
        guard records.count < Self.limit else {
            throw UserError(
                .tooLong, "the list is full", why: "it holds \(Self.limit) records",
                advice: "seatagent park remove \(records[records.count - 1].number)")
        }
        let record = make(next)
        put(record)
        next += 1
        return record
    }

    /// Puts a record in the place of the one with its number.
    package mutating func put(_ record: ParkingRecord) {
        records.removeAll { $0.number == record.number }
        records.append(record)
        records.sort(by: Self.isNewer)
    }

    /// Takes a record out.
    package mutating func remove(_ number: Int) { records.removeAll { $0.number == number } }

    private static func isNewer(_ left: ParkingRecord, _ right: ParkingRecord) -> Bool {
        left.since != right.since ? left.since > right.since : left.number > right.number
    }

    /// The streets of these records that have a position; of equal ones the newest.
    package var places: [KnownPlace] {
        var known: [KnownPlace] = []
        var seen: Set<StreetWords> = []
        for record in records {
            guard let street = record.street, let at = record.at,
                seen.insert(StreetWords(street)).inserted
            else { continue }
            known.append(KnownPlace(NamedPosition(street, at: at), .record(record.number)))
        }
        return known
    }
}

extension ParkingBook {
    /// The version of the file's format.
    static let version = 1
    private static let keys = ["version", "next", "records"]
    private static let recordKeys = [
        "number", "since", "building", "hours", "plate", "suite", "street", "at", "permit",
        "calendar",
    ]

    /// The JSON of the file.
    package var json: JSON {
        [
            "version": .int(Self.version), "next": .int(next),
            "records": .array(records.map(\.stored)),
        ]
    }

    /// Reads the JSON of a file. Throws for the first fault.
    package init(json: JSON) throws(FormFault) {
        let form = try FormReader(json, Self.keys, whole: "the list")
        guard form["version"] == .int(Self.version) else {
            throw form.fault("version", "this program reads version \(Self.version)")
        }
        let most = Int(Int32.max)
        let next = try form.number("next", 1...most)
        let items = try form.objects("records", Self.recordKeys, count: 0...Self.limit)
        for item in items {
            let number = try item.number("number", 1...most)
            guard number < next, !records.contains(where: { $0.number == number }) else {
                throw item.fault("number", "\(number) is there twice, or not below next")
            }
            guard let since = RFC3339.parse(try item.text("since", bytes: 40)) else {
                throw item.fault("since", "a date as 2026-11-21T10:02:00Z is wanted")
            }
            let hours = try item.number("hours", 1...24)
            guard ParkingField.lengths.contains(hours) else {
                throw item.fault("hours", "it needs \(ParkingField.hours.need)")
            }
            let street = try item.optionalText("street", bytes: ParkingField.longest)
            let at = try item.optionalText("at", bytes: 40)
            let permit = try Self.permit(item)
            let calendar = item["calendar"].map { Trip.CalendarMark(json: $0) }
            guard calendar != .some(nil) else {
                throw item.fault("calendar", "it is not what was last written")
            }
            records.append(
                ParkingRecord(
                    number: number, since: since,
                    building: try ParkingField.building.code(try item.text("building", bytes: 40)),
                    hours: hours,
                    plate: try ParkingField.plate.code(try item.text("plate", bytes: 40)),
                    suite: try ParkingField.suite.code(try item.text("suite", bytes: 40)),
                    street: street, at: try Self.position(at), permit: permit,
                    calendar: calendar ?? nil))
        }
        records.sort(by: Self.isNewer)
        self.next = next
    }

    private static func permit(_ item: FormReader) throws(FormFault) -> Token? {
        guard let text = try item.optionalText("permit", bytes: 64) else { return nil }
        guard let token = bytes(hexadecimal: text).flatMap({ Bytes32($0) }) else {
            throw item.fault("permit", "64 hexadecimal digits are wanted")
        }
        return Token(token)
    }

    private static func position(_ text: String?) throws(FormFault) -> Venue.Point? {
        guard let text else { return nil }
        return try ParkingField.position(text)
    }
}

extension ParkingRecord {
    /// As the file has it.
    var stored: JSON { json.adding(present: ["calendar": calendar?.json]) }

    /// As scripts see it.
    package var json: JSON {
        .object(present: [
            "number": .int(number), "since": .string(RFC3339.text(since)),
            "building": .string(building), "hours": .int(hours), "plate": .string(plate),
            "suite": .string(suite), "street": street.map(JSON.string),
            "at": at.map { .string($0.text) },
            "permit": permit.map { .string(hexadecimal($0.bytes)) },
        ])
    }
}
