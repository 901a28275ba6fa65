// SPDX-License-Identifier: Apache-2.0
/// How far each log is known, in the form that agents compare (docs/protocol.md section 11).
package struct Frontier: Hashable, Sendable {
    /// Sorted by author.
    package let items: [FrontierItem]
    /// SHA-256 over the deterministic CBOR of the list, with the prefix "seatswap/1 frontier".
    package let digest: Bytes32
    /// A digest for each part, where the list is long (docs/protocol.md section 11); else none.
    package let buckets: [UInt64]

    /// The frontier of `logs`. O(authors).
    package init(_ logs: LogSet, primitives: any Primitives) {
        var items: [FrontierItem] = []
        items.reserveCapacity(logs.logs.count)
        for log in logs.logs where log.seq > 0 || log.fork != nil {
            items.append(
                FrontierItem(
                    author: log.author, seq: log.seq, head8: log.head.id.raw.prefix8,
                    fork: log.fork ?? 0))
        }
        self.items = items
        var writer = CBORWriter(capacity: 8 + 52 * items.count)
        FrontierMessage.write(items, to: &writer)
        digest = primitives.sha256(Array("seatswap/1 frontier".utf8) + writer.bytes)
        let isLong = items.count > Limits.shortFrontier
        buckets = isLong ? Self.digests(of: items, primitives) : []
    }
}
