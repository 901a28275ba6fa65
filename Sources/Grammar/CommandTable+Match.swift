// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    private static let pick = Option(
        name: "pick", value: .required("N", sample: "2"),
        summary: "propose this one; default: the first in which you take part")

    private static let watch = Option(
        name: "watch", summary: "go on looking, and say what is better; asks nobody")

    package static let match: [Command] = [
        Command(
            .together, summary: "find swaps after which your party sits together",
            options: [pick, watch, note, expires, patience, once, wait, yes, unverified],
            details: [
                "Your party is whoever sits in your seats, and your companions (`seatagent help",
                "party`). It looks for swaps of two to eight passengers after which you sit in one",
                "block, one row, two and two, or two rows one before the other, and nobody is",
                "worse off: each of the others gets a seat that their wish ranks at least as high",
                "as their own, or, without a wish, one of the same kind in no worse part of the",
                "cabin. It shows who would move and why, and how you would sit. Then it asks you,",
                "and only then the others. Without a terminal it only shows; with --yes it asks",
                "the others at once.",
                "",
                "Nobody is asked who wants no requests, whom you blocked, who is out of reach, or",
                "who said no to you. What `needs` says of your seats is kept.",
                "",
                "If somebody says no, or has not answered after the time of --patience, your",
                "agent takes it back, looks again without them, and proposes the next best, at",
                "most three times. All others are told the same, whoever it was. It also looks",
                "again if a seat went elsewhere, or if somebody who has not said yes wishes for",
                "something by now that it does not bring them. `seatagent requests` says what",
                "came in the place of what, and `cancel` ends it. With --once nothing takes its",
                "place.",
                "",
                "Whoever proposes a swap takes part in it. If only your companions would move, one",
                "of them proposes it.",
                "",
                "With --watch it looks again when people come, and when wishes or seats change,",
                "with a rest of three seconds after each search. It shows what is better than what",
                "it showed last, and notifies you as the view does. It asks nobody. It ends once",
                "you sit in one block, or with Ctrl-C.",
            ],
            examples: [
                "seatagent together", "seatagent together --watch",
                "seatagent together --pick 2 --note \"we are three\" --wait",
            ]),
        Command(
            .match, summary: "find swaps that bring you what you wish",
            options: [pick, watch, note, expires, patience, once, wait, yes, unverified],
            details: [
                "Looks for swaps of two to eight passengers after which you have a seat that your",
                "wish (`seatagent help wish`) ranks above your own, and nobody is worse off by",
                "their own wish. It shows who would move and why. Then it asks you, and only then",
                "the others. Without a terminal it only shows; with --yes it asks them at once.",
                "",
                "If it comes to nothing, your agent looks again, as for `together`.",
                "",
                "With --watch it goes on looking, as `together --watch` does, until you have what",
                "you wish for first.",
            ],
            examples: [
                "seatagent match", "seatagent match --watch", "seatagent match --yes --wait",
            ]),
    ]
}
