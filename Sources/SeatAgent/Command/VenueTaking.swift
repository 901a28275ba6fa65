// SPDX-License-Identifier: Apache-2.0
import Boarding
import Glibc
import Protocol
import System
import Text
import Venues

/// `seatagent venue add`: takes a signed file, a link, or a picture of the sign into the list.
struct VenueTaking {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// What the user gave.
    private enum Gift {
        case signed(SignedVenue)
        case sign(VenueLink)

        var slug: String {
            switch self {
            case .signed(let signed): signed.venue.slug
            case .sign(let link): link.slug
            }
        }

        var runBy: OperatorKey {
            switch self {
            case .signed(let signed): signed.runBy
            case .sign(let link): link.runBy
            }
        }

        var name: String {
            switch self {
            case .signed(let signed): "\(signed.venue.name)  (\(slug))"
            case .sign: slug
            }
        }
    }

    func add(_ word: String) throws(UserError) -> ExitCode {
        let gift = try read(word)
        let book = try KnownVenues.read(call.place)
        if try !book.knows(gift.slug, runBy: gift.runBy) {
            guard try isRight(gift, word, book) else {
                call.hint("Nothing was added. Ask at the venue for its file.")
                return .failed
            }
        }
        let now = SystemClock.utc()
        let (taken, venue) = try KnownVenues.change(call.place) { (book) throws(UserError) in
            let taken =
                switch gift {
                case .signed(let signed): try book.take(signed, at: now)
                case .sign(let link): try book.take(link, at: now)
                }
            return (taken, try book.named(gift.slug))
        }
        let code = call.finish(
            ["outcome": .string(Self.word(taken)), "venue": venue.facts],
            [Self.sentence(taken, venue)])
        let slug = ShellWord.quoted(venue.slug)
        call.hint(
            venue.signed == nil
                ? "Open it there, and its agents say the rest: seatagent venue open \(slug)"
                : "Look at it: seatagent venue show \(slug)")
        return code
    }

    private static func word(_ taken: KnownVenues.Taken) -> String {
        switch taken {
        case .added: "added"
        case .words: "words"
        case .newer: "newer"
        case .known: "known"
        }
    }

    private static func sentence(_ taken: KnownVenues.Taken, _ venue: KnownVenue) -> String {
        let which = venue.revision.map { "revision \($0)" } ?? "name and key"
        switch taken {
        case .added: return "Added \(venue.name) (\(venue.slug)): \(which)."
        case .words: return "\(venue.slug) was in your list; now it has \(which)."
        case .newer(let old): return "\(venue.slug): \(which) takes the place of revision \(old)."
        case .known: return "\(venue.slug) is in your list already: \(which)."
        }
    }

    // MARK: The question

    /// Whether the user says that the tag is the one at the door. Throws if nobody can be asked and
    /// `--yes` was not given.
    private func isRight(
        _ gift: Gift, _ word: String, _ book: KnownVenues
    ) throws(UserError) -> Bool {
        if call.line.has("yes") { return true }
        let tag = gift.runBy.tag
        guard call.mayAsk else {
            throw UserError(
                .usage, "\(gift.slug) is not added without a yes",
                why: "its operator's tag is \(tag); compare it with the sign at the door",
                advice: "seatagent venue add \(ShellWord.quoted(word)) --yes")
        }
        call.say(visible(gift.name))
        call.say("  operator   \(tag)")
        let others = book.venues.filter { $0.runBy == gift.runBy }.map(\.slug)
        if !others.isEmpty {
            call.say("  the same operator as of \(others.joined(separator: ", "))")
        }
        return call.confirm("Does the sign at the door say \(tag)?")
    }

    // MARK: What it is

    private func read(_ word: String) throws(UserError) -> Gift {
        guard !SeatLink.begins(word) else { return .sign(try Self.link(word)) }
        let descriptor = open(word, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw UserError(
                .file, "\(visible(word, cells: 60)) cannot be read",
                why: "\(String(cString: strerror(errno))); add takes a signed file, a link or a "
                    + "picture of the sign",
                advice: "seatagent help venue")
        }
        defer { close(descriptor) }
        let start = PrivateFile.readBytes(limit: 16, from: descriptor) ?? []
        switch PassFormat(start) {
        case .picture:
            lseek(descriptor, 0, SEEK_SET)
            return .sign(try PassWorker.readVenue(descriptor))
        case .wallet: throw Self.strange(word, "an archive")
        case .other(let name): throw Self.strange(word, name)
        case .text: return .signed(try Self.file(word))
        }
    }

    private static func file(_ path: String) throws(UserError) -> SignedVenue {
        switch try VenueSource.read(path) {
        case .signed(let signed): return signed
        case .cabin, nil: throw strange(path, "no file of a venue")
        case .venue(let venue):
            throw UserError(
                .badVenue, "the venue in \(visible(path, cells: 60)) is not signed",
                why: "nobody can tell who wrote it; whoever runs \(venue.slug) signs it",
                advice: "seatagent venue sign \(ShellWord.quoted(path))")
        }
    }

    private static func strange(_ path: String, _ what: String) -> UserError {
        UserError(
            .badVenue, "\(visible(path, cells: 60)) is \(what)",
            why: "add takes a signed file, a link, or a picture of the sign: PNG or JPEG",
            advice: "seatagent help venue")
    }

    private static func link(_ word: String) throws(UserError) -> VenueLink {
        let why: String
        do throws(SeatLink.Fault) {
            if case .venue(let link) = try SeatLink(word) { return link }
            why = "it is for something else"
        } catch {
            why =
                switch error {
                case .version: "a newer seatagent made it"
                case .purpose: "it is for something else"
                case .notALink, .tooLong, .form, .code:
                    "something is missing, or stands where it does not belong"
                }
        }
        throw UserError(
            .badVenue, "that is no link to a venue", why: why, advice: "seatagent help venue")
    }
}
