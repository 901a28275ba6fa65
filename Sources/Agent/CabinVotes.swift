// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import Text

/// A layout that passengers suggest, and who.
struct CabinVote: Hashable, Sendable {
    let layout: CabinLayout
    /// Its bytes as they were signed, and by whom.
    let tally: LayoutTally

    /// Sorted by key.
    var authors: [PeerKey] { tally.authors }
    /// SHA-256 of the layout's bytes.
    var hash: Bytes32 { tally.hash }
    /// Whether it comes with the program: what another made may bear any name.
    var isBundled: Bool { CabinLayout.named(layout.id)?.bytes == tally.layout }

    /// Those of `tallies` that can be read, in their order: what most suggest first. Bytes of a
    /// peer that are no layout, or not in the one form that this program writes, count for nobody.
    static func read(_ tallies: [LayoutTally]) -> [CabinVote] {
        tallies.compactMap { tally in
            guard let layout = try? CabinLayout.read(tally.layout), layout.bytes == tally.layout
            else { return nil }
            return CabinVote(layout: layout, tally: tally)
        }
    }
}

extension ControlHost {
    // A host without peers and files, as tests have it.
    var votes: [CabinVote] { [] }
    var cabinQuestion: CabinQuestion? { nil }
    func settle(_ question: CabinQuestion, takes: Bool) throws(UserError) {
        throw UserError(.notAllowedNow, "nothing is kept here")
    }
    func findCabin(_ id: String) throws(UserError) -> CabinLayout {
        guard let layout = CabinLayout.named(id) else {
            throw UserError(.noSuchCabin, "there is no such layout", advice: "seatagent cabins")
        }
        return layout
    }
}

/// Suggesting to others what the cabin looks like.
extension ControlDesk {
    /// `suggestions`: layouts that others see too, what most suggest first.
    func suggestions() -> Outcome { .done(suggestionsJSON) }

    private var suggestionsJSON: JSON {
        let book = book
        let agreed = CabinVote.agreed(among: host.votes)?.hash
        let claimed = host.votes.isEmpty ? [] : host.node.claimedSeats
        let list = host.votes.map { vote -> JSON in
            [
                "id": .string(vote.layout.id), "name": .string(vote.layout.name),
                "agreed": .bool(vote.hash == agreed), "by": .array(vote.authors.map(book.json)),
                "hides": .array(vote.layout.missing(claimed).map { .string($0.text) }),
                "cabin": vote.layout.json,
            ]
        }
        return ["suggestions": .array(list), "asked": cabinAsked]
    }

    /// What the passenger is asked; `null` for nothing.
    var cabinAsked: JSON { host.cabinQuestion.map { $0.json(book) } ?? .null }

    /// A yes or a no to that. Throws `not-now` where nothing is asked, and
    /// `changed` for another layout.
    func answerCabin() throws(UserError) -> Outcome {
        let takes = try request.flag("take")
        let hash = try request.text("hash")
        guard let question = host.cabinQuestion else {
            throw UserError(
                .notAllowedNow, "you are not asked about a layout",
                why: "it takes two passengers, and most of those who suggest one",
                advice: "seatagent cabin suggestions")
        }
        guard question.vote.hash.hex == hash else {
            throw UserError(
                .changed, "you are asked about another layout by now",
                why: "it is \(question.vote.layout.id)", advice: "seatagent cabin suggestions")
        }
        try host.settle(question, takes: takes)
        return .done(["cabin": host.cabin.json])
    }

    /// Suggests the layout of that name to everybody; without a name takes the suggestion back.
    func suggestCabin() throws(UserError) -> Outcome {
        var bytes: [UInt8] = []
        if let id = try request.optionalText("layout") {
            let layout = try host.findCabin(id)
            bytes = layout.bytes
            guard bytes.count <= Limits.layout else {
                throw UserError(
                    .tooLong, "the layout \(layout.id) is too long to be shared",
                    why: "it has \(bytes.count) bytes, \(Limits.layout) are allowed",
                    advice: "seatagent cabins")
            }
            // Said once is enough: no error for who says it again.
            if host.node.ownSuggestion == bytes { return suggestions() }
        } else if host.node.ownSuggestion == nil {
            return suggestions()
        }
        return .perform(.suggestLayout(bytes)) { _, desk in desk.suggestionsJSON }
    }
}

extension CabinQuestion {
    /// `cabin_asked` of the status, and the members of an event.
    func json(_ book: PeopleBook) -> JSON {
        [
            "id": .string(vote.layout.id), "name": .string(vote.layout.name),
            "hash": .string(vote.hash.hex), "bundled": .bool(vote.isBundled),
            "by": .array(vote.authors.map(book.json)), "voices": .int(voices),
        ]
    }
}

extension NodeReading {
    // A core without layouts, as tests have it.
    var layouts: [LayoutTally] { [] }
    var ownSuggestion: [UInt8]? { nil }
}
