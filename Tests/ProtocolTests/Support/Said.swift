// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

extension TimelineItem {
    /// What was said to everyone; `nil` for what is no line.
    var said: String? {
        if case .chat(let line) = what { line.text } else { nil }
    }
}
