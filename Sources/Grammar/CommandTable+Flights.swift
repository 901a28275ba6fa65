// SPDX-License-Identifier: Apache-2.0
import Trips

extension CommandTable {
    package static let alias = Option(
        name: "alias", value: .required("NUMBER", sample: "LH440"), repeats: true,
        summary: "a partner's number of the same flight, at most three")

    /// Options for a flight of the list.
    package static let tripOptions: [Option] = [
        Option(
            name: "to", value: .required("AIRPORT", sample: "STN"), summary: "destination"),
        Option(
            name: "departs", value: .required("TIME", sample: "06:30"),
            summary: "scheduled departure, local time"),
        Option(
            name: "arrives", value: .required("TIME", sample: "07:45"),
            summary: "scheduled arrival, local time; 00:15+1 is the next day"),
        Option(
            name: "opens-before", value: .required("TIME", sample: "24h"),
            summary: "how long before departure seats open; default: the airline's time"),
        seat, alias, yes,
        Option(name: "force", summary: "even if a swap that you signed has no outcome yet"),
    ]

    package static let flights: [Command] = [
        Command(
            .flights, summary: "list your flights, and the records kept of them",
            details: [
                "Lists your flights by departure: how long until then, whether swaps are open, and",
                "your seats. Below a flight stands what your agents keep of it. A day after its",
                "end, a flight moves from the list to `seatagent history`.",
            ],
            examples: ["seatagent flights", "seatagent flights --json"]),
        Command(
            .flight, summary: "add, show, change, move or remove a flight of your list",
            operands: "add|show|change|move|remove FLIGHT...", count: 1...12,
            sample: "show FR202",
            options: tripOptions,
            details: [
                "add takes number, date and airport of departure, and optionally the destination:",
                "FR 202 2026-12-05 DUB STN, or FR202/2026-12-05/DUB. Dates go from today to two",
                "years ahead. The same number on two days is two flights. --seat names all seats",
                "of your party. --departs tells your agent when swaps open. All times are local",
                "times of the airports.",
                "",
                "show, change, move and remove find a flight by FR202, FR202/2026-12-05 or its",
                "whole name. An empty value, as in --arrives \"\", clears what was known.",
                "",
                "move puts another flight in the place of one that was cancelled or changed: first",
                "the flight of your list, then the new one as for add. Party and wish go along,",
                "without words that name seats or rows: your agent takes them when you are aboard",
                "there. Seats, cabin and times do not: --seat names the new seats. Companions who",
                "do the same need no new code; you are asked about each again. If your agent is",
                "on the old flight, it leaves it as with remove. If it was cut off, the same line",
                "again finishes it.",
                "",
                "remove takes the flight off the list. If your agent is on it, the agent takes",
                "back your own requests and claims, nobody else's, and leaves. Records stay until",
                "`seatagent forget`.",
                "",
                "Partners sell one flight under several numbers. Everybody aboard meets under the",
                "number of the airline that flies. With --alias, your agent tells you of",
                "passengers who joined under another number; `seatagent up LH440` joins them",
                "there.",
            ],
            examples: [
                TripReading.sample, "seatagent flight add FR202/2026-12-05/DUB --seat 17A,17B",
                "seatagent flight add UA8839 2026-12-05 FRA --alias LH440",
                "seatagent flight show FR202",
                "seatagent flight change FR202 --departs 06:35 --opens-before 24h",
                "seatagent flight move FR202 FR204 2026-12-06 DUB STN --departs 09:15",
                "seatagent flight remove FR202/2026-12-05",
            ]),
        Command(
            .history, summary: "past swaps and flights, newest first",
            operands: "[WORD...]", count: 0...16,
            options: [
                Option(name: "long", summary: "everything that is remembered of each"),
                Option(
                    name: "limit", value: .required("N", sample: "20"),
                    summary: "the newest N; default: 50"),
            ],
            details: [
                "With words, lists only what contains all of them: a number, a date or its",
                "beginning, an airport or its city, a seat, a name. Of a swap, seats and dates are",
                "kept; the names of others go with the flight's records. `seatagent forget FLIGHT`",
                "deletes all of it.",
            ],
            examples: [
                "seatagent history", "seatagent history --long FR202",
                "seatagent history dublin 2026-12",
            ]),
        Command(
            .forget, summary: "delete a flight's records and key at once",
            operands: "FLIGHT...", count: 1...5, sample: "practice",
            options: [
                Option(name: "yes", summary: "do not ask"),
                Option(
                    name: "force", summary: "even if a swap that you signed has no outcome yet"),
            ],
            details: [
                "FLIGHT is as in `seatagent flights`, or practice. If your agent is on that",
                "flight, it first takes your claims back, so that others see your seat is open,",
                "and then ends. What the history has of the flight goes too; your list stays as it",
                "is. Others keep what they have of you until their own records go.",
                "",
                "Without this command, records are deleted three days after the flight, once two",
                "starts at least two days apart find it over.",
            ],
            examples: ["seatagent forget practice --yes"]),
    ]
}
