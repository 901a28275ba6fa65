extension CommandTable {
    static let swap: [Command] = [
        Command(
            name: "offer", summary: "say that your seat may be swapped",
            operands: "[SEAT...]", count: 0...4,
            options: [
                Option(
                    name: "for", value: .required("KIND", sample: "window"), repeats: true,
                    summary: "window, aisle, front, any, or a seat"),
                note,
            ],
            examples: [
                "seatagent offer --for window --note \"long legs\"", "seatagent offer 12A 12F",
            ],
            run: SwapCommands.offer),
        Command(
            name: "withdraw", summary: "take the offer back", examples: ["seatagent withdraw"],
            run: SwapCommands.withdraw),
        Command(
            name: "swap", summary: "ask for a seat in exchange for yours", operands: "SEAT",
            count: 1...1, sample: "12A",
            options: [
                give,
                Option(
                    name: "from", value: .required("WHO", sample: "'#c2d9'"),
                    summary: "whose it is, where several claim the seat"),
                note,
                Option(
                    name: "expires", value: .required("TIME", sample: "10m"),
                    summary: "how long the request stands; else 30 minutes"),
                wait, yes, override, unverified,
            ],
            details: [
                "With --wait it comes back when the swap is final (0), was declined, has expired or",
                "was withdrawn (6), or --timeout has passed (5).",
                "Where several claim the seat, the one of most evidence is asked: whom you verified,",
                "of your party, vouched for by one whom you verified, merely claimed. Where evidence",
                "is equal, say who is meant: --from '#c2d9' --override.",
                "Whoever you ask votes last. Where nobody verified them a second question says what may",
                "happen; --yes does not answer it, --unverified does.",
            ],
            examples: ["seatagent swap 12A --note \"aisle for window\" --wait"],
            run: SwapCommands.swap),
        Command(
            name: "requests", summary: "open requests, both directions, with their numbers",
            options: [Option(name: "all", summary: "closed ones too")],
            examples: ["seatagent requests"], run: SwapCommands.requests),
        Command(
            name: "accept", summary: "say yes to a request", operands: "[N]", count: 0...1,
            sample: "1", options: [yes, wait, override, unverified],
            details: ["N may be left out when one request waits for your answer."],
            examples: ["seatagent accept 1", "seatagent accept 1 --yes --wait"],
            run: SwapCommands.accept),
        Command(
            name: "decline", summary: "say no to a request", operands: "[N]", count: 0...1,
            sample: "1", options: [note],
            details: [
                "Without --note nobody is told: whoever asked sees the request run out, no more."
            ],
            examples: ["seatagent decline 1 --note sorry"], run: SwapCommands.decline),
        Command(
            name: "counter", summary: "ask for other seats instead", operands: "N", count: 1...1,
            sample: "1",
            options: [
                give,
                Option(
                    name: "take", value: .required("SEAT", sample: "12B"),
                    summary: "which of their seats"),
                note, yes, override, unverified,
            ],
            examples: ["seatagent counter 1 --take 12B --note \"this one?\""],
            run: SwapCommands.counter),
        Command(
            name: "cancel", summary: "take your request or your yes back", operands: "[N]",
            count: 0...1, sample: "1", examples: ["seatagent cancel 1"], run: SwapCommands.cancel),
        Command(
            name: "force", summary: "leave a swap whose outcome does not come", operands: "N",
            count: 1...1, sample: "1", options: [yes],
            details: [
                "Claims your old seat anew. If the swap turns out to have been made after all, it",
                "counts, and the new claim is taken back by itself.",
            ],
            examples: ["seatagent force 1"], run: SwapCommands.force),
        Command(
            name: "receipt", summary: "the agreed swap, signed by all, to show the crew",
            operands: "[N|FILE]", count: 0...1, sample: "1",
            options: [
                Option(
                    name: "verify",
                    summary: "check all signatures; with a FILE or - no agent is needed"),
                Option(
                    name: "code", value: .required("CODE", sample: "k7q2m5"),
                    summary: "with --verify FILE: the cabin code, where the flight has one"),
            ],
            details: [
                "The words are made from the certificates below them. --verify makes them again and",
                "refuses a text that differs in anything but its line ends. Of a flight with a cabin",
                "code it needs the code, because the signatures cover it.",
            ],
            examples: [
                "seatagent receipt 1", "seatagent receipt 1 > receipt.txt",
                "seatagent receipt --verify receipt.txt",
                "seatagent receipt --verify receipt.txt --code k7q2m5",
            ],
            run: ReceiptCommand.run),
    ]

    static let people: [Command] = [
        Command(
            name: "verify", summary: "compare codes face to face with a passenger",
            operands: "[WHO] [KEY...]", count: 0...Int.max, sample: "12A",
            options: [
                Option(name: "match", summary: "both screens show the same numbers"),
                Option(name: "mismatch", summary: "they differ"),
                Option(name: "cancel", summary: "stop comparing"),
                key,
            ],
            details: [
                "Both of you type it, naming each other. Three numbers appear on both screens; read",
                "them aloud. They are the same only if nobody stands between your two laptops.",
                "Without a terminal it ends when the numbers are known; then say --match or",
                "--mismatch.",
                "With --key it only says whether KEY is the passenger's key, and notes nothing: KEY",
                "is what `seatagent who --key` printed on the other laptop, handed to you by the",
                "passenger and not over this network. - reads it from standard input.",
            ],
            examples: [
                "seatagent verify 12A", "seatagent verify --match",
                "seatagent verify 12A --key - < bo.key",
            ],
            run: VerifyCommand.run),
        Command(
            name: "vouch", summary: "tell everyone that you verified a passenger in a seat",
            operands: "WHO", count: 1...1, sample: "12A", examples: ["seatagent vouch 12A"],
            run: VerifyCommand.vouch),
        Command(
            name: "block", summary: "hide a passenger and refuse everything from there",
            operands: "WHO", count: 1...1, sample: "'#c2d9'",
            details: ["The other side is not told: it looks as if the network between you failed."],
            examples: ["seatagent block '#c2d9'"], run: PeopleCommands.block),
        Command(
            name: "unblock", summary: "take a block back", operands: "WHO", count: 1...1,
            sample: "'#c2d9'", examples: ["seatagent unblock '#c2d9'"],
            run: PeopleCommands.unblock),
        Command(
            name: "silence", summary: "strangers ask in vain, for 30 minutes",
            operands: "[on|off]", count: 0...1, sample: "off",
            details: [
                "What passengers ask for whom nothing but their own claim stands is declined without a",
                "word, and you are not told of it. They are not told either: it looks as if you did not",
                "answer. Whoever you verified, who is of your party or vouched for may ask as before.",
                "It ends with the agent too. One passenger alone is silenced with block.",
            ],
            examples: ["seatagent silence", "seatagent silence off"], run: PeopleCommands.silence),
        Command(
            name: "rename", summary: "take another name", operands: "NAME", count: 1...8,
            sample: "ada", examples: ["seatagent rename \"ada l.\""], run: PeopleCommands.rename),
        Command(
            name: "claim", summary: "say that one more seat is yours", operands: "SEAT",
            count: 1...1, sample: "14D",
            options: [
                Option(name: "dependant", summary: "it is for someone you speak for, a child say")
            ],
            examples: ["seatagent claim 14D --dependant"], run: PeopleCommands.claim),
        Command(
            name: "release", summary: "say that a seat is not yours any more", operands: "SEAT",
            count: 1...1, sample: "14D", examples: ["seatagent release 14D"],
            run: PeopleCommands.release),
    ]

    static let files: [Command] = [
        Command(
            name: "audit", summary: "check an exported log without agent or network",
            operands: "FILE", count: 1...1, sample: "flight.log",
            details: ["Checks every signature, folds the records and prints what they prove."],
            examples: ["seatagent audit flight.log", "seatagent audit --json flight.log"],
            run: AuditCommand.run),
        Command(
            name: "export", summary: "all that is kept of you here, in one file",
            operands: "FILE", count: 1...1, sample: "mine.json",
            details: [
                "Writes trips, history, settings and the options of the last start, and of each flight",
                "its records, as log --export has them (in Base64), your direct messages, whom you",
                "verified or blocked, what you said of your party, and your answers on how the cabin is",
                "drawn. No agent is needed. - writes to standard output. Your keys are left out; the key",
                "of a schedule service and a cabin code are among what you set, so keep the file to",
                "yourself.",
            ],
            examples: ["seatagent export mine.json", "seatagent export - | jq .trips"],
            run: ExportCommand.run),
        Command(
            name: "help", summary: "this, or help for one command", operands: "[COMMAND]",
            count: 0...1, sample: "swap", examples: ["seatagent help swap"], needsNoConfig: true,
            run: HelpText.run),
    ]
}
