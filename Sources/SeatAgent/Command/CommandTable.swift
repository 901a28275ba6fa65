/// Every command, in the order of the help. Parsing, help, completion and the manual come from here.
enum CommandTable {
    /// All commands.
    static let commands: [Command] =
        lifecycle + flights + look + cabins + doctor + talk + swap + party + people + board
        + calendar + lookup + files + settings + shells

    /// Options that every command has.
    static let globals: [Option] = [
        Option(
            name: "profile", value: .required("NAME", sample: "ada"),
            summary: "which agent, when several run here (SEATAGENT_PROFILE)"),
        Option(name: "json", value: .optional("1"), summary: "JSON on standard output"),
        Option(
            name: "timeout", value: .required("TIME", sample: "10s"),
            summary: "wait no longer than this in all"),
        Option(
            name: "color", value: .required("WHEN", sample: "never"),
            summary: "auto, always or never (NO_COLOR)"),
        Option(name: "no-color", summary: "the same as --color never"),
        Option(name: "ascii", summary: "letters of ASCII only"),
        Option(name: "no-input", summary: "ask no questions"),
        Option(name: "quiet", letter: "q", summary: "no hints"),
        Option(name: "verbose", letter: "v", summary: "say which agent answers"),
        Option(name: "help", letter: "h", summary: "help for the command"),
        Option(name: "version", summary: "the program's version"),
    ]

    /// Takes command lines apart by this table.
    static let parser = OptionParser(commands: commands, globals: globals)

    // MARK: Options that several commands share

    static let seat = Option(
        name: "seat", value: .required("SEAT", sample: "14C"), repeats: true,
        summary: "your seat; more than one with commas")
    static let note = Option(
        name: "note", value: .required("TEXT", sample: "\"long legs\""),
        summary: "a few words with it")
    static let wait = Option(name: "wait", summary: "come back when it is decided")
    static let yes = Option(name: "yes", summary: "do not ask y/n")
    static let give = Option(
        name: "give", value: .required("SEAT", sample: "14C"),
        summary: "which of your seats, when you have several")
    static let key = Option(
        name: "key", summary: "the whole key: 56 characters, check digits among them")
    static let override = Option(
        name: "override",
        summary:
            "although two claim the seat, it was claimed anew, or its owner lied")

    static let unverified = Option(
        name: "unverified",
        summary: "although nobody verified whoever votes last")

    private static let newKey = Option(
        name: "new-key", summary: "in place of a key whose records are lost; it claims no seat")

    private static let join: [Option] = [
        seat,
        Option(
            name: "name", value: .required("NAME", sample: "ada"),
            summary: "what others call you; else as configured, or passenger"),
        Option(
            name: "flight", value: .required("FLIGHT", sample: "XY123/2026-11-22/DUB"),
            summary: "of your list, or number, date and airport; none: the practice flight"),
        alias,
        Option(
            name: "party",
            summary: "all seats that your list has for the flight, not the first only"),
        Option(
            name: "code", value: .required("CODE", sample: "k7q2m5"),
            summary: "a cabin code, spoken aboard: keeps out who does not know it"),
        Option(
            name: "departs", value: .required("TIME", sample: "2026-11-22T14:05:00Z"),
            summary: "scheduled departure; none: swaps are always open"),
        Option(
            name: "arrives", value: .required("TIME", sample: "2026-11-22T16:25:00Z"),
            summary: "scheduled arrival, when swaps close; else 20 h after departure"),
        Option(
            name: "opens-before", value: .required("TIME", sample: "48h"),
            summary: "how long before departure swaps open; else as the airline does, or 48 h"),
        Option(
            name: "interface", value: .required("NAME", sample: "lo"),
            summary: "one network interface; else as configured, or all"),
        Option(
            name: "port", value: .required("PORT", sample: "7711"),
            summary: "TCP port to listen on; 0 for any"),
        Option(
            name: "peer", value: .required("HOST:PORT", sample: "127.0.0.1:7711"), repeats: true,
            summary: "an agent to connect to, whatever mDNS says"),
        Option(
            name: "cabin", value: .required("LAYOUT", sample: "ryanair-737-800"),
            summary: "how the cabin is drawn; else 32 rows of six seats"),
        Option(name: "no-mdns", summary: "do not announce and do not look around"),
        Option(name: "move", summary: "give back the seats of an earlier time on this flight"),
        Option(name: "also", summary: "hold them beside the new ones"),
    ]

    // MARK: Commands

