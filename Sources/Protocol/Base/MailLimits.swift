// SPDX-License-Identifier: Apache-2.0
/// Limits of what comes from a meeting point (docs/meet.md section 3).
extension Limits {
    /// Authors that a meeting point may introduce at once: it brings a whole flight.
    package static let mailedNewcomers = 64
    /// And in a second, after that.
    package static let mailedPerSecond = 8
    /// Passengers for whom letters are left at once (docs/meet.md section 4).
    package static let correspondents = 32
    /// Seconds for which a letter is left, at most: 96 hours.
    package static let letterStay: Int64 = 96 * 3600
    /// A direct message is given up after this long where it can be left at a meeting point.
    package static let letterTime = TimeSpan.seconds(24 * 60 * 60)
}
