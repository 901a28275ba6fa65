// SPDX-License-Identifier: Apache-2.0
package import Text
import Venues

/// Streets with their positions, read from comma-separated values: one row each, below a header
/// that names the columns `name`, `lat`, `lon` and, if it is there, `city`, in any order.
///
/// Positions are degrees north and east; beyond seven decimals, which is a centimetre, they are
/// cut off. Source: whatever the driver imports; nothing of the kind comes with the program.
package struct Gazetteer: Hashable, Sendable {
    /// In the order of the file.
    package let places: [NamedPosition]

    /// Bytes of a file.
    package static let fileLimit = 4 << 20
    /// Places of a file: a large town has as many addresses.
    package static let limit = 50_000
    /// Bytes of a name, and of a city.
    package static let nameLimit = 120

    private static let columns = ["name", "lat", "lon", "city"]
    private static let needed = ["name", "lat", "lon"]

    /// Reads a file. Throws for the first fault, with its line.
    package init(csv bytes: [UInt8]) throws(FormFault) {
        guard bytes.count <= Self.fileLimit else {
            throw FormFault(
                place: "the file",
                why: "it has \(bytes.count) bytes, \(Self.fileLimit) are allowed")
        }
        var reader = CSVReader(bytes)
        guard let header = try reader.next() else {
            throw CSVReader.fault(1, "the header name,lat,lon,city is missing")
        }
        let order = try Self.order(header)
        var places: [NamedPosition] = []
        while let row = try reader.next() {
            guard places.count < Self.limit else {
                throw CSVReader.fault(row.line, "\(Self.limit) places are allowed in one file")
            }
            places.append(try Self.place(row, order))
        }
        guard !places.isEmpty else {
            throw CSVReader.fault(header.line, "no place follows the header")
        }
        self.places = places
    }

    /// What stands in which column.
    private static func order(_ header: CSVReader.Row) throws(FormFault) -> [String] {
        let names = header.fields.map { $0.lowercased().singleBlanks }
        for (index, name) in names.enumerated() {
            guard columns.contains(name) else {
                throw CSVReader.fault(
                    header.line,
                    "no column is called \"\(visible(name, cells: 24))\"; the header is "
                        + "name,lat,lon,city")
            }
            guard !names[..<index].contains(name) else {
                throw CSVReader.fault(header.line, "the column \(name) is there twice")
            }
        }
        if let missing = needed.first(where: { !names.contains($0) }) {
            throw CSVReader.fault(
                header.line, "the column \(missing) is missing; the header is name,lat,lon,city")
        }
        return names
    }

    private static func place(
        _ row: CSVReader.Row, _ order: [String]
    ) throws(FormFault) -> NamedPosition {
        guard row.fields.count == order.count else {
            throw CSVReader.fault(
                row.line, "it has \(row.fields.count) fields, and the header \(order.count)")
        }
        var words: [String: String] = [:]
        for (name, field) in zip(order, row.fields) { words[name] = field }
        let city = try words["city"].flatMap { (text) throws(FormFault) in
            text.allSatisfy(\.isWhitespace) ? nil : try Self.text(text, "city", row.line)
        }
        let (lat, lon) = (words["lat"] ?? "", words["lon"] ?? "")
        guard let at = Venue.Point(cutting: lat, lon) else {
            throw CSVReader.fault(
                row.line,
                "\"\(visible("\(lat),\(lon)", cells: 40))\" is no position; degrees north from "
                    + "-90 to 90 and east from -180 to 180 are wanted, as 45.5017,-73.5673")
        }
        return NamedPosition(try text(words["name"] ?? "", "name", row.line), city: city, at: at)
    }

    private static func text(
        _ text: String, _ column: String, _ line: Int
    ) throws(FormFault) -> String {
        let place = "line \(line), \(column)"
        let words = text.split(separator: " ").joined(separator: " ")
        guard !words.isEmpty else { throw FormFault(place: place, why: "it is empty") }
        return try FormReader.text(.string(words), place, bytes: nameLimit)
    }

    /// The same places as a file that reads as equal.
    package var csv: String {
        var out = "name,lat,lon,city\n"
        for place in places {
            out +=
                "\(CSVText.field(place.name)),\(place.at.link.dropFirst(4)),"
                + "\(CSVText.field(place.city ?? ""))\n"
        }
        return out
    }
}
