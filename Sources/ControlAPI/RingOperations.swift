// SPDX-License-Identifier: Apache-2.0
package import Text

// MARK: Several seats at once

extension Op {
    /// Proposes a ring: everybody gives their seat to whoever sits in the next one.
    package struct Ring: ControlOperation {
        package typealias Reply = SwapRequest
        package static var operation: OperationName { .ring }
        package static var repeated: [String] { ["give", "take", "from", "typed"] }
        /// The user's own seat first; the passenger of the last one gives it to the user.
        package var seats: [String]
        /// What is said with it.
        @Flat package var terms: SwapTerms
        /// The keys of those who had the others' seats when the user was asked, in their order.
        package var holders: [String]?
        /// Sends nothing; the answer is a ``SwapDraft``.
        @IfTrue package var draft: Bool

        /// Proposes that each of `seats` goes to whoever has the next one.
        package init(
            seats: [String], terms: SwapTerms = SwapTerms(), holders: [String]? = nil,
            draft: Bool = false
        ) {
            self.seats = seats
            self.terms = terms
            self.holders = holders
            self.draft = draft
        }
    }

    /// What a ring would be.
    package struct DraftRing: ControlOperation {
        package typealias Reply = SwapDraft
        package static var operation: OperationName { .ring }
        package static var repeated: [String] { Ring.repeated }
        /// The ring.
        @Flat package var ring: Ring

        /// A draft of `ring`.
        package init(_ ring: Ring) {
            self.ring = ring
            self.ring.draft = true
        }
    }

    /// Proposes that a swap that was made is made backwards.
    package struct Undo: ControlOperation {
        package typealias Reply = SwapRequest
        package static var operation: OperationName { .undo }
        package static var repeated: [String] { ["give", "take", "from", "typed"] }
        /// Its number.
        package var request: Int
        /// What is said with it.
        @Flat package var terms: SwapTerms
        /// Sends nothing; the answer is a ``SwapDraft``.
        @IfTrue package var draft: Bool

        /// Proposes to make the swap of that request backwards.
        package init(request: Int, terms: SwapTerms = SwapTerms(), draft: Bool = false) {
            self.request = request
            self.terms = terms
            self.draft = draft
        }
    }

    /// What making a swap backwards would be.
    package struct DraftUndo: ControlOperation {
        package typealias Reply = SwapDraft
        package static var operation: OperationName { .undo }
        package static var repeated: [String] { Undo.repeated }
        /// The swap backwards.
        @Flat package var undo: Undo

        /// A draft of `undo`.
        package init(_ undo: Undo) {
            self.undo = undo
            self.undo.draft = true
        }
    }
}

/// Whatever asks others for seats: the user sees a draft of it before it is sent.
package enum Drafted: Hashable, Sendable {
    case swap(Op.Swap)
    case ring(Op.Ring)
    case undo(Op.Undo)
    case plan(Op.Propose)

    /// What is said with it.
    package var terms: SwapTerms {
        get {
            switch self {
            case .swap(let asked): asked.terms
            case .ring(let asked): asked.terms
            case .undo(let asked): asked.terms
            case .plan(let asked): asked.terms
            }
        }
        set {
            switch self {
            case .swap(var asked):
                asked.terms = newValue
                self = .swap(asked)
            case .ring(var asked):
                asked.terms = newValue
                self = .ring(asked)
            case .undo(var asked):
                asked.terms = newValue
                self = .undo(asked)
            case .plan(var asked):
                asked.terms = newValue
                self = .plan(asked)
            }
        }
    }

    /// The question for a draft, which sends nothing.
    package var draft: ControlCall {
        switch self {
        case .swap(let asked): ControlCall(Op.DraftSwap(asked))
        case .ring(let asked): ControlCall(Op.DraftRing(asked))
        case .undo(let asked): ControlCall(Op.DraftUndo(asked))
        case .plan(let asked): ControlCall(Op.DraftPropose(asked))
        }
    }

    /// The request itself.
    package var call: ControlCall {
        switch self {
        case .swap(let asked): ControlCall(asked)
        case .ring(let asked): ControlCall(asked)
        case .undo(let asked): ControlCall(asked)
        case .plan(let asked): ControlCall(asked)
        }
    }

    /// From now on it is meant for the passengers of that draft, and for nobody in their place.
    package mutating func shown(_ draft: SwapDraft) {
        switch self {
        case .swap(var asked):
            asked.holder = draft.moves == nil ? draft.who?.key : nil
            asked.holders = keys(draft)
            self = .swap(asked)
        case .ring(var asked):
            asked.holders = keys(draft)
            self = .ring(asked)
        // They go to those of the swap, or of the plan, or to nobody.
        case .undo, .plan: break
        }
    }

    private func keys(_ draft: SwapDraft) -> [String]? {
        draft.moves.map { $0.filter { !$0.from.me }.map(\.from.key) }
    }
}

extension ControlClient {
    /// What would be asked; nothing is sent.
    package func draft(_ asked: Drafted) throws(UserError) -> Answer<SwapDraft> {
        switch asked {
        case .swap(let asked): try ask(Op.DraftSwap(asked))
        case .ring(let asked): try ask(Op.DraftRing(asked))
        case .undo(let asked): try ask(Op.DraftUndo(asked))
        case .plan(let asked): try ask(Op.DraftPropose(asked))
        }
    }

    /// Asks for it.
    package func send(_ asked: Drafted) throws(UserError) -> Answer<SwapRequest> {
        switch asked {
        case .swap(let asked): try ask(asked)
        case .ring(let asked): try ask(asked)
        case .undo(let asked): try ask(asked)
        case .plan(let asked): try ask(asked)
        }
    }
}
