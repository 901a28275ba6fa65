// SPDX-License-Identifier: Apache-2.0
extension StringProtocol {
    /// Where `part` stands first, byte for byte; `nil` where it does not, or is empty.
    ///
    /// The toolchain's own search is part of its regular expressions, which
    /// are an eighth of a program.
    package func firstPlace(of part: String) -> Range<Index>? {
        guard let first = part.utf8.first else { return nil }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: part.utf8) {
                return start..<rest.index(start, offsetBy: part.utf8.count)
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}
