// SPDX-License-Identifier: Apache-2.0
import Text

/// The parsed text of a config file: lines of `key = value`, sections `[profile NAME]`, and
/// comments on lines of their own, which begin with `#`.
///
/// Strict: anything that is not understood is an error, so that a typing mistake does not silently
/// become a default.
package struct ConfigFile: Hashable, Sendable {
    /// One line `key = value`.
    struct Setting: Hashable, Sendable {
        /// The key that is set.
        let key: ConfigKey
        /// Its value, checked.
        let value: String
        /// The number of the line, from 1.
        let line: Int
    }

    /// The lines after one `[profile NAME]`, or those before the first.
    package struct Section: Hashable, Sendable {
        /// `nil` before the first header.
        package let profile: ProfileName?
        /// The line of the header; 0 before the first.
        let line: Int
        /// In order.
        var settings: [Setting] = []
    }

    /// All lines without their ends.
    package let lines: [String]
    /// The first is what stands before the first header.
    package let sections: [Section]

    /// A file without a line.
    static let empty = ConfigFile(lines: [], sections: [Section(profile: nil, line: 0)])

    private init(lines: [String], sections: [Section]) {
        self.lines = lines
        self.sections = sections
    }

    /// Reads a file. Throws ``ConfigFault`` with the line of the first thing that is wrong.
    package init(_ bytes: [UInt8]) throws(ConfigFault) {
        var pieces = bytes.split(separator: 10, omittingEmptySubsequences: false)
        if pieces.last?.isEmpty == true { pieces.removeLast() }
        var lines: [String] = []
        for piece in pieces {
            guard let line = String(validating: piece, as: UTF8.self) else {
                throw ConfigFault(line: lines.count + 1, why: "this is not UTF-8")
            }
            lines.append(line)
        }
        try self.init(lines: lines)
    }

    /// Reads lines without their ends. Throws ``ConfigFault``.
    init(lines: [String]) throws(ConfigFault) {
        var sections = [Section(profile: nil, line: 0)]
        for (index, line) in lines.enumerated() {
            let number = index + 1
            do throws(ConfigFault) {
                switch try Self.read(line) {
                case .nothing: break
                case .header(let profile):
                    if let other = sections.first(where: { $0.profile == profile }) {
                        throw ConfigFault(why: "this section began on line \(other.line)")
                    }
                    sections.append(Section(profile: profile, line: number))
                case .setting(let key, let value):
                    let last = sections.count - 1
                    if let other = sections[last].settings.first(where: { $0.key == key }) {
                        throw ConfigFault(why: "\(key.rawValue) was set on line \(other.line)")
                    }
                    sections[last].settings.append(Setting(key: key, value: value, line: number))
                }
            } catch {
                throw ConfigFault(line: number, why: error.why)
            }
        }
        self.init(lines: lines, sections: sections)
    }

    /// The setting of `key` in the section of `profile`, or before the first section.
    func setting(_ key: ConfigKey, of profile: ProfileName?) -> Setting? {
        sections.first { $0.profile == profile }?.settings.first { $0.key == key }
    }

    /// The file as it is written.
    var text: String { lines.map { $0 + "\n" }.joined() }

    // MARK: One line

    private enum Line {
        case nothing
        case header(ProfileName)
        case setting(ConfigKey, String)
    }

    private static func read(_ line: String) throws(ConfigFault) -> Line {
        let text = trimmed(line)
        guard let first = text.first, first != "#" else { return .nothing }
        if first == "[" { return .header(try header(text)) }
        guard let equals = text.firstIndex(of: "=") else {
            throw ConfigFault(why: "there is no = in \"\(text)\"")
        }
        let key = try ConfigKey(text: trimmed(String(text[..<equals])))
        let value = trimmed(String(text[text.index(after: equals)...]))
        do throws(ConfigFault) {
            return .setting(key, try key.check(value))
        } catch {
            // An easy mistake: a comment after the value.
            let hint = value.firstPlace(of: " #") != nil ? "; comments have lines of their own" : ""
            throw ConfigFault(why: error.why + hint)
        }
    }

    private static func header(_ text: String) throws(ConfigFault) -> ProfileName {
        let words = text.dropFirst().dropLast().split(whereSeparator: \.isWhitespace)
        guard text.last == "]", words.count == 2, words[0] == "profile" else {
            throw ConfigFault(why: "a section begins with [profile NAME], not with \"\(text)\"")
        }
        do throws(UserError) {
            return try ProfileName(String(words[1]))
        } catch {
            throw ConfigFault(why: "\(error.what): \(error.why ?? "")")
        }
    }

    /// The text without white space at both ends; by scalars, because a carriage return before the
    /// end of a line is one character with it.
    private static func trimmed(_ text: String) -> String {
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }
}

// MARK: Changing

extension ConfigFile {
    /// The file with `key` set and all other lines as they are. `value` has been checked.
    func setting(_ key: ConfigKey, to value: String, of profile: ProfileName?) -> [String] {
        var lines = lines
        let line = "\(key.rawValue) = \(value)"
        if let old = setting(key, of: profile) {
            lines[old.line - 1] = Self.replaced(lines[old.line - 1], by: value)
        } else if let section = sections.first(where: { $0.profile == profile }) {
            lines.insert(contentsOf: addition(line, to: section), at: place(in: section))
        } else {
            if lines.last.map({ !$0.isEmpty }) == true { lines.append("") }
            lines += ["[profile \(profile?.text ?? "")]", line]
        }
        return lines
    }

    /// The file without the line that sets `key`.
    func removing(_ key: ConfigKey, of profile: ProfileName?) -> [String] {
        var lines = lines
        if let old = setting(key, of: profile) { lines.remove(at: old.line - 1) }
        return lines
    }

    /// Keeps the person's own spacing before the value.
    private static func replaced(_ line: String, by value: String) -> String {
        guard let equals = line.firstIndex(of: "=") else { return line }
        let head = line[...equals]
        let blanks = line[line.index(after: equals)...].prefix { $0 == " " || $0 == "\t" }
        return String(head) + (blanks.isEmpty ? " " : blanks) + value
    }

    /// The number of lines before the place of a new setting of `section`.
    private func place(in section: Section) -> Int {
        if let last = section.settings.last { return last.line }
        if section.profile != nil { return section.line }
        guard sections.count > 1 else { return lines.count }
        // Above the first header, and above the comment that belongs to it.
        var place = sections[1].line - 1
        while place > 0, lines[place - 1].hasPrefix("#") { place -= 1 }
        return place
    }

    private func addition(_ line: String, to section: Section) -> [String] {
        let isAboveHeader =
            section.profile == nil && section.settings.isEmpty && sections.count > 1
        return isAboveHeader ? [line, ""] : [line]
    }
}
