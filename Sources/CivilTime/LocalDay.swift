// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Protocol

/// A day by the local calendar.
package struct LocalDay: Hashable, Sendable {
    /// `2026-11-21`.
    package let text: String

    /// The local day of `time`; `nil` if the C library knows none.
    package init?(_ time: UTCTime) {
        var seconds = time_t(time.seconds)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return nil }
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        text = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }
}
