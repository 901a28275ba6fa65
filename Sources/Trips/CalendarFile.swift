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

        /// Its events, and how often they have changed.
        package init(events: [CalendarEvent], sequence: Int) {
            self.events = events
            self.sequence = sequence
        }
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
        var mark = calendar ?? CalendarMark(uid: uid)
        let events = TripCalendar(self, times).events(uid: mark.uid)
        mark.note(events, isNew: calendar == nil, digest)
        mark.opens = times.opens ?? mark.opens
        return (.init(events: events, sequence: mark.sequence), mark)
    }
}

extension Trip.CalendarMark {
    /// Nothing was written before.
    package init(uid: String) { self.init(uid: uid, sequence: 0, digest: "") }

    /// Counts a change if the last file said anything else than these events, unless there was
    /// none; `digest` shortens a text to a few words.
    package mutating func note(
        _ events: [CalendarEvent], isNew: Bool, _ digest: (String) -> String
    ) {
        let stamp = UTCTime(seconds: 0)
        let now = digest(CalendarFile.text([.init(events: events, sequence: 0)], stamp: stamp))
        // INTEGER has 32 bits there (RFC 5545 3.3.8), whatever number the list contains.
        if !isNew, self.digest != now {
            sequence = min(sequence, Int(Int32.max) - 1) + 1
        }
        self.digest = now
    }
}
