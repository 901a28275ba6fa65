// SPDX-License-Identifier: Apache-2.0
package import Protocol
import Text

/// A calendar file (RFC 5545): without a METHOD, as for a file that people read in themselves.
package enum CalendarFile {
    /// What stands in it of one trip.
    package struct Entry: Hashable, Sendable {
        /// Its events.
        package let events: [CalendarEvent]
        /// Grows with each change, so that a calendar takes the newer one.
        let sequence: Int
    }

    /// The whole file, as of `stamp`.
    package static func text(_ entries: [Entry], stamp: UTCTime) -> String {
        let lines =
            [
                ContentLine("BEGIN", raw: "VCALENDAR"), ContentLine("VERSION", raw: "2.0"),
                ContentLine("PRODID", "\(maker)seatagent \(Version.text)//EN"),
                ContentLine("CALSCALE", raw: "GREGORIAN"),
            ]
            + entries.flatMap { entry in
                entry.events.flatMap { $0.lines(sequence: entry.sequence, stamp: stamp) }
            } + [ContentLine("END", raw: "VCALENDAR")]
        return lines.map(\.text).joined()
    }

    private static let maker = "-//seatagent//"

    /// Whether `bytes` are a file that was written here: another one may be
    /// somebody's whole calendar.
    package static func isOurs(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:\(maker)".utf8)
    }
}

extension Trip {
    /// What a calendar file says of the trip now, and the mark to keep: a new one where nothing was
    /// written before, the next in sequence where something else was, else the same.
    ///
    /// `uid` is random and counts for a new mark only; `digest` makes a few words of a text.
    package func calendarEntry(
        _ times: TripTimes, uid: String, digest: (String) -> String
    ) -> (entry: CalendarFile.Entry, mark: CalendarMark) {
        var mark = calendar ?? CalendarMark(uid: uid, sequence: 0, digest: "")
        let events = TripCalendar(self, times).events(uid: mark.uid)
        let stamp = UTCTime(seconds: 0)
        let text = CalendarFile.text([.init(events: events, sequence: 0)], stamp: stamp)
        let now = digest(text)
        // INTEGER has 32 bits there (RFC 5545 3.3.8), whatever the list of trips says.
        if calendar != nil, mark.digest != now {
            mark.sequence = min(mark.sequence, Int(Int32.max) - 1) + 1
        }
        mark.digest = now
        mark.opens = times.opens ?? mark.opens
        return (.init(events: events, sequence: mark.sequence), mark)
    }
}
