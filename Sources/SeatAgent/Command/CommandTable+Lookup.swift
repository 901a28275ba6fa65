extension CommandTable {
    static let lookup: [Command] = [
        Command(
            name: "lookup", summary: "ask a schedule service about a flight of your list",
            operands: "FLIGHT", count: 1...4, sample: "FR202",
            details: [
                "Off until `seatagent config set lookup.key KEY`; nothing else here needs it. Asks",
                "AviationEdge, or what lookup.url names in its form, with the program curl. Where",
                "the schedule has the flight, your list gets the airport of arrival and the times",
                "that it does not have; what it has stays, and differences are shown. `seatagent",
                "flight add` asks too, then.",
                "",
                "The service learns your address on the internet, your key, and that somebody asks",
                "for this airline's departures from this airport on this day: not the number, and",
                "nothing of seats or people. Where it does not answer, nothing is changed, and a",
                "flight that it does not have is a flight all the same.",
            ],
            examples: ["seatagent lookup FR202"], run: LookupCommand.run)
    ]
}
