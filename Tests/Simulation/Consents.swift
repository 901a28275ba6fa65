// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What the user of one host said yes to, and until when: nothing else is signed for them.
///
/// It knows nothing of stages. It survives crashes, as what people said does.
struct Consents {
    private struct Yes {
        let legs: [Leg]
        /// By the clock of the host; `nil` for as long as others say.
        let expires: UTCTime?
        /// By the clock of the world.
        var until: Int64
        /// A restart ends it.
        let isReady: Bool
        /// Said to one of the requests that were shown, by its number.
        let isToOne: Bool
        /// Taken back, or ended by a restart.
        var isOver = false
    }

    private var yeses: [ContractID: Yes] = [:]

    /// Whether the user ever said yes to it.
    func knows(_ contract: ContractID) -> Bool { yeses[contract] != nil }

    /// The user says yes.
    mutating func say(
        _ contract: Contract, until expires: UTCTime?, isReady: Bool, isToOne: Bool = false,
        at time: Time
    ) {
        var yes = Yes(
            legs: contract.legs, expires: expires, until: .max, isReady: isReady, isToOne: isToOne)
        if let expires { yes.until = time.until(expires) }
        yeses[contract.id] = yes
    }

    /// The agent refuses what the user said first: it is no yes.
    mutating func refuse(_ contract: ContractID) { yeses[contract] = nil }

    /// The user takes it back, and between two whatever has the same legs, but for a request that
    /// they said yes to by its own number.
    mutating func takeBack(_ contract: Contract) {
        for (id, yes) in yeses
        where id == contract.id || contract.isSame(as: yes.legs) && !yes.isToOne {
            yeses[id]?.isOver = true
        }
    }

    /// The agent starts again.
    mutating func restart(at time: Time) {
        for (id, yes) in yeses {
            if yes.isReady { yeses[id]?.isOver = true }
            if let expires = yes.expires { yeses[id]?.until = time.until(expires) }
        }
    }

    /// Why nothing must be signed for a contract; `nil` if the user wants it. An older copy of the
    /// disk does not know what was taken back.
    func fault(of contract: Contract, now: Int64, isOldCopy: Bool) -> String? {
        let mine = yeses.filter { $0.key == contract.id || contract.isSame(as: $0.value.legs) }
        if mine.isEmpty { return "nobody said yes to it" }
        if isOldCopy { return nil }
        let left = mine.filter { !$0.value.isOver }
        if left.isEmpty { return "the yes was taken back" }
        return left.contains { now <= $0.value.until } ? nil : "the time of the yes was up"
    }

    /// When something happens: in the world, and by the clock of the host.
    struct Time {
        let now: Int64
        let utc: UTCTime

        /// Clocks that are written down have whole seconds.
        fileprivate func until(_ then: UTCTime) -> Int64 {
            now + (then.seconds - utc.seconds + 2) * SimWorld.second
        }
    }
}

extension Contract {
    /// Between two, to ask is to say yes to whatever has the same legs.
    fileprivate func isSame(as other: [Leg]) -> Bool { parties.count == 2 && legs == other }
}

/// What people mean by what they do, and that nothing is signed which they did not mean.
extension SimWorld {
    func time(_ host: SimHost) -> Consents.Time {
        Consents.Time(now: now, utc: moment(host).utc)
    }

    /// What the user says or takes back by `intent`, before their agent hears it.
    func mean(_ host: SimHost, _ intent: Intent) {
        let records = host.node.swaps.records
        switch intent {
        case .accept(let number, _, _, _):
            guard let record = records.first(where: { $0.number == number }) else { return }
            let table = (record.stage == .countered ? record.counter : nil) ?? record.contract
            if !host.consents.knows(table.id) { host.firstYeses[tokens] = table.id }
            host.consents.say(
                table, until: record.expires, isReady: record.stage == .invited, isToOne: true,
                at: time(host))
        case .replace(let number):
            // Only what the user asks for themselves, while somebody has not answered.
            let record = records.first { $0.number == number }
            guard let record, [.offered, .asking].contains(record.stage) else { return }
            host.recants[tokens] = [record.contract]
        case .cancel(let number), .decline(let number, _):
            guard let record = records.first(where: { $0.number == number }) else { return }
            let counter = record.role.isIncoming ? record.counter : nil
            // A no to a second request for the same leaves the yes to the first as it is.
            if case .decline = intent, counter == nil,
                !host.consents.knows(record.contract.id) || isAskedAnew(record, records)
            {
                return
            }
            host.recants[tokens] = [record.contract] + [counter].compactMap(\.self)
        case .party(.join), .party(.new): people[host.person].hasCode = true
        default: break
        }
    }

