// SPDX-License-Identifier: Apache-2.0
/// One line of a calendar file (RFC 5545 3.1): a name, perhaps parameters, a value.
struct ContentLine: Hashable, Sendable {
    /// `DTSTART;VALUE=DATE`.
    let name: String
    /// The value as in the file, escaped if it is text.
    let value: String

    /// A line whose value has its own form: a date, a number, a word.
    init(_ name: String, raw value: String) {
        self.name = name
        self.value = value
    }

    /// A line of text for people.
    init(_ name: String, _ text: String) {
        self.init(name, raw: Self.escaped(text))
    }

    /// The most bytes in a line, without its end.
    static let width = 75

    /// The line as in the file, folded, with its end.
    var text: String {
        var out = ""
        var used = 0
        for scalar in "\(name):\(value)".unicodeScalars {
            let size = UTF8.width(scalar)
            if used + size > Self.width {
                out += "\r\n "
                // The blank that begins a continued line counts too.
                used = 1
            }
            out.unicodeScalars.append(scalar)
            used += size
        }
        return out + "\r\n"
    }

    /// TEXT (RFC 5545 3.3.11). Other control characters are not allowed and are left out.
    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": out += "\\\(scalar)"
            case "\n": out += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
