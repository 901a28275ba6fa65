// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let cabins: [Command] = [
        Command(
            .cabins, summary: "list the cabin layouts",
            details: [
                "A layout says which seats there are, which of them are at a window or an exit,",
                "and how sure that is. It is only a suggestion: swaps go by seat labels, with or",
                "without one.",
            ],
            examples: ["seatagent cabins"]),
        Command(
            .cabin, summary: "show, use or edit the layout of the cabin",
            operands: "[show|use|edit|accept|decline|suggestions] [LAYOUT]", count: 0...2,
            sample: "show ryanair-737-800",
            options: [
                Option(name: "wide", summary: "draw the cabin lengthwise, nose to the left"),
                Option(
                    name: "from", value: .required("LAYOUT", sample: "standard"),
                    summary: "the layout that a new one starts from"),
                Option(
                    name: "flight", value: .required("FLIGHT", sample: "FR202"),
                    summary: "use: for a flight of your list; needs no agent"),
                Option(name: "only-me", summary: "use: do not suggest it to others"),
            ],
            details: [
                "show prints a layout with its source; without a name, the one in use.",
                "",
                "use draws the cabin by a layout from now on, on this flight, and suggests it to",
                "everybody unless you add --only-me.",
                "",
                "edit opens $VISUAL or $EDITOR on a copy and checks it before it is saved. What",
                "you save is yours and wins over a layout of the same name.",
                "",
                "If two or more passengers, and more than half of those who suggest a layout,",
                "suggest the same one, passengers who chose none are asked about it. accept draws",
                "by it, only here; decline does not, and you are not asked about it again. Nobody",
                "is asked about a layout that lacks their own seat or one that somebody claims.",
                "suggestions lists who suggests what; if you use one of these, it becomes a layout",
                "of your own.",
                "",
                "A layout is a JSON object. cabins lists parts of the aeroplane from the nose on:",
                "class (first, business, premium, economy), rows ([1, \"3-12\"]), blocks, the",
                "letters between walls and aisles ([\"ABC\", \"DEF\"]), and except, the rows that",
                "lack some of them ({\"1\": [\"ABC\", \"\"]}). exitRows, extraLegroom, noWindow,",
                "nearToilet and bulkhead list rows (16, \"16-17\") and seats (\"11A\"). source,",
                "checkedOn and sure (stated, partly, unverified, invented) say where it comes",
                "from.",
            ],
            examples: [
                "seatagent cabin", "seatagent cabin show ryanair-737-800 --wide",
                "seatagent cabin use ryanair-737-800", "seatagent cabin suggestions",
                "seatagent cabin edit mine --from klm-e190",
            ]),
    ]
}
