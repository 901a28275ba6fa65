// SPDX-License-Identifier: Apache-2.0
/// Takes apart an object that people write by hand and strangers send: layouts of cabins, files of
/// venues. A member that the object may not have is refused, since a typing mistake must not be
/// ignored; a text has a limit and is safe for a terminal.
package struct FormReader: Sendable {
    private let members: [String: JSON]
    /// `cabins[0]`; `nil` for the whole.
    private let place: String?

    /// Reads the whole, called `name` in faults; its members have places of their own.
    package init(_ json: JSON, _ keys: [String], whole name: String) throws(FormFault) {
        members = try Self.members(json, keys, name)
        place = nil
    }

    /// Reads the object at `place`.
    package init(_ json: JSON, _ keys: [String], at place: String) throws(FormFault) {
        members = try Self.members(json, keys, place)
        self.place = place
    }

    private static func members(
        _ json: JSON, _ keys: [String], _ place: String
    ) throws(FormFault) -> [String: JSON] {
        guard let members = json.members else {
            throw FormFault(place: place, why: "an object in { } is wanted")
        }
        if let other = members.keys.sorted().first(where: { !keys.contains($0) }) {
            let near = Suggestions.nearest(to: other, among: keys).map { "; the nearest is \($0)" }
            throw FormFault(
                place: place, why: "nothing is called \(visible(other, cells: 24))\(near ?? "")")
        }
        return members
    }

    /// Reads the text of a file, or a line, of at most `limit` bytes.
    package static func json(
        _ bytes: [UInt8], limit: Int, whole name: String
    ) throws(FormFault) -> JSON {
        guard bytes.count <= limit else {
            throw FormFault(
                place: name, why: "it has \(bytes.count) bytes, \(limit) are allowed")
        }
        do throws(JSONError) {
            return try JSON(line: bytes)
        } catch {
            let line = bytes.prefix(error.offset).count { $0 == 10 } + 1
            throw FormFault(place: "line \(line)", why: error.reason)
        }
    }

    // MARK: One member

    /// `cabins[0].rows`.
    package func place(of key: String) -> String { place.map { "\($0).\(key)" } ?? key }

    /// The member as it is; `nil` if it is left out.
    package subscript(key: String) -> JSON? { members[key] }

    /// A fault at a member.
    package func fault(_ key: String, _ why: String) -> FormFault {
        FormFault(place: place(of: key), why: why)
    }

    /// The member, which may not be left out.
    package func needed(_ key: String) throws(FormFault) -> JSON {
        guard let value = self[key] else { throw fault(key, "it is missing") }
        return value
    }

    // MARK: Texts

    /// A text of at most `bytes` bytes.
    package func text(_ key: String, bytes: Int) throws(FormFault) -> String {
        try Self.text(try needed(key), place(of: key), bytes: bytes)
    }

    /// The same for a member that may be left out, or `null`.
    package func optionalText(_ key: String, bytes: Int) throws(FormFault) -> String? {
        guard let value = self[key], value != .null else { return nil }
        return try Self.text(value, place(of: key), bytes: bytes)
    }

    /// A list of texts.
    package func texts(
        _ key: String, count: ClosedRange<Int>, bytes: Int
    ) throws(FormFault) -> [String] {
        let list = try Self.list(self[key] ?? [], place(of: key))
        guard count.contains(list.count) else {
            throw fault(key, "\(count.lowerBound) to \(count.upperBound) lines in [ ] are wanted")
        }
        var texts: [String] = []
        for (index, item) in list.enumerated() {
            texts.append(try Self.text(item, "\(place(of: key))[\(index)]", bytes: bytes))
        }
        return texts
    }

    /// A text that has something to read, and nothing that acts on a terminal.
    package static func text(
        _ value: JSON, _ place: String, bytes: Int
    ) throws(FormFault) -> String {
        guard let text = value.text, !text.allSatisfy(\.isWhitespace) else {
            throw FormFault(place: place, why: "a text in \" \" is wanted")
        }
        guard text.utf8.count <= bytes else {
            throw FormFault(
                place: place, why: "it has \(text.utf8.count) bytes, \(bytes) are allowed")
        }
        guard text.unicodeScalars.allSatisfy(\.isSafeToPrint) else {
            throw FormFault(place: place, why: "it has characters that cannot be seen")
        }
        return text
    }

    /// A word of a closed list; a fault if it is left out.
    package func word<Word: RawRepresentable & CaseIterable>(
        _ key: String, as _: Word.Type = Word.self
    ) throws(FormFault) -> Word where Word.RawValue == String {
        guard let word = self[key]?.text.flatMap(Word.init(rawValue:)) else {
            throw fault(
                key,
                "it is one of "
                    + Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
        }
        return word
    }

    /// The same for a member that may be left out.
    package func optionalWord<Word: RawRepresentable & CaseIterable>(
        _ key: String, as type: Word.Type = Word.self
    ) throws(FormFault) -> Word? where Word.RawValue == String {
        self[key] == nil ? nil : try word(key, as: type)
    }

    // MARK: Numbers, lists and objects

    /// A whole number.
    package func number(_ key: String, _ range: ClosedRange<Int>) throws(FormFault) -> Int {
        try Self.number(try needed(key), place(of: key), range)
    }

    /// The same for a member that may be left out.
    package func optionalNumber(_ key: String, _ range: ClosedRange<Int>) throws(FormFault) -> Int?
    {
        guard let value = self[key] else { return nil }
        return try Self.number(value, place(of: key), range)
    }

    /// A whole number in that range.
    package static func number(
        _ value: JSON, _ place: String, _ range: ClosedRange<Int>
    ) throws(FormFault) -> Int {
        guard let number = value.number, range.contains(number) else {
            throw FormFault(
                place: place,
                why: "a whole number from \(range.lowerBound) to \(range.upperBound) is wanted")
        }
        return number
    }

    /// `true` or `false`; `false` if it is left out.
    package func flag(_ key: String) throws(FormFault) -> Bool {
        guard let value = self[key] else { return false }
        guard let flag = value.flag else { throw fault(key, "true or false is wanted") }
        return flag
    }

    /// The elements of a list.
    package static func list(_ value: JSON, _ place: String) throws(FormFault) -> [JSON] {
        guard let list = value.list else {
            throw FormFault(place: place, why: "a list in [ ] is wanted")
        }
        return list
    }

    /// Objects of one form in a list; none if it is left out.
    package func objects(
        _ key: String, _ keys: [String], count: ClosedRange<Int>
    ) throws(FormFault) -> [FormReader] {
        let list = try Self.list(self[key] ?? [], place(of: key))
        guard count.contains(list.count) else {
            throw fault(key, "\(count.lowerBound) to \(count.upperBound) of them are wanted")
        }
        var objects: [FormReader] = []
        for (index, item) in list.enumerated() {
            objects.append(try FormReader(item, keys, at: "\(place(of: key))[\(index)]"))
        }
        return objects
    }

    /// An object; `nil` if it is left out.
    package func object(_ key: String, _ keys: [String]) throws(FormFault) -> FormReader? {
        guard let value = self[key] else { return nil }
        return try FormReader(value, keys, at: place(of: key))
    }

    /// One member of an object whose keys the author chooses.
    package struct Entry: Sendable {
        /// The key.
        package let key: String
        /// What stands behind it.
        package let value: JSON
        /// `closed.2026-12-25`.
        package let place: String
    }

    /// The members of an object whose keys the author chooses, by key; none if it is left out.
    package func entries(_ key: String, most: Int) throws(FormFault) -> [Entry] {
        guard let value = self[key] else { return [] }
        guard let members = value.members else {
            throw fault(key, "an object in { } is wanted")
        }
        guard members.count <= most else {
            throw fault(key, "it has \(members.count) members, \(most) are allowed")
        }
        return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
            Entry(
                key: $0.key, value: $0.value,
                place: "\(place(of: key)).\(visible($0.key, cells: 24))")
        }
    }
}
