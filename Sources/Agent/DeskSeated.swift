// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text

/// Who sits in their new seat after a swap.
extension ControlDesk {
    func seated(_ asked: Op.Seated) throws(UserError) -> Work<SeatedNews> {
        let record = try finished(asked)
        return .perform(.seated(record.contract.id, !asked.off)) { _, desk in
            EventScribe(host: desk.host).seated(record, desk.host.node.me, sits: !asked.off)
        }
    }

    /// The swap that is meant. Throws `no-such-request`, and `not-now` if it is not final.
    private func finished(_ asked: Op.Seated) throws(UserError) -> SwapRecord {
        if let number = asked.request {
            let facts = try named(number)
            guard facts.state == .final else { throw unfinished(facts) }
            return facts.record
        }
        let node = host.node
        let done = node.swapRecords.filter(\.isFinal).sorted {
            ($0.updated, $0.number) < ($1.updated, $1.number)
        }
        // What is taken back was said before.
        let said = done.last { node.logs.seated(by: $0.contract.id, node.fold).contains(node.me) }
        guard let record = asked.off ? said ?? done.last : done.last else {
            throw UserError(
                .notAllowedNow, "no swap of yours is final yet",
                why: "nobody moves before one is", advice: "seatagent requests")
        }
        return record
    }

    private func unfinished(_ facts: RequestFacts) -> UserError {
        let number = facts.record.number
        return switch facts.state {
        case .open:
            UserError(
                .notAllowedNow, "request \(number) is no swap yet",
                why: "not everybody has said yes", advice: "seatagent requests")
        case .agreed, .stranded:
            UserError(
                .notAllowedNow, "swap \(number) is not final yet",
                why: "do not move before it is", advice: "seatagent requests")
        case .final, .declined, .withdrawn, .expired, .failed:
            UserError(
                .notAllowedNow, "request \(number) ended without a swap",
                why: "nobody moves for it", advice: "seatagent requests --all")
        }
    }
}

extension EventScribe {
    /// Who of a swap sits now, after `who` said something about themselves.
    func seated(_ record: SwapRecord, _ who: PeerKey, sits: Bool) -> SeatedNews {
        let moves = RequestFacts(record, me: node.me).moves(node.fold)
        let (seated, missing) = seated(record)
        return SeatedNews(
            number: record.number, who: book.person(who),
            seats: moves.filter { $0.to == who }.map(\.seat), sits: sits, seated: seated,
            missing: missing)
    }

    /// Who of a swap sits, and who does not, by the seats that they got.
    func seated(_ record: SwapRecord) -> (seated: [Person], missing: [Person]) {
        let sitting = node.logs.seated(by: record.contract.id, node.fold)
        var parties: [PeerKey] = []
        for move in RequestFacts(record, me: node.me).moves(node.fold)
        where !parties.contains(move.to) {
            parties.append(move.to)
        }
        return (
            parties.filter(sitting.contains).map(book.person),
            parties.filter { !sitting.contains($0) }.map(book.person)
        )
    }
}
