// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
package import Text

/// Why a text is not a layout: `cabins[0].rows: rows go from 1 to 255`.
package typealias CabinFault = FormFault

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
        try CabinLayout(
            json: try FormReader.json(bytes, limit: CabinLimits.bytes, whole: CabinReader.whole))
    }

    /// Reads a layout from parsed JSON. Throws ``CabinFault`` for the first fault.
    package init(json: JSON) throws(CabinFault) {
        let reader = try CabinReader(json)
        try self.init(reader: reader)
        guard bytes.count <= CabinLimits.bytes else {
            throw CabinFault(
                place: CabinReader.whole,
                why: "as one line it has more than \(CabinLimits.bytes) bytes")
        }
    }

    private init(reader: CabinReader) throws(CabinFault) {
        let sections = try reader.sections()
        self.init(
            id: try reader.id(), name: try reader.text("name"),
            airline: try reader.form.optionalText("operator", bytes: CabinLimits.text),
            type: try reader.text("type"), source: try reader.texts("source", least: 1),
            checkedOn: try reader.checkedOn(), sure: try reader.form.word("sure"),
            note: try reader.texts("note", least: 0), sections: sections,
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

    /// The layout in faults.
    static let whole = "all of it"

    let form: FormReader

    init(_ json: JSON) throws(CabinFault) {
        form = try FormReader(json, Self.keys, whole: Self.whole)
        guard form["version"] == .int(Self.version) else {
            throw CabinFault(place: "version", why: "this program reads version \(Self.version)")
        }
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
        try form.text(key, bytes: CabinLimits.text)
    }

    func texts(_ key: String, least: Int) throws(CabinFault) -> [String] {
        try form.texts(key, count: least...CabinLimits.texts, bytes: CabinLimits.text)
    }

    func checkedOn() throws(CabinFault) -> String {
        let text = try text("checkedOn")
        guard FlightDate(text) != nil || FlightDate(text + "-01") != nil else {
            throw CabinFault(place: "checkedOn", why: "a date as 2026-11 or 2026-11-21 is wanted")
        }
        return text
    }
}
