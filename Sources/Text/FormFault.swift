// SPDX-License-Identifier: Apache-2.0
/// Why a text is not in the form that its reader wants: the position, and what is wrong there. Both
/// are safe for a terminal.
package struct FormFault: Error, Hashable, Sendable {
    /// `line 7` or `cabins[0].rows`.
    package let place: String
    /// What is wrong, as the end of a sentence.
    package let why: String

    /// A fault at that position.
    package init(place: String, why: String) {
        self.place = place
        self.why = why
    }

    /// `cabins[0].rows: rows go from 1 to 255`.
    package var sentence: String { "\(place): \(why)" }
}
