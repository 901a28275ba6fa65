// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol

/// What people say yes to: with more than two of them, everybody's moves as a list, the user's
/// first; then the question.
package struct Consent: Hashable, Sendable {
    /// The list, with a line that says whose it is; empty for a swap between two.
    package let lines: [String]
    /// The question under it.
    package let question: String

    /// A question that needs no list.
    init(_ question: String) {
        lines = []
        self.question = question
    }

    /// A list under `title`, and the question.
    init(_ title: String, _ moves: MovesText, _ question: String) {
        lines = [title] + moves.lines.map { "  " + $0 }
        self.question = question
    }
}
