extension CommandTable {
    static let cabins: [Command] = [
        Command(
            name: "cabins", summary: "the cabin layouts that can be drawn",
            details: [
                "A layout says which seats there are, which of them are at a window or an exit, and",
                "how sure that is. It is a suggestion: swaps go by seat labels, with or without one.",
            ],
            examples: ["seatagent cabins"], run: CabinCommand.list),
        Command(
            name: "cabin", summary: "how the cabin is drawn; show, use or edit a layout",
            operands: "[show|use|edit|accept|decline|suggestions] [LAYOUT]", count: 0...2,
            sample: "show ryanair-737-800",
            options: [
                Option(name: "wide", summary: "lying down, nose to the left"),
                Option(
                    name: "from", value: .required("LAYOUT", sample: "standard"),
                    summary: "what a new layout begins with"),
                Option(
                    name: "flight", value: .required("FLIGHT", sample: "FR202"),
                    summary: "use: for a flight of your list, also without an agent"),
                Option(name: "only-me", summary: "use: the others are not told"),
            ],
            details: [
                "show prints a layout with its source; without a name, the one in use. use draws by",
                "it from now on, on this flight. edit opens $VISUAL or $EDITOR on a copy, and checks",
                "it before it is saved; what you save is yours and wins over one of the same name.",
                "use also suggests the layout to everybody, unless --only-me is given. Where two or more",
                "passengers suggest the same, and more than half of all who suggest one, whoever chose",
                "none is asked: accept draws by it, here alone, decline does not, and you are not asked",
                "about it again. Nobody is asked about a layout that lacks their seat, or one that",
                "somebody claims. suggestions lists who suggests what; what you use of it becomes a",
                "layout of your own.",
                "",
                "A layout is a JSON object. cabins lists parts of the aeroplane from the nose on:",
                "class (first, business, premium, economy), rows ([1, \"3-12\"]), blocks: the letters",
                "between walls and aisles ([\"ABC\", \"DEF\"]), and except: rows that lack some of them",
                "({\"1\": [\"ABC\", \"\"]}). exitRows, extraLegroom, noWindow, nearToilet and bulkhead",
                "list rows (16, \"16-17\") and seats (\"11A\"). source, checkedOn and sure (stated,",
                "partly, unverified, invented) say where it is from.",
            ],
            examples: [
                "seatagent cabin", "seatagent cabin show ryanair-737-800 --wide",
                "seatagent cabin use ryanair-737-800", "seatagent cabin suggestions",
                "seatagent cabin edit mine --from klm-e190",
            ],
            run: CabinCommand.run),
    ]
}
