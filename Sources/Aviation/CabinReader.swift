// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
package import Text

/// Why a text is not a layout: the position, and what is wrong there. Both are safe for a terminal.
package struct CabinFault: Error, Hashable, Sendable {
    /// `line 7` or `cabins[0].rows`.
    package let place: String
    /// What is wrong, as the end of a sentence.
    package let why: String

    /// `cabins[0].rows: rows go from 1 to 255`.
    var sentence: String { "\(place): \(why)" }
}

/// Limits for a layout, because peers send layouts too.
package enum CabinLimits {
    /// Bytes of a layout, as a file and as one line.
    static let bytes = 8 * 1024
    /// Bytes of the name for the command line.
    package static let id = 40
    /// Bytes of any other text, which has to fit on a line.
    static let text = 80
    /// Texts in a list of them.
    static let texts = 8
    /// The longest aeroplanes have some 70 rows.
    static let rows = 100
    /// Compartments, and parts of one with other letters.
    static let sections = 8
    /// Seats in a row; aeroplanes have at most ten.
    static let abreast = 12
    /// Three aisles at most.
    static let blocks = 4
}

extension CabinLayout {
    /// Reads a file, or what a peer sent. Throws ``CabinFault`` for the first fault.
    package static func read(_ bytes: [UInt8]) throws(CabinFault) -> CabinLayout {
        guard bytes.count <= CabinLimits.bytes else {
            throw CabinFault(
                place: "all of it",
                why: "it has \(bytes.count) bytes, \(CabinLimits.bytes) are allowed")
        }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(line: bytes)
        } catch {
            let line = bytes.prefix(error.offset).count { $0 == 10 } + 1
            throw CabinFault(place: "line \(line)", why: error.reason)
        }
        return try CabinLayout(json: json)
    }

    /// Reads a layout from parsed JSON. Throws ``CabinFault`` for the first fault.
    package init(json: JSON) throws(CabinFault) {
        let reader = try CabinReader(json)
        try self.init(reader: reader)
        guard bytes.count <= CabinLimits.bytes else {
            throw CabinFault(
                place: "all of it",
                why: "as one line it has more than \(CabinLimits.bytes) bytes")
        }
    }

    private init(reader: CabinReader) throws(CabinFault) {
        let sections = try reader.sections()
        self.init(
            id: try reader.id(), name: try reader.text("name"),
            airline: try reader.optionalText("operator"), type: try reader.text("type"),
            source: try reader.texts("source", least: 1), checkedOn: try reader.checkedOn(),
            sure: try reader.sure(), note: try reader.texts("note", least: 0), sections: sections,
            features: try reader.features(sections))
    }
}

/// Takes the JSON of a layout apart.
package struct CabinReader {
    /// The members of a layout, in the order in which they are written.
    static let keys =
        ["version", "id", "name", "operator", "type", "source", "checkedOn", "sure", "note"]
        + ["cabins"] + CabinLayout.Feature.allCases.map(\.rawValue)
    static let sectionKeys = ["class", "rows", "blocks", "except"]
    static let version = 1

    let members: [String: JSON]

    init(_ json: JSON) throws(CabinFault) {
        members = try Self.members(json, Self.keys, "all of it")
        guard members["version"] == .int(Self.version) else {
            throw CabinFault(place: "version", why: "this program reads version \(Self.version)")
        }
    }

    /// The members of an object, which may have only `keys`: a typing mistake is not ignored.
    static func members(
        _ json: JSON, _ keys: [String], _ place: String
    ) throws(CabinFault) -> [String: JSON] {
        guard let members = json.members else {
            throw CabinFault(place: place, why: "an object in { } is wanted")
        }
        if let other = members.keys.sorted().first(where: { !keys.contains($0) }) {
            let near = Suggestions.nearest(to: other, among: keys).map { "; the nearest is \($0)" }
            throw CabinFault(
                place: place, why: "nothing is called \(visible(other, cells: 24))\(near ?? "")")
        }
        return members
    }

    // MARK: Texts

    func id() throws(CabinFault) -> String {
        let id = try text("id")
        guard Self.isID(id) else {
            throw CabinFault(
                place: "id",
                why: "small letters, digits and hyphens, a letter first, "
                    + "at most \(CabinLimits.id)")
        }
        return id
    }

    /// Whether it may be used as the name of a file.
    package static func isID(_ text: String) -> Bool {
        guard let first = text.utf8.first, 97...122 ~= first, text.utf8.count <= CabinLimits.id
        else { return false }
        return text.utf8.allSatisfy { 97...122 ~= $0 || 48...57 ~= $0 || $0 == 45 }
    }

    func text(_ key: String) throws(CabinFault) -> String {
        guard let value = members[key] else { throw CabinFault(place: key, why: "it is missing") }
        return try Self.checked(value, key)
    }

    func optionalText(_ key: String) throws(CabinFault) -> String? {
        guard let value = members[key], value != .null else { return nil }
        return try Self.checked(value, key)
    }

    func texts(_ key: String, least: Int) throws(CabinFault) -> [String] {
        let list = try Self.list(members[key] ?? [], key)
        guard least...CabinLimits.texts ~= list.count else {
            throw CabinFault(
                place: key, why: "\(least) to \(CabinLimits.texts) lines in [ ] are wanted")
        }
        var texts: [String] = []
        for (index, item) in list.enumerated() {
            texts.append(try Self.checked(item, "\(key)[\(index)]"))
        }
        return texts
    }

    private static func checked(_ value: JSON, _ place: String) throws(CabinFault) -> String {
        guard let text = value.text, !text.allSatisfy(\.isWhitespace) else {
            throw CabinFault(place: place, why: "a text in \" \" is wanted")
        }
        guard text.utf8.count <= CabinLimits.text else {
            throw CabinFault(
                place: place,
                why: "it has \(text.utf8.count) bytes, \(CabinLimits.text) are allowed")
        }
        guard text.unicodeScalars.allSatisfy(\.isSafeToPrint) else {
            throw CabinFault(place: place, why: "it has characters that cannot be seen")
        }
        return text
    }

    static func list(_ value: JSON, _ place: String) throws(CabinFault) -> [JSON] {
        guard let list = value.list else {
            throw CabinFault(place: place, why: "a list in [ ] is wanted")
        }
        return list
    }

    func checkedOn() throws(CabinFault) -> String {
        let text = try text("checkedOn")
        guard FlightDate(text) != nil || FlightDate(text + "-01") != nil else {
            throw CabinFault(place: "checkedOn", why: "a date as 2026-11 or 2026-11-21 is wanted")
        }
        return text
    }

    func sure() throws(CabinFault) -> CabinLayout.Sure {
        try Self.word(members["sure"], "sure")
    }

    static func word<Word: RawRepresentable & CaseIterable>(
        _ value: JSON?, _ place: String
    ) throws(CabinFault) -> Word where Word.RawValue == String {
        guard let word = value?.text.flatMap(Word.init(rawValue:)) else {
            throw CabinFault(
                place: place,
                why: "it is one of "
                    + Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
        }
        return word
    }
}
