extension CommandTable {
    static let board: [Command] = [
        Command(
            name: "board", summary: "what the text of a boarding pass says; nothing is kept",
            operands: "-", count: 1...1, sample: "--parse -",
            options: [
                Option(name: "parse", summary: "only show it; must be given"),
                Option(
                    name: "on", value: .required("DATE", sample: "2026-03-01"),
                    summary: "the day on which it is looked at; else today"),
            ],
            details: [
                "Reads on standard input what the bar code of a pass says: not the picture, but the",
                "text that a scanner makes of it (IATA BCBP). Shows flights, dates, class and seats.",
                "Name, booking code, ticket and flyer number are never shown, and the text is",
                "overwritten once it is read. Nothing is stored and nothing sent.",
                "",
                "A pass names the day of the year and not the year, which follows from its date of",
                "issue or from the day it is looked at: see that the date is right.",
                "",
                "--parse is the only mode that this command has.",
            ],
            examples: [
                "cat pass.txt | seatagent board --parse -",
                "seatagent board --parse --json --on 2026-03-01 -",
            ],
            needsNoConfig: true, run: BoardCommand.run)
    ]
}
