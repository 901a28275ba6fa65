// SPDX-License-Identifier: Apache-2.0
package import Protocol
import Text

/// A calendar file (RFC 5545). It has no METHOD, because people import it themselves.
package enum CalendarFile {
    /// What the file contains for one trip.
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

    /// Whether this program wrote `bytes`: another file may be somebody's whole calendar.
    package static func isOurs(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:\(maker)".utf8)
    }
}

extension Trip {
    /// The calendar entry for the trip now, and the mark to store: a new mark if nothing was
    /// written before, the next in sequence if the text differs, else the same one.
    ///
    /// `uid` is random and used for a new mark only; `digest` shortens a text to a few words.
    package func calendarEntry(
        _ times: TripTimes, uid: String, digest: (String) -> String
    ) -> (entry: CalendarFile.Entry, mark: CalendarMark) {
        var mark = calendar ?? CalendarMark(uid: uid, sequence: 0, digest: "")
        let events = TripCalendar(self, times).events(uid: mark.uid)
        let stamp = UTCTime(seconds: 0)
        let text = CalendarFile.text([.init(events: events, sequence: 0)], stamp: stamp)
        let now = digest(text)
        // INTEGER has 32 bits there (RFC 5545 3.3.8), whatever number the list of trips contains.
        if calendar != nil, mark.digest != now {
            mark.sequence = min(mark.sequence, Int(Int32.max) - 1) + 1
        }
        mark.digest = now
        mark.opens = times.opens ?? mark.opens
        return (.init(events: events, sequence: mark.sequence), mark)
    }
}
