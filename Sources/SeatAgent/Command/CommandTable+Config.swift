import Text

extension CommandTable {
    static let settings: [Command] = [
        Command(
            name: "config", summary: "what is set; get, set, unset or edit it",
            operands: "[get KEY|set KEY VALUE|unset KEY|edit|path]", count: 0...3,
            details: [
                "Alone it lists all settings, and where each comes from. What is set before the",
                "first section of the file holds for all profiles; what stands after",
                "[profile NAME] for that one. With --profile, set and unset write there.",
                "",
                "An option wins over a variable, as in SEATAGENT_NOTIFY_BELL, that over the",
                "profile's section, that over the rest of the file.",
                "",
                "edit opens $VISUAL or $EDITOR on a copy, and checks it before it is saved.",
                "",
                "Settings",
            ] + keys,
            examples: [
                "seatagent config", "seatagent config set notify.desktop on",
                "seatagent config set name bo --profile bo", "seatagent config get name",
                "seatagent config unset name", "seatagent config edit",
            ],
            needsNoConfig: true, run: ConfigCommand.run)
    ]

    private static let keys = ConfigKey.allCases.map { key in
        "  \(padded(key.rawValue, to: 16))\(key.choice)\n" + "  \(padded("", to: 16))\(key.meaning)"
    }
}
