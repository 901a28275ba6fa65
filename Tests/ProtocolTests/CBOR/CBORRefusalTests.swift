// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Testing

/// The kinds of item that the messages are made of.
enum ItemKind: CaseIterable {
    case number, bytes, text, array, map, bool, null
}

/// `nil` when `input` starts with one item of `kind`, else why not.
private func refusal(_ kind: ItemKind, _ input: [UInt8]) -> DecodeError.Code? {
    do throws(DecodeError) {
        var reader = CBORReader(input.span.bytes)
        switch kind {
        case .number: _ = try reader.uint()
        case .bytes: _ = try reader.bytes(0...99)
        case .text: _ = try reader.text(max: 99)
        case .array: _ = try reader.array(0...99)
        case .map: _ = try reader.map(0...99)
        case .bool: _ = try reader.bool()
        case .null: if try !reader.takeNull() { return .wrongType }
        }
        return nil
    } catch {
        return error.code
    }
}

/// Encodings of RFC 8949 appendix A that no message may hold, whatever is expected there.
@Test(arguments: [
    // -1, -10, -100, -1000, and -18446744073709551616
    "20", "29", "3863", "3903e7", "3bffffffffffffffff",
    // bignums
    "c249010000000000000000", "c349010000000000000000",
    // 0.0, -0.0, 1.0, 1.1, 1.5, 65504.0, 100000.0, 1.0e+300, infinities, not a number
    "f90000", "f98000", "f93c00", "fb3ff199999999999a", "f93e00", "f97bff", "fa47c35000",
    "fb7e37e43c8800759c", "f97c00", "f97e00", "f9fc00", "fa7f800000", "fb7ff8000000000000",
    // undefined, simple(16), simple(255)
    "f7", "f0", "f8ff",
    // tags 0, 1, 23, 24, 32
    "c074323031332d30332d32315432303a30343a30305a", "c11a514b67b0", "c1fb41d452d9ec200000",
    "d74401020304", "d818456449455446", "d82076687474703a2f2f7777772e6578616d706c652e636f6d",
    // indefinite lengths
    "5f42010243030405ff", "7f657374726561646d696e67ff", "9fff", "9f018202039f0405ffff",
    "bf61610161629f0203ffff", "bf6346756ef563416d7421ff",
    // reserved additional information, and a lone break
    "1c", "1d", "1e", "3f", "5c", "7d", "9e", "bc", "dc", "fc", "ff",
])
func formsThatAreNeverAllowed(hex: String) throws {
    let input = try #require(bytes(hexadecimal: hex))
    for kind in ItemKind.allCases {
        let code = try #require(refusal(kind, input), "\(hex) was read as \(kind)")
        #expect(code == .forbiddenForm || code == .wrongType)
    }
}

/// The allowed rest of appendix A, each read as one kind only.
@Test(
    arguments: [
        ("1bffffffffffffffff", nil), ("00", .number), ("1903e8", .number), ("40", .bytes),
        ("4401020304", .bytes), ("60", .text), ("6161", .text), ("6449455446", .text),
        ("62225c", .text), ("62c3bc", .text), ("63e6b0b4", .text), ("64f0908591", .text),
        ("80", .array), ("83010203", .array),
        ("98190102030405060708090a0b0c0d0e0f101112131415161718181819", .array),
        ("a0", .map), ("a201020304", .map), ("f4", .bool), ("f5", .bool), ("f6", .null),
    ] as [(String, ItemKind?)])
