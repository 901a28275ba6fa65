// SPDX-License-Identifier: Apache-2.0
/// A key pair of X25519 (RFC 7748), whose secret half stays where it is (docs/meet.md section 8).
public protocol KeyAgreement: Sendable {
    /// The public half.
    var key: Bytes32 { get }

    /// What this pair and the other one can both make; `nil` for a key that no pair has.
    func agree(with other: Bytes32) -> Bytes32?

    /// Another pair, of 32 bytes that nobody can guess; `nil` if the memory is missing.
    func pair(seed: Bytes32) -> (any KeyAgreement)?
}
