// SPDX-License-Identifier: Apache-2.0
/// Breaks text into lines that fit, at blanks where it can.
package enum Wrapping {
    /// The lines of `text`, which has been through ``visible(_:cells:)``; at least one.
    package static func lines(_ text: String, cells: Int) -> [String] {
        guard cellWidth(text) > cells, cells > 0 else { return [text] }
        var lines: [String] = []
        var line = ""
        var width = 0
        // Where the line may be broken: letters before the blank, and their cells.
        var blank: (letters: Int, width: Int)?
        for letter in text {
            let size = cellWidth(String(letter))
            // Where a line was broken, the other blanks there go too.
            if letter == " ", line.isEmpty, !lines.isEmpty { continue }
            if width + size > cells {
                if letter == " " {
                    lines.append(line)
                    (line, width, blank) = ("", 0, nil)
                    continue
                }
                if let at = blank {
                    lines.append(String(line.prefix(at.letters)))
                    line = String(line.dropFirst(at.letters + 1))
                    width -= at.width + 1
                } else {
                    lines.append(line)
                    (line, width) = ("", 0)
                }
                blank = nil
            }
            if letter == " " { blank = (line.count, width) }
            line.append(letter)
            width += size
        }
        lines.append(line)
        return lines
    }
}
