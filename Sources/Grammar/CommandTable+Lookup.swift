// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let lookup: [Command] = [
        Command(
            .lookup, summary: "ask a schedule service about a flight of your list",
            operands: "FLIGHT", count: 1...4, sample: "FR202",
            details: [
                "Off until you type `seatagent config set lookup.key KEY`; nothing else needs it.",
                "It asks AviationEdge, or the service of the same form at lookup.url, with the",
                "program curl. If the schedule has the flight, your list gets the airport of",
                "arrival and the times that it lacks. It keeps what it has, and shows differences.",
                "With a key set, `seatagent flight add` asks too.",
                "",
                "The service learns your internet address, your key, and that somebody asks for",
                "this airline's departures from this airport on this day; not the flight number,",
                "and nothing about seats or people. If it does not answer or does not know the",
                "flight, nothing changes.",
            ],
            examples: ["seatagent lookup FR202"])
    ]
}
