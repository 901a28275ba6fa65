// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Grammar
import System
import Text
import Venues

/// `seatagent venue`: the venues that the user knows, and files of venues.
struct VenueCommand {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run() throws(UserError) -> ExitCode {
        let words = call.operands
        guard let first = words.first else {
            try allow([], of: "venue")
            return try VenueList(call).list()
        }
        guard let word = VenueWord(rawValue: first) else { throw Self.unknown(first) }
        guard word.count ~= words.count - 1 else {
            let isLong = words.count - 1 > word.count.upperBound
            let what = isLong ? "has too many words" : "wants to know which \(word.wanted)"
            throw UserError(.usage, "venue \(word.rawValue) \(what)", advice: word.sampleLine)
        }
        try allow(word.options, of: "venue \(word.rawValue)")
        switch word {
        case .find: return try VenueFinding(call).find()
        case .new: return try new(words[1])
        case .check: return try check(words[1])
        case .sign: return try VenueSigning(call).sign(words[1])
        case .add: return try VenueTaking(call).add(words[1])
        case .show where call.line.has("follow"):
            guard words.count == 2 else {
                throw UserError(
                    .usage, "venue show --follow shows the whole venue",
                    advice: "seatagent venue show \(ShellWord.quoted(words[1])) --follow")
            }
            return try VenueDoor(call).follow(words[1])
        case .show: return try VenueLook(call).show(words[1], part: words.dropFirst(2).first)
        case .map: return try VenueLook(call).map(words[1])
        case .open: return try VenueDoor(call).open(words[1])
        case .join: return try VenueJoining(call).join(words[1])
        case .announce: return try VenueAnnouncing(call).announce(words[1])
        case .leave: return try VenueDoor(call).leave(words[1])
        case .qr: return try VenueList(call).draw(words[1])
        case .forget: return try VenueList(call).forget(words[1])
        }
    }

    /// Throws `usage` for an option of another word.
    private func allow(_ names: [String], of word: String) throws(UserError) {
        let all = Set(VenueWord.allCases.flatMap(\.options)).sorted()
        guard let other = all.first(where: { call.line.has($0) && !names.contains($0) }) else {
            return
        }
        throw UserError(.usage, "\(word) takes no --\(other)", advice: "seatagent help venue")
    }

    private static func unknown(_ word: String) -> UserError {
        let nearest = Suggestions.nearest(to: word, among: VenueWord.words)
        return UserError(
            .usage, "venue has no \(visible(word, cells: 40))",
            why: "it has " + VenueWord.words.joined(separator: ", "),
            advice: nearest.flatMap(VenueWord.init)?.sampleLine ?? "seatagent help venue")
    }

    // MARK: Files

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
        let found = try VenueSource(call).find(path)
        switch found {
        case .cabin(let cabin):
            return call.finish(
                ["slug": .string(cabin.slug), "seats": .int(cabin.cabin.seats.count)],
                ["\(visible(path, cells: 60)) is right: \(cabin.name), as \(cabin.cabin.id)."])
        case .unnamed(let known): throw VenueSource.wordless(known)
        case .venue(let venue, let signed):
            let size = try Self.checked(venue, path)
            let remarks = Self.remarks(venue, size)
            let count = venue.places.count
            return call.finish(
                JSON.object([
                    "slug": .string(venue.slug), "places": .int(count),
                    "bytes": .int(venue.bytes.count), "limit": .int(VenueLimits.bytes),
                    "bookings": .int(size.bookings),
                    "remarks": .array(remarks.map(JSON.string)),
                ]).adding(signed?.facts ?? [:]),
                [
                    "\(visible(path, cells: 60)) is right: \(venue.name) (\(venue.slug)), "
                        + "\(count) \(count == 1 ? "place" : "places"), \(venue.bytes.count) bytes "
                        + "of \(VenueLimits.bytes) as one line.",
                    size.bookings == 0
                        ? "Nothing in it is booked."
                        : "The hours of one \(venue.volume.rawValue) hold up to "
                            + "\(size.bookings) bookings.",
                ] + (signed.map { ["Signed: revision \($0.revision), by \($0.runBy.tag)."] } ?? [])
                    + remarks)
        }
    }

    /// What cannot be seen in the file alone: whether this machine knows the zone, and whether the
    /// record of a volume can hold the bookings. Throws `bad-venue`.
    static func checked(_ venue: Venue, _ path: String) throws(UserError) -> LedgerSize {
        guard TimeZoneRules.named(venue.zone) != nil else {
            throw VenueSource.wrong(
                path,
                FormFault(
                    place: "zone",
                    why: "this machine knows no zone \(venue.zone); one as Europe/Amsterdam is "
                        + "wanted"))
        }
        let size = LedgerSize(venue)
        guard size.fits else {
            throw VenueSource.wrong(
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
}
