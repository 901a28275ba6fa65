// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let venues: [Command] = [
        Command(
            .venue, summary: "venues that you know, and their files: find, make, sign, add, show",
            operands: "[find|new|check|sign|add|show|map|qr|open|join|announce|leave|forget V]",
            count: 0...3,
            sample: "show rec.json",
            options: [
                Option(
                    name: "like", value: .required("courts|parking|rental|study", sample: "study"),
                    summary: "new: the example to begin with; default: study"),
                Option(
                    name: "revision", value: .required("N", sample: "2"),
                    summary: "sign: the number of this revision; default: the last one and 1"),
                Option(
                    name: "out", value: .required("FILE", sample: "rec.venue"),
                    summary: "sign: the signed file; default: the same name with .venue"),
                Option(
                    name: "key-file", value: .required("FILE", sample: "operator.key"),
                    summary: "sign, announce: your key; default: that of the profile"),
                Option(
                    name: "svg", value: .required("FILE", sample: "rec.svg"),
                    summary: "qr: write the sign into a file too, for a printer"),
                Option(name: "yes", summary: "add, forget: do not ask"),
                Option(
                    name: "follow", letter: "f",
                    summary: "show: again after each change, for a screen at a door"
                ),
                Option(
                    name: "plain", summary: "open: lines, also on a terminal with a whole screen"),
                Option(
                    name: "name", value: .required("NAME", sample: "kiki"),
                    summary: "open, join: your name, for what you write to everybody there"),
                Option(
                    name: "mail", value: .required("ADDRESS", sample: "kiki@example.org"),
                    summary: "join: your e-mail address"),
                Option(
                    name: "number", value: .required("NUMBER", sample: "919123456"),
                    summary: "join: the number on your card"),
                Option(
                    name: "suite", value: .required("SUITE", sample: "12B"),
                    summary: "join: the suite that you visit"),
                Option(
                    name: "interface", value: .required("NAME", sample: "wlan0"),
                    summary: "open, find: use this network interface only"),
                Option(
                    name: "port", value: .required("PORT", sample: "7712"),
                    summary: "open: the TCP port on which others reach you"),
                Option(
                    name: "peer", value: .required("ADDRESS", sample: "10.0.0.5:7712"),
                    repeats: true, summary: "open: dial this address too"),
                Option(name: "no-mdns", summary: "open: neither look for others nor announce"),
                Option(name: "off", summary: "announce: announce it no more"),
            ],
            details: [
                "A venue is a recreation centre, a library, a shop or a building. Its operator",
                "says in a file which places there are, when it is open, and who may book what.",
                "VENUE is the short name of a venue of your list, a file, or an example that",
                "comes with the program: courts, parking, rental, study.",
                "",
                "Without a word, your list of venues is printed.",
                "show prints the hours, the places and what applies; with the name or the number",
                "of a place that place, and with a date the hours of that day.",
                "map draws the places that have coordinates: numbers on a plan that is true to",
                "scale, north at the top, with a list of the numbers beside it.",
                "find looks for three seconds for the venues that announce themselves on this",
                "network: their names, their operators' tags, and the line that takes each.",
                "Anybody can announce one, so compare the tag with the sign at the door.",
                "add takes a signed file, a link (seatagent:venue?...) or a picture of the sign at",
                "the door, PNG or JPEG. The first time it shows the operator's tag and asks",
                "whether that is the one on the sign; another key under the same name is refused.",
                "qr draws the sign.",
                "forget takes a venue out of the list.",
                "open starts the agent of a venue, beside that of a flight, for the days of now,",
                "and shows its page on the whole screen: who is where, the plan, and the chat. In",
                "a pipe, and with --plain, it prints how full each place is. Of a venue that you",
                "took by its sign or link, open gets the rest from the agents there. checkin and",
                "friend start the agent by themselves. leave ends it.",
                "join tells the desk of a venue who you are, and nobody else. It asks for what the",
                "venue wants to know, and takes what your profile has.",
                "",
                "For operators:",
                "new writes an example to begin with.",
                "check reads the file and says what is wrong: where, and what is needed there. It",
                "also computes how many bookings fit into the hours of one volume, and refuses a",
                "file whose record could not hold them.",
                "sign writes the file that you hand out. The first time it makes your key, in",
                "operator.key of the profile: keep a copy of it, and show it to nobody.",
                "",
                "announce starts the venue's agent if none runs, and lets it tell the network that",
                "the venue is here, also after a restart, until announce --off or leave. It needs",
                "the operator's key; agents of others announce nothing.",
                "",
                "The file is JSON. docs/guide/venues.md describes each member.",
            ],
            examples: [
                "seatagent venue find",
                "seatagent venue add uva.venue", "seatagent venue show uva \"UB Singel\"",
                "seatagent venue show uva 2026-12-24", "seatagent venue map uva",
                "seatagent venue new uva.json --like study", "seatagent venue check uva.json",
                "seatagent venue sign uva.json", "seatagent venue qr uva --svg uva.svg",
            ],
            isOfVenues: true)
    ]
}
