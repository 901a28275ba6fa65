// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol

/// The days and closing times of a venue in UTC, as the core counts stays by them
/// (docs/protocol.md section 31).
extension Venue {
    /// Minutes behind midnight at which a day of the venue ends: as late as any of its hours do, so
    /// that a night belongs to the day on which it began.
    package var nightMinutes: Int {
        let all = [hours] + places.compactMap(\.hours)
        let weeks = all.flatMap { hours in Weekday.allCases.flatMap { hours.on($0) } }
        let special = closed.values.flatMap(\.spans) + open.values.flatMap(\.spans)
        return (weeks + special).reduce(0) { max($0, $1.to - 1440) }
    }

    /// The day of the venue at a time; `nil` for a year that nobody means.
    package func day(at time: UTCTime, _ zone: TimeZoneRules) -> VenueDay? {
        guard let clock = zone.clock(at: time) else { return nil }
        // Its begin decides, as in `stayHours`: in the night of a change of clocks a day is longer.
        var date = clock.date.days
        if time < begin(date, zone) { date -= 1 }
        if time >= begin(date + 1, zone) { date += 1 }
        return VenueDay(number: Int(date - Self.firstDay))
    }

    /// When a day of the venue begins, by days since 1970-01-01.
    private func begin(_ days: Int64, _ zone: TimeZoneRules) -> UTCTime {
        zone.utc(ofCivil: days * 86_400 + Int64(nightMinutes) * 60)
    }

    /// The volume at a time.
    package func volume(at time: UTCTime, _ zone: TimeZoneRules) -> Protocol.Volume? {
        guard let kind = Protocol.Volume.Kind(rawValue: volume.rawValue),
            let day = day(at: time, zone)
        else { return nil }
        return Protocol.Volume(kind, of: day)
    }

    /// The days of a volume, and when its counted places close; `nil` for a zone that this machine
    /// does not know well enough. O(days x places).
    package func stayHours(of volume: Protocol.Volume, _ zone: TimeZoneRules) -> StayHours? {
        let numbers = volume.first.number...volume.last.number + 1
        let days = numbers.map { begin(Self.firstDay + Int64($0), zone) }
        var times: [Int: [UTCTime]] = [:]
        for place in places where place.mode == .counted {
            times[place.id] = closings(of: place, in: volume, zone)
        }
        return StayHours(days: days, closings: times)
    }

    /// When a place closes on the days of a volume, in order. Spans that touch are one.
    private func closings(
        of place: VenuePlace, in volume: Protocol.Volume, _ zone: TimeZoneRules
    ) -> [UTCTime] {
        let days = VenueDays(place, of: self)
        var spans: [(from: Int64, to: Int64)] = []
        // The night before may reach into it, and the morning behind it goes on with it.
        for number in volume.first.number - 1...volume.last.number + 1 {
            let midnight = (Self.firstDay + Int64(number)) * 1440
            guard let first = FlightDate("2000-01-01") else { return [] }
            for span in days.spans(on: first.adding(Int64(number))) {
                spans.append((midnight + Int64(span.from), midnight + Int64(span.to)))
            }
        }
        var ends: [Int64] = []
        for span in spans.sorted(by: { $0.from < $1.from }) {
            if let last = ends.last, span.from <= last {
                ends[ends.count - 1] = max(last, span.to)
            } else {
                ends.append(span.to)
            }
        }
        // Day and night: what ends with the last day that was looked at does not end there.
        var times: [UTCTime] = []
        for end in ends {
            let time = zone.utc(ofCivil: end * 60)
            if times.last.map({ $0 < time }) ?? true { times.append(time) }
        }
        return times
    }

    /// 2000-01-01 in days since 1970-01-01.
    private static let firstDay: Int64 = 10_957
}
