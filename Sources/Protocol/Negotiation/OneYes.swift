// SPDX-License-Identifier: Apache-2.0
/// One exchange between two has one word of each passenger for it, an ASK, a counter-offer or a
/// yes: of two, whoever takes one back would think that nothing is left
/// (docs/protocol.md section 16).
extension Swaps {
    /// The own request or counter-offer for the very same, as long as it stands, but for the
    /// request `number`.
    func standing(for legs: [Leg], besides number: Int? = nil) -> SwapRecord? {
        threads.lines.indices.first { index in
            let line = threads.lines[index]
            guard line.number != number, line.legs == legs else { return false }
            return line.isIncoming ? line.isOwnOffer : line.stage.isSoft
        }.map { threads[$0].record }
    }

    /// Another's request for the very same, but for the request `number`, that the user has not
    /// answered.
    func waiting(for legs: [Leg], besides number: Int) -> SwapRecord? {
        threads.lines.indices.first { index in
            let line = threads.lines[index]
            return line.number != number && line.legs == legs && line.isUnanswered
        }.map { threads[$0].record }
    }

    /// An own ASK, or an own counter-offer to one other, with these legs, whose time is not up, but
    /// for the request `number`. Nothing is said by one that the own log holds a vote on.
    func ownWord(
        for legs: [Leg], besides number: Int, _ context: SwapContext, at now: Moment
    ) -> Int? {
        for index in threads.lines.indices {
            let line = threads.lines[index]
            guard line.number != number, line.stage == .asking || line.isOwnCounter,
                line.legs == legs, line.parties.count == 2,
                let lapses = threads[index].lapses, lapses > now.instant,
                !isVoted(line.contract, context)
            else { continue }
            return index
        }
        return nil
    }

    /// The own word for the very same that a yes to `record` goes to, where that is the one which
    /// stands. Of two requests, and of two counter-offers, the one does whose coordinator has the
    /// smaller key; of a request and a counter-offer the request.
    func standing(
        beside record: SwapRecord, _ context: SwapContext, at now: Moment
    ) -> Int? {
        let word = ownWord(
            for: record.onTable.legs, besides: record.number, context, at: now)
        guard let word else { return nil }
        let own = threads[word].record.contract.coordinator
        let stands =
            switch (threads.lines[word].stage, record.stage) {
            case (.asking, .requested), (.offered, .invited): own < record.contract.coordinator
            case (.asking, .invited), (.asking, .countered): true
            default: false
            }
        return stands ? word : nil
    }

    /// The user's yes goes to that own word, which is said again. Returns its number.
    mutating func sayAgain(
        _ index: Int, override: Bool, _ context: SwapContext, _ effects: inout SwapEffects,
        at now: Moment, random: inout SeededRandom
    ) -> Int {
        if override { threads.override(index, &effects) }
        let record = threads[index].record
        step(
            index, .linked(record.partner(of: me)), .linked(true), context, &effects, at: now,
            random: &random)
        keepPromise(index, context, &effects, at: now, random: &random)
        return record.number
    }

    /// A yes that waits goes over to the request at `other`: whoever asks again may have lost the
    /// first. Throws where votes are asked for, or where there is no other.
    mutating func moveYes(
        for legs: [Leg], to other: Int?, _ context: SwapContext, _ effects: inout SwapEffects,
        at now: Moment, random: inout SeededRandom
    ) throws(SwapRefusal) {
        let said = threads.lines.indices.filter { index in
            let line = threads.lines[index]
            return index != other && line.legs == legs && line.parties.count == 2
                && [.agreed, .ready, .preparing].contains(line.stage)
        }
        let fixed = said.first { other == nil || threads.lines[$0].stage == .preparing }
        if let fixed { throw .given(threads[fixed].record) }
        for index in said {
            step(index, .cancel, .cancel, context, &effects, at: now, random: &random)
        }
    }
}

extension SwapTable {
    /// The user said yes knowingly to a disputed or re-minted seat.
    fileprivate mutating func override(_ index: Int, _ effects: inout SwapEffects) {
        guard !self[index].record.override else { return }
        switch self[index] {
        case .coordinator(var machine):
            machine.record.override = true
            self[index] = .coordinator(machine)
        case .participant(var machine):
            machine.record.override = true
            self[index] = .participant(machine)
        }
        effects.records.append(self[index].record)
    }
}

extension Swaps.Thread {
    /// When the own word in it is over; `nil` where none stands.
    var lapses: Instant? {
        switch self {
        case .coordinator(let machine): machine.offerLapses
        case .participant(let machine): machine.wordLapses
        }
    }
}

extension Coordinator {
    /// When an own offer is over.
    fileprivate var offerLapses: Instant? {
        switch state {
        case .offered(let offered): offered.deadline
        case .countered, .requested, .agreed, .preparing, .committed, .aborted, .closed: nil
        }
    }
}

extension Participant {
    /// When an own request or counter-offer is over.
    fileprivate var wordLapses: Instant? {
        switch state {
        case .invited(let invited): invited.deadline
        case .asking(let asking): asking.deadline
        case .ready, .prepared, .stranded, .committed, .aborted, .closed: nil
        }
    }
}
