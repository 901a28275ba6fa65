// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Protocol
import Text

/// A negotiation as people and scripts see it: one word for its state, and whether the user has to
/// answer.
struct RequestFacts {

    /// What has to change before watchers are told.
    struct Step: Hashable {
        let state: RequestState
        let needsAnswer: Bool
        let isWaiting: Bool
        let contract: ContractID
        let hasWord: Bool
    }

    /// The record.
    let record: SwapRecord
    /// Its state.
    let state: RequestState
    /// Whether this passenger has to answer.
    let needsAnswer: Bool
    /// The contract on the table: the counter-offer, if there is one.
    let contract: Contract
    /// Who put it on the table.
    let author: PeerKey
    /// Who has not said yes to a ring yet, sorted; for those whom another asked, who may not have:
    /// only the coordinator learns it at once. Empty once all have. Between two: the asker, until
    /// they are linked.
    let waitsFor: [PeerKey]
    /// Until when the one who was asked would do it, as they left word.
    let wouldDo: UTCTime?

    /// The facts of `record` for the passenger `me`; `consented` said yes to a ring of theirs.
    init(
        _ record: SwapRecord, me: PeerKey, consented: [PeerKey] = [], wouldDo: UTCTime? = nil
    ) {
        self.record = record
        self.wouldDo = wouldDo
        (state, needsAnswer) = Self.stand(record)
        waitsFor = Self.missing(record, me: me, consented)
        switch record.stage {
        case .countered, .counterSent:
            contract = record.counter ?? record.contract
            author =
                record.counteredBy
                ?? (record.stage == .counterSent ? me : record.contract.coordinator)
        case .offered, .invited, .ready, .preparing, .prepared, .stranded, .committed, .aborted,
            .declined, .withdrawn, .expired, .asking, .requested, .agreed:
            contract = record.contract
            author = record.revision == 1 ? record.asker(me) : record.contract.coordinator
        }
    }

    /// What watchers are told about.
    var step: Step {
        Step(
            state: state, needsAnswer: needsAnswer, isWaiting: !waitsFor.isEmpty,
            contract: contract.id, hasWord: wouldDo != nil)
    }

    /// Whether the agent on the other side began it.
    var isIncoming: Bool { record.role.isIncoming }

    private static func missing(
        _ record: SwapRecord, me: PeerKey, _ consented: [PeerKey]
    ) -> [PeerKey] {
        let others = record.others(than: me)
        switch record.stage {
        case .agreed: return [record.asker(me)]
        case .offered where others.count > 1: return others.filter { !consented.contains($0) }
        case .ready where others.count > 1:
            return others.filter { $0 != record.contract.coordinator }
        case .offered, .ready, .countered, .invited, .counterSent, .preparing, .prepared, .stranded,
            .committed, .aborted, .declined, .withdrawn, .expired, .asking, .requested:
            return []
        }
    }

    private static func stand(_ record: SwapRecord) -> (RequestState, Bool) {
        switch record.stage {
        case .offered, .counterSent, .asking: (.open, false)
        case .countered, .invited, .requested: (.open, true)
        case .ready, .agreed, .preparing: (.agreed, false)
        case .prepared: (record.isStuck ? .stranded : .agreed, false)
        case .stranded: (.stranded, false)
        case .committed: (record.isFinal ? .final : .agreed, false)
        case .aborted: (.failed, false)
        case .declined: (.declined, false)
        case .withdrawn: (.withdrawn, false)
        case .expired: (.expired, false)
        }
    }

    /// Seats with who gives and gets them, sorted by seat, without tokens that are not known yet.
    func moves(_ fold: SeatFold) -> [(seat: Seat, from: PeerKey, to: PeerKey)] {
        contract.legs.compactMap { leg in
            fold.token(leg.token).map { (seat: $0.seat, from: leg.from, to: leg.to) }
        }
        .sorted { $0.seat != $1.seat ? $0.seat < $1.seat : $0.from < $1.from }
    }