    private static let lifecycle: [Command] = [
        Command(
            name: "up", summary: "join: start your agent on this network",
            operands: "[FLIGHT...]", count: 0...5, sample: "--seat 14C --name ada", options: join,
            details: [
                "FLIGHT is one of your list: FR202, FR202/2026-12-05 or all of its name. Times, other",
                "numbers and the first of its seats, which is yours, are taken from the list where no",
                "option says otherwise.",
                "",
                "The agent stays until `seatagent down`. Without options it starts as the last",
                "time, if that was less than 12 hours ago. An agent that a view started, and that",
                "would leave with it, stays from then on.",
                "",
                "What was claimed on the flight at an earlier time stays yours until you take it back.",
                "Another --seat than that asks whether you move or hold both; where nobody can be",
                "asked, --move or --also says it. Another --name is your new name.",
            ],
            examples: [
                "seatagent up --seat 14C --name ada", "seatagent up FR202 --name ada",
                "seatagent up --seat 14C --name ada --flight XY123/2026-11-22/DUB"
                    + " --departs 2026-11-22T14:05:00Z",
                "seatagent up --seat 14C --name ada --interface lo --peer 127.0.0.1:7711",
            ],
            needsConfig: true, run: LifecycleCommands.up),
        Command(
            name: "down", summary: "leave: stop your agent", examples: ["seatagent down"],
            needsNoConfig: true, run: LifecycleCommands.down),
        Command(
            name: "restart", summary: "stop the agent and start it as it was",
            options: [newKey],
            details: [
                "Where the flight's records are lost or damaged, no agent starts by itself: a new key",
                "would claim your seat, which the lost one may have given away. --new-key makes one",
                "that claims nothing until you type `seatagent claim 14C`. What the lost key claimed",
                "stays its own for the others.",
            ],
            examples: ["seatagent restart", "seatagent restart --new-key"],
            run: LifecycleCommands.restart),
        Command(
            name: "agent", summary: "run the agent here, in the foreground",
            sample: "--seat 14C --name ada",
            options: join + [
                newKey,
                Option(name: "stored", summary: "with the options of the last time"),
                Option(
                    name: "linger", value: .required("SECONDS", sample: "5"),
                    summary: "leave so long after the last view has gone; else stay"),
                Option(
                    name: "ready-fd", value: .required("FD", sample: "3"),
                    summary: "write one line there once commands are answered"),
            ],
            details: [
                "For a service supervisor, for tests, and for `up`, which starts it. With --linger it",
                "leaves by itself once nobody watches it any more, though never while a swap has no",
                "outcome; it waits 30 seconds for the first view.",
            ],
            examples: ["seatagent agent --seat 14C --name ada --no-mdns"],
            needsNoConfig: true, run: AgentCommand.run),
    ]

    private static let look: [Command] = [
        Command(
            name: "status", summary: "you, the network, open requests, what to do next",
            examples: ["seatagent status", "seatagent status --json"], run: LookCommands.status),
        Command(
            name: "peers", summary: "who is aboard", operands: "[N]", count: 0...1,
            options: [
                Option(name: "wait", summary: "come back when N others are, else when one is"),
                Option(
                    name: "add", value: .required("HOST:PORT", sample: "127.0.0.1:7711"),
                    summary: "connect to an agent that mDNS does not find"),
            ],
            examples: ["seatagent peers", "seatagent peers --wait 1 --timeout 10"],
            run: LookCommands.peers),
        Command(
            name: "seats", summary: "the seat map",
            options: [Option(name: "wide", summary: "lying down, nose to the left")],
            examples: ["seatagent seats", "seatagent seats --ascii --wide"],
            run: SeatsCommand.run),
        Command(
            name: "who", summary: "one passenger: seat, name, key tag, offer",
            operands: "[WHO]", count: 0...1, sample: "12A", options: [key],
            details: [
                "WHO is a seat (12A), a name (bo) or a key tag (#c2d9); without it, you.",
                "--key prints the whole key alone, for `verify WHO --key` on another laptop.",
            ],
            examples: ["seatagent who 12A", "seatagent who '#c2d9'", "seatagent who --key"],
            run: LookCommands.who),
    ]

    private static let talk: [Command] = [
        Command(
            name: "say", summary: "say something to everyone", operands: "TEXT",
            count: 1...Int.max, sample: "\"anyone by the window?\"",
            details: [
                "Everyone aboard can read it, also those who come later. - reads the text",
                "from standard input.",
            ],
            examples: ["seatagent say \"anyone by the window?\"", "fortune | seatagent say -"],
            run: TalkCommands.say),
        Command(
            name: "msg", summary: "a message to one passenger", operands: "WHO TEXT",
            count: 2...Int.max, sample: "12A \"hi\"",
            options: [Option(name: "wait", summary: "come back when it has arrived")],
            details: ["Marks: … waiting, ✓ arrived, ! gave up after an hour."],
            examples: ["seatagent msg 12A \"hi bo\""], run: TalkCommands.message),
        Command(
            name: "chat", summary: "talk line by line: terminal, pipe, screen reader",
            operands: "[WHO]", count: 0...1,
            details: [
                "What you type is said to everyone, or to WHO. A line that begins with / is a",
                "command, as in /swap 12A, /to bo or /help; // sends a line that begins with /.",
                "/quit or the end of input leaves. Lines are only added, and nothing moves on the",
                "screen. Every line is sent by itself, also of a text that you paste. Marks under",
                "your lines: ✓3 is with 3 agents, … waits, ! reached nobody.",
            ],
            examples: ["seatagent chat", "seatagent chat 12A"], run: ChatCommand.run),
        Command(
            name: "search", summary: "what was said, by its words", operands: "TEXT",
            count: 1...Int.max, sample: "window",
            options: [
                Option(
                    name: "limit", value: .required("N", sample: "20"),
                    summary: "the newest N lines; else 50")
            ],
            details: [
                "Lines to everyone and messages to and from you that have all the words, newest",
                "first. The last word may be a beginning; accents and case do not matter.",
            ],
            examples: ["seatagent search window", "seatagent search --limit 5 \"aisle seat\""],
            run: SearchCommand.run),
        Command(
            name: "log", summary: "what was said and done",
            options: [
                Option(name: "follow", letter: "f", summary: "and what comes"),
                Option(
                    name: "since", value: .required("TIME", sample: "10m"),
                    summary: "not older than this"),
                Option(
                    name: "export", value: .required("FILE", sample: "flight.log"),
                    summary: "write all signed records to a file"),
            ],
            examples: ["seatagent log -f --since 10m", "seatagent log --export flight.log"],
            run: LogCommand.run),
        Command(
            name: "watch", summary: "events as JSON, one a line, for scripts",
            operands: "[EVENT...]", count: 0...EventName.allCases.count, sample: "request swap",
            details: Wrapping.lines(
                "Events: " + EventName.allCases.map(\.rawValue).joined(separator: " "), cells: 90),
            examples: ["seatagent watch request swap | jq ."], run: TalkCommands.watch),
    ]
}
