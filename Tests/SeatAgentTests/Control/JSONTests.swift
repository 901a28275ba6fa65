// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SeatAgent
@testable import Text

@Suite("JSON")
struct JSONTests {
    @Test(
        "A value that was written is read back as it was",
        arguments: [
            JSON.null, true, false, 0, -7, .int(Int.max), .int(Int.min), "", "hi", [], [:],
            [1, "two", [.null]], ["b": 1, "a": ["x": [true, false]]],
            .string("tab\t quote\" back\\ nul\u{0} esc\u{1B}[2J rlo\u{202E} pair\u{1F600}"),
            .string("\u{E000}\u{2028}\u{10FFFF}\u{FEFF}"), .double(2.5), .double(-1e300),
        ] as [JSON])
    func roundTrip(value: JSON) throws {
        #expect(try JSON(line: value.line) == value)
    }

    @Test("Keys are written in the order of their bytes, without spaces")
    func sortedKeys() {
        let value: JSON = ["b": 1, "a": [1, 2], "Z": "x", "é": .null]
        #expect(value.line == #"{"Z":"x","a":[1,2],"b":1,"é":null}"#)
    }

    @Test("Nothing that acts on a terminal is written as it is")
    func printable() {
        let hostile = "a\u{1B}]0;x\u{7}\u{9B}31m\u{202E}\u{2066}\u{200B}\u{2028}\n\u{E000}é座"
        let line = JSON.string(hostile).line
        #expect(line.unicodeScalars.allSatisfy { $0.isSafeToPrint })
        #expect(line.hasSuffix(#"\n\ue000é座""#))
    }

    @Test(
        "What is not JSON is refused",
        arguments: [
            "", " ", "nul", "truex", "01", "-", "1.", ".5", "1e", "+1", "'a'", "\"a", "\"\u{1}\"",
            #""\x""#, #""\u12""#, #""\ud800""#, #""\ud800x""#, #""\ud800\u0041""#, #""\udc00""#,
            "[1,]", "[1 2]", "[", "{", #"{"a"}"#, #"{"a":1,}"#, #"{a:1}"#, #"{"a":1"b":2}"#,
            #"{"a":1,"a":2}"#, "1 2", "{} {}", "1e999", "NaN",
        ])
    func refused(text: String) {
        #expect(throws: JSONError.self) { try JSON(line: text) }
    }

    @Test("Bytes that are no UTF-8 are refused")
    func badUTF8() {
        #expect(throws: JSONError.self) { try JSON(line: [34, 0xFF, 34]) }
        #expect(throws: JSONError.self) { try JSON(line: [34, 0xC0, 0x80, 34]) }
    }

    @Test("Nesting has a limit")
    func depth() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        _ = try JSON(line: nested(32))
        #expect(throws: JSONError.self) { try JSON(line: nested(33)) }
        #expect(throws: JSONError.self) { try JSON(line: nested(100_000)) }
    }

    @Test("Escapes and white space are read")
    func escapes() throws {
        let text = " { \"a\" : \"\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\" , \"b\" : 1E2 } \r\n"
        let value = try JSON(line: text)
        #expect(value["a"] == "é\u{1F600}/\u{8}\u{C}\n\r\t")
        #expect(value["b"] == .double(100))
    }

    @Test("A number too large for 64 bits is still a number")
    func largeNumbers() throws {
        #expect(try JSON(line: "9223372036854775807") == .int(Int.max))
        #expect(try JSON(line: "9223372036854775808") == .double(9_223_372_036_854_775_808))
    }
}
