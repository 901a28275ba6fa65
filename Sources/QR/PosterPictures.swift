// SPDX-License-Identifier: Apache-2.0
extension Poster {
    /// The page as a picture of lines, which can be printed at any size (SVG 1.1).
    package var svg: String {
        var path = ""
        for square in squares {
            path += "M\(square.x) \(square.y)h\(square.side)v\(square.side)h-\(square.side)z"
        }
        let texts = lines.map { line in
            // Letters of common fonts with one width are about 0.6 of their size wide.
            let size = PosterFont.width * line.scale * 10 / 6
            return "<text x=\"\(line.x)\" y=\"\(line.y + PosterFont.height * line.scale * 4 / 5)\" "
                + "font-size=\"\(size)\" font-family=\"monospace\">\(line.text.escapedForXML)"
                + "</text>\n"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="105mm" height="148mm" \
            viewBox="0 0 \(Self.width) \(Self.height)" shape-rendering="crispEdges">
            <rect width="\(Self.width)" height="\(Self.height)" fill="#fff"/>
            <path d="\(path)" fill="#000"/>
            \(texts.joined())</svg>

            """
    }

    /// The page as a picture of dots (PNG), for phones and chats that show no SVG.
    package var png: [UInt8] {
        var picture = DotPicture(width: Self.width, height: Self.height)
        for square in squares { picture.fill(square.x, square.y, square.side) }
        for line in lines {
            for (index, letter) in line.text.unicodeScalars.enumerated() {
                let left = line.x + index * PosterFont.width * line.scale
                for y in 0..<PosterFont.height {
                    for x in 0..<PosterFont.width where PosterFont.isInk(letter, x, y) {
                        picture.fill(left + x * line.scale, line.y + y * line.scale, line.scale)
                    }
                }
            }
        }
        return picture.png
    }
}
