// SPDX-License-Identifier: Apache-2.0
import Grammar
import Protocol
import QR
import System
import Text
import Venues

/// `seatagent venue` without a word, `forget` and `qr`: the list of venues that the user knows.
struct VenueList {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// Prints the list.
    func list() throws(UserError) -> ExitCode {
        let venues = try KnownVenues.read(call.place).venues
        let states = venues.map { known in
            known.signed.flatMap { signed in
                VenueText(signed.venue, now: VenueLook.now(signed.venue)).state
            }
        }
        let announced = venues.map { isAnnounced($0) }
        let rows = zip(venues, zip(states, announced)).map { known, more in
            known.facts.adding(present: [
                "state": more.0.map(JSON.string), "announced": more.1 ? true : nil,
            ])
        }
        guard !venues.isEmpty else {
            let code = call.finish(["venues": []], ["You know no venue yet."])
            call.hint("Add one: \(VenueWord.add.sampleLine)")
            return code
        }
        let slugs = venues.map { cellWidth($0.slug) }.max() ?? 0
        let names = venues.map { cellWidth($0.name) }.max() ?? 0
        let lines = zip(venues, zip(states, announced)).map { known, more in
            padded(known.slug, to: slugs + 2) + padded(known.name, to: names + 2)
                + padded(known.runBy.tag, to: 17) + (more.0 ?? "its words are not here yet")
                + (more.1 ? ", announced on this network" : "")
        }
        return call.finish(["venues": .array(Array(rows))], Array(lines))
    }

    /// Whether an agent of the user announces a venue now.
    private func isAnnounced(_ known: KnownVenue) -> Bool {
        guard let process = try? VenueProcess(call, known), (try? process.isAnnouncing) == true
        else { return false }
        return (try? process.status())??.announced == true
    }

    /// Takes a venue out of the list.
    func forget(_ slug: String) throws(UserError) -> ExitCode {
        let known = try KnownVenues.read(call.place).named(slug)
        if !call.line.has("yes") {
            guard call.mayAsk else {
                throw UserError(
                    .usage, "\(slug) is not forgotten without a yes",
                    advice: "seatagent venue forget \(ShellWord.quoted(slug)) --yes")
            }
            guard call.confirm("Forget \(known.name) and the key \(known.runBy.tag)?") else {
                return call.finish(["forgotten": .null], ["Nothing was forgotten."])
            }
        }
        // Its agent would go on in a gathering that the list does not know any more.
        if let process = try? VenueProcess(call, known) {
            try? process.announceNoMore()
            for one in (try? process.all()) ?? [] { try? one.stop() }
        }
        try KnownVenues.change(call.place) { (book) throws(UserError) in book.forget(slug) }
        return call.finish(["forgotten": .string(slug)], ["Forgot \(known.name) (\(slug))."])
    }

    /// Draws the sign of a venue.
    func draw(_ word: String) throws(UserError) -> ExitCode {
        let (link, name) = try sign(word)
        let text = SeatLink.venue(link).text
        guard let picture = QRCode(text) else {
            throw UserError(.failed, "the sign cannot be drawn")
        }
        let path = call.line.value("svg")
        if let path {
            guard PrivateFile.facts(path) == nil else {
                throw UserError(
                    .file, "\(visible(path, cells: 60)) is there already",
                    why: "qr writes over nothing", advice: "ls -l \(ShellWord.quoted(path))")
            }
            try PrivateFile.write(
                Array(picture.svg(below: [name, link.runBy.tag]).utf8), to: path)
        }
        let code = call.finish(
            .object(present: [
                "slug": .string(link.slug), "link": .string(text),
                "operator": .string(link.runBy.text), "tag": .string(link.runBy.tag),
                "svg": path.map(JSON.string),
            ]), ["\(name)  \(link.runBy.tag)", text] + picture.lines(ascii: call.ascii))
        if let path { call.hint("The sign for a printer: \(visible(path, cells: 60))") }
        return code
    }

    private func sign(_ word: String) throws(UserError) -> (VenueLink, name: String) {
        switch try VenueSource(call).find(word) {
        case .unnamed(let known): return (known.link, known.name)
        case .venue(let venue, let signed?):
            if let link = signed.link { return (link, venue.name) }
        case .venue, .cabin: break
        }
        throw UserError(
            .badVenue, "\(visible(word, cells: 60)) has no sign, because nobody signed it",
            advice: "seatagent help venue")
    }
}
