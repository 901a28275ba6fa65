// SPDX-License-Identifier: Apache-2.0
/// The order of asks that came while the desk was away, drawn by lot: when they were made cannot be
/// known (docs/protocol.md section 33).
///
/// There is one lot for each member, or for each key without a number, so nobody gains by asking
/// often. The asks of one member keep the order in which they came.
struct DeskLot: Hashable, Sendable {
    /// What it is drawn by. Its hash is in the ledger from the beginning.
    let random: ThreadID
    /// Until then asks are gathered.
    let until: Instant

    /// The lot of somebody: SHA-256 of the 16 bytes and the number (2 bytes, big-endian), or the
    /// key (32 bytes).
    static func lot(
        _ who: DeskRecords.Who, random: ThreadID, _ primitives: any Primitives
    ) -> Bytes32 {
        switch who {
        case .member(let number):
            let bytes = [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
            return primitives.sha256(random.bytes + bytes)
        case .key(let key): return primitives.sha256(random.bytes + key.bytes)
        }
    }

    /// The asks in the order of the lots. O(n log n).
    func order(
        _ asks: [DeskAsk], of book: Book, _ primitives: any Primitives
    ) -> [DeskAsk] {
        var lots: [DeskRecords.Who: Bytes32] = [:]
        let drawn = asks.enumerated().map { index, ask in
            let who = DeskRecords.who(ask.author, book)
            let lot = lots[who] ?? Self.lot(who, random: random, primitives)
            lots[who] = lot
            return (lot: lot, index: index, ask: ask)
        }
        return drawn.sorted { ($0.lot, $0.index) < ($1.lot, $1.index) }.map(\.ask)
    }
}
