// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let places: [Command] = [
        Command(
            .places, summary: "streets and positions that you imported, for park",
            operands: "[import FILE|forget NAME]", count: 0...2,
            details: [
                "With a list of streets and their positions, `seatagent park` finds where a street",
                "is, and which one is near, without a network. No such list comes with seatagent.",
                "",
                "import reads a file and keeps it under its name. It is a table with commas",
                "between its columns, in UTF-8, below the header name,lat,lon,city (city may be",
                "missing): `12 Main St,43.6535,-79.3839,Toronto`. It may also be the file of a",
                "venue, whose addresses then count. A file of the same name is replaced.",
                "Without a word, what is imported is listed.",
            ],
            examples: [
                "seatagent places import montreal.csv", "seatagent places",
                "seatagent places forget montreal",
            ],
            isOfVenues: true)
    ]
}
