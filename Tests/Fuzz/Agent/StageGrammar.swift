// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import ProtocolTestKit

@testable import ControlAPI
@testable import Protocol
@testable import Transport

/// Messages that peers make of what they know: most of them right, in any order.
extension Stage {
    static let nonce = FakePrimitives().sha256([0x4E])

    /// A message for a line.
    mutating func message(on index: Int, _ choices: inout Choices) -> Message {
        let author = lines[index].author
        switch choices.below(24) {
        case 0, 1: return frontier(author, &choices)
        case 2:
            let stretch = Want.Stretch(
                author: anyone(&choices), from: 1 + choices.below(4), through: 4 + choices.below(9))
            return .want(
                Want(
                    budget: 1 + choices.wide(),
                    stretches: Array(repeating: stretch, count: 1 + choices.below(3))))
        case 3, 4, 5: return entries(&choices)
        case 6:
            let known = crowd.everything
            guard let one = choices.one(of: known), let other = choices.one(of: known) else {
                return .lazy
            }
            let twin = known.last { ForkProof(one, $0) != nil } ?? other
            return .forkProof(first: one.bytes, second: twin.bytes)
        case 7:
            return .have([Have(author: anyone(&choices), seq: 1 + choices.below(12))])
        case 8:
            if choices.once(in: 4) { return .lazy }
            let number = choices.wide()
            return number % 4 == 0 ? .ping(number) : layout(&choices)
        case 9: return hints(&choices)
        case 10:
            return .directMessage(id: Self.thread(choices.byte()), text: "psst")
        case 11: return .directAck(id: sentMessage(&choices))
        case 12: return verify(index, &choices)
        case 13: return relay(&choices)
        case 14, 15: return propose(author, &choices)
        case 16: return ready(author, &choices)
        case 17: return soft(&choices)
        case 18, 19: return prepare(&choices)
        case 20, 21: return vote(author, &choices)
        case 22: return certificate(author, &choices)
        default:
            guard let contract = contract(&choices) else { return .pong(choices.below(3)) }
            guard choices.once(in: 2) else { return .query(contract.id) }
            let votes = crowd.everything.filter { $0.vote?.contract == contract.id }
            return .status(Status(contract: contract.id, votes: votes.prefix(16).map(\.bytes)))
        }
    }

    // MARK: Who and what

    private static func thread(_ number: UInt8) -> ThreadID {
        guard let id = ThreadID([UInt8](repeating: number, count: 16)) else {
            broken("16 bytes")
        }
        return id
    }

    /// A passenger, this agent among them.
    func anyone(_ choices: inout Choices) -> PeerKey {
        choices.one(of: crowd.authors.map(\.key) + [node.me]) ?? node.me
    }

    /// The thread of a negotiation that is known, or a new one.
    private func thread(_ choices: inout Choices) -> ThreadID {
        let number = choices.byte()
        if number < 0x80, let record = node.swaps.records.last { return record.thread }
        if number < 0xC0, let record = node.swaps.records.first { return record.thread }
        return Self.thread(number)
    }

    private func contract(_ choices: inout Choices) -> Contract? {
        choices.one(of: (crowd.contracts + node.swaps.records.map(\.contract)).reversed())
    }

    private func sentMessage(_ choices: inout Choices) -> ThreadID {
        choices.one(of: node.messages.filter(\.outgoing).map(\.id)) ?? Self.thread(1)
    }

    func head(of party: PeerKey) -> LogHead {
        crowd.authors.first { $0.key == party }?.head ?? node.logs.head(of: party)
    }

    // MARK: Replication

    private func frontier(_ author: Int, _ choices: inout Choices) -> Message {
        var logs = node.logs
        let manner = choices.byte()
        if manner & 1 == 0 {
            for entry in crowd.authors[author].log {
                _ = logs.insert(
                    entry.bytes, flight: testFlight.id, codec: EntryCodec(FakePrimitives()))
            }
        }
        let frontier = Frontier(logs, primitives: FakePrimitives())
        var items = frontier.items
        if manner & 2 != 0, !items.isEmpty {
            let place = choices.below(items.count)
            items[place].seq = min(items[place].seq + choices.below(8), Limits.entriesPerAuthor)
            items[place].fork = choices.below(4)
        }
        if manner & 64 != 0 {
            return .summary(
                SummaryMessage(
                    logs: manner & 4 == 0 ? frontier.digest : .zero,
                    map: manner & 8 == 0 ? node.mapDigest : .zero,
                    buckets: Frontier.digests(of: items, FakePrimitives())))
        }
        return .frontier(
            FrontierMessage(
                logs: manner & 4 == 0 ? frontier.digest : .zero,
                map: manner & 8 == 0 ? node.mapDigest : .zero,
                items: manner & 16 == 0 ? items : nil,
                isPartial: manner & 48 == 32))
    }

