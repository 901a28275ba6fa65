// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Text

/// Operations that hand records out: the receipt of a swap, and all logs.
extension ControlDesk {
    // MARK: receipt

    /// The signed swap: seats, keys, time, certificates, nothing of a booking; beside them
    /// names, for this user alone.
    func receipt() throws(UserError) -> Outcome {
        let node = host.node
        let wanted = try request.optionalNumber("request")
        let done = node.swapRecords.filter { $0.stage == .committed }
        let record =
            wanted == nil
            ? done.max { ($0.updated, $0.number) < ($1.updated, $1.number) }
            : done.first { $0.number == wanted }
        guard let record else { throw noReceipt(wanted) }
        let certificates = Self.certificates(for: record.contract, node.logs, node.fold)
        guard !certificates.isEmpty else { throw noReceipt(wanted) }
        let facts = RequestFacts(record, me: node.me)
        let seats = facts.moves(node.fold).map { move -> JSON in
            [
                "seat": .string(move.seat.text),
                "from": ["key": .string(move.from.hex), "tag": .string(move.from.tag)],
                "to": ["key": .string(move.to.hex), "tag": .string(move.to.tag)],
            ]
        }
        return .done([
            "number": .int(record.number), "flight": .string(node.flight.text),
            "gated": .bool(host.facts.isGated), "flight_id": .string(node.flightKey.id.hex),
            "agreed": .string(RFC3339.text(record.updated)),
            "final": .bool(record.isFinal), "contract": .string(record.contract.id.hex),
            "seats": .array(seats), "names": .array(names(facts.moves(node.fold))),
            "certificates": .array(certificates.map { .string(Base64.encode($0.bytes)) }),
        ])
    }

    /// What the passengers call themselves, which nobody signed: `ada #c2d9
    /// has 12A now, and had 14C`.
    private func names(_ moves: [(seat: Seat, from: PeerKey, to: PeerKey)]) -> [JSON] {
        let book = book
        func list(_ seats: [Seat]) -> String {
            seats.map(\.text).joined(separator: " and ")
        }
        return Set(moves.map(\.to)).sorted().map { key in
            let now = list(moves.filter { $0.to == key }.map(\.seat))
            let before = list(moves.filter { $0.from == key }.map(\.seat))
            return .string("\(book.tagged(key)) has \(now) now, and had \(before)")
        }
    }

    private func noReceipt(_ number: Int?) -> UserError {
        UserError(
            .noReceipt, number.map { "there is no receipt \($0)" } ?? "there is no receipt yet",
            why: "a receipt is there once a swap is signed by all",
            advice: "seatagent requests --all")
    }

    /// The logged certificate of `contract`, then those of the swaps it rests on, each once.
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
