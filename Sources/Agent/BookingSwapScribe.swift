// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Protocol

/// Describes negotiations about bookings, for answers and for watchers.
struct BookingSwapScribe {
    private let node: any NodeReading
    private let book: PeopleBook
    private let endings: SwapEndings

    init(_ node: any NodeReading, _ book: PeopleBook, _ endings: SwapEndings) {
        self.node = node
        self.book = book
        self.endings = endings
    }

    func described(_ facts: RequestFacts) -> BookingSwap {
        let view = node.bookView
        let moves = facts.contract.legs.map { leg in
            let grant = view.booking(leg.token)?.mint.grant
            return BookingMove(
                token: hexadecimal(leg.token.bytes), place: grant?.place,
                period: grant.map { PeriodFacts($0.period) }, count: grant?.count ?? 1,
                from: book.person(leg.from), to: book.person(leg.to))
        }
        let hasTime = facts.state == .open || !facts.waitsFor.isEmpty
        let isSaid = [.declined, .failed].contains(facts.state) && !facts.record.ending.isEmpty
        return BookingSwap(
            number: facts.record.number, state: facts.state, needsAnswer: facts.needsAnswer,
            moves: moves.filter(\.from.me) + moves.filter(\.to.me)
                + moves.filter { !$0.from.me && !$0.to.me },
            with: facts.contract.parties.filter { $0 != node.me }.map(book.person),
            waitsFor: facts.waitsFor.map(book.person), by: book.person(facts.author),
            note: facts.record.note, contract: facts.contract.id.hex,
            expires: hasTime ? Stamp(facts.record.expires) : nil,
            reason: isSaid
                ? facts.record.ending
                : facts.cause(endings, book, node.fold, me: node.me),
            seen: node.desk.map { $0.isMe || $0.isLinked } ?? false)
    }
}
