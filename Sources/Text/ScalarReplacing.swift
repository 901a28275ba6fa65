// SPDX-License-Identifier: Apache-2.0
extension StringProtocol {
    /// The text with other text in the place of some scalars: what a format takes for its own.
    ///
    /// A mark that stands behind a sign makes one character of both, which no other sign equals; a
    /// shell, a browser and a reader of files see the sign all the same. So signs are looked for
    /// among the scalars. O(n).
    package func replacing(_ signs: [Unicode.Scalar: String]) -> String {
        var out = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let other = signs[scalar] {
                out.append(contentsOf: other.unicodeScalars)
            } else {
                out.append(scalar)
            }
        }
        return String(out)
    }
}
