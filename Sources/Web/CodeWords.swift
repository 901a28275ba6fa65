// SPDX-License-Identifier: Apache-2.0
/// Words that stand for a key, so that people can compare it by eye (docs/page.md section 6).
package struct CodeWords: Hashable, Sendable {
    /// Words in the list: ten bits each.
    package static let listed = 1024
    /// Words of a key: sixty bits.
    package static let count = 6

    private let list: [String]

    /// Reads a list with a word in each line; `nil` if it is not as long as it has to be, or has a
    /// word twice.
    package init?(_ text: [UInt8]) {
        list = text.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        guard list.count == Self.listed, Set(list).count == list.count else { return nil }
    }

    /// The words for the first sixty bits of a digest; none if it is shorter.
    package func words(of digest: [UInt8]) -> [String] {
        guard digest.count >= 8 else { return [] }
        let bits = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return (1...Self.count).map { list[Int(bits >> (64 - 10 * UInt64($0)) & 1023)] }
    }
}
