// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol
@testable import Transport

/// The right next step of what is under way, whoever has to make it: without these a row of choices
/// seldom gets as far as a signed yes.
extension Stage {
    /// One step of a negotiation towards its certificate.
    mutating func proceed(_ choices: inout Choices) {
        guard let record = choices.one(of: node.swaps.records.reversed()) else {
            if let seat = choices.one(of: node.fold.tokens.map(\.seat)) {
                wish(
                    .swap(
                        take: seat, give: nil, note: "", expires: nil, override: true,
                        unverified: true))
            }
            return
        }
        let parties = record.others(than: node.me)
        switch record.stage {
        case .offered:
            for party in parties {
                let head = share(party, &choices)
                reply(
                    .ready(Ready(thread: record.thread, contract: record.contract.id, head: head)),
                    from: party)
            }
        case .invited, .countered, .requested:
            wish(.accept(record.number, override: true, unverified: true))
        case .agreed:
            let asker = record.asker(node.me)
            let head = share(asker, &choices)
            reply(
                .ask(
                    Ask(
                        thread: record.thread, contract: record.contract.bytes, note: "",
                        expires: 60, head: head)),
                from: asker)
        case .counterSent:
            guard let counter = record.counter else { return }
            reply(
                .propose(
                    Proposal(
                        thread: record.thread, revision: record.revision + 1,
                        contract: counter.bytes, note: "", expires: 600)),
                from: record.contract.coordinator)
        case .ready, .asking:
            for party in parties { _ = share(party, &choices) }
            let heads = record.contract.parties.map(head)
            reply(
                .prepare(
                    Prepare(
                        thread: record.thread, contract: record.contract.bytes, heads: heads)),
                from: record.contract.coordinator)
        case .preparing, .prepared, .stranded: bind(record, &choices)
        case .committed, .aborted, .declined, .withdrawn, .expired: tick()
        }
    }

    /// Votes of all others, a no among them now and then; or the certificate.
    private mutating func bind(_ record: SwapRecord, _ choices: inout Choices) {
        let contract = record.contract
        for party in record.others(than: node.me) {
            guard let author = crowd.authors.firstIndex(where: { $0.key == party }) else {
                continue
            }
            if !crowd.authors[author].log.contains(where: { $0.vote?.contract == contract.id }) {
                crowd.vote(author, on: contract, yes: !choices.once(in: 8))
            }
            // Without it the last yes stays open.
            guard !choices.once(in: 8) else { continue }
            let log = crowd.authors[author].log.suffix(8)
            reply(.vote(VoteMessage(entries: log.map(\.bytes))), from: party)
        }
        let ours = node.logs.log(of: node.me)?.entries ?? []
        guard choices.once(in: 4), let commit = crowd.certificate(contract, ours) else { return }
        reply(
            .certificate(
                Certificate(
                    contract: contract.bytes, votes: commit.votes.map(\.bytes),
                    claims: commit.claims.map(\.bytes))),
            from: contract.coordinator)
    }

    /// A comparison of codes to its end, but for what the choices leave out.
    mutating func compare(_ index: Int, _ choices: inout Choices) {
        guard lines.indices.contains(index) else { return }
        let id = lines[index].id
        let peer = crowd.authors[lines[index].author].key
        for step in 0..<4 {
            guard let line = lines.first(where: { $0.id == id }), !choices.once(in: 16) else {
                continue
            }
            let attempt = line.attempt ?? ThreadID([UInt8](repeating: 9, count: 16))
            switch (step, attempt) {
            case (0, _): wish(.verify(peer))
            case (1, let attempt?): reply(.verify(.nonce(attempt, Self.nonce)), from: peer)
            case (2, _): wish(.compared(isSame: true))
            case (3, let attempt?):
                let transcript = VerificationTranscript(
                    flight: testFlight.id, attempt: attempt, initiator: node.me, responder: peer)
                let secret = transcript.secret(
                    exporter: line.exporter, initiatorNonce: line.nonce ?? .zero,
                    responderNonce: Self.nonce, primitives: FakePrimitives())
                let proof = transcript.proof(
                    of: peer, secret, primitives: FakePrimitives())
                reply(.verify(.mac(attempt, proof)), from: peer)
            default: break
            }
        }
    }

    /// The agent is given what somebody wrote; where their log ends now.
    private mutating func share(_ party: PeerKey, _ choices: inout Choices) -> LogHead {
        guard let author = crowd.authors.first(where: { $0.key == party }) else {
            return head(of: party)
        }
        if !choices.once(in: 8) {
            reply(
                .entries(EntryBatch(kind: .push, entries: author.log.prefix(64).map(\.bytes))),
                from: party)
        }
        return author.head
    }

    /// A message from somebody, who is connected first if they are not.
    private mutating func reply(_ message: Message, from party: PeerKey) {
        guard let author = crowd.authors.firstIndex(where: { $0.key == party }) else { return }
        if !lines.contains(where: { $0.author == author }) {
            connect(author, .responder)
            greet(lines.count - 1)
        }
        if let index = lines.firstIndex(where: { $0.author == author }) { say(message, on: index) }
    }
}
