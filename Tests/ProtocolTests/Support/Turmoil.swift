// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// A small flight under a seed: honest agents who keep the rules, cheats who keep none, and a
/// network that loses things. Each honest agent knows only what reached it.
struct Turmoil {
    /// An honest agent: its log, what it knows, and the votes that came to it directly.
    struct Agent {
        var me: Traveller
        var logs = Known()
        var inbox: [Entry] = []
        var contracts: [Contract] = []
        var fold = SeatFold.empty
        var isStale = true
        /// The last fold that was compared with its predecessor.
        var checked = SeatFold.empty
    }

    var random: SeededRandom
    /// How often, in per cent, a cheat begins a new branch; some only lie in one log.
    let forking: Int
    var honest: [Agent] = []
    /// Each cheat's branches; entry 1 is the same in all.
    var cheats: [[Traveller]] = []
    /// All contracts ever proposed, and all votes that any cheat could have seen.
    var contracts: [Contract] = []
    var loot: [Entry] = []
    /// Every tenure that ever was, for stale resales.
    var slots: [(slot: Slot, holder: PeerKey)] = []

    /// A flight of `honest` agents and `cheats`, each with one or two seats.
    init(seed: UInt64, honest: Int, cheats: Int) {
        random = SeededRandom(seed: seed)
        forking = [0, 5, 30][Int(seed / 2 % 3)]
        for number in 0..<honest + cheats {
            var traveller = Traveller(UInt8(1 + number * 7 % 31))
            for extra in 0...(chance(20) ? 1 : 0) {
                // Some seats are claimed twice.
                let row = chance(90) ? number + 1 : 1
                let slot = traveller.claim("\(row)\(extra == 0 ? "A" : "B")")
                slots.append((slot, traveller.key))
            }
            if number < honest {
                self.honest.append(Agent(me: traveller))
            } else {
                self.cheats.append([traveller])
            }
        }
        for index in self.honest.indices { learnOwn(index) }
        for index in self.honest.indices {
            for other in 0..<honest { tell(index, self.honest[other].me.log) }
            for cheat in self.cheats { tell(index, cheat[0].log) }
        }
    }

    var count: Int { honest.count + cheats.count }

    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    mutating func pick<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &random) }

    /// Lets one thing happen.
    mutating func step() {
        switch Int.random(in: 0..<(cheats.isEmpty ? 7 : 12), using: &random) {
        case 0..<4: propose()
        case 4..<6: gossip()
        case 6 where !cheats.isEmpty: betray()
        case 7..<9: resell()
        case 9..<11: mischief()
        case 11: reveal()
        default: unilateral()
        }
        for index in honest.indices { react(index) }
    }

    // MARK: Knowing

    mutating func tell(_ index: Int, _ entries: [Entry], proofs: [ForkProof] = []) {
        for entry in entries { honest[index].logs.learn(entry) }
        for proof in proofs { honest[index].logs.learn(proof) }
        honest[index].isStale = true
    }

    mutating func learnOwn(_ index: Int) { tell(index, honest[index].me.log) }

    mutating func fold(_ index: Int) -> SeatFold {
        if honest[index].isStale {
            honest[index].fold = Fold.fold(honest[index].logs)
            honest[index].isStale = false
        }
        return honest[index].fold
    }

    mutating func gossip() {
        guard let one = honest.indices.randomElement(using: &random),
            let other = honest.indices.randomElement(using: &random), one != other
        else { return }
        let from = honest[one].logs
        let whole = chance(60)
        for log in from.logs {
            let length = whole ? log.seq : Int.random(in: 0...log.seq, using: &random)
            tell(other, Array(log.entries.prefix(length)), proofs: log.proof.map { [$0] } ?? [])
        }
        tell(other, [], proofs: Evidence(honest[other].logs).proofs)
    }

    /// Everything that honest agents know goes to all of them, until nothing changes.
    mutating func heal() {
        for _ in 0..<8 {
            let before = honest.map(\.logs)
            for one in honest.indices {
                for other in honest.indices where one != other {
                    for log in honest[one].logs.logs {
                        tell(other, log.entries, proofs: log.proof.map { [$0] } ?? [])
                    }
                    tell(other, [], proofs: Evidence(honest[other].logs).proofs)
                }
            }
            if before == honest.map(\.logs) { return }
        }
    }

    // MARK: Proposing

    /// Somebody proposes a ring; the others vote in turn, the first party last.
    private mutating func propose() {
        let size = Int.random(in: 2...min(4, count), using: &random)
        let parties = Array((0..<count).shuffled(using: &random).prefix(size))
        guard let first = parties.first else { return }
        let guide =
            first < honest.count ? first : (honest.indices.randomElement(using: &random) ?? 0)
        let view = fold(guide)
        var given: [Int: Slot] = [:]
        for party in parties {
            let key = key(party)
            let stale = first >= honest.count && chance(30)
            let options =
                stale
                ? slots.filter { $0.holder == key }.map(\.slot) : view.held(by: key).map(\.slot)
            guard let slot = pick(options) else { return }
            given[party] = slot
        }
        negotiate(parties, given)
    }

    /// One contract: the parties in a ring, each giving its slot; the first votes last.
    mutating func negotiate(_ parties: [Int], _ given: [Int: Slot]) {
        let nonce = UInt8(truncatingIfNeeded: contracts.count)
        let keys = parties.map(key)
        let gifts = parties.compactMap { given[$0] }
        guard gifts.count == parties.count else { return }
        guard
            let contract = Contract(
                flight: Traveller.flight, coordinator: keys[0],
                nonce: ThreadID(Array(repeating: nonce, count: 16)) ?? ThreadID(random: &random),
                legs: parties.indices.map {
                    Leg(
                        token: gifts[$0].token, producer: gifts[$0].producer, from: keys[$0],
                        to: keys[($0 + 1) % keys.count])
                }, primitives: Traveller.primitives)
        else { return }
        contracts.append(contract)
        for leg in contract.legs { slots.append((contract.next(leg.slot), leg.to)) }
        for party in parties where party < honest.count { honest[party].contracts.append(contract) }
        for party in Array(parties.dropFirst()) + Array(parties.prefix(1)) {
            if party < honest.count {
                vote(party, contract, parties)
            } else {
                cheatVote(party - honest.count, contract, parties)
            }
        }
    }

    func key(_ party: Int) -> PeerKey {
        party < honest.count ? honest[party].me.key : cheats[party - honest.count][0].key
    }

    private mutating func unilateral() {
        guard let index = honest.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: honest[index].me.chat("hello")
        case 1:
            slots.append((honest[index].me.claim("\(20 + index)C"), honest[index].me.key))
        default:
            let held = fold(index).held(by: honest[index].me.key)
            guard let token = pick(held), honest[index].me.seq < 60 else { return }
            honest[index].me.retract(token.slot)
            slots.append((honest[index].me.claim(token.seat.text), honest[index].me.key))
        }
        learnOwn(index)
    }
}
