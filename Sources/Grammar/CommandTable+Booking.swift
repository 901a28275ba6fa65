// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    private static let venueOption = Option(
        name: "venue", value: .required("VENUE", sample: "rec"),
        summary: "which venue, if you know several")

    /// Bookings in venues, and the desk that gives them out.
    package static let bookings: [Command] = [
        Command(
            .book, summary: "book a place of a venue, in words", operands: "WHAT WHEN [LENGTH]",
            count: 1...16, sample: "tennis sat 18:00 2h",
            options: [
                venueOption,
                Option(name: "wait", summary: "where it is full, take a place on the waiting list"),
                Option(
                    name: "weekly", value: .required("WEEKS", sample: "4"),
                    summary: "the same in so many weeks, each by itself: 2 to 12"),
                Option(
                    name: "for-note", value: .required("TEXT", sample: "with a pram"),
                    summary: "words for the desk"),
                Option(
                    name: "unlisted",
                    summary: "leave out what finds the booking by your e-mail address"),
                Option(name: "yes", summary: "do not ask"),
            ],
            details: [
                "WHAT is a place or a group of places by its name: 'Tennis 2', tennis, Piraat;",
                "2x in front of it is two. WHEN is sat, tomorrow, 5 dec or 2026-12-05, and for",
                "what is had by the hour a time: 18:00, 18-20. LENGTH is 1h, 90min, 2 days.",
                "",
                "The desk of the venue decides. What it grants stands in its signed ledger, which",
                "every agent of the venue has and checks, so nobody else can have the same. While",
                "the desk is away you are told since when, and nothing is booked yet; your request",
                "waits, also while your computer is off, and is answered when the desk is back.",
                "",
                "It ends with 0 if it is booked, 5 while the desk has not answered, and 6 or 1 if",
                "the desk says no.",
            ],
            examples: [
                "seatagent book tennis sat 18:00 2h",
                "seatagent book 'Tennis 2' 5 dec 18-20 --wait",
                "seatagent book Piraat 12 jun --venue dreamland/gent",
            ],
            isOfVenues: true, needsConfig: true),
        Command(
            .bookings, summary: "your bookings in venues: look, cancel, give away, pay, swap",
            operands: "[N|CODE|cancel N|give N WHO|pay N|swap N WHAT|requests|accept N|...]",
            count: 0...16, sample: "",
            options: [
                venueOption,
                Option(name: "all", summary: "also those that are over"),
                Option(
                    name: "mail", value: .required("ADDRESS", sample: "els@example.org"),
                    summary: "what somebody booked who has that address"),
                Option(name: "share", summary: "one booking: text for friends, without its code"),
                Option(
                    name: "note", value: .required("TEXT", sample: "an hour later suits me"),
                    summary: "swap, propose, decline, wish: words with it"),
                Option(
                    name: "override",
                    summary: "swap, accept: although the lengths differ, or it is not paid"),
                Option(name: "wait", summary: "swap, propose: until the others have answered"),
                Option(name: "yes", summary: "do not ask"),
            ],
            details: [
                "The list is yours, newest first, and goes beyond the days of one ledger.",
                "cancel asks the desk to end a booking, or takes a request back. After the time",
                "that the venue sets it still counts for the day.",
                "give hands a booking to somebody else, by name or tag; the desk writes it down.",
                "pay says what is due and how to pay it. The program moves no money.",
                "",
                "swap asks whoever has a booking to take yours for it: WHAT is its code, or its",
                "place and time. No desk is needed: both sign it, and the desk reads it when it is",
                "back. The venue says who may swap: nobody, members of one class, or all.",
                "propose does so among several, all or nothing: each booking with who gets it.",
                "requests shows what is asked; accept, decline and withdraw take its number.",
                "wish tells others what you would take for a booking: places, and a time in which",
                "one as long as yours lies. match shows who could exchange so that nobody is worse",
                "off, with the line that proposes it. wish off takes yours back.",
            ],
            examples: [
                "seatagent bookings", "seatagent bookings cancel 3", "seatagent bookings give 3 bo",
                "seatagent bookings pay 3", "seatagent bookings --mail els@example.org",
                "seatagent bookings swap 3 'Tennis 1' sat 19:00", "seatagent bookings accept 1",
            ],
            isOfVenues: true, needsConfig: true),
        Command(
            .desk, summary: "the desk of a venue, for whoever runs it",
            operands: "[up|requests|grant|book|paid|members|... WORDS]", count: 0...17,
            sample: "",
            options: [
                venueOption,
                Option(
                    name: "key-file", value: .required("FILE", sample: "operator.key"),
                    summary: "up: your key; default: that of the profile"),
                Option(
                    name: "name", value: .required("NAME", sample: "front desk"),
                    summary: "up: the name that others see"),
                Option(
                    name: "interface", value: .required("NAME", sample: "wlan0"),
                    summary: "up: use this network interface only"),
                Option(
                    name: "port", value: .required("PORT", sample: "7712"),
                    summary: "up: the TCP port on which others reach the desk"),
                Option(
                    name: "peer", value: .required("ADDRESS", sample: "10.0.0.5:7712"),
                    repeats: true, summary: "up: dial this address too"),
                Option(name: "no-mdns", summary: "up: neither look for others nor announce"),
                Option(
                    name: "instead",
                    summary: "up: take over from a desk that is lost, with a new key"),
                Option(
                    name: "begin",
                    summary: "up: no earlier desk began the ledgers of later days"),
                Option(
                    name: "restored", summary: "open: although its disk was put back from a copy"),
                Option(
                    name: "for", value: .required("WHO", sample: "Els"),
                    summary: "book: for whom, a name for the slip, or a tag"),
                Option(
                    name: "member", value: .required("NUMBER", sample: "217"),
                    summary: "book: for the member with that number"),
                Option(
                    name: "mail", value: .required("ADDRESS", sample: "els@example.org"),
                    summary: "book: found by that address later"),
                Option(name: "override", summary: "book: set the quota aside; the ledger shows it"),
                Option(
                    name: "for-note", value: .required("TEXT", sample: "repair"),
                    summary: "block, refuse: why"),
                Option(
                    name: "reason", value: .required("WORD", sample: "error"),
                    summary: "close: desk, no-show, unpaid, error, stranded or early"),
                Option(name: "spent", summary: "close: it still counts for the day"),
                Option(
                    name: "class", value: .required("CLASS", sample: "student"),
                    summary: "admit: of that class"),
                Option(
                    name: "by", value: .required("HOW", sample: "card"),
                    summary: "paid: cash, card, transfer, link or other"),
                Option(name: "csv", summary: "report: for a table (RFC 4180)"),
                Option(
                    name: "to", value: .required("FOLDER", sample: "rec-backup"),
                    summary: "backup: where the copy goes"),
                Option(
                    name: "from", value: .required("FOLDER", sample: "rec-backup"),
                    summary: "restore: where the copy is"),
                Option(name: "yes", summary: "up --instead, restore: do not ask"),
            ],
            details: [
                "up starts the desk with the operator's key: the venue's agent that writes the",
                "ledger, answers requests by itself by the venue's own rules, and announces the",
                "venue. One desk runs for a venue: a second one counts for nobody.",
                "",
                "Without a word, and with requests, it prints what waits: requests, with the code",
                "by which grant and refuse name them, and people who want to join or to park, for",
                "admit and refuse.",
                "book and block take words as `seatagent book` does; hours do not bind the desk.",
                "paid, arrived, handed, returned, late, close and slip take the code of a booking.",
                "members lists them; members import FILE reads the roster, a table with mail and",
                "number; members move N TAG gives a member a new key, after a look at their card;",
                "members change N mail|name|number TEXT notes what they show you of it; members",
                "forget N deletes what is known of one; members find PLATE says whom a parked car",
                "visits, and until when.",
                "say TEXT tells all who are there; it stands on the venue's page until the next.",
                "report sums a month: bookings, no-shows and money of each place and class.",
                "",
                "backup copies the ledger with its key, the members and the roster; restore puts",
                "them back. A desk that was put back fetches what others know, and grants nothing",
                "before open --restored says that all is there. Where the old computer cannot",
                "come back, up --instead begins a new ledger with a new key, behind what is known",
                "of the old one; what nobody had is listed as soon as it turns up.",
            ],
            examples: [
                "seatagent desk up rec", "seatagent desk requests", "seatagent desk paid K7Q2M5XA",
                "seatagent desk book tennis sat 18:00 1h --for Els --mail els@example.org",
                "seatagent desk members import roster.csv", "seatagent desk report 2026-12 --csv",
            ],
            isOfVenues: true),
    ]
}
