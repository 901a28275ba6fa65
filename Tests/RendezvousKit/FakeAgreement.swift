// SPDX-License-Identifier: Apache-2.0
package import Protocol
import ProtocolTestKit

/// A key pair of a group that is far too small, for tests: Diffie and Hellman modulo 2^61 - 1.
package struct FakeAgreement: KeyAgreement {
    package let key: Bytes32
    private let secret: UInt64

    /// The pair of a seed.
    package init(seed: Bytes32) {
        secret = seed.prefix8 >> 4
        key = Self.padded(Self.power(3, secret))
    }

    package func agree(with other: Bytes32) -> Bytes32? {
        let number = other.prefix8
        guard number > 1 else { return nil }
        return FakePrimitives().sha256(Self.padded(Self.power(number, secret)).bytes)
    }

    package func seal(_ plain: [UInt8], for other: Bytes32, nonce: [UInt8]) -> [UInt8]? {
        agree(with: other).flatMap {
            FakePrimitives().seal(plain, with: [], key: $0, nonce: nonce)
        }
    }

    package func open(_ box: [UInt8], from other: Bytes32, nonce: [UInt8]) -> [UInt8]? {
        agree(with: other).flatMap { FakePrimitives().open(box, with: [], key: $0, nonce: nonce) }
    }

    package func pair(seed: Bytes32) -> (any KeyAgreement)? { FakeAgreement(seed: seed) }

    private static let prime: UInt64 = 1 << 61 - 1

    private static func power(_ base: UInt64, _ exponent: UInt64) -> UInt64 {
        var (result, square, left) = (UInt64(1), base % prime, exponent)
        while left > 0 {
            if left & 1 == 1 { result = product(result, square) }
            square = product(square, square)
            left >>= 1
        }
        return result
    }

    private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        prime.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
    }

    private static func padded(_ number: UInt64) -> Bytes32 {
        let head = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
        return Bytes32(head + [UInt8](repeating: 0, count: 24)) ?? .zero
    }
}
