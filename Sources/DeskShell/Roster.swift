// SPDX-License-Identifier: Apache-2.0
package import Text
package import Venues

/// The list of people that a venue has: who is on it with both address and number is of a class
/// that asks for that. Its lines never leave the desk.
///
/// Source: comma-separated values, one row each, below a header that names the columns `mail`,
/// `number` and, if they are there, `name` and `class`, in any order.
package struct Roster: Hashable, Sendable {
    /// Somebody on it.
    package struct Entry: Hashable, Sendable {
        /// Their address, in small letters.
        package let mail: String
        /// Their number; empty where their class has none.
        package let number: String
        /// What they are called, if that is there.
        package let name: String?
        /// The name of their class.
        package let memberClass: String
    }

    /// In the order of the file.
    package private(set) var entries: [Entry] = []
    /// Where in ``entries`` an address is.
    private var places: [String: Int] = [:]

    /// Bytes of a file.
    package static let fileLimit = 8 << 20
    /// People: as many as a venue numbers.
    package static let limit = 65_535
    /// Bytes of a name, and of a number.
    private static let nameLimit = 120
    private static let numberLimit = 80

    private static let columns = ["mail", "number", "name", "class"]
    private static let needed = ["mail", "number"]
    private static let header = "mail,number,name,class"

    /// Nobody.
    package init() {}

    /// The entry of an address with that number; `nil` if one of the two is another one.
    package func entry(mail: String, number: String) -> Entry? {
        places[mail.lowercased()].map { entries[$0] }.flatMap {
            $0.number.lowercased() == number.lowercased() ? $0 : nil
        }
    }

    // MARK: Reading

    /// Reads a file for a venue. Throws for the first fault, with its line.
    package init(csv bytes: [UInt8], of venue: Venue) throws(FormFault) {
        guard bytes.count <= Self.fileLimit else {
            throw FormFault(
                place: "the file",
                why: "it has \(bytes.count) bytes, \(Self.fileLimit) are allowed")
        }
        guard venue.classes.contains(where: { $0.proof == .roster }) else {
            throw FormFault(
                place: "the file", why: "no class of \(visible(venue.name, cells: 40)) has a roster"
            )
        }
        var reader = CSVReader(bytes)
        guard let header = try reader.next() else {
            throw CSVReader.fault(1, "the header \(Self.header) is missing")
        }
        let order = try Self.order(header)
        var lines: [String: Int] = [:]
        while let row = try reader.next() {
            guard entries.count < Self.limit else {
                throw CSVReader.fault(row.line, "\(Self.limit) people are allowed")
            }
            let entry = try Self.entry(row, order, venue)
            for (what, text) in [("address", entry.mail), ("number", entry.number.lowercased())]
            where !text.isEmpty {
                if let line = lines["\(what) \(text)"] {
                    throw CSVReader.fault(row.line, "line \(line) has that \(what) too")
                }
                lines["\(what) \(text)"] = row.line
            }
            places[entry.mail] = entries.count
            entries.append(entry)
        }
        guard !entries.isEmpty else {
            throw CSVReader.fault(header.line, "nobody follows the header")
        }
    }

    /// What stands in which column.
    private static func order(_ header: CSVReader.Row) throws(FormFault) -> [String] {
        let names = header.fields.map { $0.lowercased().singleBlanks }
        for (index, name) in names.enumerated() {
            guard columns.contains(name) else {
                throw CSVReader.fault(
                    header.line,
                    "no column is called \"\(visible(name, cells: 24))\"; the header is "
                        + Self.header)
            }
            guard !names[..<index].contains(name) else {
                throw CSVReader.fault(header.line, "the column \(name) is there twice")
            }
        }
        if let missing = needed.first(where: { !names.contains($0) }) {
            throw CSVReader.fault(
                header.line, "the column \(missing) is missing; the header is \(Self.header)")
        }
        return names
    }

    private static func entry(
        _ row: CSVReader.Row, _ order: [String], _ venue: Venue
    ) throws(FormFault) -> Entry {
        guard row.fields.count == order.count else {
            throw CSVReader.fault(
                row.line, "it has \(row.fields.count) fields, and the header \(order.count)")
        }
        var words: [String: String] = [:]
        for (column, field) in zip(order, row.fields) {
            words[column] = field.split(separator: " ").joined(separator: " ")
        }
        let mail = (words["mail"] ?? "").lowercased()
        if let why = MailAddress.fault(mail) {
            throw fault(row, "mail", "\(why); it needs \(MailAddress.need)")
        }
        let number = try optional(words["number"], row, "number", numberLimit) ?? ""
        let name = try optional(words["name"], row, "name", nameLimit)
        let typed = try optional(words["class"], row, "class", numberLimit)
        let found = try memberClass(typed, mail, number, venue, row)
        return Entry(mail: mail, number: number, name: name, memberClass: found.name)
    }

    private static func optional(
        _ text: String?, _ row: CSVReader.Row, _ column: String, _ limit: Int
    ) throws(FormFault) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return try FormReader.text(
            .string(text), "line \(row.line), \(column)", bytes: limit)
    }

    /// The class that is named, or the first with a roster that such an address and number are of.
    private static func memberClass(
        _ typed: String?, _ mail: String, _ number: String, _ venue: Venue, _ row: CSVReader.Row
    ) throws(FormFault) -> VenueClass {
        let listed = venue.classes.filter { $0.proof == .roster }
        if let typed {
            guard let one = listed.first(where: { $0.name.lowercased() == typed.lowercased() })
            else {
                let names = listed.map { visible($0.name, cells: 24) }.joined(separator: ", ")
                throw fault(
                    row, "class", "no class with a roster is called so; there is \(names)")
            }
            guard one.fits(mail: mail, number: number) else {
                throw fault(row, "class", "\(looks(one)) are wanted for \(one.name)")
            }
            return one
        }
        guard let one = listed.first(where: { $0.fits(mail: mail, number: number) }) else {
            throw CSVReader.fault(
                row.line,
                "no class has such an address and number: "
                    + listed.prefix(3).map { "\($0.name) has \(looks($0))" }
                    .joined(separator: "; "))
        }
        return one
    }

    /// `an address like S#####@example.edu and a number like 919######`.
    private static func looks(_ one: VenueClass) -> String {
        let parts = [
            one.mail.map { "an address like \($0.text)" },
            one.number.map { "a number like \($0.text)" },
        ].compactMap(\.self)
        return parts.isEmpty ? "any address" : parts.joined(separator: " and ")
    }

    private static func fault(_ row: CSVReader.Row, _ column: String, _ why: String) -> FormFault {
        FormFault(place: "line \(row.line), \(column)", why: why)
    }

    // MARK: Writing

    /// The same people as a file that reads as equal.
    package var csv: String {
        ([Self.header]
            + entries.map {
                CSVText.row([$0.mail, $0.number, $0.name ?? "", $0.memberClass])
            }).joined(separator: "\n") + "\n"
    }
}
