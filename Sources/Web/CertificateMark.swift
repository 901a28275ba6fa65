// SPDX-License-Identifier: Apache-2.0
/// What people compare of a certificate that nobody has signed: its SHA-256 as browsers show it,
/// and as words to read aloud (docs/page.md section 7).
package struct CertificateMark: Hashable, Sendable {
    /// Words of a certificate: 70 bits.
    package static let words = 7
    /// Bytes that people compare in a browser: 64 bits.
    package static let shown = 8

    /// The SHA-256 of the certificate's DER form.
    package let digest: [UInt8]
    /// The words for its first 70 bits.
    package let words: [String]

    /// The mark of a digest of 32 bytes; `nil` for another number of them.
    package init?(digest: [UInt8], list: CodeWords) {
        guard digest.count == 32 else { return nil }
        self.digest = digest
        words = list.words(of: digest, count: Self.words)
    }

    /// The first bytes, in pairs of digits as browsers show them.
    package var start: String { Self.start(of: digest) }

    /// The first bytes of any digest: `3F 9A 12 44 5B 01 C2 77`.
    package static func start(of digest: [UInt8]) -> String {
        digest.prefix(shown).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "0" + digits : digits
        }.joined(separator: " ")
    }
}
