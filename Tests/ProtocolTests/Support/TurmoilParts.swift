// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

/// How the honest vote, and how cheats do not.
extension Turmoil {
    // MARK: Honest agents

    mutating func vote(_ index: Int, _ contract: Contract, _ parties: [Int]) {
        let me = honest[index].me.key
        let isCoordinator = parties.first == index
        let others = contract.parties.filter { $0 != me }
        let heard = others.allSatisfy { party in
            honest[index].inbox.contains {
                $0.author == party && $0.vote?.contract == contract.id && $0.vote?.yes == true
            }
        }
        let agrees =
            (!isCoordinator || heard) && maySayYes(index, contract) && chance(92)
        let vote = agrees ? honest[index].me.yes(contract) : honest[index].me.no(contract)
        honest[index].inbox.append(vote)
        loot.append(vote)
        learnOwn(index)
        for party in parties where party < honest.count && party != index && chance(85) {
            honest[party].inbox.append(vote)
            if chance(90) { tell(party, honest[index].me.log) }
        }
    }

    /// The checks of docs/protocol.md section 16, some of them overridden now and then as people
    /// do.
    private mutating func maySayYes(_ index: Int, _ contract: Contract) -> Bool {
        let me = honest[index].me.key
        let fold = fold(index)
        let open = fold.openVotes
        let careful = chance(60)
        return contract.legs.allSatisfy { leg in
            guard let token = fold.token(leg.token), token.slot == leg.slot,
                token.holder == leg.from, !token.ended
            else { return false }
            if leg.from == me { return !open.contains(leg.slot, by: me) }
            return !careful || !(open.contains(leg.slot, by: leg.from) || fold.isForked(leg.from))
        }
    }

    /// Commits on a certificate, abandons on a clean No, for every yes that is open.
    mutating func react(_ index: Int) {
        let me = honest[index].me.key
        guard !honest[index].contracts.isEmpty else { return }
        let fold = fold(index)
        let open = fold.openVotes.filter { $0.author == me }.map(\.contract)
        for contract in honest[index].contracts where open.contains(contract.id) {
            let state = fold.contract(contract.id)
            let committed = honest[index].me.log.contains {
                if case .commit(let commit) = $0.body {
                    commit.contract.id == contract.id
                } else {
                    false
                }
            }
            guard !committed, let state else { continue }
            let votes =
                state.votes + honest[index].inbox.filter { $0.vote?.contract == contract.id }
            let yes = contract.parties.compactMap { party in
                votes.first { $0.author == party && $0.vote?.yes == true }
            }
            if let known = state.certificate {
                honest[index].me.commit(known)
            } else if yes.count == contract.parties.count,
                let certificate = certificate(contract, yes)
            {
                honest[index].me.commit(certificate)
            } else if let no = votes.first(where: { isClean($0, contract, honest[index]) }) {
                honest[index].me.abandon(contract, no)
            }
            learnOwn(index)
        }
    }

    /// Another party's No whose whole chain is known and holds no earlier yes.
    private func isClean(_ no: Entry, _ contract: Contract, _ agent: Agent) -> Bool {
        guard no.vote?.yes == false, no.author != agent.me.key,
            contract.parties.contains(no.author), let log = agent.logs.log(of: no.author),
            log.entry(at: no.seq)?.id == no.id
        else { return false }
        return !log.entries.prefix(no.seq).contains {
            $0.vote?.contract == contract.id && $0.vote?.yes == true
        }
    }

    private func certificate(_ contract: Contract, _ votes: [Entry]) -> Commit? {
        let claims = (honest.flatMap(\.me.log) + cheats.flatMap { $0.flatMap(\.log) })
            .filter { $0.body.type == 2 }.sortedOnce { $0.id < $1.id }
        let made = contract.certificate(votes, claims: claims)
        return made.isWellFormed ? made : nil
    }

    // MARK: Cheats

    /// A branch to write on: an old one, or a new one from anywhere behind the first entries.
    private mutating func branch(_ cheat: Int) -> Int {
        let from = Int.random(in: 0..<cheats[cheat].count, using: &random)
        guard cheats[cheat].count < 5, chance(forking) else { return from }
        let seq = Int.random(in: 1...cheats[cheat][from].seq, using: &random)
        cheats[cheat].append(cheats[cheat][from].branch(at: seq))
        return cheats[cheat].count - 1
    }