    /// A stretch of somebody's log, or of what they left.
    private func entries(_ choices: inout Choices) -> Message {
        guard let author = choices.one(of: crowd.authors) else { return .lazy }
        let manner = choices.byte()
        let log = manner < 0xC0 || author.left.isEmpty ? author.log : author.left
        let from = manner & 8 == 0 ? 0 : choices.below(log.count)
        let kind = EntryBatch.Kind(rawValue: Int(manner % 3)) ?? .push
        var batch = log[from...].prefix(62).map(\.bytes)
        // Both branches at once, and what is no entry.
        if manner & 16 != 0, let other = author.left.first { batch.append(other.bytes) }
        if manner & 0x60 == 0x60 { batch.append([0xFF]) }
        return .entries(EntryBatch(kind: kind, entries: batch))
    }

    private func hints(_ choices: inout Choices) -> Message {
        let keys = [anyone(&choices), FakeSigner(choices.byte()).key]
        let lies = [
            "localhost", "127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::", "10.0.0.254",
            "10.9.9.9", "224.0.0.251", "255.255.255.255", "fe80::1%2", "10.0.1.255", "",
        ]
        let hints = keys.map { key in
            let number = choices.byte()
            let isLie = choices.once(in: 2)
            let host = isLie ? lies[Int(number) % lies.count] : "10.0.1.\(number)"
            return PeerHint(
                key: key, address: PeerAddress(host: host, port: 4),
                isLinked: choices.once(in: 2))
        }
        return hints[0].isLinked == hints[1].isLinked ? .peerChange(hints) : .peerExchange(hints)
    }

    /// A suggestion of anybody, this agent among them, or what is known of some.
    private func layout(_ choices: inout Choices) -> Message {
        let manner = choices.byte()
        let signer = FakeSigner(manner & 1 == 0 ? choices.byte() % 8 : choices.byte())
        let key = manner & 2 == 0 ? signer.key : anyone(&choices)
        let layout = [UInt8](repeating: 0x7B, count: choices.below(4))
        let revision = manner & 4 == 0 ? 1 + choices.below(6) : Limits.layoutRevisions.upperBound
        guard manner & 8 == 0 else {
            let hash = FakePrimitives().sha256(layout)
            let marks = [LayoutMark(author: key, revision: revision, hash: hash)]
            let digest = manner & 16 == 0 ? .zero : node.layoutBook.digest(FakePrimitives())
            return .layout(.known(digest: digest, marks: manner & 32 == 0 ? marks : nil))
        }
        let text = LayoutSuggestion.toBeSigned(
            flight: testFlight.id, revision: revision, layout: layout)
        let signature = FakePrimitives.signature(
            of: text, by: manner >= 0xF8 ? node.me : key)
        return .layout(
            .suggestion(
                LayoutSuggestion(
                    author: key, revision: revision, signature: signature, layout: layout)))
    }

    // MARK: Verification and circuits

    private func verify(_ index: Int, _ choices: inout Choices) -> Message {
        let line = lines[index]
        let peer = crowd.authors[line.author].key
        let attempt = line.attempt ?? Self.thread(9)
        let isOurs = choices.once(in: 2)
        let transcript = VerificationTranscript(
            flight: testFlight.id, attempt: attempt, initiator: isOurs ? peer : node.me,
            responder: isOurs ? node.me : peer)
        switch choices.below(6) {
        case 0, 1:
            return .verify(
                .start(
                    attempt, method: 1,
                    commitment: transcript.commitment(
                        to: Self.nonce, primitives: FakePrimitives())))
        case 2: return .verify(.nonce(attempt, Self.nonce))
        case 3: return .verify(.open(attempt, choices.once(in: 4) ? .zero : Self.nonce))
        case 4:
            let known = line.nonce ?? .zero
            let secret = transcript.secret(
                exporter: line.exporter, initiatorNonce: isOurs ? Self.nonce : known,
                responderNonce: isOurs ? known : Self.nonce, primitives: FakePrimitives())
            return .verify(
                .mac(
                    attempt, transcript.proof(of: peer, secret, primitives: FakePrimitives()))
            )
        default:
            let reasons = VerifyMessage.EndReason.allCases
            return .verify(.end(attempt, reasons[choices.below(reasons.count)]))
        }
    }

