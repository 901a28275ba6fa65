// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Text
package import Trips
package import Venues

/// A booking in a calendar file. One that ended before it began is sent as cancelled if it was
/// written before; one that is not booked yet is not written.
package struct BookingCalendar: Sendable {
    private let item: BookingItem
    private let venue: Venue?

    /// The event of a booking; `venue` says where it is, if its file is still known.
    package init(_ item: BookingItem, of venue: Venue?) {
        self.item = item
        self.venue = venue
    }

    /// Seconds before it begins at which a calendar reminds: an hour, or half a day of what is had
    /// by the day.
    private static let lead: Int64 = 3600
    private static let leadOfDays: Int64 = 12 * 3600

    /// The calendar entry now, and the mark to store; `nil` for what no calendar needs to know.
    /// `uid` is random and used for a new mark only; `digest` shortens a text to a few words.
    package func entry(
        uid: String, digest: (String) -> String
    ) -> (entry: CalendarFile.Entry, mark: Trip.CalendarMark)? {
        guard isWritten, let span else { return nil }
        var mark = item.calendar ?? Trip.CalendarMark(uid: uid)
        let events = [event(uid: mark.uid, span)]
        mark.note(events, isNew: item.calendar == nil, digest)
        return (CalendarFile.Entry(events: events, sequence: mark.sequence), mark)
    }

    private var isWritten: Bool {
        item.token != nil && (item.state == .booked || item.calendar != nil)
    }

    /// Whether it never came to be: what ended afterwards took place.
    private var isCancelled: Bool {
        switch item.state {
        case .cancelled, .ended, .unpaid, .passedOn, .lost, .moved, .refused,
            .withdrawn:
            true
        case .asked, .waiting, .booked, .noShow, .early: false
        }
    }

    private var span: CalendarEvent.Span? {
        guard item.spot.isDays else { return .moments(item.begin, item.end) }
        let last = OfferedPeriods.day(of: item.spot.period.end - 1)
        guard let first = FlightDate(item.spot.period.day),
            let last = last.flatMap({ FlightDate($0) })
        else { return nil }
        return .days(first, last)
    }

    private func event(uid: String, _ span: CalendarEvent.Span) -> CalendarEvent {
        let place = venue?.place(item.spot.place)
        var event = CalendarEvent(
            uid: "\(uid)-booked@seatagent.invalid", span: span,
            summary: "\(item.spot.what) at \(item.venueName)",
            description: lines.joined(separator: "\n"),
            location: place?.address ?? venue?.address ?? item.venueName,
            isCancelled: isCancelled, isBusy: !item.spot.isDays && !isCancelled)
        guard item.state == .booked else { return event }
        let lead = item.spot.isDays ? Self.leadOfDays : Self.lead
        event.alarms = [
            CalendarEvent.Alarm(
                before: lead,
                text: "\(item.spot.what) at \(item.venueName): \(item.spot.when(today: nil))")
        ]
        return event
    }

    private var lines: [String] {
        var lines = [item.spot.words(today: nil)]
        if let code = item.code { lines.append("Code \(code.text)") }
        if let due = item.due, item.state == .booked {
            lines.append(item.isUnpaid ? "Due \(due.words)" : "Paid \(due.words)")
        }
        if let zone = venue?.zone { lines.append("Times by the clocks of \(zone).") }
        return lines
    }
}
