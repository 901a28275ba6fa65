// SPDX-License-Identifier: Apache-2.0
import Glibc
import Keys
import System
import Text
import Venues

/// What a word of `seatagent venue` means: a venue of the user's list, a file, or an example.
struct VenueSource {
    /// What was found.
    enum Found {
        /// A venue; `nil` beside it if nobody signed it.
        case venue(Venue, SignedVenue?)
        /// One of the list of which only name and key are known.
        case unnamed(KnownVenue)
        /// The cabin of an aeroplane.
        case cabin(CabinVenue)
    }

    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// Looks in the list first: a file that has the name of a venue must not take its place. Throws
    /// `no-such-venue`, `file` and `bad-venue`.
    func find(_ word: String) throws(UserError) -> Found {
        let isSlug = VenueSlug.isSlug(word)
        let book = isSlug ? try KnownVenues.read(call.place) : KnownVenues()
        if let known = book.find(word) {
            return known.signed.map { .venue($0.venue, $0) } ?? .unnamed(known)
        }
        // A folder may well be called as an example is.
        if !(isSlug && Self.isFolder(word)), let file = try Self.read(word) {
            return switch file {
            case .venue(let venue): .venue(venue, nil)
            case .signed(let signed): .venue(signed.venue, signed)
            case .cabin(let cabin): .cabin(cabin)
            }
        }
        let example =
            VenueExample(rawValue: word)
            ?? VenueExample.allCases.first { $0.venue?.slug == word }
        if let venue = example?.venue {
            call.hint("This is an example that comes with the program.")
            return .venue(venue, nil)
        }
        guard isSlug else {
            throw UserError(
                .file, "there is no file \(visible(word, cells: 60))",
                advice: "seatagent venue new \(ShellWord.quoted(word))")
        }
        let near = Suggestions.nearest(to: word, among: book.venues.map(\.slug))
        throw UserError(
            .noSuchVenue, "no venue of your list is called \(word), and no file",
            why: near.map { "the nearest is \($0)" }, advice: "seatagent venue")
    }

    private static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// What a file says; `nil` if there is none. Throws `file` and `bad-venue`.
    static func read(_ path: String) throws(UserError) -> VenueFile? {
        guard let bytes = try PrivateFile.read(path, limit: VenueLimits.file) else { return nil }
        guard let primitives = SodiumPrimitives() else {
            throw UserError(.failed, "this machine gives no random numbers")
        }
        do throws(FormFault) {
            return try VenueFile.read(bytes, primitives: primitives)
        } catch {
            throw wrong(path, error)
        }
    }

    /// The error for a file that is none of a venue.
    static func wrong(_ path: String, _ fault: FormFault) -> UserError {
        UserError(
            .badVenue, "the venue in \(visible(path, cells: 60)) is wrong", why: fault.sentence,
            advice: "seatagent help venue")
    }

    /// The error where words are needed that are not here.
    static func wordless(_ known: KnownVenue) -> UserError {
        UserError(
            .notAllowedNow, "what \(known.slug) says about itself is not here yet",
            why: "you took its sign, which has a name and a key; the agents there say the rest",
            advice: "seatagent venue open \(ShellWord.quoted(known.slug))")
    }
}

extension SignedVenue {
    /// Whose it is, as results say it.
    var facts: [String: JSON] {
        [
            "operator": .string(runBy.text), "tag": .string(runBy.tag),
            "revision": .int(revision),
        ]
    }
}

extension KnownVenue {
    /// A venue of the list, as results say it.
    var facts: JSON {
        .object(present: [
            "slug": .string(slug), "name": signed.map { .string($0.venue.name) },
            "operator": .string(runBy.text), "tag": .string(runBy.tag),
            "volume": .string(kind.rawValue), "revision": revision.map(JSON.int),
            "link": .string(linkText),
        ])
    }
}