    /// The note of whoever made the offer on the table.
    private var note: String {
        switch record.stage {
        case .countered, .counterSent: record.ending
        case .offered, .invited, .ready, .preparing, .prepared, .stranded, .committed, .aborted,
            .declined, .withdrawn, .expired, .asking, .requested, .agreed:
            record.note
        }
    }

    /// What a yes to a request of several is for.
    private func consent(_ book: PeopleBook) -> [SwapWarning] {
        guard record.stage == .invited, contract.parties.count > 2,
            !book.passengers.contains(where: \.isBlocked)
        else { return [] }
        return [
            SwapWarning(
                code: Word(.kept),
                what: "If somebody else says no, your yes counts for the next plan as long as you "
                    + "give and get the same; with --once it does not.")
        ]
    }

    /// What a yes may lead to, while this passenger has to give one.
    private func risk(_ book: PeopleBook, _ fold: SeatFold, me: PeerKey) -> String? {
        guard record.stage == .invited else { return nil }
        let give = moves(fold).first { $0.from == me }?.seat
        return Self.risk(record.contract.coordinator, give, book)
    }

    /// What may happen to the own seat if only a claim stands behind whoever votes last; `nil` if
    /// there is more evidence.
    static func risk(_ coordinator: PeerKey, _ give: Seat?, _ book: PeopleBook) -> String? {
        guard book.isClaimed(coordinator) else { return nil }
        return risk(book.described(coordinator), give)
    }

    /// The sentence, without its full stop.
    static func risk(_ who: String, _ give: Seat?) -> String {
        "if \(who) disappears in the confirming second, \(give?.text ?? "your seat") is stuck "
            + "until they come back or you claim it anew"
    }

    /// The object for `requests` and for `request` and `swap` events.
    func request(
        _ book: PeopleBook, _ fold: SeatFold, me: PeerKey, now: UTCTime, _ rules: SeatRules,
        _ endings: SwapEndings, _ automatic: AutomaticYes, letter: Word<LetterState>? = nil
    ) -> SwapRequest {
        let moves = moves(fold).map { move in
            Move(seat: move.seat, from: book.person(move.from), to: book.person(move.to))
        }
        // A counter-offer's note does not say why the request ended.
        let isSaid = [.declined, .failed].contains(state) && !record.ending.isEmpty
        let (warnings, blocked) = ruled(rules, fold, me: me)
        let hasTime = state == .open || !waitsFor.isEmpty
        return SwapRequest(
            number: record.number, direction: Word(isIncoming ? .incoming : .outgoing),
            state: Word(state), needsAnswer: needsAnswer, final: state == .final, moves: moves,
            with: contract.parties.filter { $0 != me }.map(book.person),
            waitsFor: waitsFor.isEmpty ? nil : waitsFor.map(book.person), by: book.person(author),
            note: note, revised: record.revision > 1 || record.counter != nil,
            contract: contract.id.hex, created: Stamp(record.created),
            updated: Stamp(record.updated),
            expires: hasTime ? Stamp(record.expires) : nil,
            left: hasTime ? Int(max(record.expires.seconds - now.seconds, 0)) : nil,
            reason: isSaid ? record.ending : cause(endings, book, fold, me: me),
            instead: record.instead == 0 ? nil : record.instead,
            after: endings.replacements.before(record.number)
                ?? endings.kept.earlier(than: record.number),
            replaced: endings.replacements.after(record.number)
                ?? endings.kept.later(than: record.number),
            looking: state != .open && endings.replacements.isLooking(record.number),
            counts: endings.kept.isFree(record.number, at: now), risk: risk(book, fold, me: me),
            warnings: warnings + consent(book), blocked: blocked,
            automatic: isAutomatic(automatic), letter: letter,
            wouldDo: wouldDo.flatMap { $0 > now ? Stamp($0) : nil })
    }

    /// Whether the yes that stands, or stood to the end, was said by the agent itself, or the
    /// proposal was made by it.
    private func isAutomatic(_ automatic: AutomaticYes) -> Bool {
        switch state {
        case .agreed, .stranded, .final: automatic.spoke(for: contract.id)
        case .open: !isIncoming && automatic.spoke(for: contract.id)
        case .declined, .withdrawn, .expired, .failed: false
        }
    }
}
