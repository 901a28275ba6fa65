// SPDX-License-Identifier: Apache-2.0
extension QRCode {
    /// Modules of light around the code, and units of a line of text below it.
    private static let (border, line) = (4, 5)

    /// The code as a picture that can be printed at any size (SVG 1.1), with lines of text below.
    package func svg(below lines: [String] = []) -> String {
        let width = side + 2 * Self.border
        let height = width + lines.count * Self.line
        var path = ""
        for y in 0..<side {
            for x in 0..<side where isDark(x, y) {
                path += "M\(x + Self.border) \(y + Self.border)h1v1h-1z"
            }
        }
        let texts = lines.enumerated().map { index, text in
            // Letters of common fonts are at most about 0.65 of their size wide.
            let size = min(4, Double(width) / (0.65 * Double(max(text.count, 1))))
            return "<text x=\"\(Double(width) / 2)\" y=\"\(width + index * Self.line)\" "
                + "font-size=\"\((size * 10).rounded(.down) / 10)\" text-anchor=\"middle\" "
                + "font-family=\"monospace\">\(text.escapedForXML)</text>\n"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" version="1.1" \
            viewBox="0 0 \(width) \(height)" shape-rendering="crispEdges">
            <rect width="\(width)" height="\(height)" fill="#fff"/>
            <path d="\(path)" fill="#000"/>
            \(texts.joined())</svg>

            """
    }
}

extension String {
    /// As text of a picture. By scalars: a mark behind a sign makes another character of it for
    /// Swift, not for a browser.
    var escapedForXML: String {
        unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: String(scalar)
            }
        }.joined()
    }
}
