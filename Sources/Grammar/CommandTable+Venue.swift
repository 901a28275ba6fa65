// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let venues: [Command] = [
        Command(
            .venue, summary: "the file of a venue: make, check, show, draw",
            operands: "new|check|show|map FILE [PLACE|DATE]", count: 1...3,
            sample: "show rec.json",
            options: [
                Option(
                    name: "like", value: .required("courts|parking|rental|study", sample: "study"),
                    summary: "new: the example to begin with; default: study")
            ],
            details: [
                "A venue is a recreation centre, a library, a shop or a building. Its operator",
                "says in a file which places there are, when it is open, and who may book what.",
                "",
                "new writes an example to begin with.",
                "check reads the file and says what is wrong: where, and what is needed there. It",
                "also computes how many bookings fit into the hours of one volume, and refuses a",
                "file whose record could not hold them.",
                "show prints the hours, the places and what applies; with the name or the number",
                "of a place that place, and with a date the hours of that day.",
                "map draws the places that have coordinates: numbers on a plan that is true to",
                "scale, north at the top, with a list of the numbers beside it.",
                "",
                "The file is JSON. docs/guide/venues.md describes each member.",
            ],
            examples: [
                "seatagent venue new uva.json --like study", "seatagent venue check uva.json",
                "seatagent venue show uva.json \"UB Singel\"",
                "seatagent venue show uva.json 2026-12-24", "seatagent venue map uva.json",
            ],
            isOfVenues: true)
    ]
}
