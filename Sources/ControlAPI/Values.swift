// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// Seats are written `14C`.
extension Seat: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let seat = Seat(try container.decode(String.self)) else {
            throw JSONFault(
                path: decoder.codingPath.map(\.stringValue), wanted: "a seat such as 14C")
        }
        self = seat
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// A wish for a seat, in an offer.
package enum SeatWish: Codable, Hashable, Sendable {
    case any
    case window
    case aisle
    /// Further forward than the seat that is offered.
    case front
    /// A seat, or blocks of rows and columns: `12A`, `1-10AF,12A`.
    case seats(String)

    /// A wish as it is written.
    package init(text: String) {
        let words: [SeatWish] = [.any, .window, .aisle, .front]
        self = words.first { $0.text == text } ?? .seats(text)
    }

    /// As it is written.
    package var text: String {
        switch self {
        case .any: "any"
        case .window: "window"
        case .aisle: "aisle"
        case .front: "front"
        case .seats(let text): text
        }
    }

    package init(from decoder: any Decoder) throws {
        self.init(text: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Seat: JSONKinded { package static var kind: JSONKind { .form("seat") } }
extension SeatWish: JSONKinded { package static var kind: JSONKind { .form("wish") } }

/// What stands behind a claim to a seat. Nothing does where there is no evidence:
/// the seat is only claimed.
package enum Evidence: Codable, Hashable, Sendable {
    /// The user compared codes.
    case verified
    /// Of the user's party.
    case party
    /// So many whom the user verified vouch for it.
    case vouched(Int)
    /// The user's own claim.
    case own
    /// A kind that this program does not know.
    case other

    private enum CodingKeys: String, CodingKey { case verified, party, vouched, own }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func holds(_ key: CodingKeys) throws -> Bool {
            try container.decodeIfPresent(Bool.self, forKey: key) ?? false
        }
        let (isVerified, isParty) = (try holds(.verified), try holds(.party))
        let count = try container.decodeIfPresent(Int.self, forKey: .vouched)
        let isOwn = try holds(.own)
        if isVerified {
            self = .verified
        } else if isParty {
            self = .party
        } else if let count {
            self = .vouched(count)
        } else {
            self = isOwn ? .own : .other
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .verified: try container.encode(true, forKey: .verified)
        case .party: try container.encode(true, forKey: .party)
        case .vouched(let count): try container.encode(count, forKey: .vouched)
        case .own: try container.encode(true, forKey: .own)
        case .other: break
        }
    }
}
