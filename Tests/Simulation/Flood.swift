// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// A cheat who writes without end: agents here keep little of anybody, so that it is felt.
extension SimWorld {
    /// More than honest passengers write in a run, and less than a flood.
    static let bounds = (
        logs: Shares.Bounds(
            base: 128 * 1024, pool: 64 * 1024, stranger: 8, linked: 4, needed: 2,
            favoured: Limits.bytesPerAuthor),
        messages: Shares.Bounds(
            base: 32 * 1024, pool: 32 * 1024, stranger: 4, linked: 4, needed: 4,
            favoured: 128 * 1024)
    )

    /// Their program starts again with a hundred long lines in its log; direct
    /// messages go to everybody.
    func flood(_ host: SimHost) {
        let text = String(repeating: "z", count: 1900)
        for _ in 0..<40 {
            let id = ThreadID(random: &cheat)
            tell(host, Message.directMessage(id: id, text: text).encode(), percent: 100)
        }
        let log = host.node.logs.log(of: host.key)?.entries ?? []
        guard host.isUp, !log.isEmpty, host.disk.ownSeq == log.count else { return }
        kill(host, power: false)
        var last = log.last
        for _ in 0..<100 {
            guard let entry = sign(host, .chat(text: text, replyTo: nil), after: last) else {
                break
            }
            host.disk.smuggle(entry)
            last = entry
        }
        revive(host, after: Self.second)
    }

    /// What is kept of all with whom this host's user never had a swap, and whom they never called
    /// a companion, stays within the pools.
    func checkShares(_ host: SimHost) {
        var known = host.companions.union([host.key])
        for record in host.node.swaps.records { known.formUnion(record.contract.parties) }
        for state in host.node.fold.contracts {
            guard let parties = state.contract?.parties, parties.contains(host.key) else {
                continue
            }
            known.formUnion(parties)
        }
        var drawn = 0
        for log in host.node.logs.logs where !known.contains(log.author) {
            drawn += max(0, log.size - Self.bounds.logs.base)
        }
        if drawn > Self.bounds.logs.pool { fail("I8", "the pool of logs: \(drawn) bytes") }
        var told: [PeerKey: Int] = [:]
        for message in host.disk.stored.messages where !message.outgoing {
            guard !known.contains(message.peer) else { continue }
            told[message.peer, default: 0] += DirectMessage.cost(message.text)
        }
        let extra = told.values.reduce(0) { $0 + max(0, $1 - Self.bounds.messages.base) }
        if extra > Self.bounds.messages.pool { fail("I8", "the pool of messages: \(extra) bytes") }
    }

    /// Authors of whom somebody here may have left something out.
    var spendthrifts: [PeerKey] {
        var keys: [PeerKey] = []
        for host in faithful {
            for log in host.node.logs.logs where log.size > Self.bounds.logs.base - Limits.entry {
                if !keys.contains(log.author) { keys.append(log.author) }
            }
        }
        return keys
    }

    /// How far the logs of all others are known.
    func items(_ host: SimHost, without left: [PeerKey]) -> [FrontierItem] {
        Frontier(host.node.logs, primitives: primitives).items.filter { !left.contains($0.author) }
    }
}
