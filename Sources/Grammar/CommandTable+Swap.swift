// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let swap: [Command] = [
        Command(
            .offer, summary: "offer your seat for a swap",
            operands: "[SEAT...]", count: 0...4,
            options: [
                Option(
                    name: "for", value: .required("KIND", sample: "window"), repeats: true,
                    summary: "what you want: window, aisle, front, any, or a seat"),
                note,
            ],
            details: [
                "Short for `wish --offer all`: what is not said stays as it was. Without a wish it",
                "is for any seat.",
            ],
            examples: [
                "seatagent offer --for window --note \"long legs\"", "seatagent offer 12A 12F",
            ]),
        Command(
            .withdraw, summary: "take your offer back",
            details: ["Short for `wish --none`: your wish stays, and `offer` offers it again."],
            examples: ["seatagent withdraw"]),
        Command(
            .swap, summary: "ask for a seat in exchange for yours", operands: "SEAT",
            count: 1...1, sample: "12A",
            options: [
                give,
                Option(
                    name: "from", value: .required("WHO", sample: "'#c2d9'"),
                    summary: "whom you mean, if several claim the seat"),
                note,
                expires, wait, yes, override, unverified,
            ],
            details: [
                "With --wait it returns when the swap is final (0), was declined, expired or",
                "withdrawn (6), or when --timeout has passed (5).",
                "",
                "SEAT may be several seats with commas, for as many of yours: the first is swapped",
                "for the first of --give, and so on. They may belong to one passenger or several.",
                "",
                "If several claim the seat, the one with most evidence is asked: verified by you,",
                "of your party, vouched for by somebody you verified, merely claimed. If their",
                "evidence is equal, say whom you mean: --from '#c2d9' --override.",
                "",
                "The passenger you ask confirms last. If nobody verified them, a second question",
                "says what may happen. --yes does not answer it, --unverified does.",
            ],
            examples: [
                "seatagent swap 12A --note \"aisle for window\" --wait",
                "seatagent swap 12A,12B --give 14C,14D",
            ]),
        Command(
            .ring, summary: "propose that each gives their seat to the next",
            operands: "MINE SEAT SEAT...", count: 3...8, sample: "14C 12A 20B",
            options: [note, expires, wait, yes, override],
            details: [
                "MINE is your seat. It goes to whoever sits in the next one, theirs to the one",
                "after, and the last seat to you. You see who gives and gets what before anybody",
                "is asked. Nobody moves unless all say yes.",
                "",
                "If you ask the same passengers for the same again, you are told the number of the",
                "first request.",
            ],
            examples: [
                "seatagent ring 14C 12A 20B",
                "seatagent ring 14C 12A 20B --note \"all win\" --wait",
            ]),
        Command(
            .requests, summary: "open requests, yours and theirs, with their numbers",
            options: [Option(name: "all", summary: "include closed ones")],
            examples: ["seatagent requests"]),
        Command(
            .accept, summary: "say yes to a request", operands: "[N]", count: 0...1,
            sample: "1",
            options: [
                Option(name: "once", summary: "your yes is for this request only"),
                yes, wait, override, unverified,
            ],
            details: [
                "You can leave N out if only one request waits for your answer.",
                "",
                "If more than two are asked and somebody else says no, your yes counts for what",
                "takes the place of the request, as long as it comes from the same passenger and",
                "you give and get the same: your agent says yes for you then, and tells you. That",
                "is for at most ten minutes, no longer than the request would have stood, and for",
                "at most three requests. It ends when you take it back (cancel N), decline",
                "something else with that seat, ask for another swap, say another wish, or block",
                "somebody. While anybody is blocked, and with --once, it never counts.",
            ],
            examples: ["seatagent accept 1", "seatagent accept 1 --yes --wait"]),
        Command(
            .decline, summary: "say no to a request", operands: "[N]", count: 0...1,
            sample: "1", options: [note],
            details: [
                "Without --note nobody learns of it: whoever asked sees the request run out."
            ],
            examples: ["seatagent decline 1 --note sorry"]),
        Command(
            .counter, summary: "answer a request with another offer", operands: "N",
            count: 1...1,
            sample: "1",
            options: [
                give,
                Option(
                    name: "take", value: .required("SEAT", sample: "12B"),
                    summary: "which of their seats"),
                note, yes, override, unverified,
            ],
            details: [
                "If more than two are asked, all give what they were asked for, and you get the",
                "seat of --take, another one of that request. As few others as possible get",
                "another seat then. Whoever asked is asked first, and then all the others anew.",
            ],
            examples: ["seatagent counter 1 --take 12B --note \"this one?\""]),
        Command(
            .cancel, summary: "take back your request or your yes", operands: "[N]",
            count: 0...1, sample: "1",
            details: [
                "Also a yes that still counts for what takes the place of a request that is over,",
                "and the search for that.",
            ],
            examples: ["seatagent cancel 1"]),
        Command(
            .force, summary: "leave a swap that gets no outcome", operands: "N",
            count: 1...1, sample: "1", options: [yes],
            details: [
                "Claims your old seat anew. If the swap turns out to have been made after all, it",
                "counts, and the new claim is taken back by itself.",
            ],
            examples: ["seatagent force 1"]),
        Command(
            .undo, summary: "propose a swap that was made backwards", operands: "N",
            count: 1...1, sample: "1",
            options: [note, expires, wait, yes, override, unverified],
            details: [
                "Asks those who swapped to swap back. It is a request like any other: all have to",
                "agree. If one of the seats went elsewhere since, it says where.",
            ],
            examples: ["seatagent undo 1", "seatagent undo 1 --note \"it was too cold\" --wait"]),
        Command(
            .receipt, summary: "the agreement of a swap, signed by all, to show the crew",
            operands: "[N|FILE]", count: 0...1, sample: "1",
            options: [
                Option(
                    name: "full", summary: "the text with all signatures, which --verify checks"),
                Option(
                    name: "verify",
                    summary: "check all signatures; with a FILE or - it needs no agent"),
                Option(
                    name: "code", value: .required("CODE", sample: "k7q2m5"),
                    summary: "with --verify FILE: the cabin code, if the flight has one"),
            ],
            details: [
                "Says who has which seat now and, if at least three move, who stands up when, so",
                "that few are in the aisle at a time. It says who sits there already, and who has",
                "not moved yet, as far as they said so (`seatagent help seated`).",
                "",
                "With --full, the text is made from the certificates below it. --verify makes it",
                "again and refuses a text that differs in anything but its line ends. If the",
                "flight has a cabin code, --verify needs it, because the signatures cover it.",
            ],
            examples: [
                "seatagent receipt 1", "seatagent receipt 1 --full > receipt.txt",
                "seatagent receipt --verify receipt.txt",
                "seatagent receipt --verify receipt.txt --code k7q2m5",
            ]),
        Command(
            .seated, summary: "tell the others of a swap that you sit in your new seat",
            operands: "[N] [off]", count: 0...2, sample: "1",
            details: [
                "Without N it is the last swap that is final. The others of the swap are told, and",
                "`receipt` shows all of you who sits already and who has not moved yet. With off",
                "you take it back. It changes nobody's right to a seat.",
            ],
            examples: ["seatagent seated", "seatagent seated 1", "seatagent seated off"]),
    ]

    package static let people: [Command] = [
        Command(
            .verify, summary: "compare codes face to face with a passenger",
            operands: "[WHO] [KEY...]", count: 0...Int.max, sample: "12A",
            options: [
                Option(name: "match", summary: "both screens show the same numbers"),
                Option(name: "mismatch", summary: "they differ"),
                Option(name: "cancel", summary: "stop comparing"),
                key,
            ],
            details: [
                "Both of you type it and name each other. Three numbers appear on both screens;",
                "read them aloud. They are the same only if nobody stands between your two",
                "laptops. Without a terminal it ends once the numbers are known; then type --match",
                "or --mismatch.",
                "",
                "With --key it only says whether KEY is the passenger's key, and remembers",
                "nothing. KEY is what `seatagent who --key` printed on the other laptop, handed to",
                "you by the passenger and not over this network. With -, it comes from standard",
                "input.",
            ],
            examples: [
                "seatagent verify 12A", "seatagent verify --match",
                "seatagent verify 12A --key - < bo.key",
            ]),
        Command(
            .vouch, summary: "tell everyone that you verified a passenger in a seat",
            operands: "WHO", count: 1...1, sample: "12A", examples: ["seatagent vouch 12A"]),
        Command(
            .block, summary: "hide a passenger and refuse everything from them",
            operands: "WHO", count: 1...1, sample: "'#c2d9'",
            details: ["They are not told: to them it looks as if the network between you failed."],
            examples: ["seatagent block '#c2d9'"]),
        Command(
            .unblock, summary: "take back a block", operands: "WHO", count: 1...1,
            sample: "'#c2d9'", examples: ["seatagent unblock '#c2d9'"]),
        Command(
            .silence, summary: "decline what strangers ask, for 30 minutes",
            operands: "[on|off]", count: 0...1, sample: "off",
            details: [
                "For 30 minutes your agent declines, without a word, every request of passengers",
                "who merely claim their seat. You are not told of it, and neither are they: it",
                "looks as if you did not answer. Passengers whom you verified, who are of your",
                "party or whom somebody vouched for can ask as before. It also ends when your",
                "agent ends. To silence one passenger, use block.",
            ],
            examples: ["seatagent silence", "seatagent silence off"]),
        Command(
            .rename, summary: "change your name", operands: "NAME", count: 1...8,
            sample: "ada", examples: ["seatagent rename \"ada l.\""]),
        Command(
            .claim, summary: "claim one more seat", operands: "SEAT",
            count: 1...1, sample: "14D",
            options: [
                Option(name: "dependant", summary: "for somebody in your care, such as a child")
            ],
            examples: ["seatagent claim 14D --dependant"]),
        Command(
            .release, summary: "give up your claim to a seat", operands: "SEAT",
            count: 1...1, sample: "14D", examples: ["seatagent release 14D"]),
    ]

    package static let files: [Command] = [
        Command(
            .audit, summary: "check an exported log without agent or network",
            operands: "FILE", count: 1...1, sample: "flight.log",
            details: ["Checks every signature, and prints who holds which seat by these records."],
            examples: ["seatagent audit flight.log", "seatagent audit --json flight.log"]),
        Command(
            .export, summary: "write everything that is kept of you here into one file",
            operands: "FILE", count: 1...1, sample: "mine.json",
            details: [
                "Writes your flights, history, settings and the options of the last start, and for",
                "each flight its records as log --export has them (in Base64), "
                    + "your direct messages,",
                "whom you verified or blocked, what you said of your seats, "
                    + "and your answers on how",
                "the cabin is drawn. It needs no agent. With -, it writes to standard output. Your",
                "keys are left out, but the key of a schedule service "
                    + "and a cabin code are in it, so",
                "keep the file to yourself.",
            ],
            examples: ["seatagent export mine.json", "seatagent export - | jq .trips"]),
        Command(
            .help, summary: "this, or help for one command", operands: "[COMMAND]",
            count: 0...1, sample: "swap", examples: ["seatagent help swap"], needsNoConfig: true),
    ]
}
