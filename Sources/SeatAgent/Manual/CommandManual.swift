// SPDX-License-Identifier: Apache-2.0
import Grammar
import Profile
import Text
import View

/// `seatagent(1)`, from the table of commands and the tables of settings and exit codes.
enum CommandManual {
    /// The page, dated `November 21, 2026`.
    package static func page(_ parser: OptionParser, date: String) -> Mdoc {
        var page = Mdoc(
            "seatagent", section: 1,
            about: "find the passengers around you, talk, and swap seats", date: date)
        synopsis(&page)
        describe(&page)
        page.section("Commands")
        for command in parser.commands where !command.isHidden { add(command, to: &page) }
        page.section("Options")
        page.paragraph("Every command has these; options may stand anywhere in the line.")
        page.list(parser.globals.map { (Mdoc.option($0), $0.summary + ".") })
        view(&page)
        configuration(&page)
        environment(&page)
        files(&page)
        page.section("Exit status")
        page.list(ExitCode.allCases.map { (Mdoc.argument(String($0.rawValue)), $0.meaning + ".") })
        examples(&page)
        page.section("See also")
        let names = parser.commands.filter { !$0.isHidden }.map(\.name).sorted()
        for name in names { page.raw(".Xr seatagent-\(name) 1 ,") }
        page.raw(".Xr seatagent-api 7 ,")
        page.raw(".Xr avahi-daemon 8")
        return page
    }

    /// `seatagent-swap(1)`: the content of `seatagent help swap`, in its order.
    static func page(of command: Command, date: String) -> Mdoc {
        var page = Mdoc(
            "seatagent-\(command.name)", section: 1, about: command.summary, date: date)
        page.section("Synopsis")
        page.raw(".Nm seatagent")
        page.raw(".Cm \(Mdoc.argument(command.name))")
        if !command.operands.isEmpty { page.raw(".Ar \(Mdoc.argument(command.operands))") }
        page.raw(".Op Ar options")
        page.section("Description")
        page.paragraph(sentence(command.summary))
        details(command.details, &page)
        if !command.options.isEmpty { page.section("Options") }
        options(command, &page)
        page.section("Examples")
        page.literal(command.examples)
        page.section("See also")
        page.raw(".Xr seatagent 1")
        return page
    }

    private static func options(_ command: Command, _ page: inout Mdoc) {
        page.list(
            command.options.map { option in
                (Mdoc.option(option), option.summary + (option.repeats ? "; repeatable." : "."))
            })
    }

    private static func synopsis(_ page: inout Mdoc) {
        page.section("Synopsis")
        page.raw(".Nm")
        page.raw(".Op Ar command")
        page.raw(".Op Ar operands")
        page.raw(".Op Ar options")
    }

    private static func describe(_ page: inout Mdoc) {
        page.section("Description")
        page.paragraph(
            "Passengers who run `seatagent` on one network find each other by themselves, see who "
                + "sits where, talk, and swap seats: all or nothing, signed by everyone concerned. "
                + "There is no server and no account, and it needs no internet.")
        page.paragraph(
            "An agent in the background acts for one passenger on one flight. `seatagent up` "
                + "starts it, `seatagent down` ends it. All other commands talk to it over a Unix "
                + "socket that only its user can reach. Scripts can do the same: "
                + "`seatagent-api(7)`.")
        page.paragraph(
            "`WHO` is a seat (12A), a name (bo) or a key tag (#c2d9). `TIME` is a number with s, "
                + "m, h or d. Errors go to standard error in up to three lines: what happened, "
                + "why, and a command to try.")
    }

    private static func add(_ command: Command, to page: inout Mdoc) {
        page.subsection(
            command.name + (command.operands.isEmpty ? "" : " \(command.operands)"))
        page.paragraph(sentence(command.summary))
        details(command.details, &page)
        options(command, &page)
        page.literal(command.examples)
    }

    /// The lines of the help: paragraphs, and lines indented by two blanks, which stay as they are.
    private static func details(_ lines: [String], _ page: inout Mdoc) {
        var text: [String] = []
        var fixed: [String] = []
        func flush() {
            if !text.isEmpty { page.paragraph(text.joined(separator: " ")) }
            page.literal(fixed)
            (text, fixed) = ([], [])
        }
        for line in lines.flatMap({ $0.split(separator: "\n", omittingEmptySubsequences: false) }) {
            if line.isEmpty {
                flush()
            } else if line.hasPrefix("  ") {
                if !text.isEmpty { flush() }
                fixed.append(String(line.dropFirst(2)))
            } else {
                if !fixed.isEmpty { flush() }
                text.append(String(line))
            }
        }
        flush()
    }

