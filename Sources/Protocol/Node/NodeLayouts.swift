// SPDX-License-Identifier: Apache-2.0
/// Suggested layouts of the cabin in the core (``Layouts``).
extension Node {
    mutating func suggest(
        _ event: Layouts.Event, _ effects: inout Effects, at now: Moment
    ) {
        carryOut(suggested.handle(event, at: now.instant), &effects, at: now)
    }

    /// A message about layouts came.
    mutating func layout(
        _ message: LayoutMessage, from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        let isAuthorKnown =
            switch message {
            case .suggestion(let suggestion): records.logs.log(of: suggestion.author) != nil
            case .known: true
            }
        suggest(
            .message(message, from: id, isAuthorKnown: isAuthorKnown), &effects, at: now)
    }

    /// Counts again after a change, and reports a new result.
    mutating func countLayouts(_ effects: inout Effects) {
        let isNew = suggested.count { author in
            !people.blocked.contains(author) && !folding.fold.isForked(author)
                && !talk.history.hasEnded(author)
        }
        if isNew { effects.notices.append(.layouts) }
    }

    /// Suggested layouts of the cabin, the own one among them.
    package var layoutBook: LayoutBook { suggested.book }

    /// The own suggestion, also one that was taken back.
    public var ownLayout: LayoutSuggestion? { suggested.own }

    /// Who suggests which layout, of those who count; the one that most suggest first.
    public var layouts: [LayoutTally] { suggested.tallies }

    /// What this agent's user suggests; `nil` for nothing.
    package var ownSuggestion: [UInt8]? {
        ownLayout.flatMap { $0.layout.isEmpty ? nil : $0.layout }
    }

    /// The readable layout that the authors who count agree on; `nil` if they do not.
    package func agreedLayout(where isReadable: ([UInt8]) -> Bool) -> LayoutTally? {
        LayoutTally.agreed(among: layouts.filter { isReadable($0.layout) })
    }
}
