// SPDX-License-Identifier: Apache-2.0
import FuzzKit

@testable import Protocol

/// Codes and links that people paste, and sealed lines of companions: hostile text and bytes.
///
/// Input: what it is meant to be, then the text or the bytes.
enum PartyTarget {
    private static let primitives = LaxPrimitives.shared
    private static let author = PeerKey(.zero)
    private static let keys: PartyKeys = {
        guard let secret = PartySecret(Array(0..<10)) else { broken("10 bytes are a secret") }
        return PartyKeys(secret, flight: FlightID(.zero), primitives: primitives)
    }()

    static func run(_ input: [UInt8]) -> Verdict {
        guard let kind = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        switch kind % 4 {
        case 0: return code(String(decoding: rest, as: UTF8.self))
        case 1: return link(String(decoding: rest, as: UTF8.self))
        case 2: return line(rest)
        default: return damaged(rest)
        }
    }

    private static func code(_ text: String) -> Verdict {
        guard let secret = try? PartySecret(code: text) else { return .refused }
        hold((try? PartySecret(code: secret.code)) == secret, "another code")
        hold(PartySecret(secret.bytes) == secret, "another secret")
        return .accepted
    }

    private static func link(_ text: String) -> Verdict {
        guard let link = try? SeatLink(text) else { return .refused }
        hold(link.text == text, "a link has one spelling")
        return .accepted
    }

    /// What was opened, if it is a line: its one encoding, sealed and opened again.
    private static func line(_ bytes: [UInt8]) -> Verdict {
        guard let line = try? PartyText(decoding: bytes) else { return .refused }
        hold(line.encoded == bytes, "written as other bytes")
        guard let sealed = keys.sealed(line, by: author, at: 1) else { broken("cannot seal") }
        hold(Limits.sealedTalk.contains(sealed.sealed.count), "does not fit an entry")
        hold(keys.opened(sealed, by: author, at: 1) == line, "cannot be opened")
        hold(keys.opened(sealed, by: author, at: 2) == nil, "opened at another place")
        return .accepted
    }

    /// Bytes that nobody sealed are nothing.
    private static func damaged(_ bytes: [UInt8]) -> Verdict {
        let talk = SealedTalk(
            nonce: Array(bytes.prefix(24)) + Array(repeating: 0, count: max(0, 24 - bytes.count)),
            sealed: Array(bytes.dropFirst(24)))
        hold(keys.opened(talk, by: author, at: 1) == nil, "opened what nobody sealed")
        return .refused
    }
}
