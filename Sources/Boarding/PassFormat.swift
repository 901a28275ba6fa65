// SPDX-License-Identifier: Apache-2.0
package import Text

/// The format of a file that should contain a boarding pass, by its first bytes.
package enum PassFormat: Hashable, Sendable {
    /// Text, or nothing known.
    case text
    /// PNG or JPEG.
    case picture
    /// A zip archive, the format of passes for Apple's wallet.
    case wallet
    /// Another format in which people have passes.
    case other(String)

    /// Bytes needed to detect the format.
    static let head = 16

    /// The format of a file that begins with these bytes.
    package init(_ bytes: some Sequence<UInt8>) {
        let start = Array(bytes.prefix(Self.head))
        func begins(_ text: String, at place: Int = 0) -> Bool {
            start.dropFirst(place).starts(with: text.utf8)
        }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) || start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .picture
        } else if start.starts(with: [0x50, 0x4B, 3, 4]) {
            self = .wallet
        } else if begins("%PDF") {
            self = .other("a PDF")
        } else if begins("ftyp", at: 4) {
            self = .other("a HEIC or AVIF picture")
        } else if begins("RIFF"), begins("WEBP", at: 8) {
            self = .other("a WebP picture")
        } else if begins("GIF8") {
            self = .other("a GIF picture")
        } else if begins("BM"), start.count == Self.head, start[6] == 0, start[7] == 0 {
            self = .other("a BMP picture")
        } else if begins("II*\0") || begins("MM\0*") {
            self = .other("a TIFF picture")
        } else {
            self = .text
        }
    }

    /// The error for a file that cannot be read here.
    package static func refusal(_ name: String) -> UserError {
        UserError(
            .badPass, "this is \(name), which is not read here",
            why: "pictures are read as PNG and JPEG: a screenshot of the pass is one",
            advice: "seatagent help board")
    }
}
