extension CommandTable {
    static let calendar: [Command] = [
        Command(
            name: "calendar", summary: "a calendar file of your flights and when their seats open",
            operands: "[FLIGHT]", count: 0...4, sample: "FR202",
            options: [
                Option(
                    name: "out", value: .required("FILE", sample: "flights.ics"),
                    summary: "write it there; else on standard output")
            ],
            details: [
                "Writes the flights of your list, or one, in the form that all calendars read (RFC",
                "5545). Each flight has a reminder for the moment its seats open, and an event of its",
                "own for that, since some calendars leave reminders out. Times are in UTC, which a",
                "calendar shows in its own zone; the clocks at the airports stand in the text.",
                "",
                "After a change, such as a swap, write it again: a calendar takes the newer one in",
                "place of what it has. Nothing in it is of others: no names, no messages.",
            ],
            examples: [
                "seatagent calendar FR202 --out flights.ics", "seatagent calendar >flights.ics",
            ], needsNoConfig: true, run: CalendarCommand.run)
    ]
}