    mutating func cheatVote(_ cheat: Int, _ contract: Contract, _ parties: [Int]) {
        let manner = Int.random(in: 0..<100, using: &random)
        var said: [(vote: Entry, branch: Int)] = []
        let both = [true, false].filter { $0 ? manner < 80 : manner >= 40 && manner < 92 }
        for yes in both.shuffled(using: &random) {
            let place = branch(cheat)
            let vote =
                yes ? cheats[cheat][place].yes(contract) : cheats[cheat][place].no(contract)
            said.append((vote, place))
        }
        loot += said.map(\.vote)
        for party in parties where party < honest.count {
            // Who votes last hears the yes, so that there is something to undo.
            let best = said.first(where: { $0.vote.vote?.yes == true })
            guard let one = party == parties.first ? best : pick(said), chance(90) else { continue }
            honest[party].inbox.append(one.vote)
            if chance(75) { tell(party, cheats[cheat][one.branch].log) }
        }
    }

    /// A cheat offers what they sold before to somebody who has not heard of it, on any branch.
    mutating func resell() {
        guard let cheat = cheats.indices.randomElement(using: &random),
            let index = honest.indices.randomElement(using: &random)
        else { return }
        let view = fold(index)
        let seller = honest.count + cheat
        guard let stale = pick(view.held(by: key(seller)).map(\.slot)),
            let fresh = pick(view.held(by: key(index)).map(\.slot))
        else { return }
        negotiate([seller, index].shuffled(using: &random), [seller: stale, index: fresh])
    }

    /// Two honest agents and a cheat between them in a ring of three.
    mutating func betray() {
        let pair = Array(honest.indices.shuffled(using: &random).prefix(2))
        guard pair.count == 2, let cheat = cheats.indices.randomElement(using: &random) else {
            return
        }
        let parties = [pair[0], pair[1], honest.count + cheat]
        let view = fold(pair[0])
        var given: [Int: Slot] = [:]
        for party in parties { given[party] = pick(view.held(by: key(party)).map(\.slot)) }
        negotiate(parties, given)
    }

    /// A cheat writes a certificate, a false abandon or a claim on some branch and shows it or not.
    mutating func mischief() {
        guard let cheat = cheats.indices.randomElement(using: &random) else { return }
        let place = branch(cheat)
        let key = cheats[cheat][place].key
        let mine = contracts.filter { $0.parties.contains(key) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6:
            guard let contract = pick(mine) else { return }
            let yes = contract.parties.compactMap { party in
                pick(
                    loot.filter {
                        $0.author == party && $0.vote?.contract == contract.id
                            && $0.vote?.yes == true
                    })
            }
            guard yes.count == contract.parties.count,
                let certificate = certificate(contract, yes)
            else { return }
            cheats[cheat][place].commit(certificate)
        case 6..<8:
            guard let contract = pick(mine) else { return }
            let made = cheats[cheat][place].sign(
                .vote(.no(contract.id)), seq: cheats[cheat][place].seq + 3,
                previous: cheats[cheat][place].log.last?.id)
            let known = loot.filter { $0.vote?.contract == contract.id && $0.vote?.yes == false }
            guard let no = pick(known + [made]) else { return }
            loot.append(no)
            cheats[cheat][place].abandon(contract, no)
        case 8: slots.append((cheats[cheat][place].claim("1A"), key))
        default:
            guard let slot = pick(slots.filter { $0.holder == key }) else { return }
            cheats[cheat][place].retract(slot.slot)
        }
        if chance(60) { reveal() }
    }

    /// A cheat shows one of its branches, or a part of it, to somebody.
    mutating func reveal() {
        guard let cheat = pick(cheats), let branch = pick(cheat),
            let index = honest.indices.randomElement(using: &random)
        else { return }
        let length = chance(70) ? branch.seq : Int.random(in: 1...branch.seq, using: &random)
        tell(index, Array(branch.log.prefix(length)))
    }
}
