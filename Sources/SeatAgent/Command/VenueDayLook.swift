// SPDX-License-Identifier: Apache-2.0
import Bookings
import CivilTime
import ControlAPI
import Protocol
import System
import Text
import Venues
import Wording

/// `seatagent venue show VENUE DATE` where places are booked: what is free that day, and how old
/// that is.
struct VenueDayLook {
    private let call: Invocation
    private let page: BookingPage
    private let day: VenueDay
    private let table: DayPage?

    /// A day of a venue, with what its agent knows; `nil` for a day without a number.
    init?(_ call: Invocation, _ agent: VenueAgent, on date: FlightDate) throws(UserError) {
        guard let day = date.venueDay else { return nil }
        self.call = call
        self.day = day
        let page = try BookingPage(agent, from: day)
        self.page = page
        let volume = try agent.name().volume
        guard volume.first <= day, day <= volume.last, page.facts.desk != nil else {
            table = nil
            return
        }
        table = DayPage(
            page.offered, on: day, through: volume.last, at: page.now, page.booked.marks)
    }

    /// Prints it below the lines about the hours of the day.
    func show(_ date: FlightDate, _ hours: [String]) -> ExitCode {
        let days = VenueDays(page.agent.venue)
        return call.finish(
            .object(present: [
                "date": .string(date.text),
                "hours": .array(days.spans(on: date).map { .string($0.text) }),
                "reason": days.reason(on: date).map(JSON.string),
                "desk": page.facts.desk.map { JSON($0) },
                "as_of": asOf.map { .string(RFC3339.text($0)) },
                "tables": table.map { .array($0.tables.map(json)) },
            ]), hours + state + [""] + lines)
    }

    // MARK: How old it is

    /// When the desk was heard last, as far as anybody here knows; `nil` while it is about.
    private var asOf: UTCTime? {
        guard case .away(let since) = page.sight else { return nil }
        let seen = page.facts.bookings.compactMap { $0.seen?.time }
        return ([since].compactMap(\.self) + seen).max()
    }

    private var state: [String] {
        var lines = [DeskStateText.short(page.sight, page.offered.clock, at: page.now)]
        lines += page.alarms
        if let asOf, table != nil {
            let words = BookingTerms(page.offered, today: page.today).words(asOf)
            lines.append("As of \(words): what the desk has granted since is not in it.")
        }
        return lines
    }

    private var lines: [String] {
        if let table { return DayLines(table, today: page.today).table }
        guard page.facts.desk != nil else {
            return ["Nothing is known of what is booked: the desk has not been met."]
        }
        return ["What is booked that day is in another ledger than that of now."]
    }

    // MARK: For scripts

    private func json(_ table: DayTable) -> JSON {
        [
            "by_day": .bool(table.isByDay),
            "rows": .array(
                table.rows.map { row in
                    [
                        "id": .int(row.place.id), "name": .string(row.place.name),
                        "of": .int(page.room.count(row.place.id)),
                        "cells": .array(row.cells.compactMap { cell in json(cell, row.place) }),
                    ]
                }),
        ]
    }

    private func json(_ cell: DayTable.Cell, _ place: VenuePlace) -> JSON? {
        guard let span = cell.span, let date = FlightDate(span.day) else { return nil }
        return [
            "day": .string(date.text), "from": .int(span.from), "minutes": .int(span.minutes),
            "mark": .string(cell.mark.meaning), "free": .int(page.room.free(place.id, span)),
        ]
    }
}
