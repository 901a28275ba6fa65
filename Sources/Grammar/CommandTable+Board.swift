// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    private static let on = Option(
        name: "on", value: .required("DATE", sample: "2026-03-01"),
        summary: "read the pass as on this day; default: today")

    package static let board: [Command] = [
        Command(
            .board, summary: "add the flight of a boarding pass to your list",
            operands: "FILE|-|TEXT", count: 1...1, sample: "--parse -",
            options: [
                Option(name: "parse", summary: "only show what the pass says, and keep nothing"),
                on,
                Option(
                    name: "date", value: .required("DATE", sample: "2026-03-05"),
                    summary: "the day of departure, if the pass has none or a wrong one"),
                yes,
            ],
            details: [
                "Reads a screenshot or photograph of a pass (PNG, JPEG), a .pkpass file of a",
                "wallet, or the text of the bar code (IATA BCBP): from a file, from standard input",
                "with -, or from the line. Shows flight, date and seat, asks whether they are",
                "right, and adds them to your list of flights. If a pass has several flights, all",
                "are added. The pass of somebody in your party adds their seat.",
                "",
                "A pass gives the day of the year but not the year. The year follows from the date",
                "of issue, or from today: check that the date is right.",
                "",
                "Your list keeps flight, date, airports, class and seat. Name, booking code,",
                "ticket and flyer number are never kept. A text is overwritten as soon as it is",
                "read. Pictures and .pkpass files are read by a process of their own, which can",
                "open and send nothing and ends at once. A text on the line may stay in the",
                "history of your shell; with a file or - it does not. Nobody checks whether a pass",
                "is genuine.",
            ],
            examples: [
                "seatagent board pass.png",
                "seatagent board --yes pass.pkpass",
                "seatagent board --parse --json --on 2026-03-01 -",
            ],
            isPrivate: true, needsNoConfig: true)
    ]
}
