// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// Logs that somebody holds, sorted by author, uncut: unlike a `LogSet` it keeps the branch that it
/// met first behind a fork, since the fold must not read it.
struct Known: Equatable {
    private(set) var logs: [AuthorLog] = []

    init() {}

    /// Whole logs, each without a gap, and proofs.
    init(_ entries: [[Entry]], proofs: [ForkProof] = []) {
        for proof in proofs { learn(proof) }
        for log in entries { for entry in log { append(entry) } }
    }

    /// The whole logs of these travellers.
    init(of travellers: Traveller..., proofs: [ForkProof] = []) {
        self.init(travellers.map(\.log), proofs: proofs)
    }

    func log(of author: PeerKey) -> AuthorLog? { logs.first { $0.author == author } }

    /// What a careful reader of others' entries does with one: append, skip, or see a fork.
    mutating func learn(_ entry: Entry) {
        let log = log(of: entry.author)
        if let known = log?.entry(at: entry.seq) {
            if let proof = ForkProof(known, entry) { learn(proof) }
        } else if entry.seq == (log?.seq ?? 0) + 1, entry.previous == log?.entries.last?.id,
            entry.seq < log?.fork ?? Int.max
        {
            append(entry)
        }
    }

    mutating func learn(_ proof: ForkProof) {
        var log = AuthorLog(author: proof.author)
        let old = logs.first { $0.author == proof.author }
        for known in [old?.proof, proof].compactMap(\.self) { _ = log.take(known) }
        for entry in old?.entries ?? [] { log.append(entry) }
        put(log)
    }

    /// Puts an entry behind the others, whatever it is.
    mutating func append(_ entry: Entry) {
        var log = log(of: entry.author) ?? AuthorLog(author: entry.author)
        guard entry.seq == log.seq + 1 else { return }
        log.append(entry)
        put(log)
    }

    private mutating func put(_ log: AuthorLog) {
        let index = logs.lowerBound(of: log.author, by: \.author)
        if index < logs.count, logs[index].author == log.author {
            logs[index] = log
        } else {
            logs.insert(log, at: index)
        }
    }
}

extension Fold {
    static func fold(_ known: Known) -> SeatFold { fold(known.logs) }
    static func misdeeds(_ known: Known) -> [Misdeed] { misdeeds(known.logs) }
}

extension Evidence {
    init(_ known: Known) { self.init(known.logs) }
}
