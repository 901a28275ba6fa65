// SPDX-License-Identifier: Apache-2.0
extension String {
    /// The words of a text with one blank between any two.
    ///
    /// A mark behind a blank makes one character of both, which counts as a blank: words are split
    /// among the scalars, so the mark stays and a second reading gives the same text. O(n).
    package var singleBlanks: String {
        unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
            .map { String($0) }.joined(separator: " ")
    }
}
