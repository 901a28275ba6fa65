// SPDX-License-Identifier: Apache-2.0
/// Two entries of one author at one place of the log: they signed what they must not
/// (docs/protocol.md section 10).
public struct ForkProof: Hashable, Sendable {
    /// The entry with the smaller id.
    public let first: Entry
    /// The entry with the larger id.
    public let second: Entry

    /// A proof from two entries; `nil` unless same flight, author and seq with different ids.
    /// Both signatures must have been checked.
    public init?(_ one: Entry, _ other: Entry) {
        guard one.author == other.author, one.seq == other.seq, one.flight == other.flight,
            one.id != other.id
        else { return nil }
        (first, second) = one.id < other.id ? (one, other) : (other, one)
    }

    /// The key blamed.
    public var author: PeerKey { first.author }
    /// The place in the log.
    public var seq: Int { first.seq }

    /// Smallest seq wins, then the smaller pair of ids: a join-semilattice,
    /// so one proof per author.
    public func isStronger(than other: ForkProof) -> Bool {
        if seq != other.seq { return seq < other.seq }
        if first.id != other.first.id { return first.id < other.first.id }
        return second.id < other.second.id
    }
}
