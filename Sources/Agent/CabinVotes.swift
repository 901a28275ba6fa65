// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol
import Text

/// A layout that passengers suggest, and who suggests it.
struct CabinVote: Hashable, Sendable {
    let layout: CabinLayout
    /// Its bytes as they were signed, and by whom.
    let tally: LayoutTally

    /// Sorted by key.
    var authors: [PeerKey] { tally.authors }
    /// SHA-256 of the layout's bytes.
    var hash: Bytes32 { tally.hash }
    /// Whether it comes with the program: a layout that somebody else made may have any name.
    var isBundled: Bool { CabinLayout.named(layout.id)?.bytes == tally.layout }

    /// The readable ones among `tallies`, in their order: the most suggested first. Bytes of a peer
    /// that are no layout, or not in the single form that this program writes, count for nobody.
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

/// Suggestions about what the cabin looks like.
extension ControlDesk {
    /// `suggestions`: layouts that others use, the most suggested first.
    func suggestions() -> Work<LayoutSuggestions> { .done(suggested) }

    private var suggested: LayoutSuggestions {
        let book = book
        let agreed = CabinVote.agreed(among: host.votes)?.hash
        let claimed = host.votes.isEmpty ? [] : host.node.claimedSeats
        let list = host.votes.map { vote in
            LayoutSuggestions.Suggestion(
                id: vote.layout.id, name: vote.layout.name, agreed: vote.hash == agreed,
                by: vote.authors.map(book.person), hides: vote.layout.missing(claimed),
                cabin: vote.layout.json)
        }
        return LayoutSuggestions(suggestions: list, asked: cabinAsked)
    }

    /// What the passenger is asked; `nil` if nothing.
    var cabinAsked: LayoutQuestion? { host.cabinQuestion.map { $0.facts(book) } }

    /// Answers that question. Throws `not-now` if nothing is asked, and `changed` for another
    /// layout.
    func answerCabin(_ asked: Op.AnswerCabin) throws(UserError) -> Work<CabinInUse> {
        guard let question = host.cabinQuestion else {
            throw UserError(
                .notAllowedNow, "you are not asked about a layout",
                why: "it takes two passengers, and most of those who suggest one",
                advice: "seatagent cabin suggestions")
        }
        guard question.vote.hash.hex == asked.hash else {
            throw UserError(
                .changed, "you are asked about another layout by now",
                why: "it is \(question.vote.layout.id)", advice: "seatagent cabin suggestions")
        }
        try host.settle(question, takes: asked.take)
        return .done(CabinInUse(cabin: host.cabin.json))
    }

    /// Suggests the layout of that name to everybody; without a name, takes the suggestion back.
    func suggestCabin(_ asked: Op.SuggestCabin) throws(UserError) -> Work<LayoutSuggestions> {
        var bytes: [UInt8] = []
        if let id = asked.layout {
            let layout = try host.findCabin(id)
            bytes = layout.bytes
            guard bytes.count <= Limits.layout else {
                throw UserError(
                    .tooLong, "the layout \(layout.id) is too long to be shared",
                    why: "it has \(bytes.count) bytes, \(Limits.layout) are allowed",
                    advice: "seatagent cabins")
            }
            // Saying it once is enough, so repeating it is no error.
            if host.node.ownSuggestion == bytes { return suggestions() }
        } else if host.node.ownSuggestion == nil {
            return suggestions()
        }
        return .perform(.suggestLayout(bytes)) { _, desk in desk.suggested }
    }
}

extension CabinQuestion {
    /// `cabin_asked` in the status, and the members of an event.
    func facts(_ book: PeopleBook) -> LayoutQuestion {
        LayoutQuestion(
            id: vote.layout.id, name: vote.layout.name, hash: vote.hash.hex,
            bundled: vote.isBundled, by: vote.authors.map(book.person), voices: voices)
    }
}

extension NodeReading {
    // A core without layouts, as tests have it.
    var layouts: [LayoutTally] { [] }
    var ownSuggestion: [UInt8]? { nil }
}
