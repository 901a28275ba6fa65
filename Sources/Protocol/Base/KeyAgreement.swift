// SPDX-License-Identifier: Apache-2.0
/// A key pair of X25519 (RFC 7748), whose secret half stays where it is (docs/meet.md sections 4
/// and 8).
public protocol KeyAgreement: Sendable {
    /// The public half.
    var key: Bytes32 { get }

    /// What this pair and the other one can both make; `nil` for a key that no pair has.
    func agree(with other: Bytes32) -> Bytes32?

    /// Seals `plain` for another pair: `crypto_box` of NaCl (docs/meet.md section 4). The nonce has
    /// 24 bytes and never comes twice. `nil` for one of another length, and for a key that no pair
    /// has.
    func seal(_ plain: [UInt8], for other: Bytes32, nonce: [UInt8]) -> [UInt8]?

    /// What another pair sealed for this one; `nil` for anything else.
    func open(_ box: [UInt8], from other: Bytes32, nonce: [UInt8]) -> [UInt8]?

    /// Another pair, of 32 bytes that nobody can guess; `nil` if the memory is missing.
    func pair(seed: Bytes32) -> (any KeyAgreement)?
}
