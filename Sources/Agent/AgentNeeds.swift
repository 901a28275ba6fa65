// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import Store
import Text

/// Layouts that others suggest, and what the passenger says of the people in their seats.
extension Agent {
    /// Reads suggestions once, and checks open yeses again.
    func follow(_ notices: [Notice]) {
        if notices.contains(.layouts) { votes = CabinVote.read(node.layouts) }
        guard !notices.isEmpty else { return }
        takeWords(notices)
        for case .ask(let notice) in notices { askEndings.note(notice) }
        serveForms(notices)
        recant()
        if notices.contains(where: \.movesWishes) { renewWish() }
        sayMovedWish()
        askAboutCabin()
        declineStrangers()
        repeatYeses()
        answerByItself(notices)
        lookForRings(after: notices)
        keepAwake()
    }

    /// The needs once these swaps are final, if that changes it: a passenger who changes seats
    /// takes the facts along. It is written together with the swap, so that a crash cannot separate
    /// the two.
    func moved(_ notices: [Notice]) -> Needs? {
        var moved = needs
        for case .swap(let notice) in notices where notice.what == .committed {
            let moves = RequestFacts(notice.record, me: node.me).moves(node.fold)
            moved.move(
                SeatRules.places(
                    give: moves.filter { $0.from == node.me }.map(\.seat),
                    take: moves.filter { $0.to == node.me }.map(\.seat)))
        }
        return moved == needs ? nil : moved
    }

    static func needs(_ store: Store) throws(UserError) -> Needs {
        do throws(StoreError) {
            return try store.needs()
        } catch {
            throw UserError(
                .file, "what you said of your seats cannot be read", why: error.words,
                advice: "seatagent flights")
        }
    }

    func keep(_ needs: Needs) throws(UserError) {
        do throws(StoreError) {
            try opened.store.keep(needs)
        } catch {
            throw UserError(
                .file, "what you say of your seats cannot be kept", why: error.words,
                advice: "seatagent needs")
        }
        self.needs = needs
    }
}
