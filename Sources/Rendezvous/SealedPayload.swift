// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What travels through a meeting point and is left there: sealed by the key of the epoch and bound
/// to its topic, in one of six sizes (docs/meet.md section 2).
///
///     payload = 0x01 nonce (24) XChaCha20-Poly1305(plain)
package enum SealedPayload {
    /// The first byte.
    package static let version: UInt8 = 1
    /// Bytes of a nonce.
    package static let nonceBytes = 24
    /// Bytes that a payload has beside what is sealed: version, nonce and tag.
    package static let overhead = 1 + nonceBytes + 16

    /// Bytes that something sealed has in each of the six sizes.
    package static let plainSizes = MeetLimits.payloadSizes.map { $0 - overhead }

    /// Seals `plain`, which has one of ``plainSizes``, for one topic of one epoch. The nonce has 24
    /// bytes and is used once. `nil` for a plain of another size, and without a cipher.
    package static func seal(
        _ plain: [UInt8], for topic: MeetTopic, in names: MeetNames, nonce: [UInt8],
        primitives: any Primitives
    ) -> [UInt8]? {
        guard plainSizes.contains(plain.count), nonce.count == nonceBytes,
            let sealed = primitives.seal(
                plain, with: Array(topic.text(in: names).utf8), key: names.seal, nonce: nonce)
        else { return nil }
        return [version] + nonce + sealed
    }

    /// What was sealed for this topic in this epoch; `nil` for anything else. Bytes of a size that
    /// no agent makes are not looked at.
    package static func open(
        _ payload: [UInt8], from topic: MeetTopic, in names: MeetNames, primitives: any Primitives
    ) -> [UInt8]? {
        guard MeetLimits.payloadSizes.contains(payload.count), payload.first == version else {
            return nil
        }
        let rest = payload.dropFirst()
        return primitives.open(
            Array(rest.dropFirst(nonceBytes)), with: Array(topic.text(in: names).utf8),
            key: names.seal, nonce: Array(rest.prefix(nonceBytes)))
    }
}

/// The bytes of zeros at the end of everything that is sealed, which bring it to one of six sizes.
enum MeetPadding {
    /// Closes an array by a byte string of zeros, so that it has the smallest of
    /// ``SealedPayload/plainSizes`` that it can have; `nil` for one that is longer than all.
    ///
    /// Two sizes cannot be had, because the head of a byte string grows with it: then it is the
    /// next.
    static func close(_ writer: consuming CBORWriter) -> [UInt8]? {
        let count = writer.bytes.count
        for size in SealedPayload.plainSizes where size > count {
            guard let zeros = zeros(filling: size - count) else { continue }
            writer.bytes([UInt8](repeating: 0, count: zeros))
            return writer.bytes
        }
        return nil
    }

    /// How many zeros a byte string of so many bytes in all has; `nil` where none has so many.
    private static func zeros(filling count: Int) -> Int? {
        switch count {
        case 1...24: count - 1
        case 26...257: count - 2
        case 259...65_538: count - 3
        default: nil
        }
    }

    /// Reads the zeros. Throws for anything else.
    static func read(_ reader: inout CBORReader) throws(DecodeError) {
        let zeros = try reader.bytes(
            0...SealedPayload.plainSizes[SealedPayload.plainSizes.count - 1])
        guard zeros.allSatisfy({ $0 == 0 }) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
    }
}
