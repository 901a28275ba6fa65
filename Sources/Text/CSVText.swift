// SPDX-License-Identifier: Apache-2.0
/// Comma-separated values as they are written (RFC 4180): ``CSVReader`` reads them.
package enum CSVText {
    /// A row without its line end.
    package static func row(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",")
    }

    /// A field: in quotes if it has a comma, a quote or a line end.
    package static func field(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != 10 && byte != 13
        }
        guard !isPlain else { return text }
        return "\"" + text.replacing(["\"": "\"\""]) + "\""
    }
}
