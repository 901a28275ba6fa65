// SPDX-License-Identifier: Apache-2.0
import Aviation
import Launch
import Protocol
import Store
import Text

/// Which layout draws the cabin, and which one judges seats.
extension Agent {
    // A layout that others suggest changes no map before the passenger accepts it.
    var cabin: CabinLayout { chosen ?? answers.taken?.layout ?? .standard }

    var judged: (cabin: CabinLayout, isChosen: Bool)? {
        // The invented cabin of the practice flight says nothing about an aeroplane, and removes no
        // warning.
        if let chosen, chosen.sure != .invented { return (chosen, true) }
        if let taken = answers.taken { return (taken.layout, false) }
        return votes.first { !answers.refused.contains($0.hash) }.map { ($0.layout, false) }
    }

    func findCabin(_ id: String) throws(UserError) -> CabinLayout {
        try CabinShelf(options.place).find(id)
    }

    func use(_ layout: CabinLayout) throws(UserError) {
        if let stored = try StoredOptions.read(options.place) {
            try stored.with("cabin", layout.id).write(options.place)
        }
        chosen = layout
        recant()
        renewWish()
        askAboutCabin()
        // Another command may be changing the list right now, and this agent must not wait for it.
        _ = try? layout.keep(for: options.flight, options.place, patience: .zero)
    }

    // MARK: What others agree on

    /// Checks whether there is something to ask, after votes, seats or the own choice changed.
    func askAboutCabin() {
        let before = cabinQuestion?.vote.hash
        // A passenger who chose a layout is not asked.
        cabinQuestion =
            chosen == nil
            ? CabinQuestion(votes, answers, drawn: cabin) { node.claimedSeats } : nil
        if cabinQuestion?.vote.hash != before { server?.tellCabinQuestion() }
    }

    func settle(_ question: CabinQuestion, takes: Bool) throws(UserError) {
        var answers = answers
        answers.settle(question.vote, takes: takes)
        do throws(StoreError) {
            try opened.store.keep(answers)
        } catch {
            throw UserError(
                .file, "your answer cannot be kept", why: error.words,
                advice: "seatagent cabin suggestions")
        }
        self.answers = answers
        if takes { server?.tellCabin() }
        recant()
        renewWish()
        askAboutCabin()
    }

    static func cabinAnswers(_ store: Store) throws(UserError) -> CabinAnswers {
        do throws(StoreError) {
            return try store.cabinAnswers()
        } catch {
            throw UserError(
                .file, "what you said of layouts cannot be read", why: error.words,
                advice: "seatagent flights")
        }
    }
}
