// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol

/// One event of a calendar file.
package struct CalendarEvent: Hashable, Sendable {
    /// When it is.
    package enum Span: Hashable, Sendable {
        /// The day of a flight whose times are unknown.
        case day(FlightDate)
        /// Whole days, from the first one to the last one.
        case days(FlightDate, FlightDate)
        /// From one moment to another, if the second is known.
        case moments(UTCTime, UTCTime?)
    }

    /// A reminder.
    package struct Alarm: Hashable, Sendable {
        /// Seconds before the event, or before its end.
        let before: Int64
        /// Whether they count from the end.
        let ofEnd: Bool
        /// What it says.
        let text: String

        /// A reminder so many seconds before the event begins, or ends.
        package init(before: Int64, ofEnd: Bool = false, text: String) {
            self.before = before
            self.ofEnd = ofEnd
            self.text = text
        }
    }

    /// The same in every file that has this event, and unique otherwise.
    let uid: String
    let span: Span
    let summary: String
    /// Where; empty if nowhere.
    var location = ""
    let description: String
    /// Whether the event was written once and no longer applies (RFC 5545 3.8.1.11).
    var isCancelled = false
    /// Whether the person is busy during it.
    var isBusy = true
    package var alarms: [Alarm] = []

    /// An event without reminders; `uid` is the same in every file that has it.
    package init(
        uid: String, span: Span, summary: String, description: String, location: String = "",
        isCancelled: Bool = false, isBusy: Bool = true, alarms: [Alarm] = []
    ) {
        self.uid = uid
        self.span = span
        self.summary = summary
        self.description = description
        self.location = location
        self.isCancelled = isCancelled
        self.isBusy = isBusy
        self.alarms = alarms
    }

    /// Its lines in change number `sequence`, written at `stamp`.
    func lines(sequence: Int, stamp: UTCTime) -> [ContentLine] {
        var out = [
            ContentLine("BEGIN", raw: "VEVENT"), ContentLine("UID", uid),
            ContentLine("DTSTAMP", raw: Self.form(stamp)),
            ContentLine("SEQUENCE", raw: "\(sequence)"),
        ]
        switch span {
        case .day(let date):
            out.append(ContentLine("DTSTART;VALUE=DATE", raw: Self.form(date)))
            out.append(ContentLine("DTEND;VALUE=DATE", raw: Self.form(date.adding(1))))
        case .days(let first, let last):
            out.append(ContentLine("DTSTART;VALUE=DATE", raw: Self.form(first)))
            out.append(ContentLine("DTEND;VALUE=DATE", raw: Self.form(last.adding(1))))
        case .moments(let start, let end):
            out.append(ContentLine("DTSTART", raw: Self.form(start)))
            if let end { out.append(ContentLine("DTEND", raw: Self.form(end))) }
        }
        out.append(ContentLine("SUMMARY", summary))
        if !location.isEmpty { out.append(ContentLine("LOCATION", location)) }
        out += [
            ContentLine("DESCRIPTION", description),
            ContentLine("STATUS", raw: isCancelled ? "CANCELLED" : "CONFIRMED"),
            ContentLine("TRANSP", raw: isBusy ? "OPAQUE" : "TRANSPARENT"),
        ]
        for alarm in alarms {
            out += [
                ContentLine("BEGIN", raw: "VALARM"), ContentLine("ACTION", raw: "DISPLAY"),
                ContentLine("DESCRIPTION", alarm.text),
                ContentLine(
                    alarm.ofEnd ? "TRIGGER;RELATED=END" : "TRIGGER",
                    raw: Self.trigger(alarm.before)),
                ContentLine("END", raw: "VALARM"),
            ]
        }
        return out + [ContentLine("END", raw: "VEVENT")]
    }

    /// `20260305T063000Z`.
    private static func form(_ time: UTCTime) -> String {
        RFC3339.text(time).filter { $0 != "-" && $0 != ":" }
    }

    /// `20260305`.
    private static func form(_ date: FlightDate) -> String { date.text.filter { $0 != "-" } }

    /// The exact time before the event, in hours: days would become longer or shorter if clocks
    /// change.
    static func trigger(_ before: Int64) -> String {
        let parts = [(before / 3600, "H"), (before / 60 % 60, "M"), (before % 60, "S")]
        // RFC 5545 3.3.6: no unit between two others may be left out.
        guard let first = parts.firstIndex(where: { $0.0 > 0 }),
            let last = parts.lastIndex(where: { $0.0 > 0 })
        else { return "PT0S" }
        return "-PT" + parts[first...last].map { "\($0.0)\($0.1)" }.joined()
    }
}
