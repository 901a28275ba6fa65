// SPDX-License-Identifier: Apache-2.0
/// The bytes on which peers with equal logs must agree (docs/protocol.md section 14).
///
///     digest = SHA-256("seatswap/1 map" || bytes)
///     bytes  = deterministic CBOR of [ 1, tokens, applied ]
///     tokens = [* [ token, row, column, holder, producer, ended ] ]      ; sorted by token
///     applied = [* cid ]                                                 ; sorted
///
/// token, holder, producer and cid are byte strings of 32 bytes, row 1...255 and column 0...25 are
/// numbers, ended is a boolean. Every counted token stands there, also an ended one. The rest of
/// the fold is left out: author and lineage follow from these, and votes or unfinished contracts
/// may be known here and not there for a while.
extension SeatFold {
    /// The bytes under the digest, about 110 a token.
    package var mapBytes: [UInt8] {
        let applied = contracts.filter(\.applied)
        var writer = CBORWriter(capacity: 16 + 112 * tokens.count + 34 * applied.count)
        writer.array(3)
        writer.uint(1)
        writer.array(tokens.count)
        for state in tokens {
            writer.array(6)
            writer.value(state.token)
            writer.uint(Int(state.seat.row))
            writer.uint(Int(state.seat.column))
            writer.value(state.holder)
            writer.value(state.producer)
            writer.bool(state.ended)
        }
        writer.array(applied.count)
        for state in applied { writer.value(state.id) }
        return writer.bytes
    }

    /// SHA-256 of the map, 32 bytes: equal for equal sets of logs, whatever the order of arrival.
    package func digest(_ primitives: any Primitives) -> Bytes32 {
        primitives.sha256(Array("seatswap/1 map".utf8) + mapBytes)
    }
}
