// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Sets in which nobody keeps any rule but that signatures are real: the two implementations must
/// agree on all of them.
@Suite struct FoldChaosTests {
    struct Chaos {
        var random: SeededRandom
        /// Branches of each author.
        var branches: [[Traveller]] = []
        var slots: [Slot] = []
        var contracts: [Contract] = []
        var signed: [Entry] = []

        init(seed: UInt64) {
            random = SeededRandom(seed: seed)
            for number in 0..<4 {
                var author = Traveller(UInt8(1 + number * 11 % 7))
                slots.append(author.claim("\(number + 1)A"))
                branches.append([author])
                signed += author.log
            }
            for nonce in 0..<Int.random(in: 3...6, using: &random) { propose(UInt8(nonce)) }
            for contract in contracts.shuffled(using: &random) {
                for author in branches.indices
                where contract.parties.contains(branches[author][0].key)
                    && Int.random(in: 0..<5, using: &random) > 0
                {
                    signed.append(branches[author][0].yes(contract))
                }
            }
            for _ in 0..<Int.random(in: 10...40, using: &random) { write() }
        }

        /// A ring of two or three over first tenures or over what an earlier contract made.
        mutating func propose(_ nonce: UInt8) {
            let size = Int.random(in: 2...3, using: &random)
            let parties = Array((0..<4).shuffled(using: &random).prefix(size))
            var legs: [(Slot, from: Traveller, to: Traveller)] = []
            for (place, party) in parties.enumerated() {
                var slot = slots[party]
                if Bool.random(using: &random),
                    let last = contracts.randomElement(using: &random),
                    let leg = last.legs.first(where: { $0.to == branches[party][0].key })
                {
                    slot = last.next(leg.slot)
                }
                if legs.contains(where: { $0.0.token == slot.token }) { return }
                legs.append(
                    (slot, branches[party][0], branches[parties[(place + 1) % size]][0]))
            }
            contracts.append(.of(legs, nonce: nonce))
        }

        mutating func write() {
            guard let author = branches.indices.randomElement(using: &random),
                let from = branches[author].indices.randomElement(using: &random),
                let contract = contracts.randomElement(using: &random)
            else { return }
            var pen = branches[author][from]
            var place = from
            if Int.random(in: 0..<8, using: &random) == 0, branches[author].count < 4 {
                pen = pen.branch(at: Int.random(in: 1...pen.seq, using: &random))
                branches[author].append(pen)
                place = branches[author].count - 1
            }
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4:
                if contract.parties.contains(pen.key) {
                    pen.yes(contract)
                } else {
                    pen.no(contract)
                }
            case 4: pen.no(contract)
            case 5..<9: commit(contract, &pen)
            case 9, 10:
                let nos = signed.filter {
                    $0.vote?.yes == false && $0.vote?.contract == contract.id
                }
                guard let no = nos.randomElement(using: &random) else { return }
                pen.abandon(contract, no)
            default: misc(contract, &pen)
            }
            branches[author][place] = pen
            signed.append(pen.log[pen.seq - 1])
        }

        mutating func commit(_ contract: Contract, _ pen: inout Traveller) {
            let yes = contract.parties.compactMap { party in
                signed.filter {
                    $0.author == party && $0.vote?.contract == contract.id && $0.vote?.yes == true
                }.randomElement(using: &random)
            }
            let made = contract.certificate(yes, claims: signed.filter { $0.body.type == 2 })
            if made.isWellFormed { pen.commit(made) } else { pen.chat("not yet") }
        }

        mutating func misc(_ contract: Contract, _ pen: inout Traveller) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: _ = pen.claim("\(Int.random(in: 1...4, using: &random))A")
            case 1: pen.retract(contract.next(contract.legs[0].slot))
            case 2: pen.retract(contract.legs[0].slot)
            default: pen.chat("x")
            }
        }

        /// What somebody might hold of it: a part of one branch of each author, and some proofs.
        mutating func view() -> Known {
            var logs: [[Entry]] = []
            var proofs: [ForkProof] = []
            for author in branches {
                guard let branch = author.randomElement(using: &random) else { continue }
                let whole = Int.random(in: 0..<5, using: &random) > 0
                let length =
                    whole ? branch.seq : Int.random(in: 0...branch.seq, using: &random)
                logs.append(Array(branch.log.prefix(length)))
                guard let other = author.randomElement(using: &random),
                    Bool.random(using: &random)
                else { continue }
                for (one, two) in zip(branch.log, other.log) {
                    if let proof = ForkProof(one, two) { proofs.append(proof) }
                }
            }
            return Known(logs, proofs: proofs)
        }
    }

    @Test(arguments: 0..<4) func bothImplementationsAgree(batch: Int) {
        var applied = 0
        var beaten = 0
        var dead = 0
        var left = 0
        for seed in 0..<300 {
            var chaos = Chaos(seed: UInt64(batch * 10_000 + seed))
            for _ in 0..<2 {
                let logs = chaos.view()
                let fold = Fold.fold(logs)
                #expect(fold == ReferenceFold.fold(logs), "batch \(batch) seed \(seed)")
                #expect(Invariants.violations(of: fold).isEmpty, "batch \(batch) seed \(seed)")
                applied += fold.contracts.count(where: \.applied)
                beaten += fold.contracts.count(where: \.beaten)
                dead += fold.contracts.count { $0.dead && $0.complete }
                left += fold.departures.count
            }
        }
        #expect(applied > 10 && beaten > 10 && dead > 0 && left > 10)
    }
}
