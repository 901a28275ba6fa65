// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    private static let passphrase = Option(
        name: "passphrase-file", value: .required("FILE", sample: "passphrase.txt"),
        summary: "the passphrase stands in this file; do not ask for it")

    package static let owner: [Command] = [
        Command(
            .profile, summary: "your name, mail, phone and plate, for venues",
            operands: "[set FIELD VALUE...|clear FIELD...|delete]", count: 0...9,
            options: [Option(name: "yes", summary: "delete: do not ask")],
            details: [
                "FIELD is name, mail, phone or plate. Without a word, all are printed. They stay",
                "on this computer: nothing of them is ever sent. The name is not the one that",
                "others on a flight see; that is: seatagent config set name.",
                "",
                "set takes several fields with a value each; '' clears one. All are checked before",
                "one is kept. park add takes the plate from here if none is given.",
                "clear takes fields away.",
                "delete erases these details and your list of parked cars, locked or not. It",
                "refuses while an agent of the profile runs. Records and keys of flights stay:",
                "seatagent forget deletes those.",
            ],
            examples: [
                "seatagent profile set name 'Ada L.' mail ada@example.org plate 'ab-12 cde'",
                "seatagent profile", "seatagent profile clear phone",
                "seatagent profile delete --yes",
            ],
            isOfVenues: true, needsConfig: true),
        Command(
            .lock, summary: "seal your details and your list of parked cars",
            options: [passphrase],
            details: [
                "Asks for a new passphrase, twice, and seals profile.json and parking.json with",
                "it. Commands that need them fail until seatagent unlock opens them. Nobody can",
                "open them without the passphrase: if you forget it, they are lost.",
                "",
                "Without a terminal, the first line of standard input is the passphrase.",
                "Flights, settings and an agent that runs go on; they do not read these files.",
            ],
            examples: ["seatagent lock", "seatagent lock --passphrase-file passphrase.txt"],
            isOfVenues: true),
        Command(
            .unlock, summary: "open what lock sealed", options: [passphrase],
            details: [
                "Asks for the passphrase, and puts the files back byte for byte. The next lock",
                "asks for a new one.",
                "",
                "If confirm.command is set, that program is run first, up to three times: its exit",
                "code 0 is a yes. After three failures only the passphrase helps, typed on a",
                "terminal.",
            ],
            examples: ["seatagent unlock", "seatagent unlock --passphrase-file passphrase.txt"],
            isOfVenues: true, needsConfig: true),
    ]
}
