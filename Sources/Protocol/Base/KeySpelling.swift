// SPDX-License-Identifier: Apache-2.0
/// A whole key as people paste it or read it aloud: 52 base32 characters, a check digit behind
/// each 13 of them, in eight groups of seven (docs/protocol.md section 1, the form of
/// Syncthing's device ids).
///
/// The check digits tell a typing mistake from another key. They prove nothing against an attacker.
extension PeerKey {
    /// Why a text is not the spelling of a key.
    public enum SpellingFault: Error, Hashable, Sendable {
        /// A character that no spelling has.
        case character(Unicode.Scalar)
        /// Not 56 characters; dashes and spaces do not count.
        case count(Int)
        /// A check digit does not fit. `groups` are the two groups as they
        /// were read, 15 characters.
        case slip(groups: String)
        /// All check digits fit, but no key has this spelling.
        case noKey
    }

    /// Characters in front of one check digit.
    private static let quarter = 13

    /// `k7q2m5x-a3d4wpb-...`: 56 characters and seven dashes.
    public var spelled: String {
        let plain = Array(Base32.encode(bytes).utf8)
        let quarters = stride(from: 0, to: plain.count, by: Self.quarter).map { start in
            let part = Array(plain[start..<min(start + Self.quarter, plain.count)])
            return Self.grouped(part + [Self.check(part)])
        }
        return quarters.joined(separator: "-")
    }

    /// Reads a spelling in either case, with or without dashes and spaces; 0, 1 and 8 are read as
    /// the letters o, i and b, which they are taken for. Throws `SpellingFault`.
    public init(spelled text: some StringProtocol) throws(SpellingFault) {
        let digits = try Self.digits(text)
        let whole = Self.quarter + 1
        guard digits.count == 4 * whole else { throw .count(digits.count) }
        var plain: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: whole) {
            let part = Array(digits[start..<start + Self.quarter])
            let check = digits[start + Self.quarter]
            guard check == Self.check(part) else {
                throw .slip(groups: Self.grouped(part + [check]))
            }
            plain += part
        }
        guard let bytes = Base32.decode(plain), let key = PeerKey(bytes) else { throw .noKey }
        self = key
    }

    /// The digits of a spelling in lower case, as far as it has no other character.
    static func digits(_ text: some StringProtocol) throws(SpellingFault) -> [UInt8] {
        var digits: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "-", " ", "\t", "\r", "\n": continue
            case "0": digits.append(UInt8(ascii: "o"))
            case "1": digits.append(UInt8(ascii: "i"))
            case "8": digits.append(UInt8(ascii: "b"))
            default:
                let isCapital = ("A"..."Z").contains(scalar)
                guard scalar.isASCII,
                    case let digit = UInt8(ascii: scalar) + (isCapital ? 32 : 0),
                    Base32.value(of: digit) != nil
                else { throw .character(scalar) }
                digits.append(digit)
            }
        }
        return digits
    }

    /// Luhn's sum to the base 32, counted from the left: it tells any one wrong character, and any
    /// two neighbours that changed places except `a` and `7`.
    static func check(_ part: [UInt8]) -> UInt8 {
        var sum = 0
        for (place, digit) in part.enumerated() {
            let value = Int(Base32.value(of: digit) ?? 0) * (place % 2 + 1)
            sum += value / 32 + value % 32
        }
        return Base32.digit((32 - sum % 32) % 32)
    }

    private static func grouped(_ digits: [UInt8]) -> String {
        let half = digits.count / 2
        return String(decoding: digits.prefix(half), as: UTF8.self) + "-"
            + String(decoding: digits.dropFirst(half), as: UTF8.self)
    }
}
