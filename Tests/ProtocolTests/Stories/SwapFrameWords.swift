// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

/// Frames of negotiations, verification and relays.
extension Words {
    mutating func fields(_ message: SwapMessage) -> String {
        switch message {
        case .propose(let offer): return fields(offer)
        case .ask(let ask): return fields(ask)
        case .ready(let ready): return fields(ready)
        case .decline(let no):
            return "\(thread(no.thread)), revision \(no.revision)\(note(no.note))"
        case .withdraw(let withdraw):
            return "\(thread(withdraw.thread)), \(withdraw.reason) (\(withdraw.reason.rawValue))"
        case .prepare(let prepare): return fields(prepare)
        case .vote(let vote): return entries(vote.entries)
        case .certificate(let certificate): return fields(certificate)
        case .query(let id): return contract(id)
        case .status(let status):
            return "\(contract(status.contract)), votes: \(entries(status.votes))"
        }
    }

    mutating func fields(_ offer: Proposal) -> String {
        "\(thread(offer.thread)), revision \(offer.revision), "
            + "\(contract(offer.contract))\(note(offer.note)), stands \(offer.expires) s"
    }

    mutating func fields(_ ask: Ask) -> String {
        "\(thread(ask.thread)), \(contract(ask.contract))\(note(ask.note)), "
            + "stands \(ask.expires) s, head \(head(ask.head))"
    }

    mutating func fields(_ ready: Ready) -> String {
        "\(thread(ready.thread)), \(contract(ready.contract)), head \(head(ready.head))"
    }

    mutating func fields(_ prepare: Prepare) -> String {
        let heads = prepare.heads.map { head($0) }.joined(separator: ", ")
        return "\(thread(prepare.thread)), \(contract(prepare.contract)), heads \(heads)"
    }

    mutating func fields(_ certificate: Certificate) -> String {
        "\(contract(certificate.contract)), votes: \(entries(certificate.votes)), "
            + "claims: \(entries(certificate.claims))"
    }

    mutating func fields(_ message: VerifyMessage) -> String {
        let attempt = "attempt \(names.name(.attempt, message.attempt.bytes).name)"
        return switch message {
        case .start(_, let method, _): "\(attempt), method \(method), commitment to a nonce"
        case .nonce: "\(attempt), nonce"
        case .open: "\(attempt), the nonce that was committed to"
        case .mac: "\(attempt), MAC: the codes match"
        case .end(_, let reason): "\(attempt), \(reason)"
        }
    }

    func fields(_ message: RelayMessage) -> String {
        let circuit = "circuit \(message.circuit)"
        return switch message {
        case .open(_, let key, isIncoming: true): "\(circuit), \(person(key)) wants to reach you"
        case .open(_, let key, isIncoming: false): "\(circuit), reach \(person(key))"
        case .ready: circuit
        case .data(_, let bytes): "\(circuit), \(bytes.count) bytes"
        case .took(_, let count): "\(circuit), \(count) bytes"
        case .end(_, let reason): "\(circuit), \(reason)"
        }
    }
}