    /// Whether a counter-offer came back although it has become the user's yes to the other's own
    /// request, as they were told (docs/protocol.md section 16): it is not theirs any more.
    private func isAskedAnew(_ record: SwapRecord, _ records: [SwapRecord]) -> Bool {
        record.stage == .invited
            && records.contains {
                $0.role == .asked && [.agreed, .preparing].contains($0.stage)
                    && $0.contract.isSame(as: record.contract.legs)
            }
    }

    /// The user has an answer: what they took back is taken back. Before, it may not be on disk.
    func answer(_ host: SimHost, _ reply: Effects.Reply) {
        let recanted = host.recants.removeValue(forKey: reply.token) ?? []
        let said = host.firstYeses.removeValue(forKey: reply.token)
        switch reply.result {
        case .success: for contract in recanted { host.consents.takeBack(contract) }
        // It may be on the disk all the same.
        case .failure(.disk): break
        // What is refused changes nothing, and the user is asked as before. Where they are not,
        // they said yes in other words meanwhile.
        case .failure:
            let record = host.node.swaps.records.first { $0.contract.id == said }
            if let record, [.requested, .invited].contains(record.stage) {
                host.consents.refuse(record.contract.id)
            }
        }
    }

    /// What the user said by `intent`, of which the contract was made when their agent heard it.
    func meant(_ host: SimHost, _ intent: Intent) {
        guard options.sabotage != .forgetsYes else { return }
        switch intent {
        case .swap, .propose:
            for record in host.node.swaps.records {
                let isOwn =
                    !record.role.isIncoming && record.revision == 1
                    && !host.consents.knows(record.contract.id)
                // Who asks for what they are asked for says yes to that.
                let isAnswer =
                    record.role == .asked && [.agreed, .preparing].contains(record.stage)
                    && record.updated == moment(host).utc
                guard isOwn || isAnswer else { continue }
                host.consents.say(
                    record.contract, until: record.expires, isReady: false, at: time(host))
            }
        case .counter(let number, _, _, _, _, _, _):
            let record = host.node.swaps.records.first { $0.number == number }
            guard let record else { return }
            // How long an own counter-offer stands is said by whoever adopts it.
            host.consents.say(
                record.counter ?? record.contract,
                until: record.counter == nil ? record.expires : nil, isReady: false,
                at: time(host))
        default: break
        }
    }

    /// Looks at what an honest agent signs by one event, before which the user's wish was `wish`.
    func examine(_ host: SimHost, _ effects: Effects, wish: OwnWish) {
        guard isClean(host) else { return }
        var own = wish
        for write in effects.writes {
            switch write {
            // Two that waited for the log may come in one event.
            case .wish(let next): own = next
            case .entry(let entry, _) where entry.author == host.key:
                examine(host, entry, own)
            default: break
            }
        }
    }

    private func examine(_ host: SimHost, _ entry: Entry, _ own: OwnWish) {
        switch entry.body {
        case .vote(let vote) where vote.yes: examine(host, vote)
        case .wish(let wish):
            // Of an older copy of the disk it may be one that came back from others.
            guard !host.isRestored, own.isPrivate, !wish.ranks.isEmpty || !wish.note.isEmpty
            else { return }
            fail("private", "host \(host.number) writes a wish that is private")
        default: break
        }
    }

    private func examine(_ host: SimHost, _ vote: Vote) {
        let record = host.node.swaps.records.first { $0.contract.id == vote.contract }
        // Without a row it is an entry that came back from others.
        guard let record else { return }
        totals.signed += 1
        // Who votes last asked for votes in time, and waits a little for them. Wrong clocks make
        // another time of what was written down before a restart.
        let waited = record.role.coordinates ? 2 * Limits.voteTime.nanoseconds : 0
        let fault = host.consents.fault(
            of: record.contract, now: profile.has(.clock) ? .min : now - waited,
            isOldCopy: host.isRestored)
        guard let fault else { return }
        fail("consent", "host \(host.number) signs swap \(record.number): \(fault)")
    }
}
