// SPDX-License-Identifier: Apache-2.0
/// The words of a venue as its operator signed them: the file that says its places and hours
/// (docs/protocol.md section 31). The core reads nothing of it but who signed it.
public struct VenuePage: Hashable, Sendable {
    /// 1...65535; the higher one counts.
    public let revision: Int
    /// The operator's signature, 64 bytes.
    public let signature: [UInt8]
    /// The file in its form on one line, 2...8192 bytes; hostile until ``isSigned(by:primitives:)``
    /// holds.
    public let bytes: [UInt8]

    /// A page as it was stored or came; `nil` for what no page has.
    public init?(revision: Int, signature: [UInt8], bytes: [UInt8]) {
        guard Limits.venueRevisions.contains(revision), signature.count == 64,
            Limits.page.contains(bytes.count)
        else { return nil }
        self.revision = revision
        self.signature = signature
        self.bytes = bytes
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(3)
        revision = try reader.uint(in: Limits.venueRevisions)
        signature = try reader.bytes(64...64)
        bytes = try reader.bytes(Limits.page)
    }

    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.uint(revision)
        writer.bytes(signature)
        writer.bytes(bytes)
    }

    /// Whether that operator signed it. Costs one Ed25519 verification.
    public func isSigned(by key: OperatorKey, primitives: any Primitives) -> Bool {
        VenueSignature.isRight(
            signature, runBy: key, revision: revision, words: bytes, primitives: primitives)
    }

    /// Whether it is of the venue of that name: its line has the member, as the one form of files
    /// writes it. No text in the line can look like that, because its quotes are escaped.
    func isOf(_ slug: String) -> Bool {
        let member = Array("\"slug\":\"\(slug)\"".utf8)
        guard bytes.count >= member.count else { return false }
        return (0...bytes.count - member.count).contains { start in
            bytes[start..<start + member.count].elementsEqual(member)
        }
    }

    /// What tells it from other pages.
    func mark(_ primitives: any Primitives) -> PageMark {
        PageMark(revision: revision, hash: primitives.sha256(bytes))
    }
}

/// Identifies a page. Agents compare marks before they send pages.
package struct PageMark: Hashable, Sendable {
    /// 0 for none, 1...65535.
    package var revision: Int
    /// SHA-256 of the page's bytes; zeros for none.
    package var hash: Bytes32

    /// Of a page with that revision and hash.
    package init(revision: Int, hash: Bytes32) {
        self.revision = revision
        self.hash = hash
    }

    /// Of no page at all.
    package static let none = PageMark(revision: 0, hash: .zero)

    /// Whether this one replaces `other`: the higher revision, and of two with one number, which
    /// only an operator who signed twice makes, the one with the smaller hash.
    package func replaces(_ other: PageMark) -> Bool {
        revision != other.revision ? revision > other.revision : hash < other.hash
    }
}