    /// The keys of the full-screen view, and what can be typed into its line.
    private static func view(_ page: inout Mdoc) {
        page.section("The view")
        page.paragraph(
            "`seatagent` without words opens a full-screen view: the cabin, the chat, and a line "
                + "to type into. Anything binding is confirmed with a y/n question. Only y or n "
                + "answers it, a second after it appeared; any other key puts it away.")
        page.paragraph(
            "A line that begins with `/` is a command. Everything else goes to the conversation "
                + "that is open. `//word` sends `/word`.")
        page.section("Keys")
        for place in KeyBinding.Place.allCases {
            page.subsection(place.rawValue)
            page.list(
                KeyTable.bindings.filter { $0.place == place && !$0.shown.isEmpty }
                    .map { (Mdoc.argument($0.shown), sentence($0.summary)) })
        }
        page.section("Slash commands")
        page.list(
            SlashTable.commands.map { command in
                let operands = command.operands.isEmpty ? "" : " \(command.operands)"
                return (Mdoc.argument("/\(command.name)\(operands)"), sentence(command.summary))
            })
        page.paragraph("Most other commands of the program can be typed there too.")
    }

    private static func configuration(_ page: inout Mdoc) {
        page.section("Configuration")
        page.paragraph(
            "The config file has lines `key = value`, comments on lines of their own that begin "
                + "with #, and sections `[profile NAME]`, which hold for that profile. An option "
                + "wins over a variable, the variable over the profile's section, and that section "
                + "over the rest of the file.")
        page.list(
            ConfigKey.allCases.map { key in
                let words = key.standard.isEmpty ? "" : " \(key.choice); default: \(key.standard)."
                return ("Cm \(Mdoc.argument(key.rawValue))", sentence(key.meaning) + words)
            })
    }

    private static func environment(_ page: inout Mdoc) {
        page.section("Environment")
        var rows = [
            ("SEATAGENT_PROFILE", "the profile, unless `--profile` names one."),
            (
                "SEATAGENT_EXEC_PATH",
                "the folder of `seatagentd`, `seatagent-pass` and `seatagent-web`, if they are not "
                    + "where they were installed."
            ),
            ("SEATAGENT_SOCKET", "the control socket of the agent, instead of the profile's own."),
        ]
        rows += ConfigKey.allCases.map { ($0.variable, "as `\($0.rawValue)` in the config file.") }
        rows += [
            ("NO_COLOR", "no colours, unless `color` says otherwise."),
            ("VISUAL , EDITOR", "the editor of `seatagent config edit`."),
            ("XDG_CONFIG_HOME , XDG_DATA_HOME , XDG_STATE_HOME", "see FILES."),
            ("XDG_RUNTIME_DIR", "where the control socket is."),
        ]
        page.list(rows.map { ("Ev \($0.0)", $0.1) })
    }

    private static func files(_ page: inout Mdoc) {
        page.section("Files")
        let rows = [
            ("~/.config/seatagent/config", "settings ($XDG_CONFIG_HOME)."),
            (
                "~/.local/share/seatagent/PROFILE/",
                "keys and records of flights ($XDG_DATA_HOME), deleted three days after the "
                    + "flight, once two starts at least two days apart find it over."
            ),
            (
                "~/.local/state/seatagent/PROFILE/",
                "the agent's log, and the options of its last start ($XDG_STATE_HOME)."
            ),
            (
                "$XDG_RUNTIME_DIR/seatagent/PROFILE.sock",
                "the control socket; without that variable, below `/tmp/seatagent-UID`."
            ),
        ]
        page.list(rows.map { ("Pa \(Mdoc.argument($0.0))", $0.1) })
    }

    private static func examples(_ page: inout Mdoc) {
        page.section("Examples")
        page.paragraph("Join, look around, ask for a seat, and leave:")
        page.literal([
            "seatagent up --seat 14C --name ada", "seatagent seats",
            "seatagent swap 12A --note \"aisle for window\" --wait", "seatagent receipt",
            "seatagent down",
        ])
        page.paragraph("Find out why nobody is found:")
        page.literal(["seatagent doctor"])
    }

    private static func sentence(_ text: String) -> String {
        guard let first = text.first, first != "`" else { return text + "." }
        return first.uppercased() + text.dropFirst() + "."
    }
}
