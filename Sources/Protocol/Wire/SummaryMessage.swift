// SPDX-License-Identifier: Apache-2.0
/// SUMMARY: the digest of each part of the frontier, so that two agents tell each other only of the
/// parts that differ (docs/protocol.md section 11).
package struct SummaryMessage: Hashable, Sendable {
    /// Digest over the whole frontier.
    package var logs: Bytes32
    /// Map digest of the state derived from it.
    package var map: Bytes32
    /// A digest for each bucket of authors: ``Limits/buckets`` of them.
    package var buckets: [UInt64]

    /// The digests of all logs, of the map, and of each bucket.
    package init(logs: Bytes32, map: Bytes32, buckets: [UInt64]) {
        self.logs = logs
        self.map = map
        self.buckets = buckets
    }

    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.bytes32(logs)
        writer.bytes32(map)
        writer.bytes(buckets.flatMap(eightBytes))
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(3)
        logs = try reader.bytes32()
        map = try reader.bytes32()
        let size = 8 * Limits.buckets
        let bytes = try reader.bytes(size...size)
        buckets = stride(from: bytes.startIndex, to: bytes.endIndex, by: 8).map { start in
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
