// SPDX-License-Identifier: Apache-2.0
/// Lets a ledger of a venue in, whoever fills the places for authors (docs/protocol.md section 32).
///
/// That a log is a ledger shows its second entry. So the first entry of a log that is not let in is
/// kept until the next one comes: if that is a charter, the operator vouches for both.
struct LedgerDoor: Sendable {
    private let codec: EntryCodec
    /// The first entry that came last and found no place.
    private var waiting: (author: PeerKey, bytes: [UInt8])?

    /// A door at which nobody waits.
    init(_ codec: EntryCodec) { self.codec = codec }

    /// What became of an entry. Gives the first entry of its log where this one is the charter
    /// behind it, signed by operator and author: both are let in. Costs two Ed25519 verifications
    /// for such a pair, and none for all others.
    mutating func opens(_ insertion: Insertion, _ bytes: [UInt8]) -> [UInt8]? {
        switch insertion {
        case .delayed(let author, 1):
            waiting = (author, bytes)
            return nil
        case .gap(let author, 2):
            guard let first = waiting, first.author == author else { return nil }
            waiting = nil
            guard let charter = try? codec.decode(bytes), case .charter? = charter.ledger,
                let genesis = try? codec.decode(first.bytes), charter.previous == genesis.id,
                codec.isSigned(charter), codec.isWitnessed(charter)
            else { return nil }
            return first.bytes
        case .delayed, .gap, .added, .known, .branches, .fork, .leftOut, .refused: return nil
        }
    }
}
