// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

/// Step 8 of the second implementation, and the whole result to compare with.
extension ReferenceFold {
    func result() -> SeatFold {
        let names = named()
        let moved = names.filter(applied).compactMap(contract)
        let tokens = everything.filter { $0.body.type == 2 && claim($0.id.token) != nil }
            .map(\.id.token)
        return SeatFold(
            tokens: once(tokens).compactMap { token($0, moved) },
            contracts: names.map { id in
                ContractState(
                    id: id, contract: contract(id), complete: complete(id), dead: dead(id),
                    beaten: beaten(id), applied: moved.contains { $0.id == id },
                    votes: votes(id), certificate: certificate(id))
            },
            forks: once(everything.map(\.author) + logs.map(\.author)).filter { k($0) < Int.max }
                .map { SeatFold.Fork(author: $0, seq: k($0)) },
            departures: departures(names))
    }

    private func once<Value: Comparable>(_ values: [Value]) -> [Value] {
        var out: [Value] = []
        for value in values.sorted() where out.last != value { out.append(value) }
        return out
    }

    private func named() -> [ContractID] {
        once(
            allVotes().compactMap { $0.vote?.contract } + contracts.map(\.id)
                + logs.flatMap(\.entries).compactMap {
                    if case .abandon(let id, _) = $0.body { id } else { nil }
                })
    }

    private func allVotes() -> [Entry] {
        (everything + logs.compactMap(\.proof).flatMap { [$0.first, $0.second] })
            .filter { $0.vote != nil }
    }

    private func votes(_ id: ContractID) -> [Entry] {
        var out: [Entry] = []
        for entry in allVotes() where entry.vote?.contract == id {
            if !out.contains(where: { $0.id == entry.id }) { out.append(entry) }
        }
        func rank(_ entry: Entry) -> Int { entry.vote?.yes == true ? 0 : 1 }
        return out.sorted {
            ($0.author, rank($0), $0.seq, $0.id) < ($1.author, rank($1), $1.seq, $1.id)
        }
    }

    private func certificate(_ id: ContractID) -> Commit? {
        let all = commits.filter { $0.commit.contract.id == id }
        let best = all.first { logged in
            counts(logged) && logged.commit.votes.allSatisfy { settled($0, logged.commit) }
        }
        return (best ?? all.first(where: counts) ?? all.first)?.commit
    }

    private func departures(_ names: [ContractID]) -> [SeatFold.Departure] {
        names.flatMap { id in
            abandons(of: nil, id).map {
                SeatFold.Departure(author: $0.author, contract: id, seq: $0.seq)
            }
        }.sorted()
    }

    private func token(_ token: Token, _ moved: [Contract]) -> TokenState? {
        guard let entry = claim(token), case .claim(let seat, let dependant) = entry.body
        else { return nil }
        var slot = Slot(token: token, producer: Producer(claim: token))
        var holder = entry.author
        var lineage: [ContractID] = []
        while let next = moved.first(where: { $0.legs.contains { $0.slot == slot } }),
            let leg = next.legs.first(where: { $0.slot == slot })
        {
            lineage.append(next.id)
            holder = leg.to
            slot = Slot(token: token, producer: Producer(contract: next.id))
        }
        let retracts = logs.flatMap(\.entries).filter { $0.seq < k($0.author) }
        let ended = retracts.contains {
            if case .retract(let what) = $0.body {
                what == slot && $0.author == holder
            } else {
                false
            }
        }
        let reminted = retracts.contains { before in
            guard case .retract(let what) = before.body, before.author == entry.author,
                before.seq < entry.seq, case .claim(seat, _) = claim(what.token)?.body
            else { return false }
            return true
        }
        return TokenState(
            token: token, seat: seat, author: entry.author, dependant: dependant, holder: holder,
            producer: slot.producer, ended: ended, reminted: reminted, lineage: lineage)
    }
}
