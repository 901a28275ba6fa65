// SPDX-License-Identifier: Apache-2.0
import Protocol

/// A position as GeoClue says it, checked.
package struct GeoClueFix: Hashable, Sendable {
    /// Degrees north, -90...90.
    package let latitude: Double
    /// Degrees east, -180...180.
    package let longitude: Double
    /// Metres within which it is right, 0 or more; `nil` where GeoClue does not know.
    package let accuracy: Double?

    /// Half the way around the Earth, in metres: nothing is farther away.
    static let farthest = 20_038_000.0

    /// `nil` for what cannot be: what is no number, or not on the Earth. Below zero, an accuracy is
    /// unknown.
    package init?(latitude: Double, longitude: Double, accuracy: Double) {
        // No comparison is true of what is no number.
        guard abs(latitude) <= 90, abs(longitude) <= 180, accuracy <= Self.farthest else {
            return nil
        }
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy < 0 ? nil : accuracy
    }

    /// Reads the properties of a location; `nil` for what cannot be.
    init?(_ values: [String: Double]) {
        guard let latitude = values["Latitude"], let longitude = values["Longitude"] else {
            return nil
        }
        self.init(
            latitude: latitude, longitude: longitude, accuracy: values["Accuracy"] ?? -1)
    }

    /// Whether it says more than `other`.
    func isBetter(than other: GeoClueFix) -> Bool {
        (accuracy ?? .infinity) < (other.accuracy ?? .infinity)
    }
}

/// Which of the positions that GeoClue says one after another is taken. The first ones may come
/// from networks around, and a receiver's a moment later.
struct FixChoice {
    /// As good as this, in metres, it is taken at once: a car is seen from there.
    static let good = 100.0
    /// How long a better one is waited for.
    static let patience = TimeSpan.seconds(3)

    private(set) var best: GeoClueFix?
    private(set) var end: Instant

    /// Nothing yet, and nothing after `end`.
    init(until end: Instant) { self.end = end }

    /// Whether nothing else is waited for at `now`.
    func isOver(at now: Instant) -> Bool {
        now >= end || (best?.accuracy).map { $0 <= Self.good } ?? false
    }

    mutating func take(_ fix: GeoClueFix, at now: Instant) {
        if best == nil { end = min(end, now + Self.patience) }
        if best.map(fix.isBetter) ?? true { best = fix }
    }
}
