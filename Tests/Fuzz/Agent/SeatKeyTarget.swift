// SPDX-License-Identifier: Apache-2.0
import FuzzKit
@testable import Keys
import Protocol

/// A key that goes along: the text of a QR code as anybody may show it, and what it seals, opened.
///
/// Input: what it is, then the text, the bytes that a text holds, or what was sealed.
enum SeatKeyTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        guard let kind = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        return switch kind % 3 {
        case 0: text(String(decoding: rest, as: UTF8.self))
        case 1: body(rest)
        default: plain(rest)
        }
    }

    private static func text(_ text: String) -> Verdict {
        guard let body = try? SealedSeatKey.check(text) else { return .refused }
        let again = try? SealedSeatKey.check(SealedSeatKey.text(ofBody: body))
        hold(again == body, "another text of the same bytes")
        return .accepted
    }

    private static func body(_ bytes: [UInt8]) -> Verdict {
        let text = SealedSeatKey.text(ofBody: bytes)
        let isLong = bytes.count > SealingKey.saltCount + SealingKey.nonceCount
        let read = try? SealedSeatKey.check(text)
        hold(read == (isLong && text.utf8.count <= 2048 ? bytes : nil), "other bytes of a text")
        // A letter that is another shows.
        var bent = Array(text.utf8)
        let place = bent.count - 1 - bytes.count % 8
        bent[place] = bent[place] == 0x41 ? 0x42 : 0x41
        let wrong = try? SealedSeatKey.check(String(decoding: bent, as: UTF8.self))
        hold(wrong == nil || bent == Array(text.utf8) || wrong == bytes, "a slip does not show")
        return isLong ? .accepted : .refused
    }

    private static func plain(_ bytes: [UInt8]) -> Verdict {
        guard let seat = SeatKey(plain: bytes) else { return .refused }
        hold(1...Limits.entriesPerAuthor ~= seat.floor, "a log of no length")
        hold(seat.plain == bytes, "two encodings of one key")
        return .accepted
    }
}
