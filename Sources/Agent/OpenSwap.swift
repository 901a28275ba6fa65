// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import System

/// An own yes without an outcome: an own request, a counter-offer, or a consent.
struct OpenSwap: Hashable, Sendable {
    /// The number of the negotiation.
    let number: Int
    /// How to take it back; `nil` once the yes is signed.
    let recant: Intent?
    /// Own seats that would go, and what would replace each.
    let places: [Seat: Seat]

    /// `nil` if nothing is promised, or if a seat is not known here yet.
    init?(_ record: SwapRecord, _ fold: SeatFold, me: PeerKey) {
        switch record.stage {
        case .offered, .preparing, .ready, .asking, .agreed: recant = .cancel(record.number)
        case .counterSent: recant = .decline(record.number, note: "")
        case .prepared, .stranded: recant = nil
        case .countered, .invited, .requested, .committed, .aborted, .declined, .withdrawn,
            .expired:
            return nil
        }
        number = record.number
        let moves = RequestFacts(record, me: me).moves(fold)
        let give = moves.filter { $0.from == me }.map(\.seat)
        let take = moves.filter { $0.to == me }.map(\.seat)
        guard give.count == take.count else { return nil }
        places = SeatRules.places(give: give, take: take)
    }

    /// A yes with these parts.
    init(number: Int, recant: Intent?, places: [Seat: Seat]) {
        self.number = number
        self.recant = recant
        self.places = places
    }
}

extension SeatRules {
    /// With more of them, it is too costly to check who stays with a child.
    static let openAtMost = 6

    /// What prevents a swap, alone or together with some of those that may be made as well.
    func block(_ places: [Seat: Seat], with open: [OpenSwap]) -> RuleFinding? {
        if let block = findings(places).first, block.isBlock { return block }
        // Only the question who stays together depends on more than the own seat.
        guard needs.people.contains(where: \.isCaredFor) else { return nil }
        let others = open.map(\.places).filter { Self.joined([places, $0]) != nil }
        guard others.count <= Self.openAtMost else {
            return RuleFinding(
                kind: .several, isBlock: true,
                what: "\(others.count) requests of yours are open",
                why: "with so many, your agent cannot check that a child keeps its adult",
                advice: "seatagent requests")
        }
        for choice in 1..<(1 << others.count) {
            let some = others.indices.filter { choice >> $0 & 1 == 1 }.map { others[$0] }
            guard let before = Self.joined(some), let after = Self.joined(some + [places]) else {
                continue
            }
            let known = findings(before).filter(\.isBlock)
            if var block = findings(after).first(where: { $0.isBlock && !known.contains($0) }) {
                block.why = "that would happen if your other open requests succeed too"
                block.advice = "seatagent requests"
                return block
            }
        }
        return nil
    }

    /// All of them together; `nil` if two give or take the same seat.
    private static func joined(_ all: [[Seat: Seat]]) -> [Seat: Seat]? {
        var joined: [Seat: Seat] = [:]
        for places in all { joined.merge(places) { $1 } }
        let count = all.reduce(0) { $0 + $1.count }
        return joined.count == count && Set(joined.values).count == count ? joined : nil
    }
}

extension ControlHost {
    /// Own yeses without an outcome, by number.
    var openSwaps: [OpenSwap] {
        let node = node
        return node.swapRecords.compactMap { OpenSwap($0, node.fold, me: node.me) }
            .sorted { $0.number < $1.number }
    }

    /// Takes back promises that are against the rules by now; the earlier request stays. Others see
    /// what they would see if the passenger had done it, and no reason.
    func recant() {
        let open = openSwaps
        guard open.contains(where: { $0.recant != nil }) else { return }
        let rules = rules
        var kept = open.filter { $0.recant == nil }
        for swap in open {
            guard let intent = swap.recant else { continue }
            guard rules.block(swap.places, with: kept) != nil else {
                kept.append(swap)
                continue
            }
            perform(intent) { result in
                guard case .success = result else { return }
                Log.line("request \(swap.number) was taken back: by now a rule stops it")
            }
        }
    }
}
