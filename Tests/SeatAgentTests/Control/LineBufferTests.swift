// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
import Testing

@testable import SeatAgent

@Suite("Lines from pieces")
struct LineBufferTests {
    @Test("The same lines come out however the bytes are cut", arguments: 1...7)
    func cuts(size: Int) {
        let text = Array("one\n\ntwo\r\nthree and more\nrest".utf8)
        var buffer = LineBuffer(limit: 100)
        var lines: [String] = []
        for start in stride(from: 0, to: text.count, by: size) {
            buffer.append(text[start..<min(start + size, text.count)])
            while let line = buffer.nextLine() {
                lines.append(String(decoding: line, as: UTF8.self))
            }
        }
        #expect(lines == ["one", "", "two", "three and more"])
        #expect(buffer.takeRest() == Array("rest".utf8))
        #expect(buffer.isEmpty)
    }

    @Test("A line that is too long is told, one of the exact length is not")
    func limit() {
        var buffer = LineBuffer(limit: 4)
        buffer.append(Array("abcd".utf8))
        #expect(!buffer.isOverfull)
        buffer.append(Array("e".utf8))
        #expect(buffer.isOverfull)
    }

    @Test("Storage does not grow with what was read")
    func manyLines() {
        var buffer = LineBuffer(limit: 1000)
        let line = Array((String(repeating: "x", count: 99) + "\n").utf8)
        for _ in 0..<10_000 {
            buffer.append(line)
            #expect(buffer.nextLine()?.count == 99)
        }
        #expect(buffer.isEmpty)
    }
}
