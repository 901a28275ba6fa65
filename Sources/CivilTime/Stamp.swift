// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// A date as files and the control socket have it: RFC 3339 in UTC, to the second.
package struct Stamp: Codable, Hashable, Sendable {
    /// As it is written: `2026-11-21T10:02:00Z`.
    package let text: String

    /// The stamp of that time.
    package init(_ time: UTCTime) { text = RFC3339.text(time) }

    /// A stamp as it came.
    package init(text: String) { self.text = text }

    /// The time; `nil` if the text is no date.
    package var time: UTCTime? { RFC3339.parse(text) }

    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Stamp: JSONKinded { package static var kind: JSONKind { .form("date") } }
