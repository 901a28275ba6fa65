/// Checks of an Ed25519 key and signature before any library sees them (protocol.md 5.2).
///
/// S below the group order, A and R canonical and not of small order: so a library update
/// cannot widen the set of signatures that the fold accepts.
package enum SignatureShape {
    /// Whether `signature` (64 bytes, R then S) and `key` have the only allowed shape.
    package static func isCanonical(signature: [UInt8], key: PeerKey) -> Bool {
        guard signature.count == 64 else { return false }
        let point = Array(signature[0..<32])
        let scalar = Array(signature[32..<64])
        return isBelow(scalar, order) && isGoodPoint(point) && isGoodPoint(key.bytes)
    }

    /// Whether a 32-byte little-endian encoding is a canonical y and not a point of small order.
    package static func isGoodPoint(_ point: [UInt8]) -> Bool {
        guard point.count == 32 else { return false }
        var y = point
        y[31] &= 0x7F
        guard isBelow(y, prime) else { return false }
        return !smallOrder.contains(y)
    }

    /// L = 2^252 + 27742317777372353535851937790883648493, little-endian.
    private static let order: [UInt8] = [
        0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9,
        0xDE, 0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ]

    /// p = 2^255 - 19, little-endian.
    private static let prime: [UInt8] = [0xED] + Array(repeating: 0xFF, count: 30) + [0x7F]

    /// The canonical y of the eight points of small order: 0, 1, -1 and two of order 8.
    private static let smallOrder: [[UInt8]] = [
        Array(repeating: 0, count: 32),
        [1] + Array(repeating: 0, count: 31),
        [0xEC] + Array(repeating: 0xFF, count: 30) + [0x7F],
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF,
            0x98, 0xF0, 0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88,
            0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10,
            0x67, 0x0F, 0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77,
            0x92, 0xAC, 0x03, 0x7A,
        ],
    ]

    private static func isBelow(_ value: [UInt8], _ limit: [UInt8]) -> Bool {
        for index in stride(from: 31, through: 0, by: -1) where value[index] != limit[index] {
            return value[index] < limit[index]
        }
        return false
    }
}
