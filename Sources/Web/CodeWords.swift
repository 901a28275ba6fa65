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

    /// The words for the first bits of a digest, ten for each; none if it is shorter.
    package func words(of digest: [UInt8], count: Int = count) -> [String] {
        guard digest.count * 8 >= count * 10 else { return [] }
        return (0..<count).map { number in
            let bits = (10 * number..<10 * number + 10).reduce(0) { value, bit in
                value << 1 | Int(digest[bit / 8] >> UInt8(7 - bit % 8) & 1)
            }
            return list[bits]
        }
    }
}
