// SPDX-License-Identifier: Apache-2.0
/// Limits of what comes from a meeting point (docs/meet.md section 3).
extension Limits {
    /// Authors that a meeting point may introduce at once: it brings a whole flight.
    package static let mailedNewcomers = 64
    /// And in a second, after that.
    package static let mailedPerSecond = 8
}
