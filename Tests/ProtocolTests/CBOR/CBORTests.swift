// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Testing

/// What a reader makes of bytes: the value, or the code of the refusal.
private func uint(_ bytes: [UInt8]) -> Result<Int, DecodeError> {
    do throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        let value = try reader.uint()
        try reader.finish()
        return .success(value)
    } catch {
        return .failure(error)
    }
}

/// Numbers of RFC 8949 appendix A that are allowed here.
@Test(
    arguments: [
        ([0x00], 0), ([0x01], 1), ([0x0A], 10), ([0x17], 23), ([0x18, 0x18], 24),
        ([0x18, 0x64], 100),
        ([0x19, 0x03, 0xE8], 1000), ([0x1A, 0x00, 0x0F, 0x42, 0x40], 1_000_000),
        ([0x1B, 0x00, 0x00, 0x00, 0xE8, 0xD4, 0xA5, 0x10, 0x00], 1_000_000_000_000),
        ([0x1B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], Int.max),
    ] as [([UInt8], Int)])
func numbersAreReadAndWritten(bytes: [UInt8], value: Int) {
    #expect(uint(bytes) == .success(value))
    var writer = CBORWriter()
    writer.uint(value)
    #expect(writer.bytes == bytes)
}

@Test(
    arguments: [
        ([], .truncated), ([0x18], .truncated), ([0x19, 0x03], .truncated),
        ([0x18, 0x17], .notShortest), ([0x19, 0x00, 0xFF], .notShortest),
        ([0x1A, 0x00, 0x00, 0xFF, 0xFF], .notShortest),
        ([0x1B, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], .notShortest),
        ([0x1B, 0x80, 0, 0, 0, 0, 0, 0, 0], .tooLarge),
        ([0x20], .wrongType), ([0x40], .wrongType), ([0x60], .wrongType), ([0x80], .wrongType),
        ([0xA0], .wrongType),
        // Bignum, tag, half float, indefinite length, reserved additional information.
        ([0xC2, 0x41, 0x01], .forbiddenForm), ([0xD8, 0x20, 0x00], .forbiddenForm),
        ([0xF9, 0x00, 0x00], .forbiddenForm), ([0x1F], .forbiddenForm), ([0x1C], .forbiddenForm),
        ([0x00, 0x00], .leftover),
    ] as [([UInt8], DecodeError.Code)])
func otherNumbersAreRefused(bytes: [UInt8], code: DecodeError.Code) {
    #expect(uint(bytes) == .failure(DecodeError(code)))
}

@Test func stringsAreBounded() throws {
    func text(_ bytes: [UInt8], max: Int) -> Result<String, DecodeError> {
        do throws(DecodeError) {
            var reader = CBORReader(bytes.span.bytes)
            return .success(try reader.text(max: max))
        } catch {
            return .failure(error)
        }
    }
    #expect(text([0x63, 0x61, 0x62, 0x63], max: 3) == .success("abc"))
    #expect(text([0x63, 0x61, 0x62, 0x63], max: 2) == .failure(DecodeError(.tooLarge)))
    #expect(text([0x63, 0x61, 0x62], max: 3) == .failure(DecodeError(.truncated)))
    #expect(text([0x61, 0xFF], max: 3) == .failure(DecodeError(.badText)))
    #expect(text([0x62, 0xC0, 0x80], max: 3) == .failure(DecodeError(.badText)))
    #expect(text([0x7F, 0x61, 0x61, 0xFF], max: 3) == .failure(DecodeError(.forbiddenForm)))
    // An announced length of nearly 2^63 asks for no memory.
    let huge: [UInt8] = [0x7B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x61]
    #expect(text(huge, max: Int.max) == .failure(DecodeError(.truncated)))
}

@Test func listsAndMapsAreBounded() {
    func array(_ bytes: [UInt8], _ range: ClosedRange<Int>) -> Result<Int, DecodeError> {
        do throws(DecodeError) {
            var reader = CBORReader(bytes.span.bytes)
            return .success(try reader.array(range))
        } catch {
            return .failure(error)
        }
    }
    #expect(array([0x83], 2...3) == .success(3))
    #expect(array([0x84], 2...3) == .failure(DecodeError(.tooLarge)))
    #expect(array([0x81], 2...3) == .failure(DecodeError(.tooSmall)))
    #expect(array([0x9F], 0...3) == .failure(DecodeError(.forbiddenForm)))
    #expect(array([0xA1], 0...3) == .failure(DecodeError(.wrongType)))
}

@Test func mapKeysComeInTheirOrder() {
    func keys(_ bytes: [UInt8]) -> DecodeError? {
        do throws(DecodeError) {
            var reader = CBORReader(bytes.span.bytes)
            _ = try reader.map(2...2)
            try reader.key(0)
            _ = try reader.bool()
            try reader.key(1)
            _ = try reader.bool()
            try reader.finish()
            return nil
        } catch {
            return error
        }
    }
    #expect(keys([0xA2, 0x00, 0xF4, 0x01, 0xF5]) == nil)
    #expect(keys([0xA2, 0x01, 0xF4, 0x00, 0xF5]) == DecodeError(.keyOrder))
    #expect(keys([0xA2, 0x00, 0xF4, 0x00, 0xF5]) == DecodeError(.keyOrder))
    #expect(keys([0xA2, 0x00, 0xF6, 0x01, 0xF5]) == DecodeError(.wrongType))
    #expect(keys([0xA2, 0x00, 0xF7, 0x01, 0xF5]) == DecodeError(.forbiddenForm))
}

@Test func itemsAreCounted() {
    func read(_ items: Int) -> DecodeError? {
        do throws(DecodeError) {
            let bytes: [UInt8] = [0x00, 0x00, 0x00]
            var reader = CBORReader(bytes.span.bytes, items: items)
            for _ in 0..<3 { _ = try reader.uint() }
            return nil
        } catch {
            return error
        }
    }
    #expect(read(3) == nil)
    #expect(read(2) == DecodeError(.tooManyItems))
}
