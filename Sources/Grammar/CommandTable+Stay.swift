// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    private static let venueOption = Option(
        name: "venue", value: .required("NAME", sample: "uva"),
        summary: "the venue; default: the only one that you know")

    /// Presence in venues.
    package static let stays: [Command] = [
        Command(
            .checkin, summary: "say that you are at a place of a venue", operands: "[PLACE]",
            count: 0...1, sample: "singel", options: [venueOption],
            details: [
                "Everybody in the venue counts how many people are where: there is no server and",
                "no desk. Your agent says that you are there, with a key that is new each day, so",
                "that nobody can join your days. It starts by itself if none runs.",
                "",
                "You are at one place at a time. What you do not end with checkout ends when the",
                "place closes. While a place is closed nobody checks in.",
            ],
            examples: ["seatagent checkin singel", "seatagent checkin 1 --venue uva"],
            isOfVenues: true),
        Command(
            .checkout, summary: "say that you left the place where you are", sample: "",
            options: [venueOption],
            details: ["It prints how long you were there; activity keeps it."],
            isOfVenues: true),
        Command(
            .activity, summary: "where you were and for how long", sample: "--week",
            options: [
                Option(name: "week", summary: "this week only, with its sum"),
                Option(name: "csv", summary: "as CSV (RFC 4180) for a table"),
            ],
            details: [
                "The list is yours: it stays on this computer, and nobody else reads it. Times are",
                "by the clocks of the venue. A stay that the place ended says so.",
            ],
            examples: ["seatagent activity", "seatagent activity --week --csv"],
            isOfVenues: true),
        Command(
            .friend, summary: "find somebody in a venue by their address",
            operands: "MAIL|allow|hide", count: 1...1, sample: "kiki@example.org",
            options: [venueOption],
            details: [
                "It says where somebody is now, or where they were today, if they allow that.",
                "allow lets those find you who know the address of your profile, from your next",
                "check-in on; until you say so nobody does. hide ends that.",
                "",
                "Only a tag of the address travels, another one each day. Whoever knows the",
                "address can make the tag, too, so it proves nothing.",
            ],
            examples: [
                "seatagent friend kiki@example.org", "seatagent friend allow",
                "seatagent friend hide",
            ],
            isOfVenues: true),
    ]
}
