// SPDX-License-Identifier: Apache-2.0
/// E-mail addresses as people type them. Whether mail arrives there, nobody can tell from a text:
/// what is checked is what a mistyped one most often lacks.
package enum MailAddress {
    /// Bytes of an address: what a mail server takes (RFC 5321 section 4.5.3.1.3, without the
    /// brackets).
    package static let longest = 254

    /// What an address needs, as the end of a sentence.
    package static let need =
        "one @, a dot in what follows it, no blanks, and at most \(longest) bytes"

    /// What is wrong with `text`, as a sentence without its end; `nil` for an address.
    package static func fault(_ text: String) -> String? {
        guard text.utf8.count <= longest else { return "it has \(text.utf8.count) bytes" }
        guard !text.unicodeScalars.contains(where: \.properties.isWhitespace) else {
            return "there is a blank in it"
        }
        guard text.unicodeScalars.allSatisfy(\.isSafeToPrint) else {
            return "it has characters that cannot be seen"
        }
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return "it has \(parts.count - 1) @" }
        guard !parts[0].isEmpty else { return "nothing stands before the @" }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1 else { return "no dot follows the @" }
        guard !labels.contains(where: \.isEmpty) else {
            return "a dot stands at an end of the host, or beside another dot"
        }
        return nil
    }
}
