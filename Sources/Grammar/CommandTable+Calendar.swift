// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let calendar: [Command] = [
        Command(
            .calendar,
            summary: "write your flights, and when their seats open, as a calendar",
            operands: "[FLIGHT]", count: 0...4, sample: "FR202",
            options: [
                Option(
                    name: "out", value: .required("FILE", sample: "flights.ics"),
                    summary: "write it there; default: standard output")
            ],
            details: [
                "Writes one flight or all flights of your list in the format that every calendar",
                "reads (RFC 5545). Each flight has a reminder for the moment its seats open, and",
                "an event for that moment, since some calendars drop reminders. Times are in UTC,",
                "which a calendar shows in its own zone; the text has the local times of the",
                "airports.",
                "",
                "Write it again after a change, such as a swap: a calendar replaces the older",
                "entry. The file contains nothing about others: no names, no messages.",
                "",
                "Without FLIGHT, the file also has your parked cars whose time runs (see",
                "`seatagent help park`), with reminders 15 minutes before the end and at the end,",
                "and what you booked in venues, with a reminder; one that was cancelled since is",
                "sent as cancelled.",
            ],
            examples: [
                "seatagent calendar FR202 --out flights.ics", "seatagent calendar >flights.ics",
            ], needsNoConfig: true)
    ]
}
