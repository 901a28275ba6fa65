// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Protocol
import Text
import Wording

/// Operations that return records: the receipt of a swap, and all logs.
extension ControlDesk {
    // MARK: receipt

    /// The signed swap: seats, keys, time and certificates, and nothing about a booking. Also the
    /// names, for this user alone.
    func receipt(_ asked: Op.Receipt) throws(UserError) -> Work<SwapReceipt> {
        let node = host.node
        let wanted = asked.request
        let done = node.swapRecords.filter { $0.stage == .committed }
        let record =
            wanted == nil
            ? done.max { ($0.updated, $0.number) < ($1.updated, $1.number) }
            : done.first { $0.number == wanted }
        guard let record else { throw noReceipt(wanted) }
        let certificates = Self.certificates(for: record.contract, node.logs, node.fold)
        guard !certificates.isEmpty else { throw noReceipt(wanted) }
        let facts = RequestFacts(record, me: node.me)
        let sitting = record.isFinal ? EventScribe(host: host).seated(record) : nil
        func party(_ key: PeerKey) -> SwapReceipt.Party {
            SwapReceipt.Party(key: key.hex, tag: key.tag)
        }
        let seats = facts.moves(node.fold).map { move in
            SwapReceipt.Leg(seat: move.seat, from: party(move.from), to: party(move.to))
        }
        return .done(
            SwapReceipt(
                number: record.number, flight: node.flight.text, gated: host.facts.isGated,
                flightId: node.flightKey.id.hex, agreed: Stamp(record.updated),
                final: record.isFinal, contract: record.contract.id.hex, seats: seats,
                names: names(facts.moves(node.fold)),
                certificates: certificates.map { Base64.encode($0.bytes) },
                plan: plan(facts.moves(node.fold)), seated: sitting?.seated,
                missing: sitting?.missing))
    }

    /// In which order the passengers of a swap move; `nil` where two only change places.
    private func plan(_ moves: [(seat: Seat, from: PeerKey, to: PeerKey)]) -> [MovingStep]? {
        guard moves.count > 2 else { return nil }
        let places = Dictionary(
            Set(moves.map(\.from)).flatMap { key in
                SeatRules.places(
                    give: moves.filter { $0.from == key }.map(\.seat),
                    take: moves.filter { $0.to == key }.map(\.seat)
                ).map { ($0.key, $0.value) }
            }, uniquingKeysWith: { first, _ in first })
        // Who holds several seats has somebody with them.
        let plan = MovingPlan(
            places, cabin: host.cabin,
            together: Set(moves.map(\.from)).map { key in
                moves.filter { $0.from == key }.map(\.seat)
            })
        let book = book
        func step(_ kind: MovingKind, _ from: Seat, _ to: Seat?) -> MovingStep? {
            moves.first { $0.seat == from }.map { move in
                MovingStep(who: book.person(move.from), step: kind, from: from, to: to)
            }
        }
        let steps = plan.steps.compactMap { one -> MovingStep? in
            switch one {
            case .waits(let from): step(.waits, from, nil)
            case .moves(let from, let to): step(.moves, from, to)
            case .sits(let from, let to): step(.sits, from, to)
            }
        }
        return steps.isEmpty ? nil : steps
    }

    /// What the passengers call themselves, which nobody signed: `ada #c2d9 has 12A now, and had
    /// 14C`.
    private func names(_ moves: [(seat: Seat, from: PeerKey, to: PeerKey)]) -> [String] {
        let book = book
        func list(_ seats: [Seat]) -> String {
            seats.map(\.text).joined(separator: " and ")
        }
        // By seat, as moves are.
        let holders = moves.indices.filter { place in
            !moves[..<place].contains { $0.to == moves[place].to }
        }
        return holders.map { moves[$0].to }.map { key in
            let now = list(moves.filter { $0.to == key }.map(\.seat))
            let before = list(moves.filter { $0.from == key }.map(\.seat))
            let host = WhoText.host(book.person(key))
            let who = book.tagged(key) + (host.isEmpty ? "" : ", \(host),")
            return "\(who) has \(now) now, and had \(before)"
        }
    }

    private func noReceipt(_ number: Int?) -> UserError {
        UserError(
            .noReceipt, number.map { "there is no receipt \($0)" } ?? "there is no receipt yet",
            why: "a receipt is there once a swap is signed by all",
            advice: "seatagent requests --all")
    }

    /// The logged certificate of `contract`, then those of the swaps that it rests on, each once.
    static func certificates(for contract: Contract, _ logs: LogSet, _ fold: SeatFold) -> [Entry] {
        var found: [Entry] = []
        var waiting = [contract.id]
        var seen: Set<ContractID> = []
        while let id = waiting.popLast(), found.count < Limits.swaps {
            guard seen.insert(id).inserted, let entry = commitEntry(id, logs),
                case .commit(let commit) = entry.body
            else { continue }
            found.append(entry)
            for leg in commit.contract.legs where leg.producer != Producer(claim: leg.token) {
                waiting.append(ContractID(leg.producer.raw))
            }
        }
        return found
    }

    private static func commitEntry(_ id: ContractID, _ logs: LogSet) -> Entry? {
        for log in logs.logs {
            for entry in log.entries {
                if case .commit(let commit) = entry.body, commit.contract.id == id { return entry }
            }
        }
        return nil
    }

}