func formsThatAreAllowed(hex: String, as kind: ItemKind?) throws {
    let input = try #require(bytes(hexadecimal: hex))
    for other in ItemKind.allCases { #expect((refusal(other, input) == nil) == (other == kind)) }
}

/// Lengths and counts that are written longer than needed, for every kind that has one.
@Test(
    arguments: [
        ([0x58, 0x01, 0x00], ItemKind.bytes), ([0x59, 0x00, 0x01, 0x00], .bytes),
        ([0x78, 0x01, 0x61], .text), ([0x7A, 0, 0, 0, 1, 0x61], .text),
        ([0x98, 0x01, 0x00], .array),
        ([0x9B, 0, 0, 0, 0, 0, 0, 0, 1, 0], .array), ([0xB8, 0x01, 0x00, 0x00], .map),
        ([0x18, 0x00], .number), ([0xF8, 0x14], .bool),
    ] as [([UInt8], ItemKind)])
func lengthsAreShortest(input: [UInt8], kind: ItemKind) {
    #expect(refusal(kind, input) == (kind == .bool ? .forbiddenForm : .notShortest))
}

/// A writer's text read to its end, cut anywhere, is `truncated`; longer, it is `leftover`.
@Test func cutAndLongerTexts() {
    var writer = CBORWriter()
    writer.array(4)
    writer.uint(70_000)
    writer.bytes([1, 2, 3])
    writer.text("wäre")
    writer.bool(true)
    func read(_ input: [UInt8]) -> DecodeError.Code? {
        do throws(DecodeError) {
            var reader = CBORReader(input.span.bytes)
            try reader.array(4)
            _ = try reader.uint()
            _ = try reader.bytes(3...3)
            _ = try reader.text(max: 5)
            _ = try reader.bool()
            try reader.finish()
            return nil
        } catch {
            return error.code
        }
    }
    #expect(read(writer.bytes) == nil)
    for count in writer.bytes.indices {
        #expect(read(Array(writer.bytes[..<count])) == .truncated)
    }
    #expect(read(writer.bytes + [0]) == .leftover)
}

/// Strings whose length is known before: any other one, any other head and any cut is refused for
/// the reason for which a string of a length in a range is.
@Test(arguments: [3, 8, 23, 24, 32, 64, 255, 256])
func stringsOfOneLength(count: Int) {
    func read(_ input: [UInt8], items: Int = 1) -> Result<Range<Int>, DecodeError> {
        do throws(DecodeError) {
            var reader = CBORReader(input.span.bytes, items: items)
            return .success(try reader.byteRange(exactly: count))
        } catch {
            return .failure(error)
        }
    }
    var writer = CBORWriter()
    writer.bytes([UInt8](repeating: 7, count: count))
    let good = writer.bytes
    #expect(read(good) == .success(good.count - count..<good.count))
    #expect(read(good + [0]) == .success(good.count - count..<good.count))
    for end in good.indices {
        #expect(read(Array(good[..<end])) == .failure(DecodeError(.truncated)))
    }
    #expect(read(good, items: 0) == .failure(DecodeError(.tooManyItems)))
    let content = good.suffix(count)
    for (other, code) in [(count - 1, DecodeError.Code.tooSmall), (count + 1, .tooLarge)] {
        var writer = CBORWriter()
        writer.bytes([UInt8](repeating: 7, count: other))
        #expect(read(writer.bytes + content) == .failure(DecodeError(code)))
    }
    let long: [UInt8] = [0x5A, 0, 0, UInt8(count >> 8), UInt8(count & 255)]
    #expect(read(long + content) == .failure(DecodeError(.notShortest)))
    #expect(read([0x60] + content) == .failure(DecodeError(.wrongType)))
    #expect(read([0x5F] + content) == .failure(DecodeError(.forbiddenForm)))
}

/// What is made of such strings.
@Test func numbersOfBytes() throws {
    var writer = CBORWriter()
    writer.bytes([0xA1, 0x01, 0x27])
    writer.bytes([1, 2, 3, 4, 5, 6, 7, 8])
    writer.bytes([UInt8](0..<32))
    var reader = CBORReader(writer.bytes.span.bytes)
    #expect(try reader.number(ofBytes: 3) == 0xA1_01_27)
    #expect(try reader.number(ofBytes: 8) == 0x0102_0304_0506_0708)
    #expect(try reader.bytes32().bytes == [UInt8](0..<32))
    try reader.finish()
}
