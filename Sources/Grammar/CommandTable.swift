// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Text

/// Every command, in the order of the help. Parsing, help, completion and manual are made from
/// this.
package enum CommandTable {
    /// All commands.
    package static let commands: [Command] =
        lifecycle + flights + look + cabins + doctor + meet + talk + wish + match + swap + party
        + needs + people + board + calendar + lookup + venues + stays + bookings + park + places
        + owner
        + pages + files + settings + shells

    /// Options that every command has.
    package static let globals: [Option] = [
        Option(
            name: "profile", value: .required("NAME", sample: "ada"),
            summary: "which agent, if several run here (SEATAGENT_PROFILE)"),
        Option(name: "json", value: .optional("1"), summary: "JSON on standard output"),
        Option(
            name: "timeout", value: .required("TIME", sample: "10s"),
            summary: "give up after this time"),
        Option(
            name: "color", value: .required("WHEN", sample: "never"),
            summary: "auto, always or never (NO_COLOR)"),
        Option(name: "no-color", summary: "same as --color never"),
        Option(name: "ascii", summary: "use ASCII characters only"),
        Option(name: "no-input", summary: "never ask a question"),
        Option(name: "quiet", letter: "q", summary: "print no hints"),
        Option(name: "verbose", letter: "v", summary: "say which agent answers"),
        Option(name: "help", letter: "h", summary: "print help for the command"),
        Option(name: "version", summary: "print the version"),
    ]

    /// Parses command lines by this table.
    package static let parser = OptionParser(commands: commands, globals: globals)

    // MARK: Options that several commands share

    package static let seat = Option(
        name: "seat", value: .required("SEAT", sample: "14C"), repeats: true,
        summary: "your seat; several with commas")
    package static let note = Option(
        name: "note", value: .required("TEXT", sample: "\"long legs\""),
        summary: "a few words to go with it")
    package static let expires = Option(
        name: "expires", value: .required("TIME", sample: "10m"),
        summary: "how long the request stands; default: 30 minutes")
    package static let wait = Option(name: "wait", summary: "wait until it is decided")
    package static let patience = Option(
        name: "patience", value: .required("TIME", sample: "5m"),
        summary: "how long everybody has for an answer; default: 3 minutes")
    package static let once = Option(name: "once", summary: "nothing takes its place")
    package static let yes = Option(name: "yes", summary: "do not ask y/n")
    package static let give = Option(
        name: "give", value: .required("SEAT", sample: "14C"),
        summary: "which of your seats, if you have several")
    package static let key = Option(
        name: "key", summary: "the whole key: 56 characters, with check digits")
    package static let override = Option(
        name: "override",
        summary:
            "even if several claim the seat, it was claimed anew, or its owner lied")

    package static let unverified = Option(
        name: "unverified",
        summary: "even if nobody verified the passenger who confirms last")

    private static let newKey = Option(
        name: "new-key",
        summary: "make a key to replace one whose records are lost; it claims no seat")

    private static let join: [Option] = [
        seat,
        Option(
            name: "name", value: .required("NAME", sample: "ada"),
            summary: "the name others see; default: as configured, or passenger"),
        Option(
            name: "flight", value: .required("FLIGHT", sample: "XY123/2026-11-22/DUB"),
            summary: "from your list, or number/date/airport; default: the practice flight"),
        alias,
        Option(
            name: "party",
            summary: "claim all seats that your list has for the flight, not only the first"),
        Option(
            name: "code", value: .required("CODE", sample: "k7q2m5"),
            summary: "a cabin code, spoken aboard, that keeps out everybody else"),
        Option(
            name: "departs", value: .required("TIME", sample: "2026-11-22T14:05:00Z"),
            summary: "scheduled departure; without it, swaps are always open"),
        Option(
            name: "arrives", value: .required("TIME", sample: "2026-11-22T16:25:00Z"),
            summary: "scheduled arrival, when swaps close; default: 20 h after departure"),
        Option(
            name: "opens-before", value: .required("TIME", sample: "48h"),
            summary: "how long before departure swaps open; default: the airline's time, or 48 h"),
        Option(
            name: "interface", value: .required("NAME", sample: "lo"),
            summary: "one network interface; default: as configured, or all"),
        Option(
            name: "port", value: .required("PORT", sample: "7711"),
            summary: "TCP port to listen on; 0 for any"),
        Option(
            name: "peer", value: .required("HOST:PORT", sample: "127.0.0.1:7711"), repeats: true,
            summary: "an agent to connect to without mDNS"),
        Option(
            name: "cabin", value: .required("LAYOUT", sample: "ryanair-737-800"),
            summary: "the cabin layout; default: 32 rows of six seats"),
        Option(
            name: "meet", value: .required("URL", sample: "mqtts://meet.example.org"),
            summary: "a meeting point for before the flight; off for none; default: as configured"),
        Option(name: "no-mdns", summary: "do not announce this agent or look for others by mDNS"),
        Option(
            name: "keylog", value: .required("FILE", sample: "keys.log"),
            summary: "write the secrets of its connections there, to read a capture with"),
        Option(name: "move", summary: "give up the seats you claimed earlier on this flight"),
        Option(name: "also", summary: "keep them, and claim the new ones too"),
    ]

    // MARK: Commands

    private static let lifecycle: [Command] = [
        Command(
            .up, summary: "start your agent and join a flight on this network",
            operands: "[FLIGHT...]", count: 0...5, sample: "--seat 14C --name ada", options: join,
            details: [
                "FLIGHT is one of your list: FR202, FR202/2026-12-05 or its whole name. The list",
                "gives the times, other numbers and your seat, which is the first one there.",
                "Options win.",
                "",
                "The agent stays until `seatagent down`. Without options it starts as it did the",
                "last time, if that was less than 12 hours ago. If a view started the agent, `up`",
                "makes it stay when the view closes.",
                "",
                "Seats that you claimed on the flight before stay yours until you give them up. If",
                "you start with another --seat, you are asked whether to move or to hold both. In",
                "a script, --move or --also answers that. Another --name becomes your new name.",
            ],
            examples: [
                "seatagent up --seat 14C --name ada", "seatagent up FR202 --name ada",
                "seatagent up --seat 14C --name ada --flight XY123/2026-11-22/DUB"
                    + " --departs 2026-11-22T14:05:00Z",
                "seatagent up --seat 14C --name ada --interface lo --peer 127.0.0.1:7711",
            ],
            needsConfig: true),
        Command(
            .down, summary: "stop your agent and leave the flight",
            examples: ["seatagent down"],
            needsNoConfig: true),
        Command(
            .restart, summary: "stop your agent and start it again as it was",
            options: [newKey],
            details: [
                "If the flight's records are lost or damaged, no agent starts by itself: a new key",
                "would claim your seat, although the lost key may have given it away. --new-key",
                "makes a key that claims nothing until you type `seatagent claim 14C`. To others,",
                "the seats that the lost key claimed still belong to it.",
            ],
            examples: ["seatagent restart", "seatagent restart --new-key"]),
        Command(
            .agent, summary: "run the agent in the foreground",
            sample: "--seat 14C --name ada",
            options: join + [
                newKey,
                Option(name: "stored", summary: "use the options of the last start"),
                Option(
                    name: "linger", value: .required("SECONDS", sample: "5"),
                    summary: "leave this long after the last view has closed; default: stay"),
                Option(
                    name: "ready-fd", value: .required("FD", sample: "3"),
                    summary: "write one line there once the agent answers commands"),
            ],
            details: [
                "For a service supervisor, for tests, and for `up`, which starts it. With --linger",
                "it leaves some time after the last view has closed, but never while a swap has no",
                "outcome. It waits 30 seconds for the first view.",
            ],
            examples: ["seatagent agent --seat 14C --name ada --no-mdns"],
            needsNoConfig: true),
    ]

    private static let look: [Command] = [
        Command(
            .status, summary: "you, the network, open requests, what to do next",
            examples: ["seatagent status", "seatagent status --json"]),
        Command(
            .peers, summary: "who is aboard", operands: "[N]", count: 0...1,
            options: [
                Option(name: "wait", summary: "wait until N others are aboard; default: one"),
                Option(
                    name: "add", value: .required("HOST:PORT", sample: "127.0.0.1:7711"),
                    summary: "connect to an agent that mDNS does not find"),
            ],
            examples: ["seatagent peers", "seatagent peers --wait 1 --timeout 10"]),
        Command(
            .seats, summary: "the seat map",
            options: [Option(name: "wide", summary: "draw the cabin lengthwise, nose to the left")],
            examples: ["seatagent seats", "seatagent seats --ascii --wide"]),
        Command(
            .who, summary: "one passenger: seat, name, key tag, offer",
            operands: "[WHO]", count: 0...1, sample: "12A", options: [key],
            details: [
                "WHO is a seat (12A), a name (bo) or a key tag (#c2d9). Without it, you see",
                "yourself. --key prints only the whole key, for `verify WHO --key` on another",
                "laptop.",
            ],
            examples: ["seatagent who 12A", "seatagent who '#c2d9'", "seatagent who --key"]),
    ]

    private static let talk: [Command] = [
        Command(
            .say, summary: "say something to everyone", operands: "TEXT",
            count: 1...Int.max, sample: "\"anyone by the window?\"",
            details: [
                "Everyone aboard can read it, including those who join later. With -, the text",
                "comes from standard input.",
            ],
            examples: ["seatagent say \"anyone by the window?\"", "fortune | seatagent say -"]),
        Command(
            .msg, summary: "send a message to one passenger", operands: "WHO TEXT",
            count: 2...Int.max, sample: "12A \"hi\"",
            options: [Option(name: "wait", summary: "wait until it has arrived")],
            details: ["Marks: … waiting, ✓ arrived, ! not delivered within an hour."],
            examples: ["seatagent msg 12A \"hi bo\""]),
        Command(
            .chat, summary: "talk line by line: terminal, pipe, screen reader",
            operands: "[WHO]", count: 0...1,
            details: [
                "Everyone gets what you type, or only WHO. A line that begins with / is a command,",
                "such as /swap 12A, /to bo or /help; // sends a line that begins with /. /quit or",
                "the end of input leaves. Lines are only added, and nothing moves on the screen.",
                "If you paste several lines, each is sent by itself. Marks under your lines: ✓3 is",
                "with 3 agents, … waits, ! reached nobody.",
            ],
            examples: ["seatagent chat", "seatagent chat 12A"]),
        Command(
            .play, summary: "four in a row with one passenger", operands: "WHO [COLUMN]",
            count: 1...2, sample: "12A d",
            options: [
                Option(name: "new", summary: "ask for a new game"),
                Option(name: "give-up", summary: "give the game up"),
            ],
            details: [
                "Without COLUMN it shows the board and whose turn it is. COLUMN is a to g, and",
                "your stone falls to the lowest free place of it. You begin by turns. Each move is",
                "a direct message: nobody else sees it, nothing of it is in the signed log, and it",
                "stays in your own history as other messages do.",
            ],
            examples: [
                "seatagent play 12A", "seatagent play bo d", "seatagent play bo --new",
                "seatagent play bo --give-up",
            ]),
        Command(
            .search, summary: "search what was said", operands: "TEXT",
            count: 1...Int.max, sample: "window",
            options: [
                Option(
                    name: "limit", value: .required("N", sample: "20"),
                    summary: "the newest N lines; default: 50")
            ],
            details: [
                "Finds lines to everyone and messages to and from you that contain all the words,",
                "newest first. The last word may be incomplete; accents and case do not matter.",
                "What your party says is not searched: seatagent log has it.",
            ],
            examples: ["seatagent search window", "seatagent search --limit 5 \"aisle seat\""]),
        Command(
            .log, summary: "what was said and done",
            options: [
                Option(name: "follow", letter: "f", summary: "keep printing what comes"),
                Option(
                    name: "since", value: .required("TIME", sample: "10m"),
                    summary: "only what is newer than this"),
                Option(
                    name: "export", value: .required("FILE", sample: "flight.log"),
                    summary: "write all signed records to a file"),
            ],
            examples: ["seatagent log -f --since 10m", "seatagent log --export flight.log"]),
        Command(
            .watch, summary: "events as JSON, one a line, for scripts",
            operands: "[EVENT...]", count: 0...EventName.allCases.count, sample: "request swap",
            details: Wrapping.lines(
                "Events: " + EventName.allCases.map(\.rawValue).joined(separator: " "), cells: 90),
            examples: ["seatagent watch request swap | jq ."]),
    ]
}
