// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import Grammar
import Protocol
import System
import Text
import Venues
import Wording

/// `seatagent venue`: files of venues.
struct VenueCommand {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run() throws(UserError) -> ExitCode {
        let words = call.operands
        guard let word = VenueWord(rawValue: words[0]) else { throw Self.unknown(words[0]) }
        switch (word, words.count) {
        case (.new, 2): return try new(words[1])
        case (.check, 2): return try check(words[1])
        case (.show, 2): return try show(words[1])
        case (.show, 3): return try show(words[1], part: words[2])
        case (.map, 2): return try map(words[1])
        case (.new, _), (.check, _), (.show, _), (.map, _):
            let what = words.count > 2 ? "has too many words" : "wants to know which file"
            throw UserError(.usage, "venue \(word.rawValue) \(what)", advice: word.sampleLine)
        }
    }

    private static func unknown(_ word: String) -> UserError {
        let nearest = Suggestions.nearest(to: word, among: VenueWord.words)
        return UserError(
            .usage, "venue has no \(visible(word, cells: 40))",
            why: "it has " + VenueWord.words.joined(separator: ", "),
            advice: nearest.flatMap(VenueWord.init)?.sampleLine ?? "seatagent help venue")
    }

    // MARK: Files

    /// What a file says. Throws `file` and `bad-venue`.
    func read(_ path: String) throws(UserError) -> VenueFile {
        guard let bytes = try PrivateFile.read(path, limit: VenueLimits.file) else {
            throw UserError(
                .file, "there is no file \(visible(path, cells: 60))",
                advice: "seatagent venue new \(ShellWord.quoted(path))")
        }
        do throws(FormFault) {
            return try VenueFile.read(bytes)
        } catch {
            throw Self.wrong(path, error)
        }
    }

    /// The error for a file that is none of a venue.
    static func wrong(_ path: String, _ fault: FormFault) -> UserError {
        UserError(
            .badVenue, "the venue in \(visible(path, cells: 60)) is wrong", why: fault.sentence,
            advice: "seatagent help venue")
    }

    private func new(_ path: String) throws(UserError) -> ExitCode {
        let word = call.line.value("like") ?? VenueExample.study.rawValue
        guard let example = VenueExample(rawValue: word) else {
            throw UserError(
                .usage, "there is no example \"\(visible(word, cells: 40))\"",
                why: "there are "
                    + VenueExample.allCases.map { "\($0.rawValue) (\($0.about))" }
                    .joined(separator: ", "),
                advice: "seatagent venue new rec.json --like courts")
        }
        guard PrivateFile.facts(path) == nil else {
            throw UserError(
                .file, "\(visible(path, cells: 60)) is there already",
                why: "new writes over nothing",
                advice: "seatagent venue check \(ShellWord.quoted(path))")
        }
        try PrivateFile.write(Array(example.text.utf8), to: path)
        let code = call.finish(
            ["path": .string(path), "like": .string(example.rawValue)],
            ["Wrote \(visible(path, cells: 60)): \(example.about)."])
        call.hint("Edit it, then: seatagent venue check \(ShellWord.quoted(path))")
        return code
    }

    // MARK: Check

    private func check(_ path: String) throws(UserError) -> ExitCode {
        switch try read(path) {
        case .cabin(let cabin):
            return call.finish(
                ["slug": .string(cabin.slug), "seats": .int(cabin.cabin.seats.count)],
                ["\(visible(path, cells: 60)) is right: \(cabin.name), as \(cabin.cabin.id)."])
        case .venue(let venue):
            let size = try Self.checked(venue, path)
            let remarks = Self.remarks(venue, size)
            let count = venue.places.count
            return call.finish(
                [
                    "slug": .string(venue.slug), "places": .int(count),
                    "bytes": .int(venue.bytes.count), "limit": .int(VenueLimits.bytes),
                    "bookings": .int(size.bookings),
                    "remarks": .array(remarks.map(JSON.string)),
                ],
                [
                    "\(visible(path, cells: 60)) is right: \(venue.name) (\(venue.slug)), "
                        + "\(count) \(count == 1 ? "place" : "places"), \(venue.bytes.count) bytes "
                        + "of \(VenueLimits.bytes) as one line.",
                    size.bookings == 0
                        ? "Nothing in it is booked."
                        : "The hours of one \(venue.volume.rawValue) hold up to "
                            + "\(size.bookings) bookings.",
                ] + remarks)
        }
    }

