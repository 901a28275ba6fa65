// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let needs: [Command] = [
        Command(
            .needs, summary: "tell your agent who sits in your seats, for the rules of the cabin",
            operands: "[SEAT] [FACT...]", count: 0...8, sample: "14D child",
            options: [
                Option(
                    name: "with", value: .required("SEAT", sample: "14C"),
                    summary: "who has to sit beside them: for child and helped"),
                Option(name: "remove", summary: "take these facts back, or all facts of the seat"),
                yes,
            ],
            details: [
                "Nobody else learns this: it stays in the flight's file on this machine, and goes",
                "with it. Your agent checks the seats that you would get, and refuses a swap that",
                "is against the rules, without telling the others why.",
                "",
                "exit      may sit in an exit row: 16 or older, fit, without a belt extension, in",
                "          charge of nobody else, able to speak with the crew, willing to help",
                "child     under twelve: stays beside an adult of yours, or beside --with SEAT",
                "helped    needs a helper beside them, or the passenger in --with SEAT",
                "infant    has an infant on the lap",
                "standby   on standby or not checked in: the seat cannot be swapped",
                "paid      the seat was paid for",
            ],
            examples: [
                "seatagent needs", "seatagent needs exit", "seatagent needs 14D child --with 14C",
                "seatagent needs 14D --remove",
            ])
    ]
}
