// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Rendezvous
@testable import Text

/// Forms of what is sealed at a meeting point, at its limits and beyond them (docs/meet.md sections
/// 2 and 4).
enum MeetPlainForms {
    /// Kind, and what stands between it and the padding.
    private static func plain(
        _ count: Int, _ kind: Int, pad: Int = 0, _ write: (inout CBORWriter) -> Void
    ) -> [UInt8] {
        var writer = CBORWriter(capacity: 1024)
        writer.array(count)
        writer.uint(kind)
        write(&writer)
        writer.bytes([UInt8](repeating: 0, count: pad))
        return writer.bytes
    }

    private static let key = [UInt8](repeating: 7, count: 32)

    private static func entries(_ sizes: [Int], _ writer: inout CBORWriter) {
        writer.array(sizes.count)
        for size in sizes { writer.bytes([UInt8](repeating: 9, count: size)) }
    }

    private static func live(_ sizes: [Int], pad: Int = 0) -> [UInt8] {
        plain(3, 3, pad: pad) { entries(sizes, &$0) }
    }

    private static func part(
        _ number: Int, _ sizes: [Int], author: [UInt8] = key, count: Int = 5
    ) -> [UInt8] {
        plain(count, 2) {
            $0.bytes(author)
            $0.uint(number)
            entries(sizes, &$0)
        }
    }

    private static func letters(
        made: Int = 1000, until: Int, sealed: Int = 42, sender: [UInt8] = key, count: Int = 6
    ) -> [UInt8] {
        plain(count, 4) {
            $0.bytes(sender)
            $0.uint(made)
            $0.uint(until)
            $0.bytes([UInt8](repeating: 3, count: sealed))
        }
    }

    private static func card(
        _ body: [UInt8], signature: Int = 64, count: Int = 4, kind: Int = 1
    ) -> [UInt8] {
        plain(count, kind) {
            $0.bytes(body)
            $0.bytes([UInt8](repeating: 5, count: signature))
        }
    }

    private static let longest = Int(MeetLimits.longestStay)
    private static let ones256 = [Int](repeating: 1, count: 256)

    static func accepted() -> [JSON] {
        let all: [(String, [UInt8])] = [
            ("no padding", live([1])), ("more padding than needed", live([1], pad: 2000)),
            ("64 entries", live([Int](repeating: 1, count: 64))),
            ("256 entries", part(3, ones256)), ("an entry of 15000", part(0, [15_000])),
            ("letters for a second", letters(until: 1001)),
            ("letters for 96 hours", letters(until: 1000 + longest)),
            ("letters of 16000", letters(until: 2000, sealed: 16_000)),
            ("letters at the end of time", letters(made: .max - 1, until: .max)),
        ]
        return all.map { ["why": .string($0.0), "plain": .hex($0.1)] }
    }

    static func refused() -> [JSON] { (forms() + limits()).map(refusal) }

    private static func forms() -> [(String, [UInt8])] {
        let good = live([1])
        return [
            ("nothing", []), ("no array", [3]), ("an empty array", [0x80]),
            ("a map", [0xA3] + good.dropFirst()),
            ("an array without end", [0x9F] + good[1...] + [0xFF]),
            ("a kind of two bytes", [0x83, 0x18, 3] + good[2...]),
            ("a kind that is text", [0x83, 0x61, 3]),
            ("kind 0", plain(3, 0) { entries([1], &$0) }),
            ("kind 5", plain(3, 5) { entries([1], &$0) }),
            ("new entries of four", [0x84] + good[1...] + [0x40]),
            ("new entries of two", [0x82] + good[1...]),
            ("a part of six", part(0, [1], count: 6) + [0x40]),
            ("a part that is a card", card([1], kind: 2)),
            ("letters of five", letters(until: 2000, count: 5)),
            ("bytes behind it", good + [0]),
            ("entries that are text", [0x83, 3, 0x81, 0x61, 0x61, 0x40]),
            ("entries that are a number", [0x83, 3, 1, 0x40]),
            ("a tag", [0xC0] + good), ("a float", [0x83, 0xF9, 0x42, 0, 0x81, 0x41, 7, 0x40]),
        ]
    }

    private static func limits() -> [(String, [UInt8])] {
        let short = Array(key.dropLast())
        return [
            ("no entries", live([])), ("an empty entry", live([0])),
            ("65 entries", live([Int](repeating: 1, count: 65))),
            ("a part of nothing", part(0, [])),
            ("257 entries", part(0, ones256 + [1])), ("an entry of 15001", part(0, [15_001])),
            ("part 4", part(4, [1])), ("an author of 31 bytes", part(0, [1], author: short)),
            ("letters that end when made", letters(until: 1000)),
            ("letters that end before", letters(until: 999)),
            ("letters for longer than 96 hours", letters(until: 1001 + longest)),
            ("letters sealed in 41 bytes", letters(until: 2000, sealed: 41)),
            ("letters sealed in 16001 bytes", letters(until: 2000, sealed: 16_001)),
            ("a sender of 33 bytes", letters(until: 2000, sender: key + [1])),
            ("a card without a body", card([])), ("a card that is no card", card([1])),
            ("a card of 3401 bytes", card([UInt8](repeating: 0x80, count: 3401))),
        ]
    }

    /// One that is refused, and why.
    static func refusal(_ why: String, _ plain: [UInt8]) -> JSON {
        [
            "why": .string(why), "plain": .hex(plain),
            "error": error { try MeetPlain(decoding: plain) },
        ]
    }

    /// The reason for which bytes are refused; `null` where they are taken.
    static func error(_ read: () throws -> some Any) -> JSON {
        do {
            _ = try read()
            return .null
        } catch let error as DecodeError {
            return .string(error.code.rawValue)
        } catch {
            return .null
        }
    }
}
