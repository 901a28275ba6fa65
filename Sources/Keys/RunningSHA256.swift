// SPDX-License-Identifier: Apache-2.0
import CSodium
package import Protocol

/// SHA-256 (FIPS 180-4) of what comes in pieces, such as a large file.
package struct RunningSHA256 {
    private var state = crypto_hash_sha256_state()

    /// Of nothing yet.
    package init() { crypto_hash_sha256_init(&state) }

    /// Adds a piece.
    package mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBufferPointer { piece in
            _ = crypto_hash_sha256_update(&state, piece.baseAddress, UInt64(piece.count))
        }
    }

    /// The digest of all of it.
    package mutating func finish() -> Bytes32 {
        var digest = [UInt8](repeating: 0, count: Bytes32.count)
        crypto_hash_sha256_final(&state, &digest)
        return Bytes32(digest) ?? .zero
    }
}
