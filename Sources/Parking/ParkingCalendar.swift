// SPDX-License-Identifier: Apache-2.0
import Protocol
package import Trips
import Venues

extension ParkingRecord {
    /// The calendar entry for the car now, with reminders a quarter of an hour before its time is
    /// up and at the end, and the mark to store. `uid` is random and used for a new mark only;
    /// `digest` shortens a text to a few words.
    package func calendarEntry(
        uid: String, digest: (String) -> String
    ) -> (entry: CalendarFile.Entry, mark: Trip.CalendarMark) {
        var mark = calendar ?? Trip.CalendarMark(uid: uid)
        let events = [event(uid: mark.uid)]
        mark.note(events, isNew: calendar == nil, digest)
        return (CalendarFile.Entry(events: events, sequence: mark.sequence), mark)
    }

    private func event(uid: String) -> CalendarEvent {
        var event = CalendarEvent(
            uid: "\(uid)-parked@seatagent.invalid", span: .moments(since, ends),
            summary: "Parked: \(plate) at \(building)",
            description: [
                "Visiting suite \(suite), for \(hours) h.", at.map { "Position: \($0.text)" },
            ].compactMap(\.self).joined(separator: "\n"),
            location: street ?? "", isBusy: false)
        event.alarms = [
            CalendarEvent.Alarm(
                before: ParkingReminder.lead, ofEnd: true,
                text: "15 minutes left for \(plate) at \(building)"),
            CalendarEvent.Alarm(
                before: 0, ofEnd: true, text: "The time of \(plate) at \(building) is up"),
        ]
        return event
    }
}
