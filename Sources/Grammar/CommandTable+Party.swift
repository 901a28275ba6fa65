// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let party: [Command] = [
        Command(
            .party, summary: "who travels with you",
            operands: "[show|new|join|invite|yes|no|say|remove|trust|leave] [CODE|WHO|TEXT]",
            count: 0...Int.max, sample: "show",
            options: [
                Option(name: "qr", summary: "show: draw the link as a QR code, for a camera"),
                yes,
            ],
            details: [
                "Companions see each other as \"of your party\", which counts as evidence, and",
                "talk where only those who have the code can read it. One makes a party, the",
                "others join:",
                "",
                "new       make a party; prints its code, its link and a QR code",
                "join      take part: CODE is the code or the link",
                "invite    show the code, and let it work for ten minutes more",
                "yes, no   say whether somebody who has the code travels with you",
                "say       say something to your companions; also /to party in a view or chat",
                "remove    take somebody out: the others get a new code",
                "trust     on: your agent says yes for you to what seats you together; off",
                "leave     be in no party",
                "",
                "A code can be overheard. So whoever has it is a question to you and no more,",
                "until you say yes to that passenger. Say no, and they count for nothing; but they",
                "can still read what the party says until you remove them.",
                "",
                "With trust on, what a companion proposes needs no yes of yours if the party then",
                "sits better together, you beside one of them, and it breaks nothing that you",
                "said with needs. You are asked as before if it came with a note or a warning,",
                "if the cabin is a guess, or if your agent said yes to the same companion within",
                "an hour. `requests` shows what it said yes to, and `decline N` takes that back",
                "until all have agreed. It stays on after a restart, and ends with the party.",
                "",
                "At home, before there is a flight, new and join need no agent: the next one that",
                "starts takes the code along, and it works without an invitation. Aboard it works",
                "for ten minutes after new, join or invite.",
            ],
            examples: [
                "seatagent party new", "seatagent party join aaaa-aaaa-aaaa-aaaa-a",
                "seatagent party yes 14B", "seatagent party say \"galley in five\"",
                "seatagent party trust on",
            ])
    ]
}
