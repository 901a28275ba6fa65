// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
package import Text

/// Why a text is not a list of trips.
struct TripFault: Error, Hashable, Sendable {
    /// What is wrong, in words.
    let why: String
}

extension Trip {
    /// The JSON of a trip in the file.
    package var json: JSON { json(moved?.json) }

    /// The same for scripts.
    var shown: JSON { json(moved?.shown) }

    private func json(_ moved: JSON?) -> JSON {
        .object(present: [
            "flight": .string(flight.text), "to": to.map(JSON.string),
            "departs": departs.map { .string($0.text) },
            "arrives": arrives.map { .string($0.text) },
            "seats": .array(seats.map { .string($0.text) }),
            "waiting": waiting.isEmpty ? nil : .array(waiting.map { .string($0.text) }),
            "compartment": compartment.map(JSON.string),
            "opens_before": opensBefore.map { .int(Int($0)) },
            "aliases": .array(aliases.map { .string($0.text) }), "cabin": cabin.map(JSON.string),
            "calendar": calendar?.json,
            "added": .string(RFC3339.text(added)), "moved": moved,
        ])
    }

    /// Reads ``json``. Throws what is wrong; ignores unknown members.
    init(json: JSON) throws(TripFault) {
        let fields = TripFields(json: json)
        self.init(flight: try fields.flight("flight"), added: try fields.time("added"))
        to = try fields.some("to") { Self.isAirport($0) ? $0 : nil }
        departs = try fields.some("departs", LocalMinute.init)
        arrives = try fields.some("arrives", LocalMinute.init)
        seats = try fields.seats("seats")
        waiting = try fields.seats("waiting")
        compartment = try fields.some("compartment") { $0.utf8.count <= 8 ? $0 : nil }
        if let seconds = json["opens_before"] {
            guard let number = seconds.number, 0...Int(Self.longestLead) ~= number else {
                throw TripFault(why: "opens_before is no number of seconds")
            }
            opensBefore = Int64(number)
        }
        aliases = try fields.list("aliases") { FlightName($0) }
        guard aliases.count <= Self.aliasLimit else { throw TripFault(why: "aliases are too many") }
        cabin = try fields.some("cabin") { $0.utf8.count <= 64 ? $0 : nil }
        if let waiting = json["moved"] {
            guard let read = MovedTrip(json: waiting) else {
                throw TripFault(why: "moved is not understood")
            }
            moved = read
        }
        guard let mark = json["calendar"] else { return }
        calendar = CalendarMark(json: mark)
        guard calendar != nil else {
            throw TripFault(why: "calendar is not what was last written")
        }
    }

    /// The longest lead of any airline: two years, in seconds.
    static let longestLead: Int64 = 2 * 366 * 86_400

    /// Whether this is the code of an airport: three capital letters.
    static func isAirport(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { 65...90 ~= $0 }
    }
}

extension Trip.CalendarMark {
    /// As a list on disk has it.
    package var json: JSON {
        .object(present: [
            "uid": .string(uid), "sequence": .int(sequence), "digest": .string(digest),
            "opens": opens.map { .string(RFC3339.text($0)) },
        ])
    }

    /// Reads ``json``; `nil` for anything else.
    package init?(json: JSON) {
        guard let uid = json["uid"]?.text, let sequence = json["sequence"]?.number, sequence >= 0,
            let digest = json["digest"]?.text
        else { return nil }
        self.init(
            uid: uid, sequence: sequence, digest: digest,
            opens: json["opens"]?.text.flatMap { RFC3339.parse($0) })
    }
}

extension HistoryItem {
    /// The JSON of an event in the file.
    package var json: JSON {
        var members: [String: JSON] = [
            "at": .string(RFC3339.text(at)), "flight": .string(flight.text),
        ]
        switch what {
        case .flown(let trip): members["trip"] = trip.json
        case .swapped(let note):
            members["swap"] = [
                "contract": .string(note.contract),
                "gave": .array(note.gave.map { .string($0.text) }),
                "got": .array(note.got.map { .string($0.text) }),
                "with": .array(note.with.map(JSON.string)),
                "names_end": .string(RFC3339.text(note.namesEnd)),
            ]
        }
        return .object(members)
    }

    /// Reads ``json``. Throws what is wrong.
    init(json: JSON) throws(TripFault) {
        let fields = TripFields(json: json)
        at = try fields.time("at")
        flight = try fields.flight("flight", mayPractise: true)
        if let trip = json["trip"] {
            what = .flown(try Trip(json: trip))
        } else if let swap = json["swap"] {
            let fields = TripFields(json: swap)
            what = .swapped(
                SwapNote(
                    contract: try fields.some("contract") { $0.utf8.count <= 64 ? $0 : nil } ?? "",
                    gave: try fields.seats("gave"), got: try fields.seats("got"),
                    with: try fields.list("with") { $0.utf8.count <= Limits.name ? $0 : nil },
                    namesEnd: try fields.time("names_end")))
        } else {
            throw TripFault(why: "it is neither a trip nor a swap")
        }
    }
}

/// Reads the members of an object, and names the one that is wrong.
private struct TripFields {
    let json: JSON

    func text(_ key: String) throws(TripFault) -> String? {
        guard let value = json[key], value != .null else { return nil }
        guard let text = value.text else { throw TripFault(why: "\(key) is no text") }
        return text
    }

    /// The member as `read` understands it; `nil` if it is missing.
    func some<T>(_ key: String, _ read: (String) -> T?) throws(TripFault) -> T? {
        guard let text = try text(key) else { return nil }
        guard let value = read(text) else { throw TripFault(why: "\(key) is not understood") }
        return value
    }

    func list<T>(_ key: String, _ read: (String) -> T?) throws(TripFault) -> [T] {
        var values: [T] = []
        for item in json[key]?.list ?? [] {
            guard let value = item.text.flatMap(read) else {
                throw TripFault(why: "\(key) is not understood")
            }
            values.append(value)
        }
        return values
    }

    func seats(_ key: String) throws(TripFault) -> [Seat] { try list(key) { Seat($0) } }

    func time(_ key: String) throws(TripFault) -> UTCTime {
        guard let time = try some(key, { RFC3339.parse($0) }) else {
            throw TripFault(why: "\(key) is missing")
        }
        return time
    }

    func flight(_ key: String, mayPractise: Bool = false) throws(TripFault) -> FlightName {
        guard let flight = try some(key, { FlightName($0) }) else {
            throw TripFault(why: "\(key) is missing")
        }
        guard mayPractise || !flight.isPractice else {
            throw TripFault(why: "\(key) is the practice flight")
        }
        return flight
    }
}
