extension CommandTable {
    private static let on = Option(
        name: "on", value: .required("DATE", sample: "2026-03-01"),
        summary: "the day on which it is looked at; else today")

    static let board: [Command] = [
        Command(
            name: "board", summary: "add the flight of a boarding pass to your list",
            operands: "FILE|-|TEXT", count: 1...1, sample: "--parse -",
            options: [
                Option(name: "parse", summary: "only show what it says; nothing is kept"),
                on,
                Option(
                    name: "date", value: .required("DATE", sample: "2026-03-05"),
                    summary: "the day of departure, where the pass has none or a wrong one"),
                yes,
            ],
            details: [
                "Reads a screenshot or photograph of a pass (PNG, JPEG), a .pkpass file of a wallet,",
                "or the text of the bar code (IATA BCBP): from a file, from standard input with -,",
                "or from the line. Shows flight, date and seat, asks whether they are right, and adds",
                "them to your list of flights. Several flights on one pass are all added; a second",
                "pass of your party adds its seat.",
                "",
                "A pass names the day of the year and not the year, which follows from its date of",
                "issue or from the day it is looked at: see that the date is right.",
                "",
                "Flight, date, airports, class and seat are kept. Name, booking code, ticket and flyer",
                "number are not. A text is overwritten as soon as it is read; pictures and .pkpass files",
                "are read by a process of their own, which can open and send nothing and ends at once.",
                "A text on the line may stay in your shell's history: a file or - does not.",
                "Whether a pass is genuine is not checked.",
            ],
            examples: [
                "seatagent board pass.png",
                "seatagent board --yes pass.pkpass",
                "seatagent board --parse --json --on 2026-03-01 -",
            ],
            isPrivate: true, needsNoConfig: true, run: BoardCommand.run),
        Command(
            name: "__pass", summary: "reads the file of a pass on standard input and ends",
            options: [on], isHidden: true, needsNoConfig: true, run: PassWorker.run),
    ]
}
