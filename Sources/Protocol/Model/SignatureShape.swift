// SPDX-License-Identifier: Apache-2.0
/// Checks of an Ed25519 key and signature before any library sees them (docs/protocol.md section
/// 8).
///
/// S below the group order, A and R canonical and not of small order: so a library update
/// cannot widen the set of signatures that the fold accepts.
package enum SignatureShape {
    /// Whether `signature` (64 bytes, R then S) and `key` have the only allowed shape.
    package static func isCanonical(signature: [UInt8], key: PeerKey) -> Bool {
        let halves = signature.span.bytes
        guard signature.count == 64, let point = Bytes32(halves, at: 0),
            let scalar = Bytes32(halves, at: 32)
        else { return false }
        return Number(scalar) < order && isGoodPoint(point) && isGoodPoint(key.raw)
    }

    /// Whether a 32-byte little-endian encoding is a canonical y and not a point of small order.
    package static func isGoodPoint(_ point: Bytes32) -> Bool {
        let y = Number(point).withoutSign
        return y < prime && !smallOrder.contains(y)
    }

    /// L = 2^252 + 27742317777372353535851937790883648493.
    private static let order = Number(
        0x1000_0000_0000_0000, 0, 0x14DE_F9DE_A2F7_9CD6, 0x5812_631A_5CF5_D3ED)

    /// p = 2^255 - 19.
    private static let prime = Number(.max >> 1, .max, .max, .max - 18)

    /// The canonical y of the eight points of small order: 0, 1, -1 and two of order 8.
    private static let smallOrder = [
        Number(0, 0, 0, 0), Number(0, 0, 0, 1), Number(.max >> 1, .max, .max, .max - 19),
        Number(
            0x05FC_536D_8802_38B1, 0x3933_C6D3_05AC_DFD5, 0xF098_EFF2_89F4_C345,
            0xB027_B2C2_8F95_E826),
        Number(
            0x7A03_AC92_77FD_C74E, 0xC6CC_392C_FA53_202A, 0x0F67_100D_760B_3CBA,
            0x4FD8_4D3D_706A_17C7),
    ]

    /// 32 bytes as the number that curve25519 reads in them: the last byte is the highest.
    private struct Number: Equatable {
        /// 64 bits each, the highest first.
        let a, b, c, d: UInt64

        init(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
            (self.a, self.b, self.c, self.d) = (a, b, c, d)
        }

        init(_ bytes: Bytes32) {
            let words = bytes.words
            self.init(
                words.3.byteSwapped, words.2.byteSwapped, words.1.byteSwapped,
                words.0.byteSwapped)
        }

        /// The y of a point: the highest bit is the sign of its x.
        var withoutSign: Number { Number(a & .max >> 1, b, c, d) }

        static func < (left: Number, right: Number) -> Bool {
            (left.a, left.b, left.c, left.d) < (right.a, right.b, right.c, right.d)
        }
    }
}