    /// What cannot be seen in the file alone: whether this machine knows the zone, and whether the
    /// record of a volume can hold the bookings. Throws `bad-venue`.
    static func checked(_ venue: Venue, _ path: String) throws(UserError) -> LedgerSize {
        guard TimeZoneRules.named(venue.zone) != nil else {
            throw wrong(
                path,
                FormFault(
                    place: "zone",
                    why: "this machine knows no zone \(venue.zone); one as Europe/Amsterdam is "
                        + "wanted"))
        }
        let size = LedgerSize(venue)
        guard size.fits else {
            throw wrong(
                path,
                FormFault(
                    place: "volume",
                    why: "the hours of one \(venue.volume.rawValue) hold \(size.bookings) "
                        + "bookings, and its record \(LedgerSize.limit): a shorter volume, fewer "
                        + "places or longer periods are wanted"))
        }
        return size
    }

    /// What the operator should know about a file that is right.
    private static func remarks(_ venue: Venue, _ size: LedgerSize) -> [String] {
        var remarks: [String] = []
        if !size.fitsTwice {
            remarks.append(
                "If most of them are paid, used or given back as well, the record is full before "
                    + "the \(venue.volume.rawValue) is over; a shorter volume leaves more room.")
        }
        let people = venue.places.filter { $0.mode == .counted }.reduce(0) { $0 + $1.count }
        if people > VenueLimits.people {
            remarks.append(
                "\(people) people fit into it; agents count up to \(VenueLimits.people) of them.")
        }
        return remarks
    }

    // MARK: Show

    private func show(_ path: String, part: String? = nil) throws(UserError) -> ExitCode {
        switch try read(path) {
        case .cabin(let cabin): return draw(cabin)
        case .venue(let venue):
            let now = TimeZoneRules.named(venue.zone)?.clock(at: SystemClock.utc())
            let text = VenueText(venue, now: now)
            guard let part else {
                return call.finish(
                    .object(present: [
                        "venue": venue.json, "state": text.state.map(JSON.string),
                    ]), text.lines)
            }
            if let date = FlightDate(part) {
                let days = VenueDays(venue)
                return call.finish(
                    .object(present: [
                        "date": .string(date.text),
                        "hours": .array(days.spans(on: date).map { .string($0.text) }),
                        "reason": days.reason(on: date).map(JSON.string),
                    ]), text.lines(date))
            }
            let place = try venue.named(
                part, advice: "seatagent venue show \(ShellWord.quoted(path))")
            return call.finish(
                .object(present: [
                    "place": place.json, "state": text.state(of: place).map(JSON.string),
                ]), text.lines(place))
        }
    }

    /// A cabin is drawn as on a flight.
    private func draw(_ cabin: CabinVenue) -> ExitCode {
        let picture = SeatPicture(
            marks: [:], cabin: cabin.cabin, ascii: call.ascii, hasLegend: false)
        return call.finish(cabin.json, ["\(cabin.name): \(cabin.cabin.name)"] + picture.upright)
    }

    // MARK: Map

    private func map(_ path: String) throws(UserError) -> ExitCode {
        switch try read(path) {
        case .cabin(let cabin): return draw(cabin)
        case .venue(let venue):
            guard let map = VenueMap(venue) else {
                throw UserError(
                    .nothingFound, "no place of \(venue.name) has coordinates",
                    why: venue.at.map { "the venue itself is at \($0.link)" }
                        ?? "at of a place is missing: [52.3681, 4.8889]",
                    advice: "seatagent venue show \(ShellWord.quoted(path))")
            }
            let spots = map.spots.map { spot in
                JSON.object(present: [
                    "number": .int(spot.number), "id": .int(spot.place.id),
                    "name": .string(spot.place.name),
                    "address": spot.place.address.map(JSON.string),
                    "geo": spot.place.at.map { .string($0.link) }, "column": .int(spot.column),
                    "row": .int(spot.row),
                ])
            }
            return call.finish(
                [
                    "venue": .string(venue.slug), "spots": .array(spots),
                    "columns": .int(map.columns), "rows": .int(map.rows),
                    "metres": .double(map.scale),
                ], ["\(venue.name)", ""] + map.lines(ascii: call.ascii))
        }
    }
}

extension Venue {
    /// The place of that number, name, or part of a name. Throws `no-such-place` and `ambiguous`.
    fileprivate func named(_ word: String, advice: String) throws(UserError) -> VenuePlace {
        if let place = Int(word).flatMap({ place($0) }) { return place }
        let small = word.lowercased()
        if let place = places.first(where: { $0.name.lowercased() == small }) { return place }
        let found = places.filter { $0.name.lowercased().contains(small) }
        if let place = found.first, found.count == 1 { return place }
        guard found.isEmpty else {
            throw UserError(
                .ambiguous, "\"\(visible(word, cells: 40))\" is part of several names",
                why: found.prefix(6).map { "\($0.id) \($0.name)" }.joined(separator: ", "),
                advice: advice)
        }
        let near = Suggestions.nearest(to: word, among: places.map(\.name))
        throw UserError(
            .noSuchPlace, "\(name) has no place \"\(visible(word, cells: 40))\"",
            why: near.map { "the nearest is \($0)" }, advice: advice)
    }
}
