extension CommandTable {
    static let alias = Option(
        name: "alias", value: .required("NUMBER", sample: "LH440"), repeats: true,
        summary: "a partner's number of the same flight, at most three")

    /// What is known of a flight of the list.
    static let tripOptions: [Option] = [
        Option(
            name: "to", value: .required("AIRPORT", sample: "STN"), summary: "where it goes"),
        Option(
            name: "departs", value: .required("TIME", sample: "06:30"),
            summary: "scheduled departure by the clock there"),
        Option(
            name: "arrives", value: .required("TIME", sample: "07:45"),
            summary: "scheduled arrival by the clock there; 00:15+1 on the next day"),
        Option(
            name: "opens-before", value: .required("TIME", sample: "24h"),
            summary: "how long before departure seats open; else as the airline does"),
        seat, alias, yes,
        Option(name: "force", summary: "although a swap that you signed has no outcome yet"),
    ]

    static let flights: [Command] = [
        Command(
            name: "flights", summary: "your flights, and those whose records are kept here",
            details: [
                "Your list by departure: how long until then, whether swaps are open, your seats.",
                "Below a flight stands what an agent of yours keeps of it. A day after its end a",
                "flight goes from the list into `seatagent history`.",
            ],
            examples: ["seatagent flights", "seatagent flights --json"],
            run: FlightCommands.list),
        Command(
            name: "flight", summary: "a flight of your list: add, show, change or remove it",
            operands: "add|show|change|remove FLIGHT...", count: 1...9, sample: "show FR202",
            options: tripOptions,
            details: [
                "add wants number, date and airport of departure, and then takes where it goes:",
                "FR 202 2026-12-05 DUB STN, or FR202/2026-12-05/DUB. Dates go from today to two",
                "years ahead. The same number on two days is two flights. --seat names all seats of",
                "your party. With --departs it is known when swaps open; all times are what the",
                "clocks at the airports show.",
                "",
                "show, change and remove find it by FR202, FR202/2026-12-05 or all of its name. An",
                "empty value, as in --arrives \"\", takes back what was known.",
                "",
                "remove takes it off the list. Where your agent is on it, your own requests and claims",
                "are taken back, nobody else's, and the agent leaves; records stay until",
                "`seatagent forget`.",
                "",
                "Partners sell one flight under several numbers. All who are aboard meet under the",
                "number of the airline that flies; with --alias your agent tells you of those who",
                "joined under another one, which `seatagent up LH440` joins too.",
            ],
            examples: [
                TripReading.sample, "seatagent flight add FR202/2026-12-05/DUB --seat 17A,17B",
                "seatagent flight add UA8839 2026-12-05 FRA --alias LH440",
                "seatagent flight show FR202",
                "seatagent flight change FR202 --departs 06:35 --opens-before 24h",
                "seatagent flight remove FR202/2026-12-05",
            ],
            run: TripCommands.run),
        Command(
            name: "history", summary: "swaps and flights that were, newest first",
            operands: "[WORD...]", count: 0...16,
            options: [
                Option(name: "long", summary: "all that is remembered of each"),
                Option(
                    name: "limit", value: .required("N", sample: "20"),
                    summary: "the newest N; else 50"),
            ],
            details: [
                "With words only what has all of them: a number, a date or its beginning, an airport",
                "or its city, a seat, a name. A swap is remembered by seats and dates; names of",
                "others go with the flight's records. `seatagent forget FLIGHT` ends all of it.",
            ],
            examples: [
                "seatagent history", "seatagent history --long FR202",
                "seatagent history dublin 2026-12",
            ],
            run: HistoryCommand.run),
        Command(
            name: "forget", summary: "delete a flight's records and key at once",
            operands: "FLIGHT...", count: 1...5, sample: "practice",
            options: [
                Option(name: "yes", summary: "do not ask"),
                Option(
                    name: "force", summary: "although a swap that you signed has no outcome yet"),
            ],
            details: [
                "FLIGHT is as in `seatagent flights`, or practice. Where your agent is on that flight,",
                "it takes your claims back first, so that others see your seat is open, and then",
                "ends. What the history remembers of the flight goes too; your list stays as it is.",
                "What others have of you they keep until their own records go.",
                "Without it, records go by themselves three days after the flight, once two starts at",
                "least two days apart find it over.",
            ],
            examples: ["seatagent forget practice --yes"], run: FlightCommands.forget),
    ]
}
