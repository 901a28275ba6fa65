// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let meet: [Command] = [
        Command(
            .meet, summary: "find out whether a meeting point can be used before a flight",
            operands: "check [URL]", count: 0...2,
            details: [
                "Tries all brokers of a meeting point as an agent would use them: looks their",
                "names up, connects, checks certificates and logs in; then says something to",
                "itself, and leaves, reads and clears a message where nobody looks. URL is",
                "mqtts://HOST or mqtts://HOST:PORT; default: rendezvous.url.",
                "",
                "It uses the settings rendezvous.ca, .user and .password-file and needs no agent.",
                "It exits with 0 if agents can meet there, with warnings too, and else with 9.",
            ],
            examples: [
                "seatagent meet check mqtts://meet.example.org", "seatagent meet check",
                "seatagent meet check --json",
            ])
    ]
}
