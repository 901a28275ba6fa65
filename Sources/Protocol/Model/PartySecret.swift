// SPDX-License-Identifier: Apache-2.0
/// What companions have in common: 80 random bits that whoever made the party chose
/// (docs/protocol.md section 30).
///
/// Its bytes come from the operating system: the core only takes them.
public struct PartySecret: Hashable, Sendable {
    /// Number of bytes.
    public static let count = 10
    /// Characters of a code in front of its check digit.
    private static let digits = 16

    /// The bytes.
    public let bytes: [UInt8]

    /// Why a text is not the code of a party.
    public enum CodeFault: Error, Hashable, Sendable {
        /// A character that no code has.
        case character(Unicode.Scalar)
        /// Not 17 characters; dashes and spaces do not count.
        case count(Int)
        /// The check digit does not fit: a typing mistake.
        case slip
    }

    /// Takes 10 bytes; `nil` for any other count.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }

    /// The code that people read aloud and type: `k7q2-m5xa-3d4w-pb2e-q`, the last character being
    /// a check digit.
    public var code: String {
        let digits = Array(plain.utf8)
        let groups = stride(from: 0, to: digits.count, by: 4).map { start in
            String(decoding: digits[start..<min(start + 4, digits.count)], as: UTF8.self)
        }
        return groups.joined(separator: "-")
    }

    /// The same without dashes, as a link has it.
    public var plain: String {
        let digits = Array(Base32.encode(bytes).utf8)
        return String(decoding: digits + [PeerKey.check(digits)], as: UTF8.self)
    }

    /// Reads a code in either case, with or without dashes and spaces; 0, 1 and 8 are read as the
    /// letters o, i and b, which they are taken for. Throws `CodeFault`.
    public init(code text: some StringProtocol) throws(CodeFault) {
        let digits: [UInt8]
        do throws(PeerKey.SpellingFault) {
            digits = try PeerKey.digits(text)
        } catch {
            guard case .character(let character) = error else { throw .slip }
            throw .character(character)
        }
        guard digits.count == Self.digits + 1 else { throw .count(digits.count) }
        let said = Array(digits.dropLast())
        guard digits.last == PeerKey.check(said), let bytes = Base32.decode(said) else {
            throw .slip
        }
        self.bytes = bytes
    }
}
