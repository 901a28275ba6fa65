// SPDX-License-Identifier: Apache-2.0
import Profile
import Text

extension CommandTable {
    package static let settings: [Command] = [
        Command(
            .config, summary: "list, get, set, unset or edit settings",
            operands: "[get KEY|set KEY VALUE|unset KEY|edit|path]", count: 0...3,
            details: [
                "Without operands it lists all settings and where each comes from. Settings before",
                "the first section of the file hold for all profiles; those after [profile NAME]",
                "hold for that profile. With --profile, set and unset write there.",
                "",
                "An option wins over a variable (such as SEATAGENT_NOTIFY_BELL), the variable over",
                "the profile's section, and that section over the rest of the file.",
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
            needsNoConfig: true)
    ]

    private static let keys = ConfigKey.allCases.map { key in
        "  \(padded(key.rawValue, to: 16))\(key.choice)\n" + "  \(padded("", to: 16))\(key.meaning)"
    }
}
