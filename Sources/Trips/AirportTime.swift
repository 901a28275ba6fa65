// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol

/// A moment, and what clocks show at an airport then.
package struct AirportTime: Hashable, Sendable {
    /// The moment.
    let utc: UTCTime
    /// What clocks show, as seconds from 1970-01-01T00:00 by the clock.
    let civil: Int64
    /// The kind of time that clocks show there then.
    let kind: TimeZoneRules.LocalKind

    /// What clocks of `rules` show at `utc`.
    package init(utc: UTCTime, rules: TimeZoneRules) {
        self.utc = utc
        civil = rules.civil(at: utc)
        kind = rules.kind(at: utc)
    }

    /// What clocks at `airport` show at `utc`; `nil` if its zone is unknown.
    package init?(
        utc: UTCTime, airport: String,
        zones: (String) -> TimeZoneRules? = { TimeZoneRules.named($0) }
    ) {
        guard let rules = Airport.named(airport)?.zone.flatMap(zones) else { return nil }
        self.init(utc: utc, rules: rules)
    }

    /// `2026-03-05 06:30 (GMT)`, `2026-03-05 06:30 (UTC+5:45)`.
    package var text: String {
        let isName = kind.abbreviation.utf8.allSatisfy { 65...90 ~= $0 }
        let minute = RFC3339.text(UTCTime(seconds: civil)).prefix(16)
        let words = minute.split(separator: "T").joined(separator: " ")
        return "\(words) (\(isName ? kind.abbreviation : offsetText))"
    }

    /// `UTC+5:45`, `UTC-3`.
    private var offsetText: String {
        let minutes = abs(kind.offset) / 60
        let rest = minutes % 60
        return "UTC" + (kind.offset < 0 ? "-" : "+") + "\(minutes / 60)"
            + (rest == 0 ? "" : ":" + (rest < 10 ? "0" : "") + "\(rest)")
    }
}
