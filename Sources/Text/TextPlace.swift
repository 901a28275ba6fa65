// SPDX-License-Identifier: Apache-2.0
extension StringProtocol {
    /// Where `part` first occurs, byte for byte; `nil` if it does not occur or is empty.
    ///
    /// The toolchain's own search is part of its regular expressions, which would make up an eighth
    /// of the program.
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
