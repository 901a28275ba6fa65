// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let park: [Command] = [
        Command(
            .park, summary: "your parked cars: where, since when and for how long",
            operands: "[add BUILDING|permit N|show N|change N|remove N|route N|remind]",
            count: 0...2,
            options: [
                Option(
                    name: "plate", value: .required("PLATE", sample: "AB12CDE"),
                    summary: "add, change: the car, 2 to 8 letters and digits"),
                Option(
                    name: "suite", value: .required("SUITE", sample: "12B"),
                    summary: "add, change: whom you visit, 2 to 5 letters and digits"),
                Option(
                    name: "hours", value: .required("1h|4h|12h|24h", sample: "4h"),
                    summary: "add, change: for how long"),
                Option(
                    name: "building", value: .required("BUILDING", sample: "B7K2Q"),
                    summary: "change: another building, 5 letters and digits"),
                Option(
                    name: "street", value: .required("STREET", sample: "12 Main St"),
                    summary: "add, change: the street, with the number"),
                Option(
                    name: "at", value: .required("LAT,LON", sample: "45.5017,-73.5673"),
                    summary: "add, change: the position, in degrees"),
                Option(name: "here", summary: "add, change, route: the position of this computer"),
                Option(
                    name: "from", value: .required("LAT,LON", sample: "45.5088,-73.5542"),
                    summary: "route: where you are, in degrees"),
                Option(name: "open", summary: "route: show the page of OpenStreetMap"),
                Option(name: "no-qr", summary: "route: draw no QR code"),
                Option(name: "no-permit", summary: "add: ask the building's desk for nothing"),
                Option(name: "yes", summary: "add, permit, remove: do not ask"),
            ],
            details: [
                "The list stays on this computer. Without a word, it is printed, newest first. A",
                "car counts from the moment when you save it.",
                "",
                "If you know a venue with the code of the building (see `seatagent help venue`),",
                "and its desk gives bays out for such a time, add asks it for a permit as well:",
                "the desk alone learns plate and suite, and a bay is booked from the next minute",
                "on, as with `seatagent book`. Its rules hold: if all bays are taken, or the suite",
                "has had its share of that day, you are told. The car is saved in any case, and",
                "permit asks again, for the time that is left. --no-permit asks for nothing.",
                "",
                "add asks on a terminal for what is missing; the plate is that of your profile if",
                "it has one. Blanks and hyphens of a plate do not count. With a street and no",
                "position, the position is looked for in the venues",
                "that you imported (see `seatagent help places`), your own records, the lists of",
                "streets that you imported, and, only if you set geocode.url, on the internet: its",
                "service then learns the street and your internet address. If nobody knows it, the",
                "car is saved without a position.",
                "With --here, the program of location.command says where you are, or GeoClue if",
                "none is set; the answer names how exact that is. If it may be more than 1 km off,",
                "a car is given that position only if you say yes.",
                "show prints one record; a position without a street is called by the nearest",
                "address that is known here, if one is within 200 m.",
                "route prints a link that a phone opens on its map, the same as a QR code, a page",
                "of OpenStreetMap and, with --from or --here, distance and direction as the crow",
                "flies. Only --open opens the page, and OpenStreetMap learns the position.",
                "",
                "Notices come 15 minutes before the time is up and at its end, unless",
                "notify.parking is off. On a desktop, add and change start a small program that",
                "waits for these moments, and any park command starts it again after the computer",
                "was shut down; elsewhere, remind does that in a terminal until the last time is",
                "up. `seatagent calendar` has the cars whose time runs, with reminders.",
            ],
            examples: [
                "seatagent park add B7K2Q --plate AB12CDE --suite 12B --hours 4h",
                "seatagent park", "seatagent park change 1 --street '12 Main St'",
                "seatagent park route 1 --from 45.5088,-73.5542", "seatagent park remind",
                "seatagent park permit 1",
            ],
            isOfVenues: true)
    ]
}
