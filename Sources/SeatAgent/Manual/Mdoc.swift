// SPDX-License-Identifier: Apache-2.0
import Grammar
import Text

/// A manual page in the language of mdoc(7), built piece by piece.
///
/// Running text is given with `` `code` `` and `**words**` marked as in Markdown.
struct Mdoc: Hashable, Sendable {
    /// Lines of the source; no text can make a line that would be read as a request.
    private(set) var lines: [String]
    /// Whether running text is directly above, so that a new paragraph needs a break.
    private var isAfterText = false

    /// The beginning of a page. `date` as in `November 21, 2026`.
    init(_ name: String, section: Int, about: String, date: String) {
        lines = [
            ".\\\" Made by seatagent itself from its tables.",
            ".Dd \(date)", ".Dt \(name.uppercased()) \(section)",
            ".Os \"seatagent \(Version.text)\"",
            ".Sh NAME", ".Nm \(name)", ".Nd \(Self.escaped(about))",
        ]
    }

    /// The page.
    var text: String { lines.map { $0 + "\n" }.joined() }

    // MARK: Pieces

    /// Begins a part with its own heading.
    mutating func section(_ title: String) {
        macro("Sh", title.uppercased())
    }

    /// Begins a part of a part.
    mutating func subsection(_ title: String) { macro("Ss", title) }

    /// Adds a line of macros, with arguments escaped by the caller.
    mutating func raw(_ line: String) {
        lines.append(line)
        isAfterText = false
    }

    /// Adds a paragraph of running text, on lines of readable length.
    mutating func paragraph(_ text: String) {
        if isAfterText { lines.append(".Pp") }
        append(text)
    }

    /// Adds lines that stay as they are.
    mutating func literal(_ text: [String]) {
        guard !text.isEmpty else { return }
        lines.append(".Bd -literal -offset indent")
        // Readers copy code from the page, so a hyphen there is a minus sign.
        lines += text.map { Self.guarded(Self.code($0)) }
        lines.append(".Ed")
        isAfterText = true
    }

    /// Adds tags with their meanings. Tags are arguments of `.It`, escaped by the caller.
    mutating func list(_ items: [(tag: String, text: String)]) {
        guard !items.isEmpty else { return }
        lines.append(".Bl -tag -width Ds")
        for item in items {
            lines.append(".It \(item.tag)")
            append(item.text)
        }
        lines.append(".El")
        isAfterText = true
    }

    private mutating func macro(_ name: String, _ argument: String) {
        lines.append(".\(name) \(Self.argument(argument))")
        isAfterText = false
    }

    private mutating func append(_ text: String) {
        var line = ""
        for word in Self.inline(text).split(separator: " ") {
            // A sentence ends its line, so that the formatter knows where it ends.
            let isFull = line.count + word.count > 78 || Self.endsSentence(line)
            if !line.isEmpty, isFull {
                lines.append(Self.guarded(line))
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { lines.append(Self.guarded(line)) }
        isAfterText = true
    }

    private static func endsSentence(_ line: String) -> Bool {
        var rest = Substring(line)
        while let ending = ["\\fR", ")", "\"", "'"].first(where: { rest.hasSuffix($0) }) {
            rest = rest.dropLast(ending.count)
        }
        return rest.last.map { ".!?".contains($0) } ?? false
    }

    // MARK: Escaping

    /// One argument of a macro, which may contain blanks and is never a macro itself.
    static func argument(_ text: String) -> String {
        let plain = escaped(text).split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\\(dq")
        return "\"\\&\(plain)\""
    }

    /// `text` escaped for display: backslashes and everything that is not ASCII.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            if scalar == "\\" {
                out += "\\e"
            } else if scalar.isASCII {
                out.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                out +=
                    "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
            }
        }
        return out
    }

    /// `text` as a person would type it.
    static func code(_ text: String) -> String {
        var out = ""
        for character in escaped(text) {
            switch character {
            case "-": out += "\\-"
            case "'": out += "\\(aq"
            case "`": out += "\\(ga"
            case "^": out += "\\(ha"
            case "~": out += "\\(ti"
            default: out.append(character)
            }
        }
        return out
    }

    /// Running text: text between backticks and between pairs of stars is bold.
    static func inline(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        // An unpaired backtick is text.
        guard parts.count % 2 == 1 else { return escaped(text) }
        return parts.enumerated().map { index, part in
            index % 2 == 1 ? "\\fB\(code(String(part)))\\fR" : bold(String(part))
        }.joined()
    }

    private static func bold(_ text: String) -> String {
        var out = ""
        var isBold = false
        var rest = Substring(text)
        while let stars = rest.firstPlace(of: "**") {
            out += escaped(String(rest[..<stars.lowerBound])) + (isBold ? "\\fR" : "\\fB")
            isBold.toggle()
            rest = rest[stars.upperBound...]
        }
        return out + escaped(String(rest)) + (isBold ? "\\fR" : "")
    }

    /// Protects a line of text that begins like a request.
    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}

extension Mdoc {
    /// `Fl Fl note Ar TEXT`: an option as an argument of `.It` or `.Op`.
    static func option(_ option: Option) -> String {
        let letter = option.letter.map { "Fl \($0) , " } ?? ""
        let name = "\(letter)Fl Fl \(option.name)"
        return switch option.value {
        case .none: name
        case .required(let metavariable, _): "\(name) Ar \(argument(metavariable))"
        case .optional(let value): "\(name) Ns Op Ns = Ns \(argument(value))"
        }
    }
}
