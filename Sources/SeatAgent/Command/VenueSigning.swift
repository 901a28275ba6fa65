// SPDX-License-Identifier: Apache-2.0
import Grammar
import Keys
import Protocol
import System
import Text
import Venues

/// `seatagent venue sign`: makes the file that an operator hands out, and at the first time the
/// operator's key.
struct VenueSigning {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// What was done.
    private struct Done {
        let signed: SignedVenue
        /// The path of the key, if it was made.
        let newKey: String?
        /// Why the own list does not have the venue.
        let trouble: String?
    }

    func sign(_ path: String) throws(UserError) -> ExitCode {
        let venue = try read(path)
        _ = try VenueCommand.checked(venue, path)
        let out = call.line.value("out") ?? Self.signedName(path)
        let wanted = try revision()
        // The lock of the list is also that of the key: two that sign at once make one.
        let done = try KnownVenues.change(call.place) { (book) throws(UserError) in
            let (key, newKey) = try key()
            let before = try Self.last(venue, in: book, out, by: OperatorKey(key.key.raw))
            let revision = try Self.next(wanted, venue, after: before, path)
            guard let signed = SignedVenue(venue, revision: revision, by: key) else {
                throw Self.outside
            }
            let line = signed.json.line + "\n"
            try PrivateFile.write(Array(line.utf8), to: out, durably: true)
            var trouble: String?
            do throws(UserError) {
                try book.take(signed, at: SystemClock.utc())
            } catch {
                trouble = error.what
            }
            return Done(signed: signed, newKey: newKey, trouble: trouble)
        }
        return report(done, out)
    }

    private func report(_ done: Done, _ out: String) -> ExitCode {
        let signed = done.signed
        let code = call.finish(
            JSON.object([
                "path": .string(out), "slug": .string(signed.venue.slug),
                "made_key": .bool(done.newKey != nil), "listed": .bool(done.trouble == nil),
            ]).adding(signed.facts),
            [
                "Signed \(visible(out, cells: 60)): \(signed.venue.name) (\(signed.venue.slug)), "
                    + "revision \(signed.revision).",
                "The tag for the sign at the door: \(signed.runBy.tag)",
            ])
        if let path = done.newKey {
            call.hint(
                "Your key is new: \(visible(path)). Keep a copy of it, and show it to nobody:")
            call.hint("  without it nobody takes another revision, and who has it is the operator.")
        }
        if let trouble = done.trouble {
            call.hint("Your own list does not have it: \(visible(trouble)).")
        } else {
            call.hint(
                "Hand the file out. The sign: seatagent venue qr "
                    + ShellWord.quoted(signed.venue.slug))
        }
        return code
    }

    // MARK: The file

    private func read(_ path: String) throws(UserError) -> Venue {
        switch try VenueSource.read(path) {
        case .venue(let venue): return venue
        case .signed(let signed): return signed.venue
        case .cabin:
            throw UserError(
                .badVenue, "\(visible(path, cells: 60)) is a cabin, and nobody signs those",
                advice: "seatagent help venue")
        case nil:
            throw UserError(
                .file, "there is no file \(visible(path, cells: 60))",
                advice: "seatagent venue new \(ShellWord.quoted(path))")
        }
    }

    /// `rec.venue` for `rec.json`.
    private static func signedName(_ path: String) -> String {
        let end = ".venue"
        if path.hasSuffix(end) { return path }
        return (path.hasSuffix(".json") ? String(path.dropLast(5)) : path) + end
    }

    // MARK: The key

    /// The operator's key, and its path if it is new.
    private func key() throws(UserError) -> (key: Identity, new: String?) {
        if let path = call.line.value("key-file") {
            if let key = try OperatorFile.read(path) { return (key, nil) }
            throw UserError(
                .file, "there is no key \(visible(path, cells: 60))",
                why: "without --key-file, that of the profile is taken, and made if there is none",
                advice: "seatagent help venue")
        }
        let path = OperatorFile.path(call.place)
        if let key = try OperatorFile.read(path) { return (key, nil) }
        return (try OperatorFile.make(path), path)
    }

    // MARK: The revision

    private static let outside = UserError(
        .usage, "there is no such revision",
        why: "they go from \(Limits.venueRevisions.lowerBound) to "
            + "\(Limits.venueRevisions.upperBound)",
        advice: "seatagent help venue")

    /// The wanted one, if there is.
    private func revision() throws(UserError) -> Int? {
        guard let number = try call.number("revision") else { return nil }
        guard Limits.venueRevisions.contains(number) else { throw Self.outside }
        return number
    }

    /// The last signed file, in the list or where the new one goes. Throws `file` if something else
    /// is there.
    private static func last(
        _ venue: Venue, in book: KnownVenues, _ out: String, by key: OperatorKey
    ) throws(UserError) -> SignedVenue? {
        var last = book.find(venue.slug)?.signed
        if last?.runBy != key { last = nil }
        guard PrivateFile.facts(out) != nil else { return last }
        guard case .signed(let there)? = try? VenueSource.read(out), there.runBy == key,
            there.venue.slug == venue.slug
        else {
            throw UserError(
                .file, "\(visible(out, cells: 60)) is there already",
                why: "it is not a file of \(venue.slug) that this key signed",
                advice: "ls -l \(ShellWord.quoted(out))")
        }
        guard let known = last, known.revision > there.revision else { return there }
        return known
    }

    /// The revision to sign. Throws `usage` for one that was signed already with other words.
    private static func next(
        _ wanted: Int?, _ venue: Venue, after last: SignedVenue?, _ path: String
    ) throws(UserError) -> Int {
        guard let last else { return wanted ?? 1 }
        guard let wanted else { return last.revision + 1 }
        let isSame = wanted == last.revision && venue == last.venue
        guard wanted > last.revision || isSame else {
            throw UserError(
                .usage, "revision \(last.revision) of \(venue.slug) is signed already",
                why: "people take a higher one only",
                advice: "seatagent venue sign \(ShellWord.quoted(path))")
        }
        return wanted
    }
}
