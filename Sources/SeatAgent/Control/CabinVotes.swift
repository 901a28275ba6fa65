import Protocol

/// A layout that passengers suggest, and who.
struct CabinVote: Hashable, Sendable {
    let layout: CabinLayout
    /// Sorted by key.
    let authors: [PeerKey]

    /// Those of `tallies` that can be read, in their order: the first is the agreed one. Bytes of a peer
    /// that are no layout, or not in the one form that this program writes, count for nobody.
    static func read(_ tallies: [LayoutTally]) -> [CabinVote] {
        tallies.compactMap { tally in
            guard let layout = try? CabinLayout.read(tally.layout), layout.bytes == tally.layout
            else { return nil }
            return CabinVote(layout: layout, authors: tally.authors)
        }
    }
}

extension ControlHost {
    // A host without peers and files, as tests have it.
    var votes: [CabinVote] { [] }
    func findCabin(_ id: String) throws(UserError) -> CabinLayout {
        guard let layout = CabinLayout.named(id) else {
            throw UserError(.noSuchCabin, "there is no such layout", advice: "seatagent cabins")
        }
        return layout
    }
}

/// Suggesting to others what the cabin looks like.
extension ControlDesk {
    /// `suggestions`: layouts that others see too, the agreed one first.
    func suggestions() -> Outcome { .done(suggestionsJSON) }

    private var suggestionsJSON: JSON {
        let book = book
        let list = host.votes.enumerated().map { index, vote -> JSON in
            [
                "id": .string(vote.layout.id), "name": .string(vote.layout.name),
                "agreed": .bool(index == 0), "by": .array(vote.authors.map(book.json)),
                "cabin": vote.layout.json,
            ]
        }
        return ["suggestions": .array(list)]
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

extension NodeReading {
    // A core without layouts, as tests have it.
    var layouts: [LayoutTally] { [] }
    var ownSuggestion: [UInt8]? { nil }
}
