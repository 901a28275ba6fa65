// SPDX-License-Identifier: Apache-2.0
/// A seat of a request that went elsewhere, so that the request cannot succeed any more.
public struct LostSeat: Hashable, Sendable {
    /// What became of it. The numbers are on disk: never change one.
    public enum Why: Int, CaseIterable, Sendable {
        /// Who was to give it gave it up.
        case givenUp = 1
        /// Another swap took it.
        case swapped = 2
        /// Who was to give it closed their log: they sign nothing any more.
        case left = 3
    }

    /// The right to the seat.
    public let token: Token
    /// What became of it.
    public let why: Why

    static func read(_ reader: inout CBORReader) throws(DecodeError) -> Self? {
        let why = try reader.uint(max: 255)
        let bytes = try reader.bytes(0...32)
        if why == 0, bytes.isEmpty { return nil }
        guard let why = Why(rawValue: why), let token = Token(bytes) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        return Self(token: token, why: why)
    }
}

extension SwapContext {
    /// Whether a passenger closed their log: they sign nothing any more, so nothing
    /// can come of what they ask.
    func hasLeft(_ key: PeerKey) -> Bool { logs.log(of: key)?.isClosed == true }

    /// The first seat of `legs` that went elsewhere, by the logs here; `nil` if they show none.
    /// What they do not know yet says nothing, nor does a tenure that is still to come.
    func lost(_ legs: [Leg]) -> LostSeat? {
        for leg in legs where hasLeft(leg.from) {
            return LostSeat(token: leg.token, why: .left)
        }
        for leg in legs {
            guard let tenure = fold.tenure(of: leg.token) else { continue }
            if tenure.slot == leg.slot {
                if tenure.ended { return LostSeat(token: leg.token, why: .givenUp) }
            } else if leg.producer == Producer(claim: leg.token)
                || tenure.lineage.contains(where: { Producer(contract: $0) == leg.producer })
            {
                return LostSeat(token: leg.token, why: .swapped)
            }
        }
        return nil
    }
}

extension SwapRecord {
    /// The contract that waits for an answer: the counter-offer, where there is one.
    package var onTable: Contract {
        switch stage {
        case .countered, .counterSent: counter ?? contract
        case .offered, .invited, .ready, .preparing, .prepared, .stranded, .committed, .aborted,
            .declined, .withdrawn, .expired, .asking, .requested, .agreed:
            contract
        }
    }
}

extension SwapRecord.Stage {
    /// Nothing is signed, and it may still come to something.
    var isSoft: Bool {
        switch self {
        case .offered, .countered, .invited, .counterSent, .ready, .asking, .requested, .agreed:
            true
        case .preparing, .prepared, .stranded, .committed, .aborted, .declined, .withdrawn,
            .expired:
            false
        }
    }

    /// The user, or the one whom they asked, agreed: the own seats of it are promised.
    package var isPromised: Bool {
        switch self {
        case .ready, .agreed, .preparing, .prepared, .stranded: true
        case .offered, .countered, .invited, .counterSent, .asking, .requested, .committed,
            .aborted, .declined, .withdrawn, .expired:
            false
        }
    }
}

/// Requests that can come to nothing any more, or would offer what is promised
/// (docs/protocol.md section 16).
extension Swaps {
    /// Ends the requests of which the logs show that a seat went elsewhere. All parties
    /// read that in the same logs, so nobody is told. A request whose asker took it back a
    /// moment before gets the reason.
    mutating func endLost(
        _ context: SwapContext, _ effects: inout SwapEffects, at now: Moment,
        random: inout SeededRandom
    ) {
        let since = now.utc.seconds &- Limits.reasonSpan
        for index in threads.lines.indices {
            let line = threads.lines[index]
            let isFresh = line.stage == .withdrawn && line.isIncoming && line.updated > since
            guard line.stage.isSoft || isFresh, let seat = context.lost(line.legs) else { continue }
            if isFresh {
                explain(index, seat, &effects, at: now)
            } else if !isVoted(line.contract, context) {
                step(index, .lost(seat), .lost(seat), context, &effects, at: now, random: &random)
            }
        }
    }

    private mutating func explain(
        _ index: Int, _ seat: LostSeat, _ effects: inout SwapEffects, at now: Moment
    ) {
        var record = threads[index].record
        guard record.lost == nil else { return }
        record.lost = seat
        threads[index] = Thread(stored: record, at: now)
        effects.records.append(record)
    }

    /// After the user's yes: what they give by it they offer to nobody else. To whoever the yes is
    /// for it stays offered: two who say yes to each other's requests at once would end both.
    mutating func keepPromise(
        _ index: Int, _ context: SwapContext, _ effects: inout SwapEffects, at now: Moment,
        random: inout SeededRandom
    ) {
        let record = threads[index].record
        // A counter-offer that the user took is offered anew, and waits for the others.
        guard record.stage.isPromised || record.stage == .asking || record.stage == .offered
        else { return }
        let asker = record.asker(me)
        supersede(
            record.contract.slots(of: me), record.number, sparing: asker == me ? nil : asker,
            but: record.contract.parties.count == 2 ? record.contract.legs : nil, context,
            &effects, at: now, random: &random)
    }

    /// A yes on a slot ends the own other requests that offer it, in the same transaction, but for
    /// those with `partner`; of these, counter-offers for `legs`.
    mutating func supersede(
        _ slots: [Slot], _ number: Int, sparing partner: PeerKey? = nil, but legs: [Leg]? = nil,
        _ context: SwapContext, _ effects: inout SwapEffects, at now: Moment,
        random: inout SeededRandom
    ) {
        guard !slots.isEmpty else { return }
        for index in threads.lines.indices where threads.lines[index].number != number {
            let line = threads.lines[index]
            let isSpared = partner.map(line.parties.contains) ?? false
            guard line.isOwnOffer, !isSpared || line.isOwnCounter && line.legs == legs,
                line.legs.contains(where: { $0.from == me && slots.contains($0.slot) })
            else { continue }
            step(
                index, .superseded(by: number), .superseded(by: number), context, &effects, at: now,
                random: &random)
        }
    }

    /// What a standing yes gives away is offered to nobody else.
    func unpromised(_ contract: Contract) throws(SwapRefusal) {
        let slots = contract.slots(of: me)
        let index = threads.lines.indices.first { index in
            let line = threads.lines[index]
            // A signed yes has its lock.
            guard [.ready, .agreed, .preparing].contains(line.stage) else { return false }
            return line.legs.contains { $0.from == me && slots.contains($0.slot) }
        }
        guard let index else { return }
        throw .given(threads[index].record)
    }
}

extension Coordinator {
    /// The others read it in the logs; of a counter-offer only its two sides know.
    mutating func lost(
        _ seat: LostSeat, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        record.lost = seat
        if record.stage == .countered {
            return close(.withdrawn, .withdrawn, .failed, facts, &effects, at: now)
        }
        move(to: .withdrawn, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .withdrawn))
        return .closed
    }
}

extension Participant {
    /// The others read it in the logs.
    mutating func lost(
        _ seat: LostSeat, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        record.lost = seat
        return close(.withdrawn, .withdrawn, &effects, at: now)
    }

    /// The own counter-offer would give what a yes gives elsewhere: whoever
    /// takes it asks the user anew.
    mutating func takeCounterBack(
        _ invited: Invited, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        guard record.stage == .counterSent else { return .invited(invited) }
        record.counter = nil
        record.ending = ""
        move(to: .invited, &effects, at: now)
        return .invited(invited)
    }
}