    private func relay(_ choices: inout Choices) -> Message {
        let number = choices.below(8)
        switch choices.below(6) {
        case 0, 1:
            return .relay(.open(number, anyone(&choices), isIncoming: choices.once(in: 2)))
        case 2: return .relay(.ready(number))
        case 3:
            let bytes = [UInt8](repeating: 1, count: 1 + choices.below(64) * 256)
            return .relay(.data(number, bytes))
        case 4: return .relay(.took(number, 1 + choices.wide()))
        default:
            let reasons = RelayMessage.EndReason.allCases
            return .relay(.end(number, reasons[choices.below(reasons.count)]))
        }
    }

    // MARK: Negotiation

    private mutating func propose(_ author: Int, _ choices: inout Choices) -> Message {
        guard let made = crowd.contract(among: node.fold, &choices) else { return .lazy }
        // Most proposals are the sender's own.
        var contract = made
        if !choices.once(in: 8), made.parties.contains(crowd.authors[author].key) {
            contract =
                Contract(
                    flight: made.flight, coordinator: crowd.authors[author].key,
                    nonce: made.nonce, legs: made.legs, primitives: FakePrimitives()) ?? made
        }
        if contract.parties.count == 2, choices.once(in: 2) {
            let asked = Contract(
                flight: made.flight, coordinator: node.me, nonce: made.nonce, legs: made.legs,
                primitives: FakePrimitives())
            if let asked { contract = asked }
            crowd.contracts.append(contract)
            return .ask(
                Ask(
                    thread: thread(&choices), contract: contract.bytes, note: "please",
                    expires: 60 + choices.below(86_000), head: crowd.authors[author].head))
        }
        crowd.contracts.append(contract)
        return .propose(
            Proposal(
                thread: thread(&choices), revision: 1 + choices.below(4), contract: contract.bytes,
                note: "please", expires: 60 + choices.wide()))
    }

    private func ready(_ author: Int, _ choices: inout Choices) -> Message {
        guard let record = choices.one(of: node.swaps.records.reversed()) else { return .lazy }
        var head = crowd.authors[author].head
        if choices.once(in: 8) { head.seq += 1 }
        return .ready(Ready(thread: record.thread, contract: record.contract.id, head: head))
    }

    private func soft(_ choices: inout Choices) -> Message {
        let thread = thread(&choices)
        guard choices.once(in: 2) else {
            return .decline(Decline(thread: thread, revision: 1 + choices.below(4), note: "no"))
        }
        let reasons = Withdraw.Reason.allCases
        return .withdraw(Withdraw(thread: thread, reason: reasons[choices.below(reasons.count)]))
    }

    private func prepare(_ choices: inout Choices) -> Message {
        guard let contract = contract(&choices) else { return .lazy }
        var heads = contract.parties.map(head)
        if choices.once(in: 16) { heads[0].seq += 1 }
        let thread =
            node.swaps.records.last { $0.contract.id == contract.id }?.thread ?? thread(&choices)
        return .prepare(Prepare(thread: thread, contract: contract.bytes, heads: heads))
    }

    /// A vote of whoever is at the other end, after the end of their log.
    private mutating func vote(_ author: Int, _ choices: inout Choices) -> Message {
        guard let contract = contract(&choices) else { return .lazy }
        let manner = choices.byte()
        let known = crowd.authors[author].log.contains { $0.vote?.contract == contract.id }
        if !known || manner >= 0xF0 { crowd.vote(author, on: contract, yes: manner & 7 != 0) }
        let log = crowd.authors[author].log.suffix(1 + Int(manner >> 4) % 8)
        return .vote(VoteMessage(entries: log.map(\.bytes)))
    }

    /// A certificate, also logged by whoever sends it.
    private mutating func certificate(_ author: Int, _ choices: inout Choices) -> Message {
        guard let contract = contract(&choices) else { return .lazy }
        let ours = node.logs.log(of: node.me)?.entries ?? []
        guard let commit = crowd.certificate(contract, ours) else {
            return .query(contract.id)
        }
        if choices.once(in: 2) { crowd.write(author, .commit(commit)) }
        return .certificate(
            Certificate(
                contract: contract.bytes, votes: commit.votes.map(\.bytes),
                claims: commit.claims.map(\.bytes)))
    }
}
